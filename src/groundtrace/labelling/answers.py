"""From what a language model wrote to a label, strictly.

An answer counts only if it says one label and nothing against it. Everything else is unusable:
a guess would be worse than no label.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pydantic_core import from_json

from groundtrace.labelling.prompt import CHOICES
from groundtrace.segmentation import split_thinking
from groundtrace.vocabulary import LABEL_SPELLINGS, Label

_FENCE = re.compile(r"\A```[a-zA-Z]*[ \t]*\n(?P<inside>.*?)\n?```\Z", re.DOTALL)
_DECORATION = " \t\r\n*_`\"'“”‘’.:;,!()[]{}<>#"  # noqa: RUF001
_PREFIX = re.compile(
    r"\A(?:(?:the|my)\s+)?(?:(?:final|correct|best)\s+)?(?:answer|label|choice|relation)"
    r"(?:\s+is)?(?:\s*[:=\-–—]+\s*|\s+)",  # noqa: RUF001
    re.IGNORECASE,
)
_CONCLUDED = re.compile(r"(?:answer|label)(?:\s+is)?\W+(?P<label>[A-Za-z]+)\Z", re.IGNORECASE)
_LETTER_AND_WORD = re.compile(r"\A(?P<letter>[A-Za-z])\W{1,5}(?P<word>[A-Za-z]+)\Z")
_KEYS = ("label", "answer", "choice", "relation")
_QUOTED = 60

LIKELY_TOKENS = 5
"""Alternatives asked for with each token; many servers allow no more."""


class Token(NamedTuple):
    """One token of an answer, as a server reports it."""

    text: str
    alternatives: Mapping[str, float]
    """Token to logarithm of its probability, the token itself among them."""


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


def spoken(content: str) -> str | None:
    """Return an answer without thinking and code fence; None if it ends while it thinks.

    Args:
        content: What the model wrote.
    """
    parts = split_thinking(content)
    if parts.style != "tags":
        text = content.strip()
    elif parts.answer is None:
        return None
    else:
        text = content[slice(*parts.answer)].strip()
    fenced = _FENCE.match(text)
    return fenced["inside"].strip() if fenced else text


def chosen(content: object, choices: Sequence[str]) -> bool:
    """Say whether an answer is one of some choices, alone or as the label in JSON.

    Args:
        content: What the model wrote.
        choices: As they were sent.
    """
    said = spoken(content) if isinstance(content, str) else None
    if said is None:
        return False
    return said.strip(_DECORATION) in choices or _json_value(said) in choices


def _label_in(said: str) -> Label | None:
    value = _json_value(said)
    if value is not None:
        return _spelled(value)
    lines = [line for line in said.splitlines() if line.strip(_DECORATION)]
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
    found = _CONCLUDED.search(line.strip(_DECORATION))
    return LABEL_SPELLINGS.get(found["label"].lower()) if found else None


def _json_value(said: str) -> str | None:
    """Return the one string that a JSON answer holds, or None if there is no such thing."""
    if said[:1] not in '{["':
        return None
    try:
        value: Any = from_json(said)
    except ValueError:
        return None
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, dict):
        named = [one for key, one in value.items() if key.lower() in _KEYS]
        value = named[0] if len(named) == 1 else None
    return value if isinstance(value, str) else None


def _spelled(text: str) -> Label | None:
    """Return the label that a whole text spells, whatever decorates it."""
    bare = _PREFIX.sub("", text.strip(_DECORATION)).strip(_DECORATION)
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
        if token.text.strip(_DECORATION).upper() != letter:
            continue
        weights = dict.fromkeys(CHOICES, 0.0)
        for text, logarithm in token.alternatives.items():
            choice = text.strip(_DECORATION).upper()
            if choice in weights and math.isfinite(logarithm):
                weights[choice] += math.exp(min(logarithm, 0.0))
        total = sum(weights.values())
        return weights[letter] / total if total else None
    return None
