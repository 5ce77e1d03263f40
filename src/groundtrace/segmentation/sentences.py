"""Sentence ends within a paragraph, found by a library on a masked copy of the text.

The library decides where sentences end. It is shown a copy of the same length in which code and
formulas are one plain word, line ends are blanks, and the few abbreviations that it does not
know have lost their full stop. What it says is then carried over to the text itself.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import cache

import sentencex  # type: ignore[import-untyped]

from groundtrace.segmentation.abbreviations import hide_stops, openers, stop_masks
from groundtrace.segmentation.elements import TAG, start_before_tags
from groundtrace.segmentation.places import Region, region_at

Splitter = Callable[[str], Iterable[int]]
"""Returns where sentences end in a text without line ends, white space after them included."""

WINDOW = 2000
"""Characters shown to the library at once: its time grows with their square at worst."""
MARGIN = 200
"""Ends this near to a window's end are left to the next window."""

MARKER = re.compile(
    r"(?:[-*+•‣◦▪▸●○·\u2013\u2014](?:[ \t]+\[[ xX]\])?"
    r"|\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})[.)])(?:[ \t\u3000]+|$)"
    r"|(?:\uff08\d{1,3}\uff09|[①-⑳]|(?:\d{1,3}|[一二三四五六七八九十]{1,3})、)[ \t\u3000]*"
)
"""The marker that a list item starts with."""

_CLOSING = "\"'\u201d\u2019)]*_"
_CLOSERS = r"[\"'\u201d\u2019)\]*_]{0,3}"
_BLANKS = {code: " " for code in range(0x3001) if chr(code).isspace()}
"""All white space becomes plain blanks: the library ends in a panic on some wide ones."""
_LABEL = re.compile(
    r"\W{0,6}(?:step|case|part|claim|lemma|proof|phase|option|question|answer)?\s?\d{1,3}\.(?!\d)",
    re.IGNORECASE,
)
_OPENERS = frozenset("([{*_")
_REFERENCE = re.compile(r"\([^().!?]{1,200}\)\s*$")
_LAST_WORD = re.compile(r"(\w{1,5})\.\s*$")
_LOWER_WORD = re.compile(r"(?![b-z]\b)[a-z]+\b")
_STARTER = re.compile(
    r"(?:and|but|for|he|hence|here|if|in|it|let|no|note|now|ok|or|she|since|so|that|the|then|there"
    r"|therefore|these|they|this|thus|wait|we|what|when|where|which|yes|yet|you)\b"
)


def _flatten_aside(match: re.Match[str]) -> str:
    """Return a sentence in brackets of its own without them and without stops inside."""
    inside = re.sub(r"[.!?…](?=\s)", ",", match[2])
    return f"{match[1]} {inside} "


_MASKS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    # Half a character from a broken escape cannot be handed to the library.
    (re.compile("[\ud800-\udfff]"), "X"),
    # Backticks without a partner, which the library takes for quotation marks.
    (re.compile(r"(?<=[.!?])`{1,9}(?=\s|$)"), lambda match: " " * len(match[0])),
    (re.compile("`"), "X"),
    # Tags, which belong to no sentence.
    (TAG, lambda match: " " * len(match[0])),
    # The stop of an item's number within a line: "First. 2. Second".
    (re.compile(r"(?<=[.!?;:。\uff01\uff1f]\s)\d{1,2}\.(?=\s?[^\W\d_])"), hide_stops),
    # The next formula in a row of them.
    (
        re.compile(r"\.(?=\s{1,9}[a-z]\w?\s?(?:\([^()\s]{1,20}\)\s?)?[=<>≤≥≠≈])"),
        ",",
    ),
    # A word in front of the quotation mark that ends its sentence may look like an abbreviation.
    (re.compile(r"(?<=[a-z])[a-z](?=[.!?][\"\u201d]\s{1,9}[A-Z])"), "x"),
    # The library does not count "…" as a stop.
    (re.compile(rf"…(?={_CLOSERS}\s{{1,9}}[A-Z])"), "."),
    # Emphasis that closes after a stop stays with its sentence.
    (
        re.compile(r"(?<=[.!?…。\uff01\uff1f])(?:\*{1,3}|_{1,3})(?=\s|$)"),
        lambda match: " " * len(match[0]),
    ),
    # A sentence in brackets of its own; the library sees no end inside brackets.
    (
        re.compile(
            r"(^|[.!?…\"\u201d\u2019*_]\s{1,3}[*_]{0,3})"
            r"[(\[]([^()\[\]]{1,500}[.!?…])[)\]](?=\s|$)"
        ),
        _flatten_aside,
    ),
    (re.compile(r"(?<=[。\uff01\uff1f])\uff09(?=\w)"), " "),
    # A unit glued to its number: on its own, "3 h." and "mg/l." look like initials.
    (re.compile(r"(?<=\d)[ ](?=[A-Za-zµ\u03bc]{1,3}\.\s)|/(?=[A-Za-z]{1,2}\.\s)"), "x"),
    # So is the letter of a choice or variable: "The answer is B. It …", "x = y. So …".
    (
        re.compile(
            r"(?:(?<=\bis)|(?<=\bare)|(?<=\bbe)|(?<=\bnot)|(?<=\bor)|(?<=option)|(?<=choice)"
            r"|(?<=answer)|(?<=case)|(?<=type)|(?<=group)|(?<=class)|(?<=vitamin)|(?<=point)"
            r"|(?<=event)|(?<=[=→⇒∧\u2228<>+]))[ ](?=[A-Z]\.\s{1,9}[^a-z\s])"
            r"|(?<=[a-z=→⇒∧\u2228<>+])[ ](?=[a-z]\.\s{1,9}[A-Z])"
        ),
        "x",
    ),
    # "The answer is no. We …" has nothing to do with numbers.
    (re.compile(r"(?<=\b[Nn])o(?=\.\s{1,9}[A-Z])"), "x"),
    # The library takes a digit or a small letter after a stop for the same sentence.
    (re.compile(r"(?<=[。\uff01\uff1f])[a-z\d]"), "X"),
    (re.compile(rf"((?:[^\W\d_]{{2}}|%)[.!?]{_CLOSERS}\s{{1,9}})\d"), r"\1X"),
)
"""What is changed in the copy before the library reads it, in this order; lengths never change."""


def library_ends(text: str) -> list[int]:
    """Return where the library sees sentences end.

    A text that makes the library panic is one sentence.

    Args:
        text: Its only white space is blanks, and it holds no lone surrogates.
    """
    try:
        found = sentencex.get_sentence_boundaries("en", text)
    except BaseException as error:
        # A panic in Rust; its class cannot be imported and is no Exception.
        if type(error).__name__ != "PanicException":
            raise
        return []
    return [sentence["end_index"] for sentence in found]


def sentence_starts(
    text: str, regions: Sequence[Region], splitter: Splitter = library_ends
) -> list[int]:
    """Return where sentences after the first one start, in order.

    Args:
        text: A paragraph or list item; may hold line ends.
        regions: What stays whole in it, in order, by positions in it.
        splitter: Finds the sentence ends in the masked text.
    """
    masked = _mask(text, regions)
    starts = (_start_in_text(text, end) for end in _ends_by_window(masked, splitter))
    found = {
        start
        for start in starts
        if 0 < start < len(text)
        and region_at(regions, start) is None
        and _may_start(text, start)
        and not _goes_on(masked, start)
        and _REFERENCE.match(text, start) is None
    }
    return sorted(found | {match.end() for match in _missing_blank().finditer(masked)})


@cache
def _missing_blank() -> re.Pattern[str]:
    """Return a pattern that ends where a sentence starts right after the stop before it.

    Only a word that opens sentences is taken for one: "clear.No mass", but not "numpy.Array".
    """
    words = "|".join(word for word in openers() if len(word) > 1 or word == "I")
    return re.compile(
        r"(?<!\S)[(\"\u201c]{0,2}"
        r"(?:[^\W\d_]{2,40}(?:[-'\u2019][^\W\d_]{1,40}){0,3}"
        r"|(?<=[^.!?:;]\s)\d{1,12}(?:[.,/]\d{1,12})?%?)"
        r"[)\"\u201d]?[.!?]"
        rf"(?=(?:{words})(?:[\s,]|['\u2019](?:s|m|d|re|ve|ll|t)\b|$))"
    )


def _ends_by_window(text: str, splitter: Splitter) -> Iterable[int]:
    """Yield the splitter's ends in a text of any length, in time linear in it."""
    start = 0
    while start < len(text):
        window = text[start : start + WINDOW]
        last = start + WINDOW >= len(text)
        ends = list(splitter(window))
        if not last:
            ends = ends[: bisect_left(ends, WINDOW - MARGIN)]
        yield from (start + end for end in ends)
        if last:
            return
        if not ends or ends[-1] < WINDOW // 2:
            blank = window.rfind(" ", WINDOW // 2, WINDOW - MARGIN)
            ends.append(blank if blank > 0 else WINDOW - MARGIN)
        start += ends[-1]


def _mask(text: str, regions: Sequence[Region]) -> str:
    """Return a text of the same length that the library can read."""
    pieces = []
    done = 0
    for region in regions:
        pieces += [text[done : region.start], _word_for(text, region)]
        done = region.end
    masked = "".join([*pieces, text[done:]]).translate(_BLANKS)
    if marker := MARKER.match(masked):
        masked = re.sub(r"\S", "X", marker[0]) + masked[marker.end() :]
    if label := _LABEL.match(masked):
        masked = hide_stops(label) + masked[label.end() :]
    for pattern, replacement in (*stop_masks(), *_MASKS):
        masked = pattern.sub(replacement, masked)
    return masked


def _word_for(text: str, region: Region) -> str:
    """Return the word that stands for a region; a formula that ends a sentence still does."""
    length = region.end - region.start
    inside = text[region.start : region.end].rstrip("$)]}\\ ")
    ends = region.kind in {"math", "display"} and inside.endswith((".", "!", "?"))
    if ends and not text[region.end : region.end + 9].lstrip()[:1].islower():
        return "X" * (length - 1) + "."
    return "X" * length


def _start_in_text(text: str, end: int) -> int:
    """Return where the sentence after a sentence end starts in the text itself.

    An opening bracket or mark of emphasis was hidden from the library and belongs to what
    follows it.
    """
    start = end
    while start > 0 and text[start - 1] in _OPENERS:
        start -= 1
    start = start if text[start - 1 : start].isspace() else end
    return start_before_tags(text, start) if ">" in text[max(0, start - 9) : start] else start


def _may_start(text: str, start: int) -> bool:
    """Say whether a sentence may start at a place: after white space, or beside a wide stop."""
    if text[start - 1].isspace():
        return True
    before = text[max(0, start - 9) : start].rstrip(_CLOSING)
    return not (before[-1:] + text[start]).isascii()


def _goes_on(masked: str, start: int) -> bool:
    """Say whether a sentence goes on after a quotation, or after an unknown abbreviation."""
    if masked[start - 1] in "」』":
        return masked[start] == "と"
    follows = _LOWER_WORD.match(masked, start)
    before = _LAST_WORD.search(masked, max(0, start - 12), start) if follows else None
    if follows is None or before is None:
        return False
    return len(before[1]) < 5 and _STARTER.match(masked, start) is None
