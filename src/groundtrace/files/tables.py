"""Rows as one table: CSV and XLSX for spreadsheets, Parquet for programs.

A spreadsheet takes a cell of CSV that begins with "=" and the like for a formula, and runs it
(CWE-1236); the texts of records are strangers' texts. CSV therefore marks such a text with an
apostrophe, as spreadsheets do; XLSX and Parquet say of each cell that it is text.
"""

import datetime
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO

from groundtrace.errors import InputError, missing_package

TABLE_FORMATS = ("csv", "xlsx", "parquet")

FORMULA = re.compile(r"'*[=+\-@\t\r\n\0\uff1d\uff0b\uff0d\uff20]")
"""How a text begins that a spreadsheet would run, or whose mark could be taken for ours.

The last four are the wide forms of = + - @, which East Asian spreadsheets read like these.
"""

LARGEST_WHOLE = 2**63 - 1
LONGEST_CELL = 32_767
"""Code units of UTF-16 in a cell of XLSX. Source: Excel specifications and limits."""
MOST_ROWS = 1_048_576
MOST_COLUMNS = 16_384
"""Of a sheet of XLSX, the line of names included. Source: as above."""

SAME_DATE = datetime.datetime(2000, 1, 1)
"""Stands in every workbook, so that the same input gives the same bytes."""


def write_table(rows: Iterable[Mapping[str, Any]], format: str, file: BinaryIO) -> list[str]:  # noqa: A002
    """Write rows as one table, and return what there is to say about it.

    Args:
        rows: Column to a text, a number, a truth value or None; a row may lack columns.
        format: One of TABLE_FORMATS.

    Raises:
        InputError: XLSX cannot hold so many rows or columns.
        ModelError: pandas, or what it needs, is not installed.
    """
    return write_frame(lambda: _typed_frame(list(rows)), format, file)


def write_frame(make: Callable[[], Any], format: str, file: BinaryIO) -> list[str]:  # noqa: A002
    """Write a data frame as one table, and return what there is to say about it.

    Args:
        make: Makes the frame; may need packages.
        format: One of TABLE_FORMATS.

    Raises:
        InputError: XLSX cannot hold so many rows or columns.
        ModelError: pandas, or what it needs, is not installed.
    """
    try:
        frame = make()
        if format == "csv":
            file.write(_csv(frame).encode())
            return []
        if format == "xlsx":
            return _write_xlsx(frame, file)
        frame.to_parquet(buffer := io.BytesIO(), index=False)
    except ImportError as error:
        raise missing_package("tables need", "tables", error.name or "pyarrow") from None
    file.write(buffer.getvalue())
    return []


def _typed_frame(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Return rows as a pandas data frame; whole numbers stay whole where some are missing."""
    import pandas

    names = list(dict.fromkeys(name for row in rows for name in row))
    return pandas.DataFrame({name: _column([row.get(name) for row in rows]) for name in names})


def _column(values: list[Any]) -> Any:
    """Return a column of one type: truth values, whole numbers, numbers, or texts."""
    import pandas

    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return pandas.array(values, dtype="boolean")
    if kinds <= {int, float} and all(abs(one or 0) <= LARGEST_WHOLE for one in values):
        whole = kinds == {int}
        return pandas.array(values, dtype="Int64") if whole else pandas.Series(values, dtype=float)
    return pandas.Series([None if one is None else str(one) for one in values], dtype=object)


def _texts(frame: Any) -> Iterator[str]:
    """Yield the names of the columns that hold texts."""
    return (name for name in frame.columns if frame[name].dtype.kind == "O")


def _csv(frame: Any) -> str:
    """Return a frame as CSV in which no cell and no name begins like a formula."""

    def unformulated(value: Any) -> Any:
        return f"'{value}" if isinstance(value, str) and FORMULA.match(value) else value

    for name in _texts(frame):
        frame[name] = frame[name].map(unformulated)
    # The line ends of RFC 4180: with others, pandas leaves a return inside a text unquoted.
    return str(frame.rename(columns=unformulated).to_csv(index=False, lineterminator="\r\n"))


def _write_xlsx(frame: Any, file: BinaryIO) -> list[str]:
    """Write a frame as a workbook of one sheet in which texts are texts.

    Raises:
        InputError: there are too many rows or columns.
    """
    import pandas

    rows, columns = frame.shape
    if rows >= MOST_ROWS or columns > MOST_COLUMNS:
        raise InputError(
            f"{rows:,} rows of {columns:,} columns; a sheet of XLSX holds at most "
            f"{MOST_ROWS - 1:,} of {MOST_COLUMNS:,}: use csv or parquet"
        )
    count = 0
    for name in _texts(frame):
        shortened = frame[name].map(_fitting)
        count += int((shortened != frame[name]).sum() - shortened.isna().sum())
        frame[name] = shortened
    texts = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    buffer = io.BytesIO()
    arguments = {"options": texts}
    with pandas.ExcelWriter(buffer, engine="xlsxwriter", engine_kwargs=arguments) as writer:
        writer.book.set_properties({"created": SAME_DATE})
        frame.to_excel(writer, index=False, sheet_name="groundtrace")
    file.write(buffer.getvalue())
    cells = "1 cell was" if count == 1 else f"{count:,} cells were"
    return [f"{cells} longer than a cell of XLSX can be, and cut"] if count else []


def _fitting(value: Any) -> Any:
    """Return a text that fits into a cell of XLSX, with a word at its end if it was cut."""
    if not isinstance(value, str):
        return value
    units = value.encode("utf-16-le")
    if len(units) <= 2 * LONGEST_CELL:
        return value
    told = f"… (cut; {len(value):,} characters)"
    kept = units[: 2 * (LONGEST_CELL - len(told))].decode("utf-16-le", "ignore")
    return f"{kept}{told}"
