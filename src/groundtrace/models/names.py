"""The form in which names of graphs are compared: spellings that only look different are equal."""

import re
import unicodedata
from functools import lru_cache

_DASHES = re.compile("[\u2010-\u2015\u2212]")
_SPACES = re.compile(r"\s+")
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_CLOSING = {closing: opening for opening, closing in _PAIRS.items()}
_ACCENTS = "\u0060\u00b4"
"""Signs that people take for quotes."""

_ARTICLES = re.compile(r"(?:the (?=\w\w)|an? (?=\w{4}))+")
"""Before a word: "a fib" and "a 2" are names whose first letter is no article."""

# fmt: off
_POINTING = frozenset({
    "this", "that", "these", "those", "it", "they", "he", "she", "we", "i", "you", "him",
    "her", "them", "us", "me", "its", "itself", "themselves", "now", "then", "here",
    "there", "thus", "such", "so", "former", "latter", "above", "below", "something",
    "someone", "somebody", "anything", "everything", "nothing", "one", "ones", "other",
    "others", "another", "which", "who", "what", "same",
})
# fmt: on
_BEGINS_A_NUMBER = re.compile(r"-?\.?\d")
_PART_OF_A_NUMBER = "%\u2030"
_LONGEST_REMEMBERED = 1_000
"""Characters; longer texts are answers, not names, and seldom come twice."""


def normal(text: str) -> str:
    """Return the form in which a node or predicate is compared.

    Compatibility characters (Unicode NFKC), dashes, white space and case are made equal, and
    punctuation and quotes around the text are dropped. What belongs to the name stays: a bracket
    whose partner is inside, as in ``p(MAPT)``; a sign at the end of a word, as in ``HER2-``, or
    before a number, as in ``-2.5``, or its decimal point, as in ``.5``; a per cent sign. A text
    of nothing but punctuation keeps it.
    An English article before a name does not make another one: "the patient" is "patient".

    Source: the specification of evidence graphs, voting.
    """
    return _remembered(text) if len(text) <= _LONGEST_REMEMBERED else _form(text)


@lru_cache(maxsize=200_000)
def _remembered(text: str) -> str:
    return _form(text)


def _form(text: str) -> str:
    form = unicodedata.normalize("NFKC", text.replace("\u00b4", "'"))
    form = unicodedata.normalize("NFKC", form.casefold())
    form = "".join(" " if unicodedata.category(one) == "Cc" else one for one in form)
    form = _SPACES.sub(" ", _DASHES.sub("-", form)).strip()
    form = _bare(form) or form
    return form[found.end() :] if (found := _ARTICLES.match(form)) else form


def points_only(text: str) -> bool:
    """Say whether a text is a pronoun or another pointing word, which alone names nothing.

    Capitals throughout make an abbreviation of it: "WHO", "US".
    """
    return normal(text) in _POINTING and not (len(text.strip()) > 1 and text.isupper())


def _bare(text: str) -> str:
    """Return a text without the punctuation around it."""
    partners = _partners(text)
    start, end = 0, len(text)
    while start < end:
        first, last = text[start], text[end - 1]
        if first == " " or (start not in partners and _opens_loosely(text, start)):
            start += 1
        elif last == " ":
            end -= 1
        elif end - 1 not in partners and _is_punctuation(last):
            loose = _without_dashes(text, start, end) if last == "-" else end - 1
            if loose is None:
                break
            end = loose
        elif partners.get(start) == end - 1:
            start, end = start + 1, end - 1
        else:
            break
    return text[start:end]


def _partners(text: str) -> dict[int, int]:
    """Return which brackets belong together, both ways."""
    partners: dict[int, int] = {}
    open_: list[int] = []
    for place, one in enumerate(text):
        if one in _PAIRS:
            open_.append(place)
        elif one in _CLOSING and open_ and text[open_[-1]] == _CLOSING[one]:
            partner = open_.pop()
            partners[partner], partners[place] = place, partner
    return partners


def _opens_loosely(text: str, place: int) -> bool:
    """Say whether a character that begins a text is punctuation that belongs to nothing."""
    return _is_punctuation(text[place]) and not _BEGINS_A_NUMBER.match(text, place)


def _without_dashes(text: str, start: int, end: int) -> int | None:
    """Return where a text ends without the dashes at its end; None if they are a sign."""
    place = end
    while place > start and text[place - 1] == "-":
        place -= 1
    signed = place > start and (text[place - 1].isalnum() or text[place - 1] in "_+")
    return None if signed else place


def _is_punctuation(one: str) -> bool:
    return (unicodedata.category(one)[0] == "P" and one not in _PART_OF_A_NUMBER) or one in _ACCENTS
