"""The guide to the rules says what is so, in its order; its rules and commands are run."""

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command import ROOT, groundtrace
from tests.pages import Page, assert_shows

PAGE = Page("docs/rules.md")
SAVED = (
    "together.lp",
    "guideline.lp",
    "veto.lp",
    "veto.test.lp",
    "slips.lp",
    "graphs.lp",
    "guards.lp",
)
"""What the page calls its rule files, in their order."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = tmp_path_factory.mktemp("rules")
    for name in ("data", "asp"):
        (path / name).symlink_to(ROOT / name)
    for name, rules in zip(SAVED, PAGE.blocks("prolog"), strict=True):
        (path / name).write_text(rules, encoding="utf-8")
    yield path


@pytest.mark.parametrize("name", SAVED)
def test_every_rule_file_is_named_on_the_page(name: str) -> None:
    assert f"aved as `{name}`" in PAGE.text


@pytest.mark.parametrize("block", PAGE.blocks("console"))
def test_output_is_as_shown(block: str, folder: Path) -> None:
    assert_shows(block, folder)


def test_commands_work(folder: Path) -> None:
    for line in PAGE.shell():
        result = groundtrace(*shlex.split(line)[1:], cwd=folder)
        assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("name", PAGE.links())
def test_links_lead_somewhere(name: str) -> None:
    assert (PAGE.path.parent / name).exists()


@pytest.mark.parametrize("example", sorted((ROOT / "asp" / "examples").glob("*.lp")))
def test_each_example_is_tested_and_listed(example: Path) -> None:
    if not example.name.endswith(".test.lp"):
        assert example.with_suffix(".test.lp").is_file()
        assert example.name in PAGE.text
        assert groundtrace("rules", "check", example).returncode == 0


def test_the_examples_hold() -> None:
    result = groundtrace("rules", "test", ROOT / "asp" / "examples")
    assert result.returncode == 0, result.stdout
