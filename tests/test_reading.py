"""Files as people have them: plain responses, encodings, and JSON that is none."""

import codecs
import json
from pathlib import Path

import pytest

from groundtrace.errors import InputError
from groundtrace.files.reading import object_of, read_records, trace_of
from tests.command import groundtrace

TRACE = '{"id": "é1", "segments": ["a", "b"], "relations": []}'


def problems(path: Path) -> list[str]:
    """Return what is wrong with the records of a file, each with its place in the file."""
    return [
        f"{record.place.removeprefix(str(path))}: {record.content}"
        for record in read_records(str(path))
        if isinstance(record.content, InputError)
    ]


class TestPlainResponses:
    @pytest.mark.parametrize("suffix", [".md", ".txt", ".markdown", ".text", ".TXT"])
    def test_a_file_of_text_is_one_response(self, tmp_path: Path, suffix: str) -> None:
        path = tmp_path / f"answer{suffix}"
        path.write_text("\n# Plan\n\nIt is 5.\r\nSo it is.\n", encoding="utf-8", newline="")
        (record,) = read_records(str(path))
        assert record.name == "answer"
        assert object_of(record) == {
            "context": [],
            "response": "\n# Plan\n\nIt is 5.\r\nSo it is.\n",
        }

    @pytest.mark.parametrize(
        "text",
        [
            '"I am ill." She left.',
            "42",
            '{"label": "E"} is what I say.',
            "[1] Smith (2004).",
            'It follows.\n{"label": "E"}\n',
        ],
    )
    def test_text_that_looks_like_json_is_text(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "answer.md"
        path.write_text(text, encoding="utf-8")
        (record,) = read_records(str(path))
        assert object_of(record)["response"] == text

    @pytest.mark.parametrize("text", [TRACE, f"{TRACE}\n{TRACE}\n", f"[{TRACE}, {TRACE}]"])
    def test_json_in_a_file_of_text_is_json(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "traces.txt"
        path.write_text(text, encoding="utf-8")
        assert {trace_of(record).id for record in read_records(str(path))} == {"é1"}

    @pytest.mark.parametrize("content", [b"", b" \n\n", codecs.BOM_UTF8])
    def test_an_empty_file_is_told(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "a.md").write_bytes(content)
        assert problems(tmp_path / "a.md") == [": the file is empty; expected a response"]

    def test_latin_1_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "a.txt").write_bytes(b"One.\nCaf\xe9.\n")
        told = ": not valid UTF-8: byte 9, in line 2; save it as UTF-8"
        assert problems(tmp_path / "a.txt") == [told]

    def test_the_command_cuts_it(self, tmp_path: Path) -> None:
        path = tmp_path / "answer.md"
        path.write_text("It is small. It will pass.\n", encoding="utf-8")
        result = groundtrace("segment", path, "--format", "jsonl")
        assert result.returncode == 0, result.stderr
        trace = json.loads(result.stdout)
        assert trace["id"] == "answer"
        assert [one["text"] for one in trace["segments"]] == ["It is small.", "It will pass."]

    def test_text_elsewhere_is_told_where_it_would_be_read(self, tmp_path: Path) -> None:
        (tmp_path / "a.json").write_text("It is small.")
        (told,) = problems(tmp_path / "a.json")
        assert told.startswith(": not valid JSON: ")
        assert told.endswith("; a plain response is read from a file named *.txt or *.md")


class TestEncodings:
    @pytest.mark.parametrize(
        "encoding", ["utf-8-sig", "utf-16", "utf-16-be", "utf-32", "utf-32-be"]
    )
    @pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a.md", "a"])
    def test_a_byte_order_mark_says_the_encoding(
        self, tmp_path: Path, encoding: str, name: str
    ) -> None:
        mark = "\ufeff" if encoding.endswith("be") else ""
        (tmp_path / name).write_bytes((mark + TRACE + "\n").encode(encoding))
        (record,) = read_records(str(tmp_path / name))
        assert trace_of(record).id == "é1"

    @pytest.mark.parametrize(
        ("encoding", "shown"), [("utf-16-le", "UTF-16"), ("utf-32-be", "UTF-32")]
    )
    def test_without_a_mark_it_is_named(self, tmp_path: Path, encoding: str, shown: str) -> None:
        path = tmp_path / "a.json"
        path.write_bytes(TRACE.encode(encoding))
        with pytest.raises(InputError, match=f"looks like {shown} without a byte order mark"):
            list(read_records(str(path)))

    def test_a_file_that_breaks_off_is_told(self, tmp_path: Path) -> None:
        path = tmp_path / "a.json"
        path.write_bytes(TRACE.encode("utf-16")[:-1])
        with pytest.raises(InputError, match="not valid UTF-16-LE: byte 107"):
            list(read_records(str(path)))


FAULTS = [
    (r'{"response": "a\ud800b"}', r"response: \ud800 is half a character"),
    (r'{"segments": ["a", {"text": "\udc00"}]}', r"segments[1].text: \udc00 is half a character"),
    (r'{"a\ud83d": 1}', r"\ud83d is half a character"),
    ('{"meta": {"p": NaN}}', "meta.p: expected a finite number, got NaN"),
    ('{"p": [1, -Infinity]}', "p[1]: expected a finite number, got -Infinity"),
    ('{"p": 1e999}', "p: expected a finite number, got Infinity"),
]


class TestWhatIsNoJson:
    @pytest.mark.parametrize(("text", "told"), FAULTS)
    def test_line_and_field_are_named(self, tmp_path: Path, text: str, told: str) -> None:
        path = tmp_path / "a.jsonl"
        path.write_text(f"{TRACE}\n{text}\n{TRACE}\n", encoding="utf-8")
        (found,) = problems(path)
        assert found.startswith(f":2: not valid JSON: {told}")

    @pytest.mark.parametrize(("text", "told"), FAULTS)
    def test_record_and_field_are_named(self, tmp_path: Path, text: str, told: str) -> None:
        path = tmp_path / "a.json"
        path.write_text(f"[{TRACE},\n{text},\n{TRACE}]", encoding="utf-8")
        (found,) = problems(path)
        assert found.startswith(f": record 2: not valid JSON: {told}")
        others = [one for one in read_records(str(path)) if isinstance(one.content, bytes)]
        assert [trace_of(one).id for one in others] == ["é1", "é1"]

    @pytest.mark.parametrize(("text", "told"), FAULTS)
    def test_a_file_of_one_record(self, tmp_path: Path, text: str, told: str) -> None:
        path = tmp_path / "a.json"
        path.write_text(text, encoding="utf-8")
        (found,) = problems(path)
        assert found.startswith(f": not valid JSON: {told}")

    @pytest.mark.parametrize(
        "text",
        [
            r'{"a": "\ud83d\ude00 is whole"}',
            r'{"a": "\\ud800 is escaped"}',
            '{"a": "NaN and Infinity and 1e999 are words"}',
            '{"a": 1e300}',
        ],
    )
    def test_near_misses_are_read(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "a.jsonl"
        path.write_text(text, encoding="utf-8")
        assert problems(path) == []
