"""Full stops that end no sentence: after abbreviations, ordinals and units, per language.

The words stand in ``abbreviations.toml``, each list with its source. All languages are read at
once, for a response may mix them and does not say which it is in.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

Replacement = str | Callable[[re.Match[str]], str]

_NUMBER = r"(?=\s?(?:[\d(<>=~≤≥§¶№]|I\b(?!\s[a-z])|[IVXLC]{2,5}\b|[A-HJ-Z]\b(?!['\u2019])))"
_DIGIT = r"(?=\s?[\d(<>=~≤≥])"
_SMALL = r"(?=\s+[(\"]?[^\W\d_A-ZÀ-ÖØ-ÞА-ЯЁĐ])"
_AFTER_NUMBER = r"(?:(?<=[\d½¼¾])[\s/]?|/)"
_DETERMINERS = (
    r"[Dd]e[rmsn]|[Dd]ie|[Dd]as|[Aa]m|[Ii]m|[Vv]om|[Bb]eim|[Zz]u[mr]|[Bb]is|[Aa]b|[Ss]eit|"
    r"[Jj]ede[rmsn]?|[Ii]hre?[rmsn]?|[Ss]eine?[rmsn]?|[Uu]nd|[Ee]in|[Ee]ine[rmsn]?"
)
"""German words between which and a noun a number with a stop is an ordinal (Duden, "Punkt")."""


class StopMask(NamedTuple):
    """A pattern of stops that the library would misread, and what it is shown instead."""

    pattern: re.Pattern[str]
    replacement: Replacement


@cache
def stop_masks() -> tuple[StopMask, ...]:
    """Return the masks in the order of their use; none changes the length of a text."""
    words = _words_by_stop()
    opener = rf"(?=\s+(?:{_alternatives(openers())})\b)"
    ends = r"(?=\s+(?:[A-ZÀ-ÖØ-ÞА-ЯЁĐ]|$))"
    return tuple(
        StopMask(re.compile(pattern), replacement)
        for pattern, replacement in (
            (rf"{_AFTER_NUMBER}(?:{words['unit']})\.{_SMALL}", hide_stops),
            (rf"{_AFTER_NUMBER}(?:{words['unit']})\.{ends}", _as_word),
            (rf"(?<![\w.])(?:{words['counted']}|{words['either']})\.{opener}", _as_word),
            (rf"(?<![\w.])(?:{words['counted']})\.(?=\s)", hide_stops),
            (rf"(?<![\w.])(?:{words['never']})\.", hide_stops),
            (rf"(?<![\w.])(?:{words['number']})\.{_NUMBER}", hide_stops),
            (rf"(?<![\w.])(?:{words['digit']})\.{_DIGIT}", hide_stops),
            (rf"(?<![\w.])(?:{words['either']})\.{_SMALL}", hide_stops),
            *_ordinals(),
        )
    )


def _ordinals() -> Iterable[tuple[str, Replacement]]:
    """Yield the patterns of German ordinals and dates."""
    months = _alternatives(" ".join(_lists()["months"].values()).split())
    capital = rf"(?=\s+(?!(?:{_alternatives(openers('de'))})\b)[A-ZÄÖÜ][a-zäöüß])"
    yield rf"\b\d{{1,2}}\.(?=\s(?:{months})\b)", hide_stops
    yield r"\b\d{1,2}\.\s\d{1,2}\.(?=\s\d{2,4}\b)", hide_stops
    yield rf"(?<!I )(?<!we )(?<!\w)(?:{_DETERMINERS})\s\d{{1,3}}\.{capital}", hide_stops
    yield rf"(?<!I )(?<!\w)(?:{_DETERMINERS})\s\d{{1,3}}\.(?=\s[a-zäöüß])", hide_stops


def hide_stops(match: re.Match[str]) -> str:
    """Return an abbreviation with commas for its full stops."""
    return match[0].replace(".", ",")


def _as_word(match: re.Match[str]) -> str:
    """Return an abbreviation as a word of the same length that is none."""
    return "x" * (len(match[0]) - 1) + "."


@cache
def openers(language: str | None = None) -> tuple[str, ...]:
    """Return the words that open a sentence, of one language or of all."""
    lists = _lists()["openers"]
    chosen = lists.values() if language is None else [lists[language]]
    return tuple(sorted({word for one in chosen for word in one.split()}))


@cache
def _lists() -> dict[str, Any]:
    """Return what the data file holds."""
    data = files("groundtrace.segmentation").joinpath("abbreviations.toml")
    return tomllib.loads(data.read_text(encoding="utf-8"))


def _words_by_stop() -> dict[str, str]:
    """Return what each kind of stop follows, as alternatives of a pattern."""
    found: dict[str, set[str]] = defaultdict(set)
    for entry in _lists()["abbreviations"]:
        for word in (*entry.get("words", ()), *entry.get("usage", ())):
            found[entry["stop"]].add(word)
            if entry["stop"] != "unit":  # "20 Min. Pause" is German, "20 min. Then" English.
                found[entry["stop"]].add(word[0].upper() + word[1:])
    return {stop: _alternatives(words) for stop, words in found.items()}


def _alternatives(words: Iterable[str]) -> str:
    """Return a pattern of any of some words, longest first."""
    by_length = sorted(set(words), key=lambda word: (-len(word), word))
    return "|".join(map(re.escape, by_length))
