"""From what a language model wrote to a label, strictly.

An answer counts only if it can mean one label and no other: it gives a label clearly, and no
other one is named anywhere in it, except in a list of all the choices; and nothing in it takes
the label back, refuses, gives it as an example or under a condition, or explains another one.
Everything else is unusable: a guess would be worse than no label.
"""

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groundtrace.chat.answer_text import DECORATION, Token, strip_thinking
from groundtrace.labelling.answer_words import (
    CONDITIONS,
    DENIALS,
    NO_ANSWERS,
    RETRACTIONS,
    SENSES,
    UNSURE,
)
from groundtrace.labelling.mentions import mentions_in, without_lists
from groundtrace.labelling.plain_answers import BrokenAnswerError, plain_text
from groundtrace.labelling.prompt import CHOICES
from groundtrace.labelling.statements import is_doubtful_lead, statements_in
from groundtrace.vocabulary import LABEL_SPELLINGS, Label

_RETRACTION = re.compile(rf"(?<!\w)(?:{'|'.join(RETRACTIONS)})(?!\w)", re.IGNORECASE)
_DENIAL = re.compile(
    rf"(?:^|[.!?;:,…]|\s[-–—(])[ \t]{{0,5}}(?:{'|'.join(DENIALS)})[ \t]{{0,5}}(?:[,.!;:?…)]|$)",  # noqa: RUF001
    re.IGNORECASE | re.MULTILINE,
)
_NO_ANSWER = re.compile(rf"(?<!\w)(?:{'|'.join(NO_ANSWERS)})(?!\w)", re.IGNORECASE)
_CONDITION = re.compile(
    rf"(?:^|[.!?])[ \t]{{0,5}}(?:{'|'.join(CONDITIONS)})\b", re.IGNORECASE | re.MULTILINE
)
_UNSURE = re.compile("|".join(UNSURE), re.IGNORECASE | re.MULTILINE)
_SENSES = tuple(
    (re.compile(rf"(?:(?<!\w)|(?=n't))(?:{pattern})(?!\w)", re.IGNORECASE), labels, always)
    for pattern, labels, always in SENSES
)
_NEGATED = re.compile(
    r"(?:\b(?:not|no|nor|neither|never|nothing|none|cannot|without|whether|if)|n't)(?:\s+\w+){0,3}\s*\Z",
    re.IGNORECASE,
)
_PRONOUN_ALONE = re.compile(r"\A\W*I(?:\s*(?:…|\.\.)|\W*\n\s*(?:[a-z]|['’](?:m|d|ll|ve)\b))")  # noqa: RUF001
_QUOTED = 60


class Reading(NamedTuple):
    """What an answer says."""

    label: Label | None
    probability: float | None
    problem: str | None
    """Why there is no label."""


class _Verdict(NamedTuple):
    label: Label | None
    problem: str = f"the answer is none of {', '.join(CHOICES)}"


def read_answer(content: object, tokens: Sequence[Token] = ()) -> Reading:
    """Return the label that an answer names.

    Args:
        content: What the model wrote; anything but text is unusable.
        tokens: Its tokens, if they are known.
    """
    if content is None or content == "":
        return Reading(None, None, "the answer is empty")
    if not isinstance(content, str):
        return Reading(None, None, f"the answer is no text but {type(content).__name__}")
    said = strip_thinking(content)
    if said is None:
        return Reading(None, None, "the answer ends inside its thinking part")
    label, problem = _verdict(said)
    if label is None:
        shown = said if len(said) <= _QUOTED else f"{said[:_QUOTED]}…"
        return Reading(None, None, f"{problem}: {shown!r}")
    # In a longer answer the letter may stand anywhere, as the pronoun I for instance.
    alone = "\n" not in said
    return Reading(label, _probability(label, tokens) if alone else None, None)


def _verdict(said: str) -> _Verdict:
    """Return the one label that an answer can mean, or why there is none."""
    if said in CHOICES:
        return _Verdict(LABEL_SPELLINGS[said.lower()])
    try:
        text = without_lists(plain_text(said))
    except BrokenAnswerError:
        return _Verdict(None, "the answer holds JSON that cannot be read")
    statements = list(statements_in(text))
    given = {one.label for one in statements}
    label = given.pop() if given else None
    if given:
        return _Verdict(None, "the answer gives more than one label")
    if label is None:
        return _Verdict(None)
    for mention in mentions_in(text):
        if mention.label == label and mention.negated:
            return _Verdict(None, "the answer says that its label does not hold")
        if mention.label != label and (mention.settled or not mention.negated):
            return _Verdict(None, "the answer names another label beside its own")
    start = min(one.start for one in statements)
    problem = _objection(text, label, start)
    return _Verdict(None, problem) if problem else _Verdict(label)


def _objection(text: str, label: Label, start: int) -> str | None:
    """Return what in a text speaks against the label that it gives from a place on."""
    if _RETRACTION.search(text, start) or _DENIAL.search(text, start):
        return "the answer gives a label and takes it back"
    if _NO_ANSWER.search(text) or _PRONOUN_ALONE.match(text):
        return "the answer refuses, or gives a label only as an example"
    if _CONDITION.search(text) or is_doubtful_lead(text[:start]):
        return "the answer gives its label under a condition, or not as its own"
    if _UNSURE.search(text):
        return "the answer says that its label does not count"
    if any(label not in labels for labels in _senses_in(text)):
        return "the answer's explanation is of another label"
    return None


def _senses_in(text: str) -> Iterator[frozenset[Label]]:
    """Yield, for each phrase that explains only some labels, these labels."""
    for pattern, labels, always in _SENSES:
        for found in pattern.finditer(text):
            if always or not _NEGATED.search(text[max(0, found.start() - _QUOTED) : found.start()]):
                yield labels


def _probability(label: Label, tokens: Sequence[Token]) -> float | None:
    """Return the label's share among the letters, at the last token that is its letter.

    The share, since servers report what the model would have said without the constraint too.
    """
    letter = label[0].upper()
    for token in reversed(tokens):
        if token.text.strip(DECORATION).upper() != letter:
            continue
        weights = dict.fromkeys(CHOICES, 0.0)
        for text, logarithm in token.alternatives.items():
            choice = text.strip(DECORATION).upper()
            if choice in weights and math.isfinite(logarithm):
                weights[choice] += math.exp(min(logarithm, 0.0))
        total = sum(weights.values())
        return weights[letter] / total if total else None
    return None
