"""The README's commands and snippets do what the README says."""

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command import ROOT, groundtrace
from tests.fake_server import FakeServer
from tests.model_server import ModelServer
from tests.pages import Page, assert_shows

PAGE = Page("README.md")
CONSOLE = PAGE.blocks("console")
SHELL = PAGE.shell()
SERVERS = re.compile(r"https?://[^\s\"]+/v1")
MODELS = ("Qwen/Qwen3-32B", "qwen/qwen3-32b")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data").symlink_to(ROOT / "data")
    (tmp_path / "guideline.lp").write_text(PAGE.blocks("prolog")[0])
    return tmp_path


@pytest.fixture(scope="module")
def server() -> Iterator[FakeServer]:
    with ModelServer(models=MODELS).running() as running:
        yield running


def test_the_readme_has_commands() -> None:
    assert len(CONSOLE) >= 3
    assert len(SHELL) >= 2


@pytest.mark.parametrize("block", CONSOLE)
def test_output_is_as_shown(folder: Path, block: str) -> None:
    assert_shows(block, folder)


def test_commands_work(folder: Path, server: FakeServer) -> None:
    """In their order, since one replays another; servers are replaced by one on this machine."""
    for line in SHELL:
        here = SERVERS.sub(server.url, line)
        result = groundtrace(*shlex.split(here)[1:], cwd=folder)
        assert result.returncode == 0, (line, result.stderr)


PYTHON = PAGE.blocks("python")


PRINTED = [
    r"3 \[5\] \[\(5,\)\]\n",
    r"segments=5 supported=.*\n",
    r"6 segments; audit/\S+\.lp\nsegment 2 leans on \[1\]\n",
    r"Addison disease 12 0.5 6\n",
]


@pytest.mark.parametrize(("snippet", "expected"), list(zip(PYTHON, PRINTED, strict=True)))
def test_python_works(folder: Path, snippet: str, expected: str, server: FakeServer) -> None:
    code = SERVERS.sub(server.url, snippet)
    before = "import groundtrace, json\n"
    result = subprocess.run(
        [sys.executable, "-c", before + code], cwd=folder, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    assert re.fullmatch(expected, result.stdout)


@pytest.mark.parametrize("record", [body for body in PAGE.blocks("json") if '"segments"' in body])
def test_the_example_trace_can_be_audited(record: str) -> None:
    result = groundtrace("audit", "-", "--format", "json", stdin=record.encode())
    assert json.loads(result.stdout)["summary"]["supported"] == 2


@pytest.mark.parametrize("name", PAGE.links())
def test_links_lead_somewhere(name: str) -> None:
    assert (ROOT / name).exists()
