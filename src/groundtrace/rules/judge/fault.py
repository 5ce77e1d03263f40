"""One thing that is wrong in a rule file, and how it is shown."""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from groundtrace.errors import Complaint
from groundtrace.rules.text.excerpts import WIDEST, caret
from groundtrace.rules.text.words import Source

Severity = Literal["error", "warning", "note"]


class Said(NamedTuple):
    """What is wrong, in words."""

    kind: str
    """Name of the kind of fault, stable, for programs."""
    text: str
    cure: str | None = None
    near: str | None = None
    """The name that was most likely meant, where there is one."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong.

    Attributes:
        kind: Name of the kind, stable, for programs.
        severity: An error keeps the file from being used.
        path: Of the file.
        line: From 1; 0 where the file as a whole is meant.
        column: From 1, in characters; 0 likewise.
        text: What is wrong.
        cure: What to do, where that can be said.
        excerpt: The line.
        near: The name that was most likely meant.
    """

    kind: str
    severity: Severity
    path: str
    line: int
    column: int
    text: str
    cure: str | None
    excerpt: str
    near: str | None = None

    @property
    def place(self) -> str:
        """The place as "file:line:column"."""
        return f"{self.path}:{self.line}:{self.column}" if self.line else self.path

    def complaint(self) -> Complaint:
        """Return the fault as part of an error."""
        cure = f" (cure: {self.cure})" if self.cure else ""
        return Complaint(self.place, self.text + cure)

    def fields(self) -> dict[str, Any]:
        """Return the fault for JSON."""
        return {
            "file": self.path,
            "line": self.line or None,
            "column": self.column or None,
            "severity": self.severity,
            "kind": self.kind,
            "message": self.text,
            "cure": self.cure,
            "excerpt": self.excerpt[: 10 * WIDEST].encode(errors="replace").decode() or None,
        }

    def shown(self) -> str:
        """Return the fault with its line, a caret under the place, and the cure."""
        lines = [f"{self.place}: {self.severity}: {self.text}"]
        if self.line and self.excerpt.strip():
            lines += [f"    {line}" for line in caret(self.excerpt, self.column)]
        if self.cure:
            lines.append(f"    cure: {self.cure}")
        return "\n".join(lines)


def fault(source: Source, offset: int, said: Said, severity: Severity = "error") -> Fault:
    """Return what is wrong at a place.

    Args:
        severity: An error keeps the file from being used.
    """
    line, column = source.place(offset)
    return Fault(
        said.kind, severity, source.name, line, column, said.text, said.cure, source.line(line),
        said.near,
    )  # fmt: skip


def file_fault(path: str, said: Said, severity: Severity = "error") -> Fault:
    """Return what is wrong with a file as a whole.

    Args:
        severity: An error keeps the file from being used.
    """
    return Fault(said.kind, severity, path, 0, 0, said.text, said.cure, "")
