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


def strip_wrapping(content: str) -> str | None:
    """Return an answer without thinking and code fence; None if it ends while it thinks.

    Args:
        content: What the model wrote.
    """
    text = strip_thinking(content)
    fenced = _FENCE.match(text) if text is not None else None
    return fenced["inside"].strip() if fenced else text


def strip_thinking(content: str) -> str | None:
    """Return what follows the thinking, or all of it; None if it ends while it thinks."""
    parts = split_thinking(content)
    if parts.style != "tags":
        return content.strip()
    return None if parts.answer is None else content[slice(*parts.answer)].strip()


def is_one_of(content: object, choices: Sequence[str]) -> bool:
    """Say whether an answer is one of some choices, alone or as the label in JSON.

    Args:
        content: What the model wrote.
        choices: As they were sent.
    """
    said = strip_wrapping(content) if isinstance(content, str) else None
    if said is None:
        return False
    return said.strip(DECORATION) in choices or read_json_word(said) in choices


def read_word(said: str) -> str:
    """Return an answer of one word without JSON and punctuation around it."""
    return (read_json_word(said) or said).strip(DECORATION)


def parse_json(text: str) -> Any:
    """Return the value that a JSON text holds; its objects are :class:`Pairs`.

    Raises:
        ValueError: it is no JSON.
    """
    try:
        return json.loads(text, object_pairs_hook=Pairs)
    except RecursionError as error:
        raise ValueError("too deep") from error


def parse_plain_json(text: str) -> Any:
    """Return the value that a JSON text holds, made of dicts and lists.

    Raises:
        ValueError: it is no JSON, or gives one key two different values.
    """
    try:
        return json.loads(text, object_pairs_hook=_dict_of)
    except RecursionError as error:
        raise ValueError("too deep") from error


def _dict_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object.

    Raises:
        ValueError: a key has two values.
    """
    made = dict(pairs)
    if any(made[key] != value for key, value in pairs):
        raise ValueError("a key has two values")
    return made


def read_json_word(said: str) -> str | None:
    """Return the one string that a JSON answer holds, or None if there is no such thing."""
    if said[:1] not in '{["':
        return None
    try:
        value = parse_json(said)
    except ValueError:
        return None
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, Pairs):
        named = [one for key, one in value if key.lower() in _KEYS]
        value = named[0] if len(named) == 1 else None
    return value if isinstance(value, str) else None
