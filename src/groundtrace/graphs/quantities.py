"""Quantities in short texts: value, unit and comparator, read from any common writing.

What they exclude the rules say (asp/guards/4_quantities.lp).
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from groundtrace.graphs.comparators import AFTER, BEFORE, after, before
from groundtrace.graphs.numbers import VALUE, canonical, in_digits, plain, value_of
from groundtrace.graphs.units import codes, scale


class Quantity(NamedTuple):
    """One quantity of a text."""

    dimension: str
    """Such as "[mass]"; "number" where no unit is written."""
    value: str
    """In base units: equal quantities have equal texts."""
    comparator: str
    """"=", "<", "<=", ">" or ">="."""
    written: str
    """The number as it was written, before conversion."""


class Reading(NamedTuple):
    """What a text says in numbers."""

    quantities: tuple[Quantity, ...]
    rest: str
    """The text without its comparators, in which no other rule may find a word."""


_HINT = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|hundred"
    r"|thousand|million|single|double|dual|triple|quadruple|once|twice|thrice|half|dozen|couple"
    r"|first|second|third|\w+th|quarters?|thirds|daily|nightly|weekly|monthly|yearly|annually"
    r"|hourly|qd|qod|bid|tid|qid|qds|bd|tds|od|q\.d|b\.i\.d|t\.i\.d|q\.i\.d|every|per"
    r"|an? (?:day|week|month|year))\b"
)

_UNIT = "|".join(sorted(map(re.escape, codes()), key=len, reverse=True))
_PER = (
    r"(?:\s*/\s*|\s+per\s+|\s+(?:an?|each|every)\s+(?=(?:day|week|month|year|hour|minute|night)\b))"
)
_MONEY = r"[€$£¥₹]"
_QUANTITY = re.compile(
    rf"(?:(?P<before>{BEFORE})\s*(?:(?:the|an?|of|age|aged|is|was|by) )*)?"
    rf"(?P<money>{_MONEY})?\s?"
    rf"(?<![\w.\u2044])(?<![a-z]-)(?P<first>(?:(?<![\w.)])[+-]\s?)?{VALUE})"
    rf"(?P<ordinal>(?:st|nd|rd|th)\b)?"
    rf"(?:(?:\s*(?P<join>-|/|:)\s*|\s+(?P<word>to|and|out of|of|in|over)\s+(?=\d))"
    rf"(?P<second>{VALUE})(?![\d/-]\d))?"
    rf"(?!\s*-?\s*[a-z]+\d)(?![a-z(]*\d)"
    rf"(?:[\s-]*(?P<unit>(?:{_UNIT})(?![\w])))?"
    rf"(?P<pers>(?:{_PER}(?:{_UNIT}|night)(?!\w))*)"
    rf"(?:\s*(?P<after>{AFTER}))?"
)
_NUMBER = r"\d+(?:\.\d+)?|\.\d+"
_LENGTH = "[mck]?m|millimet(?:er|re)s?|centimet(?:er|re)s?|inch(?:es)?|in|ft|feet|foot"
_POWER_OF_TEN = r"10(?:\s?[\^+-]|\s?[1-9]\d?(?![\d.]))|10e"
_TIMES_SIGN = rf"(?:\s?[x\u00d7*]\s?|\sby\s)(?!{_POWER_OF_TEN})"
_SIZE = re.compile(
    rf"(?<![\w.,/\u2044])(?P<sides>(?:{_NUMBER})(?:\s?(?:{_LENGTH})(?![a-z]))?"
    rf"(?:{_TIMES_SIGN}(?:{_NUMBER})(?![\d.]*\d)(?:\s?(?:{_LENGTH})(?![a-z]))?)+)"
    rf"(?!\s?-?(?:{_UNIT})(?!\w))(?!\w)"
)
"""A size, as in 2 x 3 cm; not a number of doses, as in 2 x 500 mg."""
_SIDE = re.compile(rf"({_NUMBER})\s?({_LENGTH})?")
_GIVEN_TIMES = re.compile(
    rf"(?<=\d)(\s?(?:{_UNIT}))?\s?[x\u00d7](?=\s?\d)(?!\s?(?:{_POWER_OF_TEN}))"
)
_FULL_HOUR = re.compile(r"(?<=\d):00(?= ?[ap]\.?m)")
_TEMPERATURE = re.compile(r"(?<![\w.,])(\d+(?:\.\d+)?) ?([cf])(?![\w'])")
_WARMTH = re.compile(r"\b(?:temp|fever|febrile|hypothermi|hypertherm|heat|pyrexia)")
_WARM = {"c": (30.0, 45.0), "f": (97.0, 113.0)}
"""What is a temperature of the body though nobody says so: "46 F" is a woman of 46."""
_PER_SPLIT = re.compile(_PER)
_DATE = re.compile(r"\b(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[/.]\d{1,2}[/.]\d{2,4})\b")
_REPEATED = re.compile(r"(\d+) \((\d+)\)")
_ALWAYS_ONE = re.compile(r"(?<![\w.])(?:[a-z]\.){2,}[a-z]?\b|(?<![\w.])q\.d\b")
_PERIODS = {"day": "day", "d": "day", "night": "day", "week": "week", "wk": "week"}
_PERIODS |= {"month": "month", "mo": "month", "year": "year", "yr": "year", "y": "year"}
_PERIODS |= {"hour": "hour", "h": "hour", "hr": "hour"}
_EVERY_DAY: dict[str, float] = {
    "daily": 1,
    "nightly": 1,
    "od": 1,
    "qd": 1,
    "bid": 2,
    "bd": 2,
    "tid": 3,
    "tds": 3,
}
_EVERY_DAY |= {"qid": 4, "qds": 4, "qod": 0.5}
_PER_YEAR = {"hour": 8766.0, "day": 365.25, "week": 365.25 / 7, "month": 12.0, "year": 1.0}
_ADVERBS = {"hourly": "hour", "weekly": "week", "monthly": "month", "yearly": "year"}
_ADVERBS |= {"annually": "year"}
_TIMES = re.compile(
    r"(?P<count>\d+)\s*(?:times|time|x|doses?)?\s*(?:(?:(?:per|an?|each|every|/)\s*"
    r"(?P<period>day|week|month|year|night|hour))|(?P<adverb>daily|nightly|weekly|monthly|yearly|annually))\b"
)
_EVERY = re.compile(
    r"(?:every|each|q)\s*(?:(?P<count>\d+(?:\.\d+)?)\s*)?(?P<period>hours?|days?|weeks?|months?|years?|h|hr|hrs|d)\b"
    r"|(?P<hourly>\d+)-hourly\b"
)
_DAILY = re.compile(rf"\b(?P<word>{'|'.join([*_EVERY_DAY, *_ADVERBS])})\b")
"""Frequencies stand apart from what is given: 5 mg daily is 5 mg, and once a day."""


@lru_cache(maxsize=200_000)
def reading(text: str, counted: frozenset[str]) -> Reading:
    """Return the quantities of a text, and the text without their comparators.

    Args:
        text: In compared form.
        counted: Nouns whose number tells kinds apart, as in "type 2": it is no quantity.
    """
    signs = _FULL_HOUR.sub("", plain(text))
    if not _HINT.search(signs):
        return Reading((), text)
    signs = _TEMPERATURE.sub(lambda one: _with_degrees(one, signs), signs)
    digits = _ALWAYS_ONE.sub(lambda found: found[0].replace(".", ""), signs)
    digits = _REPEATED.sub(_once, in_digits(digits))
    found: list[Quantity] = []
    digits = _without_dates(digits, found)
    digits = _without_kinds(digits, counted)
    digits = _without_sizes(digits, found)
    digits = _without_frequencies(digits, found)
    words = text
    for match in _QUANTITY.finditer(digits):
        if quantity := _quantity(match):
            found.append(quantity)
            for part in ("before", "after"):
                if match[part]:
                    words = words.replace(match[part], " ", 1)
    return Reading(tuple(dict.fromkeys(found)), words)


def _once(found: re.Match[str]) -> str:
    """Return one of the two numbers in "30 (30)"."""
    return found[1] if found[1] == found[2] else found[0]


def _with_degrees(found: re.Match[str], text: str) -> str:
    """Return "38 c" as "38 °c" where it is a temperature."""
    low, high = _WARM[found[2]]
    warm = low <= float(found[1]) <= high or _WARMTH.search(text)
    return f"{found[1]} \u00b0{found[2]}" if warm else found[0]


def _without_sizes(text: str, found: list[Quantity]) -> str:
    """Return a text without its sizes, whose sides may stand in any order."""

    def size(match: re.Match[str]) -> str:
        sides = _SIDE.findall(match["sides"])
        measured = scale(codes().get(sides[-1][1], "1"))
        if measured is None:
            return match[0]
        written = "*".join(sorted(canonical(float(one)) for one, _ in sides))
        # A side without a unit has that of the last one.
        factors = [scale(codes()[unit]) if unit else measured for _, unit in sides]
        values = [
            canonical(float(one) * factor.factor)
            for (one, _), factor in zip(sides, factors, strict=True)
            if factor
        ]
        dimension = "size" if sides[-1][1] else "number"
        found.append(Quantity(dimension, "*".join(sorted(values)), "=", written))
        return " "

    return _GIVEN_TIMES.sub(r"\1 x ", _SIZE.sub(size, text))


def _without_dates(text: str, found: list[Quantity]) -> str:
    for date in _DATE.findall(text):
        found.append(Quantity("date", date, "=", date))
    return _DATE.sub(" ", text)


def _without_kinds(text: str, counted: frozenset[str]) -> str:
    """Return a text without the numbers of kinds, as in "type 2" and "section 12(a)"."""

    def kept(found: re.Match[str]) -> str:
        return found[1] if found[1] in counted else found[0]

    return re.sub(r"\b([a-z]+)[ -]\d+[a-z]?(?:\(\w+\))*(?![\w.,/%]*\d)(?!\.\d)", kept, text)


def _without_frequencies(text: str, found: list[Quantity]) -> str:
    def add(count: float, period: str) -> str:
        value = canonical(count * _PER_YEAR[period])
        found.append(Quantity("frequency", value, "=", canonical(count)))
        return " "

    def times(match: re.Match[str]) -> str:
        word = match["period"] or match["adverb"]
        period = _PERIODS.get(word) or _ADVERBS.get(word, "day")
        return add(float(match["count"]), period)

    def every(match: re.Match[str]) -> str:
        if match["hourly"]:
            return add(24 / (float(match["hourly"]) or 1), "day")
        period = _PERIODS[match["period"].rstrip("s")]
        length = float(match["count"] or 1) or 1
        return add(24 / length, "day") if period == "hour" else add(1 / length, period)

    def daily(match: re.Match[str]) -> str:
        word = match["word"]
        return add(_EVERY_DAY.get(word, 1), _ADVERBS.get(word, "day"))

    text = _TIMES.sub(lambda one: one[0] if _has_unit_before(one) else times(one), text)
    text = _EVERY.sub(every, text)
    return _DAILY.sub(daily, text)


def _has_unit_before(match: re.Match[str]) -> bool:
    """Return whether the number is of a larger one, as the 5 in 2.5."""
    before = match.string[: match.start()]
    return bool(re.search(r"[\d.,/^\u00d7-]$", before))


def _quantity(match: re.Match[str]) -> Quantity | None:
    comparator = after(match["after"]) or before(match["before"])
    if match["ordinal"]:
        return Quantity("order", match["first"], "=", match["first"])
    values = list(_values(match))
    join = match["join"] or match["word"]
    if join in ("/", ":", "out of", "of", "in", "over"):
        return Quantity("ratio", "/".join(map(canonical, values)), comparator, match["second"])
    unit = match["money"] or match["unit"]
    code = codes().get(unit, "1") if unit else "1"
    pers = [codes().get(one.strip(), "d") for one in _PER_SPLIT.split(match["pers"])[1:]]
    measured = scale("/".join([code, *pers]))
    if measured is None:
        return None
    scaled = (canonical(one * measured.factor + measured.offset) for one in values)
    written = "..".join(map(canonical, values))
    return Quantity(measured.dimension, "..".join(scaled), comparator, written)


def _values(match: re.Match[str]) -> Iterator[float]:
    first = match["first"].replace(" ", "", 1) if match["first"][0] in "+-" else match["first"]
    sign = -1.0 if first[0] == "-" else 1.0
    yield sign * value_of(first.lstrip("+-"))
    if match["second"]:
        yield value_of(match["second"])
