"""Codes in short texts: the head names a family, and then comes the member, as in IgA."""

import re
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple


class Code(NamedTuple):
    """A member of a family."""

    head: str
    member: str


_GREEK = {
    "\u03b1": "alpha",
    "\u03b2": "beta",
    "\u03b3": "gamma",
    "\u03b4": "delta",
    "\u03b5": "epsilon",
    "\u03b6": "zeta",
    "\u03b8": "theta",
    "\u03ba": "kappa",
    "\u03bb": "lambda",
    "\u03c3": "sigma",
    "\u03c9": "omega",
}
_GREEK_LETTER = re.compile("|".join(_GREEK))
_GREEK_NAME = re.compile(rf"(?<![a-z])({'|'.join(_GREEK.values())})(?![a-z])")
_JOINED = re.compile(r"(?<![\w/^.])([a-z]+)(\d[a-z\d]*)(?!\w)")
_HYPHENED = re.compile(r"(?<![\w/^.-])([a-z]{1,12})-(\d+[a-z]?\d*)(?![\w.]*\d)(?![\w-])")
_SPACED = re.compile(r"(?<![\w/^.-])([a-z]{2,6}) (\d+[a-z]+\d+|[a-z]{1,2}\d+)(?!\w)")
_LEVEL = re.compile(r"(?<![\w])([ctls])-?(\d{1,2})(?!\w)")
_GLOBULIN = re.compile(r"\b(?:ig|immunoglobulin )-?([agmed]\d?)(?!\w)")
_LEUKOCYTE = re.compile(r"\bhla[- ]([a-z]{1,3}\d*)\b")
_CLASSIFIED = re.compile(r"(?<![\w.])([a-tv-z]\d{2}\.\d[\da-z]{0,3})(?![\w.]*\d)")
_VERSION = re.compile(r"(?<![\w./-])v?(\d+(?:\.\d+){2,})(?![\w.]*\d)")
_DATE = re.compile(r"\d{1,2}\.\d{1,2}\.(?:\d{2}|\d{4})")
_TUMOUR = re.compile(
    r"(?<![a-z])[cpy]{0,2}t(?:\d[a-d]?|is|x) ?,? ?n(?:\d[a-c]?|x)(?: ?,? ?m(?:\d[a-c]?|x))?(?!\w)"
)
_TUMOUR_PART = re.compile(r"([tnm])(\d[a-d]?|is|x)")
_KARYOTYPE = re.compile(r"(?<!\w)(\d{2}, ?[xyo]{1,5})(?!\w)")
_CHANGE = re.compile(
    r"(?<!\w)(?:[cgmn]\.)?(\d[\d_+-]*(?:[acgtu]>[acgtu]|(?:del|dup|ins)[acgt]*))(?!\w)"
)
_PROTEIN = re.compile(r"(?<!\w)(?:p\.)?\(?([a-z]\d{2,4}[a-z])\)?(?!\w)")
_PROTEIN_LONG = re.compile(r"(?<!\w)p\.\(?([a-z]{3}\d+[a-z]{3})(?!\w)")
_CLOCK = re.compile(r"\d ?([ap])(?:m|\.m\.?)(?!\w)")
_DEGREES = re.compile(r"(?<![\w.,])(\d+(?:\.\d+)?) ?\u00b0?([cf])(?![\w'])")
_PLUSES = re.compile(r"(?:(?<=[\s(])|(?<=^)|(?<=\w)(?=\+\+))(\+{1,4})(?![\w+/])")
_PLUS_NUMBER = re.compile(r"(?<![\w.])([1-4])\+(?![\w+])")
_DOSE = "(?:tablet|pill|capsule|ampoule|vial|sachet|patch|suppository|teaspoon|tablespoon|cup)"
_PORTION = re.compile(rf"\b(half|quarter|third)(?: of)?(?: (?:an?|the))? {_DOSE}s?\b")
_WHOLE = re.compile(rf"\b{_DOSE}\b")
_PART_WORD = re.compile(r"\d|\b(?:half|halves|quarters?|thirds?|no|without)\b")
_LONE_ROMAN = re.compile(r"(?<![\w.-])(x?(?:i{2,3}|vi{1,3}|ix)|xi|xiv|xvi{0,3})(?![\w-])")
_ROMAN = re.compile(r"(x{0,3})(ix|iv|v?i{0,3})([a-e]?)")
_UNITS = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "": 0}
_NUMBER_WORDS = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]
_NOT_HEADS = frozenset(
    [
        "m",
        "cm",
        "mm",
        "km",
        "dm",
        "h",
        "x",
        "q",
        "s",
        "day",
        "days",
        "week",
        "weeks",
        "month",
        "months",
        "year",
        "years",
        "age",
        "aged",
        "past",
        "post",
        "pre",
        "over",
        "under",
        "than",
        "to",
        "of",
        "at",
        "in",
        "about",
        "within",
        "last",
        "next",
        "first",
        "mid",
        "top",
        "under",
        "number",
        "no",
        "nr",
        "day-of",
    ]
)
"""What stands before a hyphen and a number, and names no family."""


def member_of(word: str) -> str | None:
    """Return what a word after "type" or "stage" names, if it names anything.

    Roman numbers, digits and number words are the same: "IIa" is "2a".

    Args:
        word: In compared form.
    """
    if re.fullmatch(r"\d+[a-z]?(?:\(\w+\))*", word):
        return word
    if word in _NUMBER_WORDS:
        return str(_NUMBER_WORDS.index(word) + 1)
    roman = _ROMAN.fullmatch(word)
    if roman and (roman[1] or roman[2]):
        return f"{10 * len(roman[1]) + _UNITS[roman[2]]}{roman[3]}"
    if re.fullmatch(r"[a-z][a-z]?", word) and (len(word) == 1 or word in ("ab", "dr", "dq")):
        return word
    return None


@lru_cache(maxsize=200_000)
def codes_of(text: str, counted: frozenset[str]) -> tuple[Code, ...]:
    """Return the codes that a text names.

    Args:
        text: In compared form.
        counted: Nouns after which a number or letter names a kind, as in "type 2".
    """
    text = _GREEK_LETTER.sub(lambda found: _GREEK[found[0]], text)
    # "T2N0M0" is "T2 N0 M0".
    text = _TUMOUR.sub(lambda found: re.sub(r"(?<=\w)(?=[nm][\dx])", " ", found[0]), text)
    found = [Code("greek", name) for name in _GREEK_NAME.findall(text)]
    found += [Code("level", letter + number) for letter, number in _LEVEL.findall(text)]
    found += [Code("immunoglobulin", member) for member in _GLOBULIN.findall(text)]
    found += [Code("hla", member) for member in _LEUKOCYTE.findall(text)]
    for pattern in (_JOINED, _HYPHENED, _SPACED):
        found += [
            Code(head, member)
            for head, member in pattern.findall(text)
            if head not in _NOT_HEADS and head not in counted
        ]
    found += _kinds(text, counted)
    found += _notations(text)
    return tuple(dict.fromkeys(found))


def _notations(text: str) -> list[Code]:
    """Return what fields write in a way of their own: E11.9, 1.2.3, T2N0M0, 46,XX, c.35G>A."""
    found = [Code("classified", one) for one in _CLASSIFIED.findall(text)]
    found += [Code("release", one) for one in _VERSION.findall(text) if not _DATE.fullmatch(one)]
    for stage in _TUMOUR.findall(text):
        found += [Code(f"tnm {part}", one) for part, one in _TUMOUR_PART.findall(stage)]
    found += [Code("karyotype", one.replace(" ", "")) for one in _KARYOTYPE.findall(text)]
    found += [Code("change", one) for one in _CHANGE.findall(text)]
    # p.Gly12Asp may be p.G12D: each writing has a family of its own.
    found += [Code("residue", one) for one in _PROTEIN.findall(text)]
    found += [Code("long residue", one) for one in _PROTEIN_LONG.findall(text)]
    found += [Code("clock", one) for one in _CLOCK.findall(text)]
    # 98.6 F may be 37 C; 38 F is not 38 C.
    found += [Code(f"degrees {number}", unit) for number, unit in _DEGREES.findall(text)]
    found += [Code("pluses", str(len(one))) for one in _PLUSES.findall(text)]
    found += [Code("pluses", one) for one in _PLUS_NUMBER.findall(text)]
    portions = _PORTION.findall(text)
    found += [Code("portion", one) for one in portions]
    if not portions and _WHOLE.search(text) and not _PART_WORD.search(text):
        found.append(Code("portion", "whole"))
    romans = [text] if re.fullmatch("[xvi]+", text) else _LONE_ROMAN.findall(text)
    return found + [Code("roman", one) for one in romans if one]


def _kinds(text: str, counted: frozenset[str]) -> list[Code]:
    """Return the members after counted nouns, as in "stage IIA" and "section 12(a)"."""
    words = re.findall(r"[a-z]+|\d+[a-z]?(?:\(\w+\))*", text)
    return [
        Code(head, member)
        for head, word in pairwise(words)
        if head in counted and (member := member_of(word))
    ]
