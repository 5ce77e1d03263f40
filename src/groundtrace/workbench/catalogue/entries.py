"""What a catalogue of rules holds."""

from collections.abc import Mapping
from dataclasses import dataclass

from groundtrace.rules.text.comments import Header
from groundtrace.vocabulary import Program


@dataclass(frozen=True)
class RuleFile:
    """One rule file."""

    name: str
    """Relative to the folder of our rules, or the path of a user's file."""
    programs: tuple[Program, ...]
    """Whose rules it belongs to; none for a user's file."""
    header: Header
    reads: tuple[str, ...]
    """Public predicates that it reads and does not derive itself, as name/arity."""
    derives: tuple[str, ...]
    """Public predicates, likewise; of a user's file all of them."""


@dataclass(frozen=True)
class NamedRule:
    """A rule of ours that has a name."""

    name: str
    file: str
    line: int
    """Of its comment."""
    sentence: str
    comment: str
    switch: str | None
    """The line of a user's file that switches it off; None if nothing does."""
    reads: tuple[str, ...]
    """Private predicates too."""
    derives: tuple[str, ...]
    source: str
    rules: tuple[tuple[int, str], ...]
    """Line number and text of its rules."""


@dataclass(frozen=True)
class Constant:
    """A number or choice that an expert may change."""

    name: str
    value: str
    file: str
    line: int
    unit: str
    range: str
    source: str
    comment: str
    programs: tuple[Program, ...]
    """Whose rules read it."""


@dataclass(frozen=True)
class Predicate:
    """A predicate of our rules."""

    name: str
    arity: int
    written: str
    """With the names of its arguments, where they are documented."""
    file: str | None
    line: int | None
    """Where it is documented; None for private ones."""
    text: str
    section: str
    extension: str | None
    """How a user's rules may extend it; None if they may not."""
    derived_by: Mapping[str, tuple[int, ...]]
    """File to the lines of the rules that derive it."""
    read_by: Mapping[str, tuple[int, ...]]
    """File to the lines of the rules that read it."""


@dataclass(frozen=True)
class OwnFile:
    """A user's rule file."""

    file: RuleFile
    constants: tuple[tuple[str, str, int], ...]
    """Name, value and line."""
    rules: tuple[tuple[int, tuple[str, ...], tuple[str, ...]], ...]
    """Line, what is derived, and what is read, rule by rule."""


Found = NamedRule | RuleFile | Predicate | Constant
