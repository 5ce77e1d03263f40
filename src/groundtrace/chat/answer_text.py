"""What an answer of a language model says, without what is around it."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pydantic_core import from_json

from groundtrace.segmentation.segmenter import split_thinking

_FENCE = re.compile(r"\A```[a-zA-Z]*[ \t]*\n(?P<inside>.*?)\n?```\Z", re.DOTALL)
DECORATION = " \t\r\n*_`\"'“”‘’.:;,!()[]{}<>#"  # noqa: RUF001
"""What may stand around an answer of one word."""

_KEYS = ("label", "answer", "choice", "relation")

LIKELY_TOKENS = 5
"""Alternatives asked for with each token; many servers allow no more."""


class Token(NamedTuple):
    """One token of an answer, as a server reports it."""

    text: str
    alternatives: Mapping[str, float]
    """Token to logarithm of its probability, the token itself among them."""


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
    return said.strip(DECORATION) in choices or json_value(said) in choices


def one_word(said: str) -> str:
    """Return an answer of one word without JSON and punctuation around it."""
    return (json_value(said) or said).strip(DECORATION)


def json_value(said: str) -> str | None:
    """Return the one string that a JSON answer holds, or None if there is no such thing."""
    if said[:1] not in '{["':
        return None
    try:
        value: Any = from_json(said)
    except (ValueError, TypeError):  # The latter for half a character.
        return None
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, dict):
        named = [one for key, one in value.items() if key.lower() in _KEYS]
        value = named[0] if len(named) == 1 else None
    return value if isinstance(value, str) else None
