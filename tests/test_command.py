"""What tests see of the command within their own process is what a process does."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command import DATA, Completed, groundtrace, groundtrace_process

CLINICAL = DATA / "clinical.json"
GRAPHS = DATA / "graphs"
OVERLAY = "-overlay(r).\n%! name: x\nbad(\u201cx\u201d) :-\n"
Way = Callable[..., Completed]

ARGUMENTS: list[list[str | Path]] = [
    [],
    ["--help"],
    ["--version"],
    ["nonsense"],
    ["audit", CLINICAL],
    ["audit", CLINICAL, "--format", "jsonl", "--jobs", "2"],
    ["audit", "-", "--format", "json"],
    ["audit", "nowhere.json"],
    ["audit", CLINICAL, "--overlay", "overlay.lp"],
    ["audit", CLINICAL, "--format", "unheard-of"],
    ["segment", "raw.txt"],
    ["label", DATA / "raw.json", "--dry-run"],
    ["explain", CLINICAL, "--segment", "s1"],
    ["reward", GRAPHS / "rewards.json"],
    ["export", CLINICAL],
    ["import", CLINICAL],
    ["graph", "vote", GRAPHS / "extractions.json"],
    ["graph", "critical", GRAPHS / "graph.json"],
    ["graph", "extract", GRAPHS / "rationale.json", "--dry-run"],
    ["query", "outcomes", CLINICAL],
    ["query", "--text", "SELECT nonsense", CLINICAL],
    ["check", CLINICAL],
    ["serve", CLINICAL, "--port", "-1"],
    ["rules", "list"],
    ["rules", "show", "unheard-of"],
    ["rules", "check", "overlay.lp"],
    ["rules", "test", "overlay.lp"],
    ["rules", "diff", "overlay.lp", CLINICAL],
]


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=lambda given: " ".join(map(str, given[:2])))
def test_the_same_as_by_a_process(arguments: list[str | Path], tmp_path: Path) -> None:
    def outcome(way: Way) -> tuple[int, str, str]:
        result = way(*arguments, cwd=tmp_path, stdin=CLINICAL.read_bytes())
        return result.returncode, result.stdout, result.stderr

    (tmp_path / "overlay.lp").write_text(OVERLAY)
    (tmp_path / "raw.txt").write_text("It was. \u201cThen\u201d it is.\n")
    assert outcome(groundtrace) == outcome(groundtrace_process)
