"""What a rule file may speak of: the public vocabulary, its arguments, our names and constants.

All of it is read from the rule files themselves, so that messages cannot disagree with them.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from groundtrace.phrases import nearest
from groundtrace.rules.program_files import (
    FACTS_OF_THE_PROGRAM,
    files_of,
    own_text,
    rules_directory,
    stages_of,
)
from groundtrace.rules.rule_text import own_constants, own_words
from groundtrace.rules.text.comments import (
    ConstantComment,
    Entry,
    constant_comments,
    entries_of,
)
from groundtrace.rules.text.syntax import Signature, constants_in, derived_by
from groundtrace.vocabulary import EXTENSION_POINTS, INPUT_PREDICATES, LABELS, OUTCOMES, Program

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
            more: Names of the user's own.
        """
        return nearest(name, [*self.entries, *more])


@cache
def documented_predicates() -> tuple[Entry, ...]:
    """Return the public predicates, in the order of vocabulary.lp."""
    return tuple(entries_of(own_text("vocabulary.lp").split("\n")))


@cache
def documented_constants() -> dict[str, ConstantComment]:
    """Return what constants.lp says of each constant, in its order."""
    places = {name: line for name, _, line in constants_in(rules_directory() / "constants.lp")}
    return constant_comments(own_text("constants.lp").split("\n"), places)


@cache
def dictionary(program: Program) -> Dictionary:
    """Return what can be said in one kind of program.

    Args:
        program: Which rules of ours.
    """
    heads = {name for name, _ in own_heads(program)}
    ours = frozenset({*heads, *FACTS_OF_THE_PROGRAM, *INPUT_PREDICATES[program]})
    points = EXTENSION_POINTS[program]
    public = {one.name: one for one in documented_predicates()}
    comments = documented_constants()
    return Dictionary(
        program,
        {name: entry for name, entry in public.items() if name in ours | {*points}},
        {name: _home(name) for name in public if name not in ours | {*points}},
        frozenset(name for name in ours if name.startswith("_")),
        ours,
        points,
        {name: comments[name].range for name in own_constants(program)},
        _values(program),
        own_words(program) - {*comments},
    )


def _home(name: str) -> Program:
    """Return the program that a public predicate belongs to."""
    homes: tuple[Program, ...] = ("audit", "graph", "guards", "reward")
    for program in homes:
        if name in INPUT_PREDICATES[program] or name in EXTENSION_POINTS[program]:
            return program
    derived = (one for one in homes if name in {head for head, _ in own_heads(one)})
    return next(derived, "reward")


@cache
def own_heads(program: Program) -> frozenset[Signature]:
    """Return the predicates that our rules of one kind of program derive.

    Args:
        program: Which rules of ours.
    """
    return frozenset[Signature]().union(
        *(derived_by(rules_directory() / name) for name in files_of(program))
    )


@cache
def _values(program: Program) -> dict[str, tuple[str, ...]]:
    text = "\n".join(map(own_text, stages_of(program)))
    return {
        "Label": LABELS,
        "Outcome": OUTCOMES,
        "Rule": tuple(re.findall(r"^rule\((\w+)\)\.", text, re.MULTILINE)),
        "Pattern": PATTERNS,
        "Severity": ("error", "warning"),
    }
