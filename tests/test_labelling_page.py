"""The page on labelling says what is so."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundtrace.labelling.candidates import Candidates
from groundtrace.labelling.labellers import names
from groundtrace.models.trace import Trace
from tests.command import DATA, ROOT, groundtrace
from tests.fake_server import FakeServer
from tests.pages import Page

PAGE = Page("docs/labelling.md")
SERVER = "http://localhost:8000/v1"


@pytest.fixture(scope="module")
def server() -> Iterator[FakeServer]:
    with FakeServer(models=("m", "Qwen/Qwen3-32B")).running() as running:
        yield running


def test_its_commands_work(server: FakeServer, tmp_path: Path) -> None:
    (tmp_path / "traces.jsonl").write_text((DATA / "raw.json").read_text().replace("\n", " "))
    lines = PAGE.shell()
    assert len(lines) == 2
    for line in lines:
        arguments = shlex.split(line.replace(SERVER, server.url))[1:]
        assert groundtrace(*arguments, cwd=tmp_path).returncode == 0


def test_its_python_works(server: FakeServer, tmp_path: Path) -> None:
    (snippet,) = PAGE.blocks("python")
    result = subprocess.run(
        [sys.executable, "-c", snippet.replace(SERVER, server.url)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    assert re.match(r"\[Relation\(premises=\(1,\), target=2, label='\w+'", result.stdout)


def test_its_numbers_of_calls_are_right() -> None:
    rows = re.findall(r"^\| (\d+) \| ([\d,]+) \|$", PAGE.text, re.MULTILINE)
    assert len(rows) >= 5
    for segments, calls in rows:
        trace = Trace.model_validate({"segments": ["x"] * int(segments)})
        assert f"{Candidates().count(trace):,}" == calls


def test_every_labeller_is_told() -> None:
    assert re.findall(r"^\| `(\w+)` \| .* \| .* \|$", PAGE.text, re.MULTILINE) == [
        name for name in ("replay", "openai", "vllm", "nli") if name in names()
    ]
    assert len(names()) == 4


@pytest.mark.parametrize("name", PAGE.links())
def test_its_links_lead_somewhere(name: str) -> None:
    assert (ROOT / "docs" / name).exists()
