"""Tables: texts that a spreadsheet would run, whole numbers, and what a workbook cannot hold."""

import io
import json
from pathlib import Path
from typing import Any

import openpyxl
import pandas
import pytest

from groundtrace.errors import InputError
from groundtrace.files import tables
from groundtrace.files.tables import write_table
from tests.command import DATA, groundtrace

FORMULAS = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "＝1+1",
    "=cmd|' /C calc'!A0",
    "'=1",
    "- a dash that begins a list",
]
TEXTS = ["plain", "a = b", "", "'tis so", "two\nlines", "a\rb", 'with "quotes", commas', "5"]


def written(rows: list[dict[str, Any]], format: str) -> bytes:  # noqa: A002
    buffer = io.BytesIO()
    write_table(rows, format, buffer)
    return buffer.getvalue()


def from_csv(rows: list[dict[str, Any]]) -> Any:
    content = io.BytesIO(written(rows, "csv"))
    return pandas.read_csv(content, dtype=str, keep_default_na=False, lineterminator=None)


def from_xlsx(rows: list[dict[str, Any]]) -> list[list[Any]]:
    sheet = openpyxl.load_workbook(io.BytesIO(written(rows, "xlsx"))).active
    return [list(row) for row in sheet.iter_rows()]


@pytest.mark.parametrize("text", FORMULAS)
def test_csv_marks_what_a_spreadsheet_would_run(text: str) -> None:
    frame = from_csv([{"text": text, "n": -1}])
    assert frame["text"].tolist() == [f"'{text}"]
    assert frame["n"].tolist() == ["-1"]


def test_csv_leaves_other_texts_alone() -> None:
    frame = from_csv([{"text": text, "last": "x"} for text in TEXTS])
    assert frame["text"].tolist() == TEXTS
    assert frame["last"].tolist() == ["x"] * len(TEXTS)


def test_csv_marks_names_of_columns_too() -> None:
    assert list(from_csv([{"=1+1": "x"}])) == ["'=1+1"]


def test_the_marks_of_csv_can_be_taken_away_again() -> None:
    frame = from_csv([{"text": text} for text in [*FORMULAS, *TEXTS]])
    back = [one[1:] if tables.FORMULA.match(one) else one for one in frame["text"]]
    assert back == [*FORMULAS, *TEXTS]


@pytest.mark.parametrize("text", [*FORMULAS, "http://example.org", "1e5", "#N/A"])
def test_xlsx_holds_texts_as_texts(text: str) -> None:
    _, (cell, number, truth, absent) = from_xlsx(
        [{"text": text, "n": 2, "yes": True, "none": None}]
    )
    assert cell.data_type == "s"
    # The escape of a return is part of the format.
    assert cell.value.replace("_x000D_", "\r") == text
    assert (number.value, number.data_type) == (2, "n")
    assert (truth.value, truth.data_type) == (True, "b")
    assert absent.value is None


def test_xlsx_takes_characters_that_xml_forbids() -> None:
    _, (cell,) = from_xlsx([{"text": "a\x01b\x0bc\ufffed"}])
    assert cell.value == "a_x0001_b_x000B_c_xFFFE_d"


@pytest.mark.parametrize("text", ["x" * 32_767, "😀" * 16_383])
def test_xlsx_holds_the_longest_cell(text: str) -> None:
    buffer = io.BytesIO()
    assert write_table([{"text": text}], "xlsx", buffer) == []
    assert openpyxl.load_workbook(buffer).active["A2"].value == text


@pytest.mark.parametrize("text", ["x" * 32_768, "😀" * 16_384, "x" + "😀" * 20_000])
def test_xlsx_cuts_longer_cells_and_says_so(text: str) -> None:
    buffer = io.BytesIO()
    said = write_table([{"text": text}, {"text": None}, {"text": "short"}], "xlsx", buffer)
    assert said == ["1 cell was longer than a cell of XLSX can be, and cut"]
    value = openpyxl.load_workbook(buffer).active["A2"].value
    kept, _, told = value.partition("…")
    assert text.startswith(kept)
    assert told == f" (cut; {len(text):,} characters)"
    assert 32_760 < len(value.encode("utf-16-le")) / 2 <= 32_767


def test_xlsx_refuses_more_rows_than_a_sheet_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_ROWS", 3)
    assert written([{"n": 1}] * 2, "xlsx")
    with pytest.raises(InputError, match=r"3 rows of 1 columns.* at most 2 .*use csv or parquet"):
        written([{"n": 1}] * 3, "xlsx")


@pytest.mark.parametrize("format", tables.TABLE_FORMATS)
def test_same_rows_same_bytes(format: str) -> None:  # noqa: A002
    rows: list[dict[str, Any]] = [{"text": "=1", "n": 1}, {"text": None, "n": None}]
    assert written(rows, format) == written(rows, format)


def test_whole_numbers_are_written_as_such() -> None:
    rows: list[dict[str, Any]] = [
        {"depth": 1, "share": 1.0},
        {"depth": None, "share": None},
        {"share": 0.5},
    ]
    assert written(rows, "csv").decode().split() == ["depth,share", "1,1.0", ",", ",0.5"]
    depth = pandas.read_parquet(io.BytesIO(written(rows, "parquet")))["depth"]
    assert str(depth.dtype) == "Int64"


@pytest.mark.parametrize("values", [[10**30, 1], ["a", 1], [True, 1], [None, "x"], [None]])
@pytest.mark.parametrize("format", tables.TABLE_FORMATS)
def test_columns_of_any_values_are_written(values: list[Any], format: str) -> None:  # noqa: A002
    assert written([{"own": value} for value in values], format)


@pytest.mark.parametrize("format", tables.TABLE_FORMATS)
def test_texts_of_an_audit_in_each_format(format: str, tmp_path: Path) -> None:  # noqa: A002
    trace = {
        "id": "=1",
        "segments": ["c", "=HYPERLINK(0)", "-1"],
        "relations": [{"premises": [1], "target": 2, "label": "entailment"}],
    }
    out = tmp_path / f"audits.{format}"
    result = groundtrace("audit", "-", "--out", out, stdin=json.dumps(trace).encode())
    assert result.returncode == 0, result.stderr
    read = {"csv": pandas.read_csv, "xlsx": pandas.read_excel, "parquet": pandas.read_parquet}
    frame = read[format](out)
    mark = "'" if format == "csv" else ""
    assert frame["id"].tolist() == [f"{mark}=1"] * 2
    assert frame["text"].tolist() == [f"{mark}=HYPERLINK(0)", f"{mark}-1"]
    assert frame["depth"].isna().tolist() == [False, True]
    if format == "csv":
        assert ",1," in out.read_text().splitlines()[1]


def test_a_workbook_of_rewards(tmp_path: Path) -> None:
    out = tmp_path / "rewards.xlsx"
    assert groundtrace("reward", DATA / "graphs" / "rewards.json", "--out", out).returncode == 0
    assert pandas.read_excel(out)["id"].tolist()


@pytest.mark.parametrize("rows", ["3", "0"])
def test_a_workbook_of_an_answer(rows: str, tmp_path: Path) -> None:
    values = "('=1+1' 2 true) ('b' UNDEF false) ('c' 3 UNDEF)".replace("'", '"')
    text = f"SELECT ?text ?n ?truth {{ VALUES (?text ?n ?truth) {{ {values} }} }} LIMIT {rows}"
    out = tmp_path / "answer.xlsx"
    result = groundtrace("query", "--text", text, DATA / "clinical.json", "--out", out)
    assert result.returncode == 0, result.stderr
    names, *cells = openpyxl.load_workbook(out).active.iter_rows()
    assert [one.value for one in names] == ["text", "n", "truth"]
    expected = [["=1+1", 2, True], ["b", None, False], ["c", 3, None]][: int(rows)]
    assert [[one.value for one in row] for row in cells] == expected
    assert all(row[0].data_type == "s" for row in cells)
