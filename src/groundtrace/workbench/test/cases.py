"""Test files of rules, which an expert can write without Python.

A file holds a title, a purpose and several cases. A case is a heading, facts and perhaps rules
of a user, and comments that say what is expected of the one answer set:

    %# Cautious recommendations
    % Purpose: a recommendation needs an entailment.
    % rules: audit                    audit, graph, reward or guards
    % overlay: cautious.lp            a rule file, beside this file; one a line

    %# case: what it shows
    segment(1..3). leaf(1). relation(7,2,entailment). premise(7,1).
    % set: closest_gap_limit=4        constants, separated by spaces
    % overlay: stricter.lp            for this case alone
    % all:  support(7,2) depth(2,1)   every one must hold
    % any:  drop(7,_) drop(8,_)       at least one must hold; _ stands for anything
    % none: unstable(2)               none may hold

Without ``rules:``, the rules are those that the file's folder is named after, or else audit.
What overlays derive may be expected too. Nothing is solved here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from groundtrace.errors import InputError
from groundtrace.phrases import nearest
from groundtrace.rules.judge.dictionary import documented_predicates
from groundtrace.rules.text.excerpts import excerpt, place_of
from groundtrace.rules.text.syntax import Signature, derived_by, spelled
from groundtrace.vocabulary import Program

HEADING = "%# case:"


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a case or a file."""

    place: str
    """ "file:line", "file:line:column", or the file."""
    text: str
    nearest: str | None = None
    """What holds instead of what was expected."""
    excerpt: tuple[str, ...] = ()
    """The line at the place, and a caret below the column."""

    def __str__(self) -> str:
        """Return the problem in as many lines as it needs."""
        near = () if self.nearest is None else (f"closest: {self.nearest}",)
        return "\n    ".join([f"{self.place}: {self.text}", *near, *self.excerpt])


class CaseError(InputError):
    """A test file that cannot be read, or a case that does not hold.

    Attributes:
        name: Of the file or the case.
        problems: At least one.
    """

    def __init__(self, name: str, problems: Sequence[Problem]) -> None:
        """Join the name and the problems into one message.

        Args:
            name: Of the file or the case.
        """
        self.name = name
        self.problems = tuple(problems)
        super().__init__("\n".join([name, *(f"  {problem}" for problem in problems)]))

    def __reduce__(self) -> tuple[type["CaseError"], tuple[str, tuple[Problem, ...]]]:
        """Keep both arguments when the error crosses a process border."""
        return type(self), (self.name, self.problems)


class Expectation(NamedTuple):
    """One comment of a case."""

    kind: str
    """all, any or none."""
    line: int
    atoms: tuple[str, ...]
    """As written."""


@dataclass(frozen=True)
class Case:
    """One case of a file."""

    file: str
    line: int
    """Of its heading, from 1."""
    title: str
    program: str
    """Its text from the heading on."""
    rules: Program
    settings: Mapping[str, str] = field(default_factory=dict)
    overlays: tuple[str, ...] = ()
    expectations: tuple[Expectation, ...] = ()

    @property
    def place(self) -> str:
        """Its file and line."""
        return f"{self.file}:{self.line}"

    @property
    def padded(self) -> str:
        """Its program, every line at the place that it has in the file."""
        return "\n" * (self.line - 1) + self.program

    def __str__(self) -> str:
        """Return the file and the title."""
        return f"{self.file}::{self.title}" if self.title else self.file


class Added(NamedTuple):
    """What the command line adds to every case."""

    overlays: tuple[str, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()


def known_predicates(case: Case) -> frozenset[Signature]:
    """Return what a case may speak of: the vocabulary, and what its overlays derive.

    Args:
        case: Whose overlays clingo accepts.
    """
    public = frozenset((one.name, len(one.arguments)) for one in documented_predicates())
    return public.union(*(derived_by(Path(one)) for one in case.overlays))


def unknown_predicate(signature: Signature, known: frozenset[Signature]) -> str:
    """Return what to say of a predicate that does not exist, with the one that was meant.

    Args:
        signature: That does not exist.
    """
    (written,) = spelled([signature])
    wanted = nearest(written, spelled(sorted(known)))
    hint = f"; did you mean {wanted}?" if wanted else ""
    return f"{written} is not in vocabulary.lp, and no overlay derives it{hint}"


def excerpt_at(place: str, case: Case | None = None) -> tuple[str, ...]:
    """Return the line at a place of a case or of a rule file, and a caret.

    Args:
        place: As clingo or we name it, with the case's own file for its program.
        case: In which something is wrong.
    """
    found = place_of(place)
    if found is None:
        return ()
    if case is not None and found.file == case.file:
        return excerpt(case.padded.split("\n"), found)
    try:
        text = Path(found.file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    return excerpt(text.split("\n"), found)
