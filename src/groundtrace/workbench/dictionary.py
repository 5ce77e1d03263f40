"""What a rule file may speak of: the public vocabulary, its arguments, our names and constants.

All of it is read from the rule files themselves, so that messages cannot disagree with them.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from groundtrace.rule_files import EXTRAS, FACTS_OF_THE_PROGRAM, rules_directory
from groundtrace.rule_text import heads_of, words_of
from groundtrace.vocabulary import EXTENSION_POINTS, INPUT_PREDICATES, LABELS, OUTCOMES, Program
from groundtrace.workbench.spelling import nearest

_DOCUMENTED = re.compile(r"^% ([a-z_]+)\(([A-Z][A-Za-z, ]*)\):", re.MULTILINE)
_DEFINED = re.compile(r"^#defined ([a-z_]+)/(\d+)\.", re.MULTILINE)
_RANGE = re.compile(r"range: (.*?)   .*\n#const ([a-z_]+) = (\w+)\.")
_INCLUDE = re.compile(r'^#include "([^"]+)"\.', re.MULTILINE)

PATTERNS = (
    "contradicted", "conjunctive", "degraded", "redundant", "asymmetric", "consistently_weak",
)  # fmt: skip

NUMBER_ARGUMENTS = frozenset(
    {
        "Segment", "Target", "Premise", "Break", "Relation", "Gap", "Span", "Strength", "Depth",
        "Triplet",
    }
)  # fmt: skip
"""Arguments that are numbers, by their names in the vocabulary."""

TEXT_ARGUMENTS = frozenset(
    {
        "Tag", "Node", "Last", "Next", "Least", "Subject", "Predicate", "Object", "Text",
        "Other", "Word", "Prefix", "Noun",
    }
)  # fmt: skip


class Entry(NamedTuple):
    """One public predicate."""

    name: str
    arguments: tuple[str, ...]

    @property
    def shown(self) -> str:
        """The predicate with its arguments."""
        return f"{self.name}({', '.join(self.arguments)})" if self.arguments else self.name


class Dictionary(NamedTuple):
    """What can be said in one kind of program."""

    program: Program
    entries: dict[str, Entry]
    """Public predicates that this program knows."""
    elsewhere: dict[str, Program]
    """Public predicates of other programs."""
    private: frozenset[str]
    ours: frozenset[str]
    """What our rules or the program decide."""
    extension_points: dict[str, int]
    constants: dict[str, str]
    """Ours, with their ranges."""
    values: dict[str, tuple[str, ...]]
    """Argument to the names that it can be."""
    words: frozenset[str]
    """What no constant may be called."""

    def near(self, name: str, more: Iterable[str] = ()) -> str | None:
        """Return the public predicate, or other name, that a name is most like.

        Args:
            name: As written.
            more: Names of the user's own.
        """
        return nearest(name, [*self.entries, *more])


@cache
def dictionary(program: Program) -> Dictionary:
    """Return what can be said in one kind of program.

    Args:
        program: Which rules of ours.
    """
    directory = rules_directory()

    def read(name: str) -> str:
        return (directory / name).read_text(encoding="utf-8")

    vocabulary = read("vocabulary.lp")
    arguments = {name: tuple(given.split(", ")) for name, given in _DOCUMENTED.findall(vocabulary)}
    stages = [*_INCLUDE.findall(read(f"{program}.lp")), *EXTRAS.get(program, ())]
    words = frozenset[str]().union(*(words_of(read(name)) for name in stages))
    loaded = (directory / name for name in (f"{program}.lp", *EXTRAS.get(program, ())))
    heads = heads_of(*loaded)
    ours = heads | FACTS_OF_THE_PROGRAM | {*INPUT_PREDICATES[program]}
    points = EXTENSION_POINTS[program]
    public = {
        name: Entry(name, arguments.get(name, ("Argument",) * int(arity)))
        for name, arity in _DEFINED.findall(vocabulary)
    }
    constants = {name: shown for shown, name, _ in _RANGE.findall(read("constants.lp"))}
    read_here = frozenset[str]().union(
        *(words_of(read(name)) for name in stages if name != "constants.lp")
    )
    return Dictionary(
        program,
        {name: entry for name, entry in public.items() if name in ours | {*points}},
        {name: _home(name) for name in public if name not in ours | {*points}},
        frozenset(name for name in ours if name.startswith("_")),
        ours,
        points,
        {name: shown for name, shown in constants.items() if name in read_here},
        _values(program),
        words - {*constants},
    )


def stages_of(program: Program) -> list[str]:
    """Return the names of our rule files of one kind of program, without the entry.

    Args:
        program: Which rules of ours.
    """
    text = (rules_directory() / f"{program}.lp").read_text(encoding="utf-8")
    return [*_INCLUDE.findall(text), *EXTRAS.get(program, ())]


def _home(name: str) -> Program:
    """Return the program that a public predicate belongs to."""
    homes: tuple[Program, ...] = ("audit", "graph", "guards", "reward")
    for program in homes:
        if name in INPUT_PREDICATES[program] or name in EXTENSION_POINTS[program]:
            return program
    return next((one for one in homes if name in _heads(one)), "reward")


@cache
def _heads(program: Program) -> frozenset[str]:
    return heads_of(rules_directory() / f"{program}.lp")


@cache
def _values(program: Program) -> dict[str, tuple[str, ...]]:
    directory = rules_directory()
    stages = _INCLUDE.findall((directory / f"{program}.lp").read_text(encoding="utf-8"))
    text = "\n".join((directory / name).read_text(encoding="utf-8") for name in stages)
    return {
        "Label": LABELS,
        "Outcome": OUTCOMES,
        "Rule": tuple(re.findall(r"^rule\((\w+)\)\.", text, re.MULTILINE)),
        "Pattern": PATTERNS,
        "Severity": ("error", "warning"),
    }
