"""The options of a multiple choice, and which of them an answer names."""

import re
from collections.abc import Mapping

from groundtrace.models.names import normal

LABELLED = re.compile(r"\(?([A-Za-z])[).:]\s*(\S.*)", re.DOTALL)
"""A letter and a text after it, as in "B: aspirin"."""

_OPTION = re.compile(r"[\s*-]*\(?([A-Z])\*{0,2}[).:]\*{0,2}\s+(\S.*)")


def options_from(options: Mapping[str, str] | None, question: str | None) -> dict[str, str]:
    """Return the options of a multiple choice by letter; none for an open question.

    Args:
        options: Letter to text, if they are given apart.
        question: Otherwise lines such as "A: aspirin" in it count.
    """
    if options:
        return {letter.strip().upper(): text for letter, text in options.items()}
    return options_in(question or "")


def options_in(question: str) -> dict[str, str]:
    """Return the last options that a question lists: A, B, C … without a gap, at least two."""
    best: dict[str, str] = {}
    found: dict[str, str] = {}
    for line in question.splitlines():
        option = _OPTION.fullmatch(line.rstrip())
        if option is None:
            continue
        letter, text = option.groups()
        if letter == "A":
            found = {}
        if letter == chr(ord("A") + len(found)):
            found[letter] = text
            best = found if len(found) > 1 else best
    return best


def letter_of(answer: str, options: Mapping[str, str]) -> str | None:
    """Return the letter of the option that an answer names, by letter, text or both.

    Args:
        answer: A letter, a text, or "B: aspirin".
        options: Letter to text; without any, a single letter stands for itself.
    """
    bare = normal(answer)
    if bare.upper() in options or (not options and len(bare) == 1 and bare.isalpha()):
        return bare.upper()
    for letter, text in options.items():
        if normal(text) == bare:
            return letter
    labelled = LABELLED.fullmatch(answer.strip())
    if labelled and normal(options.get(labelled[1].upper(), "")) == normal(labelled[2]):
        return labelled[1].upper()
    return None


def text_of_answer(answer: str, options: Mapping[str, str]) -> str | None:
    """Return what an answer says: an option's text rather than its letter.

    Args:
        answer: A text, a letter, or both; a letter that no option has says nothing.
    """
    letter = letter_of(answer, options)
    if letter is not None:
        return options.get(letter)
    bare = normal(answer)
    return None if len(bare) == 1 and bare.isalpha() else answer
