"""``groundtrace segment`` as a process."""

import json
from pathlib import Path

import pytest

from tests.command import DATA, groundtrace


def test_segments_are_shown_with_their_places() -> None:
    result = groundtrace("segment", DATA / "raw.json")
    assert result.returncode == 0
    assert "  77:133  Stones of less than 5 mm usually pass without treatment." in result.stdout


def test_json_lines_hold_traces_whose_spans_are_exact(tmp_path: Path) -> None:
    out = tmp_path / "traces.jsonl"
    assert groundtrace("segment", DATA / "raw.json", "--out", out).returncode == 0
    trace = json.loads(out.read_text())
    response = json.loads((DATA / "raw.json").read_bytes())["response"]
    assert trace["leaves"] == [1]
    assert len(trace["segments"]) == 6
    for segment in trace["segments"][1:]:
        assert response[segment["start"] : segment["end"]] == segment["text"]
    low, high = trace["answer_span"]
    assert response[low:high].startswith("He can be observed")


def test_segmented_traces_need_labels_before_an_audit(tmp_path: Path) -> None:
    out = tmp_path / "traces.jsonl"
    groundtrace("segment", DATA / "raw.json", "--out", out)
    result = groundtrace("audit", out)
    assert result.returncode == 2
    assert "has no relations" in result.stderr


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (b'{"id": "x"}', "context: field required"),
        (b'{"context": "c"}', "response: field required"),
        (b'{"context": 1, "response": "r"}', "context: expected a text or a list, got int"),
        (b'{"context": "c", "response": 1}', "response: expected a text, got int"),
        (b'{"context": "c", "response": "r", "segments": []}', "segments: a raw record cannot"),
        (b"[1]", "expected a JSON object, got [1]"),
        (b'{"context": "c", "response": "\\ud800"}', "not valid JSON"),
    ],
)
def test_a_bad_record_is_explained_and_the_others_go_on(record: bytes, expected: str) -> None:
    good = b'{"context": "c", "response": "It is so."}\n'
    stdin = good + record + b"\n" + good
    result = groundtrace("segment", "-", "--format", "jsonl", stdin=stdin)
    assert expected in result.stderr
    assert result.returncode == 2
    ids = [json.loads(line)["id"] for line in result.stdout.splitlines()]
    assert ids == ["stdin-1", "stdin-3"]
