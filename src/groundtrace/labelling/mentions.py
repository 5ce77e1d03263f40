"""Where a text names a label, and where a letter is none: pronouns, abbreviations, vitamins."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from groundtrace.labelling.answer_words import SPELLINGS
from groundtrace.labelling.plain_answers import CLOSE, OPEN
from groundtrace.vocabulary import LABELS, Label

LIST = "\ue002"
"""Stands where the choices were listed."""

_ALPHABETIC = r"A-Za-z0-9À-ɏͰ-ӿ"
WORDS = "|".join(sorted((re.escape(one) for one in SPELLINGS if len(one) > 1), key=len)[::-1])

_LETTER = re.compile(
    rf"(?<![{_ALPHABETIC}°])(?<![A-Za-z]\.)(?P<letter>[EINCeincЕСΕΙΝ])"  # noqa: RUF001 - look-alikes.
    rf"(?![{_ALPHABETIC}])(?!'[A-Za-zÀ-ɏ])(?!-[A-Za-z]{{2}})(?!\.[A-Za-z](?![A-Za-z]))"
    r"(?!\s?=\s?\d)(?!型)"
)
_WORD = re.compile(rf"(?<![{_ALPHABETIC}])(?P<word>{WORDS})(?![{_ALPHABETIC}])", re.IGNORECASE)
_LOOK_ALIKES = {"Е": "E", "С": "C", "Ε": "E", "Ι": "I", "Ν": "N"}  # noqa: RUF001

_NO_LABEL_BEFORE = re.compile(
    r"(?:vitamins?|hepatitis|immunoglobulin|stage|grade|phase|factor|protein|appendix|figure|"
    r"table|section|troponin|haemoglobin|hemoglobin|cystatin)\s\Z",
    re.IGNORECASE,
)
_NO_LABEL_AFTER = re.compile(
    r"/[Aa]\b|\.\s?(?:coli|difficile|diff|albicans|gonorrhoeae|meningitidis|faecalis|faecium|"
    r"perfringens|botulinum|tetani|jejuni|trachomatis|elegans|histolytica)\b"
)
_THING_AFTER = re.compile(
    r"\s+(?:would|may|might|could|should|will)\s+(?:\w+\s+)?(?:be|fit|apply|hold|suit|do)\b"
)
_VERB_AFTER = re.compile(r"\s+(?P<word>[a-z]+)")
_OF_THE_LETTER = frozenset(
    (
        *("is", "isn", "rather", "instead", "because", "since", "but", "or", "and", "as", "over"),
        *("than", "if", "unless", "while", "where"),
    )
)
"""Words after an I that is the letter."""
_OF_THE_PERSON = frozenset(("was", "always", "perhaps", "thus", "focus"))
"""Words after the pronoun that end in s all the same."""
_NAMED_BEFORE = re.compile(
    r"(?:\b(?:is|be|as|to|label|answer|option|choice|than|meant|namely|with|for|rather|actually)"
    r"|[:=→])\s*\Z",
    re.IGNORECASE,
)
_NEGATION = (
    r"(?:\b(?:not|nor|neither|never|cannot|no|without|nicht|kein|keine|pas|non|não|не)|n't|不是|不)"
)
_NEGATED = re.compile(
    rf"{_NEGATION}(?:\s+(?:an?|any|be|been|directly|clearly|logically|strictly|necessarily|fully))*"
    r"(?:\s+\w+\s+(?:or|nor))?\s*\Z",
    re.IGNORECASE,
)
_NEGATED_NEARBY = re.compile(
    rf"(?:{_NEGATION}|\b(?:excludes?|excluded|rules? out|ruled out|reject\w*))"
    rf"(?:\s+\w+){{0,2}}[\s{OPEN}]*\Z",
    re.IGNORECASE,
)
_BETWEEN_CHOICES = re.compile(
    r"[\s,;/|•·()\-–—:=.]*(?:\b(?:and|or|oder|und|ou|et|y|o|e|и|или)\b)?[\s(\-–—:=|]*|\s*[,、]?\s*[和或と]\s*",  # noqa: RUF001
    re.IGNORECASE,
)
_NEAR = 60


class Mention(NamedTuple):
    """A place where a label is named."""

    start: int
    end: int
    label: Label
    negated: bool
    """Whether the words around it say that it is not so."""
    settled: bool
    """Whether it counts whatever is negated: a letter stands for nothing but the label."""


def label_of(text: str) -> Label | None:
    """Return the label that a letter or word spells."""
    return SPELLINGS.get(text.lower())


def mentions_in(text: str) -> list[Mention]:
    """Return where a text names labels, in order."""
    letters = (_letter(text, found) for found in _LETTER.finditer(text))
    words = (_word(text, found) for found in _WORD.finditer(text))
    return sorted(one for one in (*letters, *words) if one is not None)


def _letter(text: str, found: re.Match[str]) -> Mention | None:
    letter, start, end = found["letter"], found.start(), found.end()
    before, after = text[max(0, start - _NEAR) : start], text[end : end + _NEAR]
    label = label_of(_LOOK_ALIKES.get(letter, letter))
    if label is None or _NO_LABEL_BEFORE.search(before) or _NO_LABEL_AFTER.match(after):
        return None
    # Alone, small e and i are words of several languages.
    if (
        letter in "ei"
        and after.strip()[:1] not in (*".,;:!?)", "", CLOSE)
        and "\n" not in after[:2]
    ):
        return None
    if letter in "Ii" and _is_pronoun(before, after):
        return None
    return Mention(start, end, label, bool(_NEGATED_NEARBY.search(before)), True)


def _is_pronoun(before: str, after: str) -> bool:
    """Say whether an I is the person who writes."""
    verb = _VERB_AFTER.match(after)
    if verb is None or "\n" in verb[0] or _NAMED_BEFORE.search(before):
        return False
    if _THING_AFTER.match(after):
        return False
    word = verb["word"]
    third_person = word.endswith("s") and not word.endswith("ss") and word not in _OF_THE_PERSON
    return word not in _OF_THE_LETTER and not third_person


def _word(text: str, found: re.Match[str]) -> Mention | None:
    label = label_of(found["word"])
    if label is None:
        return None
    before = text[max(0, found.start() - _NEAR) : found.start()]
    negated = bool(_NEGATED.search(before)) or before.lower().endswith("non-")
    return Mention(found.start(), found.end(), label, negated, False)


def without_lists(text: str) -> str:
    """Return a text with each list of all the choices, and nothing but them, taken out."""
    mentions = [one for one in mentions_in(text) if not one.negated]
    groups = list(_group(text, mentions))
    pieces, done, place = [], 0, 0
    while place + len(LABELS) <= len(groups):
        group = groups[place : place + len(LABELS)]
        listed = len({one.label for one in group}) == len(LABELS) and all(
            _BETWEEN_CHOICES.fullmatch(text[one.end : other.start])
            for one, other in pairwise(group)
        )
        if listed:
            pieces += [text[done : group[0].start], LIST]
            done = group[-1].end
        place += len(LABELS) if listed else 1
    return "".join([*pieces, text[done:]])


def _group(text: str, mentions: list[Mention]) -> Iterator[Mention]:
    """Yield mentions, a letter and its word beside it as one."""
    waiting: Mention | None = None
    for one in mentions:
        between = text[waiting.end : one.start] if waiting else ""
        if (
            waiting
            and waiting.label == one.label
            and waiting.settled != one.settled
            and re.fullmatch(r"[ \t]*[(\-–—:=]?[ \t]*", between)  # noqa: RUF001
        ):
            closed = re.match(r"\)", text[one.end :])
            waiting = waiting._replace(end=one.end + (1 if closed else 0), settled=False)
            continue
        if waiting:
            yield waiting
        waiting = one
    if waiting:
        yield waiting
