"""The page on the knowledge base says what is so; its blocks build on each other."""

import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundtrace.knowledge.ask.questions import our_questions
from tests.command import ROOT, groundtrace
from tests.pages import Page, assert_shows

PAGE = Page("docs/knowledge.md")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give a folder in which all commands of the page ran, in their order."""
    path = tmp_path_factory.mktemp("knowledge")
    (path / "data").symlink_to(ROOT / "data")
    (path / "recommendations.rq").write_text(PAGE.blocks("sparql")[0], encoding="utf-8")
    yield path


def test_what_the_page_shows_is_so(folder: Path) -> None:
    for kind, body in PAGE.ordered("console", "sh"):
        if kind == "console":
            assert_shows(body, folder)
            continue
        for line in body.splitlines():
            if not line.startswith("groundtrace serve"):
                result = groundtrace(*shlex.split(line)[1:], cwd=folder)
                assert result.returncode == 0, result.stderr
    differences = groundtrace("query", "audit-differences", "--store", "kb", cwd=folder)
    (row,) = (line for line in differences.stdout.splitlines() if "lease" in line)
    # Which of the two audits comes first depends on the digests of their rules.
    assert row.split()[:2] == ["lease-workshop", "7"]
    assert sorted(row.split()[2:4]) == ["orphan", "supported"]


def test_python_works(folder: Path) -> None:
    if not (folder / "kb").exists():
        test_what_the_page_shows_is_so(folder)
    script = folder / "notebook.py"
    script.write_text(PAGE.blocks("python")[0], encoding="utf-8")
    result = subprocess.run(
        [sys.executable, script.name], cwd=folder, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    counts, rows, violations = result.stdout.splitlines()
    assert "'orphan': " in counts
    assert int(rows) > 0
    assert violations == "[]"


def test_every_question_is_on_the_page() -> None:
    listed = [line.split("`")[1] for line in PAGE.text.splitlines() if line.startswith("| `")]
    assert listed == [question.name for question in our_questions()]


@pytest.mark.parametrize("name", PAGE.links())
def test_links_lead_somewhere(name: str) -> None:
    assert (PAGE.path.parent / name).exists()
