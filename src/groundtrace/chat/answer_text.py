"""What an answer of a language model says, without what is around it."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

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


class Pairs(tuple[tuple[str, Any], ...]):
    """A JSON object as its pairs, so that a key that stands there twice is seen."""

    __slots__ = ()


def spoken(content: str) -> str | None:
    """Return an answer without thinking and code fence; None if it ends while it thinks.

    Args:
        content: What the model wrote.
    """
    text = without_thinking(content)
    fenced = _FENCE.match(text) if text is not None else None
    return fenced["inside"].strip() if fenced else text


def without_thinking(content: str) -> str | None:
    """Return what follows the thinking, or all of it; None if it ends while it thinks."""
    parts = split_thinking(content)
    if parts.style != "tags":
        return content.strip()
    return None if parts.answer is None else content[slice(*parts.answer)].strip()


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


def json_of(text: str) -> Any:
    """Return the value that a JSON text holds; its objects are :class:`Pairs`.

    Raises:
        ValueError: it is no JSON.
    """
    try:
        return json.loads(text, object_pairs_hook=Pairs)
    except RecursionError as error:
        raise ValueError("too deep") from error


def json_value(said: str) -> str | None:
    """Return the one string that a JSON answer holds, or None if there is no such thing."""
    if said[:1] not in '{["':
        return None
    try:
        value = json_of(said)
    except ValueError:
        return None
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, Pairs):
        named = [one for key, one in value if key.lower() in _KEYS]
        value = named[0] if len(named) == 1 else None
    return value if isinstance(value, str) else None
