"""The page on graphs and rewards says what is so."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import gaming
from groundtrace.errors import RuleError
from groundtrace.rewards.rewarder import Rewarder
from groundtrace.rewards.settings import RewardSettings
from groundtrace.rules.rulebook import rulebook_for
from tests.command import ROOT, groundtrace
from tests.model_server import ModelServer
from tests.pages import Page, assert_shows

PAGE = Page("docs/graphs.md")
SERVER = "http://localhost:8000/v1"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data").symlink_to(ROOT / "data")
    return tmp_path


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with ModelServer(models=("a", "b", "c", "m")).running() as running:
        yield running


@pytest.mark.parametrize("block", PAGE.blocks("console"))
def test_output_is_as_shown(block: str, folder: Path) -> None:
    assert_shows(block, folder)


def test_commands_work(server: ModelServer, folder: Path) -> None:
    (line,) = PAGE.shell()
    arguments = shlex.split(line.replace(SERVER, server.url))[1:]
    assert groundtrace(*arguments, cwd=folder).returncode == 0
    assert (folder / "extractions.jsonl").read_text().count('"model"') == 3


PRINTED = [
    r"\[0.8\]\n",
    r"\[[01]\.\d*\]\n",
    r"\[1.0\]\nGraphSimilarity\(triplet_recall=1.0, best_jaccard=1.0\)\n",
]


@pytest.mark.parametrize(
    ("snippet", "expected"), list(zip(PAGE.blocks("python"), PRINTED, strict=True))
)
def test_python_works(snippet: str, expected: str, server: ModelServer, folder: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-c", snippet.replace(SERVER, server.url)],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    assert re.fullmatch(expected, result.stdout)


def test_rules_are_accepted(tmp_path: Path) -> None:
    graph, guard = PAGE.blocks("prolog")
    for program, rules in (("graph", graph), ("guards", guard)):
        path = tmp_path / f"{program}.lp"
        path.write_text(rules)
        assert rulebook_for("graph" if program == "graph" else "guards", [path]).overlays
    with pytest.raises(RuleError):
        rulebook_for("graph", [tmp_path / "nowhere.lp"])
    Rewarder(RewardSettings(overlays=(str(tmp_path / "guards.lp"),))).check()


@pytest.mark.slow
def test_what_tricks_bring_is_as_shown() -> None:
    found = gaming.rewards()
    assert gaming.table(found) in PAGE.text
    half = found["honest: half of it"].process or 0
    tricks = [one for name, one in found.items() if not name.startswith("honest")]
    assert len(tricks) >= 5
    assert all((one.process or 0) < half for one in tricks)


@pytest.mark.parametrize("name", PAGE.links())
def test_links_lead_somewhere(name: str) -> None:
    assert (PAGE.path.parent / name).exists()
