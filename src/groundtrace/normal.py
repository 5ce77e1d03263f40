"""The form in which names of graphs are compared: spellings that only look different are equal."""

import re
import unicodedata
from functools import lru_cache

_DASHES = re.compile("[\u2010-\u2015\u2212]")
_SPACES = re.compile(r"\s+")
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_ACCENTS = "\u0060\u00b4"
"""Signs that people take for quotes."""
_SIGN = re.compile(r"\w[+-]+\Z")


@lru_cache(maxsize=200_000)
def normal(text: str) -> str:
    """Return the form in which a node or predicate is compared.

    Compatibility characters (Unicode NFKC), dashes, white space and case are made equal, and
    punctuation and quotes around the text are dropped. A bracket that belongs to another one
    inside stays, as in ``p(MAPT)``, and so does a sign at the end of a word, as in ``HER2-``. A
    text of nothing but punctuation keeps it.

    Args:
        text: Anything.

    Source: the specification of evidence graphs, voting.
    """
    form = unicodedata.normalize("NFKC", text)
    form = unicodedata.normalize("NFKC", form.casefold())
    form = "".join(" " if unicodedata.category(one) == "Cc" else one for one in form)
    form = _SPACES.sub(" ", _DASHES.sub("-", form)).strip()
    return _bare(form) or form


def _bare(text: str) -> str:
    """Return a text without the punctuation around it."""
    while text:
        first, last = text[0], text[-1]
        if len(text) > 1 and _BRACKETS.get(first) == last and _enclosing(text):
            text = text[1:-1].strip()
        elif _is_loose(text, first):
            text = text[1:].lstrip()
        elif _is_loose(text, last) and not _SIGN.search(text):
            text = text[:-1].rstrip()
        else:
            return text
    return text


def _is_loose(text: str, end: str) -> bool:
    """Say whether a character at an end of a text is punctuation that belongs to nothing."""
    if unicodedata.category(end)[0] != "P" and end not in _ACCENTS:
        return False
    for opening, closing in _BRACKETS.items():
        if end in (opening, closing):
            return text.count(opening) != text.count(closing)
    return True


def _enclosing(text: str) -> bool:
    """Say whether the first and the last character are one pair of brackets."""
    opening, closing = text[0], text[-1]
    depth = 0
    for place, one in enumerate(text):
        depth += (one == opening) - (one == closing)
        if depth == 0:
            return place == len(text) - 1
    return False
