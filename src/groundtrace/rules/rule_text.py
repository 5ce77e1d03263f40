"""What rule files say, as far as their text tells: names and constants."""

import re
from functools import cache

from groundtrace.rules.program_files import files_of, own_text
from groundtrace.vocabulary import Program

LARGEST_NUMBER = 2**31 - 1
"""Beyond it clingo's numbers wrap around without a word."""

STATEMENT_CHARACTERS = 5_000
"""clingo reads nested terms by recursion and crashes on very deep ones."""

_HIDDEN = re.compile(r'%\*|%[^\n]*|"(?:\\.|[^"\\\n])*"')
_COMMENT_EDGE = re.compile(r"%\*|\*%")
_CONSTANT = re.compile(r"#const\s+([a-z_][A-Za-z0-9_]*)")
_WORD = re.compile(r"(?<![A-Za-z0-9_])_*[a-z][A-Za-z0-9_]*")


def bare(text: str) -> str:
    """Return a rule file with its comments and strings blanked out, every place unchanged.

    Block comments nest, as they do for clingo.
    """
    parts, place = [], 0
    while match := _HIDDEN.search(text, place):
        end = match.end()
        if match[0] == "%*":
            depth = 1
            while depth and (edge := _COMMENT_EDGE.search(text, end)):
                depth += 1 if edge[0] == "%*" else -1
                end = edge.end()
            end = len(text) if depth else end
        parts.append(text[place : match.start()])
        parts.append(re.sub(r"[^\n]", " ", text[match.start() : end]))
        place = end
    return "".join([*parts, text[place:]])


def constants_of(text: str) -> list[str]:
    """Return the names of the constants that a rule file defines."""
    return _CONSTANT.findall(bare(text))


def words_of(text: str) -> set[str]:
    """Return the names that a rule file writes, but for the constants that it defines."""
    return set(_WORD.findall(bare(text))) - set(constants_of(text))


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
