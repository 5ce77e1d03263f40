"""Answers in plain lines: without JSON, mathematics, Markdown and the marks of chat templates."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from groundtrace.chat.answer_text import Pairs, parse_json

OPEN, CLOSE = "\ue000", "\ue001"
"""Stand around what was boxed or tagged as the answer."""

_MOST_OBJECTS = 20
_SPECIAL = re.compile(r"<\|[^|<>]{1,30}\|>|<(?:end_of_turn|eos)>|</s>\s*\Z")
_BARE_KEY = re.compile(r"([{,]\s*)([A-Za-z_]\w{0,40})\s*:")
_SINGLE_QUOTED = re.compile(r"'([^'\"\\\n]{0,500})'")
_OBJECT = re.compile(r"\{[^{}]{0,4000}\}")
_BROKEN_OBJECT = re.compile(r"\{\s*[\"']?[A-Za-z_]\w{0,40}[\"']?\s*:|\{\s*\"")
_LATEX_WORD = re.compile(
    r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathsf|rm)\{([^{}]{0,40})\}"
)
_BOXED = re.compile(r"\\boxed\{([^{}]{0,80})\}")
_TAGGED = re.compile(
    r"<(answer|label|final[ _-]?answer|final[ _-]?label|choice|output|result)>"
    r"([^<>]{0,80})</\1>",
    re.IGNORECASE,
)
_HARMLESS_TAG = re.compile(
    r"</?(?:b|i|em|strong|p|br|code|span|div|u|answer|label|output|result)\s*/?>", re.IGNORECASE
)
_MATHEMATICS = re.compile(r"\\[\[\]()]|\$")
_FENCE_LINE = re.compile(r"^[ \t]*(?:```|~~~)[\w-]*[ \t]*$|^[ \t]*-{3,}[ \t]*$", re.MULTILINE)
_QUOTES = re.compile(r"(?<!\w)'([^'\n]{1,30})'(?!\w)")
_MARKUP = str.maketrans(dict.fromkeys('*_`"“”„«»「」『』【】', " "))


class BrokenAnswerError(Exception):
    """A JSON object that cannot be read: what it was to say is not known."""


def plain_text(said: str) -> str:
    """Return an answer as plain lines.

    Raises:
        BrokenAnswerError: it holds a JSON object that cannot be read.
    """
    text = _SPECIAL.sub("", said)
    text = _with_objects_as_lines(text)
    text = unicodedata.normalize("NFKC", text).replace("’", "'").replace("‘", "'")  # noqa: RUF001
    text = _LATEX_WORD.sub(r"\1", text)
    text = _BOXED.sub(rf" {OPEN}\1{CLOSE} ", text)
    text = _TAGGED.sub(rf" {OPEN}\2{CLOSE} ", text)
    text = _MATHEMATICS.sub(" ", _HARMLESS_TAG.sub(" ", _FENCE_LINE.sub("", text)))
    return _QUOTES.sub(r" \1 ", text.translate(_MARKUP))


def _with_objects_as_lines(text: str) -> str:
    """Return a text with each JSON object in it, or the whole as JSON, as lines "key: value".

    Raises:
        BrokenAnswerError: an object cannot be read.
    """
    if text.strip()[:1] in ("{", "["):
        try:
            return "\n".join(_lines(parse_json(text)))
        except ValueError:
            pass
    pieces, rest = [], text
    for _ in range(_MOST_OBJECTS):
        found = _OBJECT.search(rest)
        if found is None:
            break
        pieces.append(rest[: found.start()])
        pieces.append(_object_lines(found[0]))
        rest = rest[found.end() :]
    plain = "".join([*pieces, rest])
    if _BROKEN_OBJECT.search(plain):
        raise BrokenAnswerError
    return plain


def _object_lines(text: str) -> str:
    """Return an object as lines, also as Python and JavaScript write it, or else as it is."""
    for form in (text, _BARE_KEY.sub(r'\1"\2":', _SINGLE_QUOTED.sub(r'"\1"', text))):
        try:
            value = parse_json(form)
        except ValueError:
            continue
        return "\n" + "\n".join(_lines(value)) + "\n"
    return text


def _lines(value: Any, key: str = "") -> Iterator[str]:
    if isinstance(value, Pairs):
        for name, inner in value:
            yield from _lines(inner, f"{key} {name}".strip())
    elif isinstance(value, list):
        for inner in value:
            yield from _lines(inner, key)
    else:
        shown = " ".join(str(value).split())
        yield f"{key}: {shown}" if key else shown
