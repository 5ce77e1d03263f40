"""From what a language model wrote to a label, strictly.

An answer counts only if it says one label and nothing against it. Everything else is unusable:
a guess would be worse than no label.
"""

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from groundtrace.chat.answer_text import DECORATION, Token, json_value, spoken
from groundtrace.labelling.prompt import CHOICES
from groundtrace.vocabulary import LABEL_SPELLINGS, Label

_PREFIX = re.compile(
    r"\A(?:(?:the|my)\s+)?(?:(?:final|correct|best)\s+)?(?:answer|label|choice|relation)"
    r"(?:\s+is)?(?:\s*[:=\-–—]+\s*|\s+)",  # noqa: RUF001
    re.IGNORECASE,
)
_CONCLUDED = re.compile(r"(?:answer|label)(?:\s+is)?\W+(?P<label>[A-Za-z]+)\Z", re.IGNORECASE)
_LETTER_AND_WORD = re.compile(r"\A(?P<letter>[A-Za-z])\W{1,5}(?P<word>[A-Za-z]+)\Z")
_QUOTED = 60


class Reading(NamedTuple):
    """What an answer says."""

    label: Label | None
    probability: float | None
    problem: str | None
    """Why there is no label."""


def read_answer(content: object, tokens: Sequence[Token] = ()) -> Reading:
    """Return the label that an answer names.

    Args:
        content: What the model wrote; anything but text is unusable.
        tokens: Its tokens, if they are known.
    """
    if content is None or content == "":
        return Reading(None, None, "the answer is empty")
    if not isinstance(content, str):
        return Reading(None, None, f"the answer is no text but {type(content).__name__}")
    said = spoken(content)
    if said is None:
        return Reading(None, None, "the answer ends inside its thinking part")
    label = _label_in(said)
    if label is None:
        shown = said if len(said) <= _QUOTED else f"{said[:_QUOTED]}…"
        problem = f"the answer is none of {', '.join(CHOICES)}: {shown!r}"
        return Reading(None, None, problem)
    # In a longer answer the letter may stand anywhere, as the pronoun I for instance.
    alone = "\n" not in said
    return Reading(label, _probability(label, tokens) if alone else None, None)


def _label_in(said: str) -> Label | None:
    value = json_value(said)
    if value is not None:
        return _spelled(value)
    lines = [line for line in said.splitlines() if line.strip(DECORATION)]
    if not lines:
        return None
    # A label may stand alone before the explanation, or alone after it. Whatever else names one
    # must name the same.
    if _spelled(lines[0]) is None and _spelled(lines[-1]) is None:
        return None
    named = {label for line in lines if (label := _spelled(line) or _concluded(line))}
    return named.pop() if len(named) == 1 else None


def _concluded(line: str) -> Label | None:
    """Return the label of a line that ends in one, as in "so the answer: E"."""
    found = _CONCLUDED.search(line.strip(DECORATION))
    return LABEL_SPELLINGS.get(found["label"].lower()) if found else None


def _spelled(text: str) -> Label | None:
    """Return the label that a whole text spells, whatever decorates it."""
    bare = _PREFIX.sub("", text.strip(DECORATION)).strip(DECORATION)
    found = LABEL_SPELLINGS.get(bare.lower())
    if found:
        return found
    both = _LETTER_AND_WORD.match(bare)
    if both is None:
        return None
    letter, word = (LABEL_SPELLINGS.get(both[name].lower()) for name in ("letter", "word"))
    return letter if letter == word else None


def _probability(label: Label, tokens: Sequence[Token]) -> float | None:
    """Return the label's share among the letters, at the last token that is its letter.

    The share, since servers report what the model would have said without the constraint too.
    """
    letter = label[0].upper()
    for token in reversed(tokens):
        if token.text.strip(DECORATION).upper() != letter:
            continue
        weights = dict.fromkeys(CHOICES, 0.0)
        for text, logarithm in token.alternatives.items():
            choice = text.strip(DECORATION).upper()
            if choice in weights and math.isfinite(logarithm):
                weights[choice] += math.exp(min(logarithm, 0.0))
        total = sum(weights.values())
        return weights[letter] / total if total else None
    return None
