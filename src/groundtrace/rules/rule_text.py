"""What rule files say, as far as their text tells: names and constants."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from groundtrace.rules.program_files import files_of, own_text
from groundtrace.rules.text.words import Source, Token
from groundtrace.vocabulary import Program

LARGEST_NUMBER = 2**31 - 1
"""Beyond it clingo's numbers wrap around without a word."""

STATEMENT_CHARACTERS = 5_000
"""clingo reads nested terms by recursion and crashes on very deep ones."""


def constants_of(text: str) -> list[str]:
    """Return the names of the constants that a rule file defines."""
    return _constants(Source("", text).code)


def _constants(tokens: Sequence[Token]) -> list[str]:
    return [
        name.text
        for directive, name in pairwise(tokens)
        if directive.text == "#const" and name.kind in ("name", "anonymous")
    ]


def words_of(text: str) -> set[str]:
    """Return the names that a rule file writes, but for the constants that it defines."""
    tokens = Source("", text).code
    return {one.text for one in tokens if one.kind == "name"} - set(_constants(tokens))


@cache
def own_words(program: Program) -> frozenset[str]:
    """Return the names that our rules of one kind of program write, but for constants.

    Args:
        program: Which rules of ours.
    """
    return frozenset[str]().union(*(words_of(own_text(name)) for name in files_of(program)))


@cache
def own_constants(program: Program) -> tuple[str, ...]:
    """Return the constants that our rules of one kind of program read.

    Args:
        program: Which rules of ours.
    """
    return tuple(
        name for name in constants_of(own_text("constants.lp")) if name in own_words(program)
    )
