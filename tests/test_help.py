"""The help of every command: arguments as they are typed, and an example that works."""

import re
import shlex
import signal
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from groundtrace.cli import app
from tests.command import ROOT, command
from tests.command_tree import commands
from tests.fake_server import FakeServer
from tests.model_server import ModelServer

COMMANDS = commands()
ARGUMENT = re.compile(r"(\[[A-Z]+(\.\.\.)?\]|[A-Z]+(\.\.\.)?)( |$)")
SERVER = re.compile(r"https?://\S+/v1")
ENDLESS = {"serve"}


def run(*words: str, columns: str = "80") -> str:
    result = CliRunner().invoke(app, words, env={"COLUMNS": columns, "TERMINAL_WIDTH": columns})
    assert result.exit_code == 0, (result.output, result.exception)
    return result.output


def examples(name: str) -> list[list[str]]:
    """Return the words of the examples in the help of a command."""
    text = run(*name.split(), "--help")
    found = re.findall(r"^ *Example: groundtrace (.*?)\n\n", text, re.DOTALL | re.MULTILINE)
    return [shlex.split(one) for one in found]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("help")
    for name in ("data", "asp"):
        (made / name).symlink_to(ROOT / name)
    return made


@pytest.fixture(scope="module")
def server() -> Iterator[FakeServer]:
    with ModelServer(models=("a", "b", "c")).running() as running:
        yield running


@pytest.mark.parametrize("name", COMMANDS)
def test_arguments_are_told_as_they_are_typed(name: str) -> None:
    text = run(*name.split(), "--help")
    usage = " ".join(text.partition("Usage: ")[2].partition("\n\n")[0].split())
    arguments = usage.partition("[OPTIONS]")[2].strip()
    assert ARGUMENT.sub("", f"{arguments} ").strip() == "", usage
    listed = text.partition("\nArguments:\n")[2].partition("\nOptions:")[0]
    assert bool(listed) == bool(arguments)
    assert not re.search(r"[{}<>]|required", listed)


def options_of(name: str) -> dict[str, str]:
    """Return what stands behind each option in the help of a command."""
    text = run(*name.split(), "--help", columns="250")
    listed = text.partition("\nOptions:\n")[2]
    return dict(re.findall(r"^  (?:-\w, )?(--[a-z-]+)(?: (\S+))?", listed, re.MULTILINE))


@pytest.mark.parametrize("name", COMMANDS)
def test_values_of_options_are_named_for_what_they_are(name: str) -> None:
    assert not {"TEXT", "INTEGER", "FLOAT", "FILENAME", "DIRECTORY"} & {*options_of(name).values()}
    assert all(one.help for one in COMMANDS[name].params)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example_that_works(
    name: str,
    folder: Path,
    server: FakeServer,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    (example,) = examples(name)
    assert " ".join(example).startswith(name)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    if name == "import":
        (exported,) = examples("export")
        run(*exported)
    if name not in ENDLESS:
        run(*(SERVER.sub(server.url, word) for word in example))


def test_the_example_of_serve_works(folder: Path) -> None:
    (example,) = examples("serve")
    with subprocess.Popen(
        command([*example, "--port", "0"]), cwd=folder, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert "serving data/clinical.json" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) in (0, 130)


def test_an_option_is_spelt_alike_wherever_it_stands() -> None:
    spelt = defaultdict(set)
    for name in COMMANDS:
        for option, value in options_of(name).items():
            spelt[option].add(value)
    # What can be written differs from command to command.
    own = {"--format", "--rules", "--kind"}
    assert {
        name: kinds for name, kinds in spelt.items() if len(kinds) > 1 and name not in own
    } == {}
