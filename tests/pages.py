"""Pages of documentation: their blocks, and what their console blocks show."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.command import ROOT, groundtrace


class Page:
    """A Markdown page."""

    def __init__(self, name: str) -> None:
        self.path = ROOT / name
        self.text = self.path.read_text(encoding="utf-8")
        self._blocks = re.findall(r"```(\w+)\n(.*?)```", self.text, re.DOTALL)

    def blocks(self, kind: str) -> list[str]:
        return [body for name, body in self._blocks if name == kind]

    def ordered(self, *kinds: str) -> list[tuple[str, str]]:
        """Return the blocks of some kinds, in their order on the page."""
        return [(name, body) for name, body in self._blocks if name in kinds]

    def shell(self) -> list[str]:
        """Return the lines of shell blocks that call the command."""
        return [
            line
            for body in self.blocks("sh")
            for line in body.replace("\\\n", " ").splitlines()
            if line.startswith("groundtrace ")
        ]

    def links(self) -> list[str]:
        return re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", self.text)


class Shown(NamedTuple):
    """A command in a console block, and what the page shows of its output."""

    command: str
    output: str


def shown(block: str) -> Iterator[Shown]:
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield Shown(command, output)


def assert_shows(block: str, folder: Path) -> None:
    """Run the commands of a console block; each must print what the page shows."""
    for one in shown(block):
        assert one.command.startswith("groundtrace ")
        result = groundtrace(*shlex.split(one.command)[1:], cwd=folder)
        assert (result.stdout + result.stderr).strip("\n") == one.output.strip("\n")
