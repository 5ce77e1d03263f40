"""What tests see of the command within their own process is what a process does."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command import DATA, Completed, groundtrace, groundtrace_process

CLINICAL = DATA / "clinical.json"
GRAPHS = DATA / "graphs"
OVERLAY = "-overlay(r).\n%! name: x\nbad(\u201cx\u201d) :-\n"
PROGRESS = re.compile(r"^[\d,]+ \w+, \d+/s\n", re.MULTILINE)
"""What is told of a run that takes long, as on a busy machine."""
Way = Callable[..., Completed]

ARGUMENTS: list[list[str | Path]] = [
    ["--version"],
    ["nonsense"],
    ["audit", CLINICAL],
    ["audit", "-", "--format", "jsonl", "--jobs", "2"],
    ["audit", CLINICAL, "--overlay", "overlay.lp"],
    ["segment", DATA / "raw.json"],
    ["label", DATA / "raw.json"],
    ["explain", CLINICAL, "--segment", "5"],
    ["reward", GRAPHS / "rewards.json"],
    ["export", CLINICAL],
    ["import", "nowhere.trig"],
    ["graph", "vote", GRAPHS / "extractions.json"],
    ["graph", "critical", GRAPHS / "graph.json"],
    ["graph", "extract", GRAPHS / "rationale.json"],
    ["query", "outcome-counts", CLINICAL],
    ["query", "--text", "SELECT nonsense", CLINICAL],
    ["check", CLINICAL],
    ["serve", CLINICAL, "--port", "-1"],
    ["rules", "list"],
    ["rules", "show", "unheard-of"],
    ["rules", "check", "overlay.lp"],
    ["rules", "test", "overlay.lp"],
    ["rules", "diff", CLINICAL, "--set", "max_depth=1"],
]


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=lambda given: " ".join(map(str, given[:2])))
def test_the_same_as_by_a_process(arguments: list[str | Path], tmp_path: Path) -> None:
    def outcome(way: Way) -> tuple[int, str, str]:
        result = way(*arguments, cwd=tmp_path, stdin=CLINICAL.read_bytes())
        return result.returncode, result.stdout, PROGRESS.sub("", result.stderr)

    (tmp_path / "overlay.lp").write_text(OVERLAY)
    assert outcome(groundtrace) == outcome(groundtrace_process)
