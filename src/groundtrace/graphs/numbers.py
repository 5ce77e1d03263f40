"""Numbers as people write them: 1,000, 1 000, 1.5, 10^9, five, a dozen, twenty-first."""

import re
from functools import lru_cache

from text_to_num import alpha2digit

VALUE = (
    r"(?:\d{1,3}(?:[, ]\d{3})+(?![\d,])(?:\.\d+)?"
    r"|\d+\u2044\d+|\d+[.,]\d+|\.\d+|\d+)"
    r"(?:\s*[\u00d7x*\u00b7]\s*10\s*\^?\s*[+-]?\d{1,2}(?!\d)|e[+-]?\d{1,2}(?!\w)|\^[+-]?\d{1,2})?"
    r"(?:\s+(?:million|billion)\b)?"
)
"""A number in compared form, without its sign."""

_POWER = re.compile(r"\s*(?:[\u00d7x*\u00b7]\s*10\s*\^?\s*|e)([+-]?\d{1,2})$")
_RAISED = re.compile(r"^(\d+)\^([+-]?\d{1,2})$")
_GROUPED = re.compile(r"^\d{1,3}([, ]\d{3})+(\.\d+)?$")
_LARGE = {"million": 1e6, "billion": 1e9}

_SPECIAL = {
    "single": "1",
    "double": "2",
    "dual": "2",
    "triple": "3",
    "quadruple": "4",
    "once": "1 times",
    "twice": "2 times",
    "thrice": "3 times",
    "half a": "0.5",
    "half an": "0.5",
    "half the": "0.5",
    "half of": "0.5",
    "half": "0.5",
    "one third": "0.333333333",
    "a third of": "0.333333333",
    "two thirds": "0.666666667",
    "one quarter": "0.25",
    "a quarter of": "0.25",
    "three quarters": "0.75",
    "a dozen": "12",
    "a couple of": "2",
    "1/2": "0.5",
    "1/3": "0.333333333",
    "2/3": "0.666666667",
    "1/4": "0.25",
    "3/4": "0.75",
}
"""What the library of number words does not read."""

_NOT_COUNTING = re.compile(
    r"\b(?:(?:no|any|every|some|each|the)[ -]one\b|one another|one's|one-sided"
    r"|one of (?:the|these|those|his|her|their|our|its)\b|second[ -]hand|at one time|zero in on"
    r"|double[ -](?:blind|strand)\w*|on the one hand|second opinion|first aid)"
)
_SPECIAL_WORDS = re.compile(
    r"(?<![\w/.-])("
    + "|".join(sorted(map(re.escape, _SPECIAL), key=len, reverse=True))
    + r")(?![\w/])"
)
_HALVES = re.compile(r"\b(\w+) and (?:a|one) half\b")
_SECONDS = re.compile(
    r"(?<=per )second\b|(?<=/)second\b|(?<=\d )second\b|\b(?:one|a|every) second(?= |$)"
)
_HYPHEN = re.compile(
    r"(?<=\bone)-|(?<=\btwo)-|(?<=\bthree)-|(?<=\bfour)-|(?<=\bfive)-|(?<=\bsix)-|(?<=\bseven)-"
    r"|(?<=\beight)-|(?<=\bnine)-|(?<=\bten)-|(?<=\bfirst)-|(?<=\bsecond)-|(?<=\bthird)-"
    r"|(?<=\bfourth)-|(?<=\bfifth)-"
)
"""The hyphen after a number word, as in "two-vessel"; "twenty-one" keeps its own."""
_NUMBER_WORDS = re.compile(
    r"\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen"
    r"|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand"
    r"|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\w+th)\b"
)


def value_of(written: str) -> float:
    """Return the value of a number that VALUE finds.

    Args:
        written: Without its sign; a comma before three digits groups them, another one is a
            decimal comma.
    """
    factor = 1.0
    word = written.rsplit(None, 1)
    if len(word) == 2 and word[1] in _LARGE:
        written, factor = word[0], _LARGE[word[1]]
    if raised := _RAISED.match(written):
        return factor * float(raised[1]) ** int(raised[2])
    if power := _POWER.search(written):
        written, factor = written[: power.start()], factor * 10.0 ** int(power[1])
    if "\u2044" in written:
        return factor * _fraction(written)
    if _GROUPED.match(written):
        written = written.replace(",", "").replace(" ", "")
    return factor * float(written.replace(",", "."))


def _fraction(written: str) -> float:
    """Return the value of ½ or 1½, whose digits the compared form puts around a fraction slash."""
    above, below = written.split("\u2044")
    if not int(below):
        return 0.0
    return int(above[:-1] or 0) + int(above[-1]) / int(below)


@lru_cache(maxsize=50_000)
def in_digits(text: str) -> str:
    """Return a text with its number words in digits; ordinals as 1st, 2nd.

    Args:
        text: In compared form.
    """
    # "no one" and "one another" count nothing.
    text = _NOT_COUNTING.sub(lambda found: "_" * len(found[0]), text)
    text = _HALVES.sub(_and_a_half, text)
    text = _SPECIAL_WORDS.sub(lambda found: _SPECIAL[found[1]], text)
    text = _HYPHEN.sub(" ", text)
    text = _SECONDS.sub(lambda found: found[0].replace("second", "sec"), text)
    if _NUMBER_WORDS.search(text):
        text = text.replace("one sec", "1 sec")
        text = str(alpha2digit(text, "en", 0))
    return text


def _and_a_half(found: re.Match[str]) -> str:
    whole = str(alpha2digit(found[1], "en", 0))
    return f"{whole}.5" if whole.isdecimal() else found[0]


def canonical(value: float) -> str:
    """Return a number so that equal ones are equal texts, in spite of rounding."""
    text = f"{value:.9g}"
    return "0" if text == "-0" else text
