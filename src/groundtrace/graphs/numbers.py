"""Numbers as people write them: 1,000, 1 000, 1.5, 10^9, five, a dozen, twenty-first."""

import re
import unicodedata
from functools import lru_cache

from text_to_num import alpha2digit

VALUE = (
    r"(?:\d{1,3}(?:[, ]\d{3})+(?![\d,])(?:\.\d+)?"
    r"|\d+\u2044\d+|\d+[.,]\d+|\.\d+|\d+)"
    r"(?:\s*[\u00d7x*\u00b7]\s*10\s*(?:\^\s*[+-]?\d{1,2}|[+-]?[1-9]\d?)(?!\d)|e[+-]?\d{1,2}(?!\w)|\^[+-]?\d{1,2})?"
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
    "a couple of": "2",
    "1/2": "0.5",
    "1/3": "0.333333333",
    "2/3": "0.666666667",
    "1/4": "0.25",
    "3/4": "0.75",
}
"""What the library of number words does not read."""

_MARKS = {
    "\u066b": ".",
    "\u066c": ",",
}
"""Arabic decimal and thousands signs."""
_THOUSANDS = re.compile(r"(?<=\d)['\u2019\u02bc_](?=\d{3}(?!\d))")
_MID_DOT = re.compile(r"(?<=\d)\u00b7(?=\d)(?!10(?!\d)|10\d{1,2}(?!\d))")
_ELLIPSIS = re.compile(r"(?<=\d)\s?\.{2,}\s?(?=\d)")
_MINUS = re.compile(r"(?<![\w)] )(?<![\w.)-])minus (?=\.?\d)|(?<=[a-z] )(?<!or )minus (?=\.?\d)")
_MIXED = re.compile(r"(?<![\w./,])(\d{1,3}) (?:and )?([1-7])/([2-8])(?![\d/])")
_HAN = dict(
    zip(
        "\u3007\u96f6\u4e00\u4e8c\u4e24\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d",
        "001223456789",
        strict=True,
    )
)
_HAN_TENS = {"\u5341": 10, "\u767e": 100, "\u5343": 1000}
_HAN_NUMBER = re.compile(
    rf"(?<![^\W\d_])[{''.join([*_HAN, *_HAN_TENS])}]+(?=\s*[a-z%\u00b0\u03bc]|\s|$)"
)
_DOZENS = re.compile(
    r"\b(?:(one|two|three|four|five|six|seven|eight|nine|ten|\d+|half a|a) )?dozen\b"
)

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


def plain(text: str) -> str:
    """Return a text whose numbers have the digits and signs of English, and nothing unseen.

    Args:
        text: In compared form.
    """
    if not text.isascii():
        text = "".join(_plain_sign(one) for one in text if unicodedata.category(one) != "Cf")
        text = _HAN_NUMBER.sub(_han, text)
    text = _MID_DOT.sub(".", _THOUSANDS.sub("", text))
    text = _MINUS.sub("-", _ELLIPSIS.sub("-", text))
    return _MIXED.sub(_mixed, text)


def _plain_sign(one: str) -> str:
    if unicodedata.category(one) == "Nd":
        return str(unicodedata.decimal(one))
    return _MARKS.get(one, one)


def _han(found: re.Match[str]) -> str:
    total, digit = 0, ""
    for one in found[0]:
        if one in _HAN_TENS:
            total, digit = total + int(digit or 1) * _HAN_TENS[one], ""
        else:
            digit += _HAN[one]
    return str(total + int(digit or 0))


def _mixed(found: re.Match[str]) -> str:
    """Return "1 1/2" as 1.5; other pairs of a number and a ratio stay."""
    above, below = int(found[2]), int(found[3])
    return canonical(int(found[1]) + above / below) if above < below else found[0]


def _dozens(found: re.Match[str]) -> str:
    word = found[1] or "1"
    if word == "half a":
        return "6"
    count = "1" if word == "a" else str(alpha2digit(word, "en", 0))
    return str(int(count) * 12) if count.isdecimal() else found[0]


@lru_cache(maxsize=50_000)
def in_digits(text: str) -> str:
    """Return a text with its number words in digits; ordinals as 1st, 2nd.

    Args:
        text: In compared form.
    """
    # "no one" and "one another" count nothing.
    text = _NOT_COUNTING.sub(lambda found: "_" * len(found[0]), text)
    text = _DOZENS.sub(_dozens, text)
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
