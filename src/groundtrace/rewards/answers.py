"""The two rewards that do not look at reasoning: is the form kept, and is the answer right.

Source: MedCEG paper, section 4.1 (final reward).
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from groundtrace.graphs.multiple_choice import LABELLED, letter_of, options_from
from groundtrace.models.names import normal
from groundtrace.models.reward import JudgedBy, ResponseStyle, RewardCase
from groundtrace.phrases import quote
from groundtrace.rewards.boxes import boxed
from groundtrace.rewards.mathematics import is_mathematical, match_mathematics
from groundtrace.rewards.option_choice import option_named
from groundtrace.segmentation.segmenter import split_thinking

_THINK = re.compile(r"<think>(.*)</think>(.*)", re.DOTALL)
_OPENING = "<think>"
_ANSWER_TAG = re.compile(r"</?answer>")
_HEADINGS = re.compile(
    r"## Thinking[ \t]*\r?\n(.*?)^## Final Response[ \t]*\r?\n(.*)", re.DOTALL | re.MULTILINE
)
_ASKING = re.compile(
    r"\\boxed|<answer>|answer with (?:only )?the (?:letter|option)|(?:single|only the) letter"
    r"|[\"'`*](?:final )?answer:|(?:form|format|ending with|as) [\"'`]?(?:the |final )*answer",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^## (?:Thinking|Final Response)[ \t]*\r?$", re.MULTILINE)


def format_reward(
    response: str, style: ResponseStyle | None = None, *, verbatim: bool = False
) -> float:
    """Return 1.0 if a response has one thinking part, not empty, and an answer after it.

    Args:
        response: A model's whole answer. It may start inside the thinking, which the prompt has
            opened, as the chat templates of some reasoning models do.
        style: How the two must be told apart: think tags, or the headings "## Thinking" and
            "## Final Response"; None takes either.
        verbatim: Whether the opening tag must stand in the response.
    """
    text = response.strip()
    tags = _has_tags(text)
    if not tags and not verbatim and _has_tags(f"{_OPENING}{text}"):
        # A closing tag that is quoted as code ends nothing.
        tags = bool(thinking_of(text).strip() and final_response_of(text).strip())
    return float((style != "headings" and tags) or (style != "think" and _has_headings(text)))


def _has_tags(text: str) -> bool:
    found = _THINK.fullmatch(text)
    alone = text.count("<think>") == 1 and text.count("</think>") == 1
    return bool(found and alone and found[1].strip() and _ANSWER_TAG.sub("", found[2]).strip())


def _has_headings(text: str) -> bool:
    found = _HEADINGS.fullmatch(text)
    alone = len(_HEADING.findall(text)) == 2 and "think>" not in text
    return bool(found and alone and found[1].strip() and found[2].strip())


def thinking_of(response: str) -> str:
    """Return the thinking of a response; all of it where nothing tells the two apart.

    Args:
        response: A model's whole answer.
    """
    start, end = split_thinking(response).reasoning
    return response[start:end]


def final_response_of(response: str, *, verbatim: bool = False) -> str:
    """Return what a response says after its thinking; all of it where nothing tells them apart.

    Nothing if the thinking is not closed, or nothing comes after it.

    Args:
        response: A model's whole answer.
        verbatim: Whether such a response is its own answer, as in the published program.
    """
    parts = split_thinking(response)
    if parts.answer is None and parts.style != "none" and not verbatim:
        return ""
    return response[slice(*parts.answer)] if parts.answer else response


def options_of(case: RewardCase) -> dict[str, str]:
    """Return the options of a multiple choice by letter; none for an open question.

    Args:
        case: Its field ``options``, or lines such as "A: aspirin" in its question.
    """
    return options_from(case.options, case.question)


def is_multiple_choice(case: RewardCase) -> bool:
    """Say whether the right answer of a case is one of several options."""
    answer = (case.answer or "").strip()
    return bool(options_of(case)) or (len(answer) == 1 and answer.isalpha())


def asks_for_a_form(case: RewardCase) -> bool:
    r"""Say whether a prompt says in which form to answer: its style, a box, tags, a letter."""
    return case.style is not None or bool(_ASKING.search(case.question or ""))


def gold_problem(case: RewardCase) -> str | None:
    """Return why nobody can tell the right answer of a case: it is no option, or not one only."""
    options = options_of(case)
    answer = (case.answer or "").strip()
    if case.accuracy is not None or not answer or not options:
        return None
    if problem := _options_problem(case):
        return problem
    right = letter_of(answer, options)
    if right:
        same = [one for one, text in options.items() if normal(text) == normal(options[right])]
        if len(same) > 1 and normal(answer).upper() not in options:
            told = " and ".join(same)
            return f"the right answer {quote(answer)} is the text of the options {told}"
        return None
    return f"the right answer {quote(answer)} is none of the options {', '.join(options)}"


def _options_problem(case: RewardCase) -> str | None:
    """Return why options cannot be told apart by their letters, or say nothing."""
    letters = [letter.strip().upper() for letter in case.options or ()]
    for letter in letters:
        if letters.count(letter) > 1:
            return f"two options have the letter {quote(letter)}: case does not tell them apart"
    empty = [letter for letter, text in options_of(case).items() if not text.strip()]
    return f"the option {quote(empty[0])} has no text" if empty else None


def needs_judge(case: RewardCase) -> bool:
    """Say whether only somebody who reads can tell if a response is right."""
    answer = (case.answer or "").strip()
    if case.response is None or not answer or case.accuracy is not None:
        return False
    known = is_multiple_choice(case) or is_mathematical(answer)
    return not known and bool(final_response_of(case.response).strip())


def accuracy(case: RewardCase) -> float | None:
    """Return 1.0 if a response gives the right answer, 0.0 if not, None if that is not known.

    Args:
        case: With a response and the right answer.

    Raises:
        ModelError: mathematics cannot be compared here.
    """
    return judge_answer(case).accuracy


class JudgedAnswer(NamedTuple):
    """What came of the answer of one response."""

    accuracy: float | None
    """1 if it is right, 0 if not; None if that is not known."""
    found: bool | None
    """Whether the response gives an answer that can be read; None if there is no response, or
    no right answer."""
    by: JudgedBy | None
    """Who says so."""


def judge_answer(
    case: RewardCase, *, form_asked: bool | None = None, verbatim: bool = False
) -> JudgedAnswer:
    r"""Return whether a response gives the right answer, and whether it gives any.

    Only what comes after the thinking counts. Of a multiple choice, whatever can only mean one
    option is that option. A number, formula or set is compared as mathematics; any other open
    answer is right here if it is equal in compared form, in its box or as a whole.

    Args:
        case: With a response and the right answer.
        form_asked: Whether the prompt says in which form to answer, so that an answer that
            cannot be found is wrong rather than unknown; None to look at the question.
        verbatim: Whether only what stands in the last ``\boxed{…}`` counts, as in the published
            program.

    Raises:
        ModelError: mathematics cannot be compared: its package is missing, or it takes too long.
    """
    if case.response is None or case.answer is None or not case.answer.strip():
        return JudgedAnswer(None, None, None)
    final = final_response_of(case.response, verbatim=verbatim)
    choice = is_multiple_choice(case)
    by: JudgedBy = "option" if choice else "equality"
    if verbatim:
        said = boxed(final)
        if not choice:
            return JudgedAnswer(_equal(final, case.answer), bool(final.strip()), by)
        right = said is not None and _is_option(said, case.answer, options_of(case))
        return JudgedAnswer(float(right), said is not None, by)
    found, right, by = (_chosen if choice else _said)(case.answer, final, case)
    if found:
        return JudgedAnswer(float(right), True, by)
    # Whoever writes a box has taken the form for asked.
    asked = asks_for_a_form(case) if form_asked is None else form_asked
    return JudgedAnswer(0.0 if asked or "\\boxed" in case.response else None, False, by)


def _chosen(answer: str, final: str, case: RewardCase) -> tuple[bool, bool, JudgedBy]:
    """Return whether a response names one option, and the right one."""
    options = options_of(case)
    if options:
        named = option_named(final, options)
        return named is not None, named == letter_of(answer, options), "option"
    # Nobody says which letters there are; "I" is a word unless it is the answer.
    right = normal(answer).upper()
    letters = dict.fromkeys([*"ABCDEFGH", right], "")
    said = boxed(final)
    labelled = LABELLED.fullmatch(said.strip()) if said else None
    named = option_named(final, letters) or (labelled[1].upper() if labelled else None)
    return named is not None, named == right, "option"


def _said(answer: str, final: str, case: RewardCase) -> tuple[bool, bool, JudgedBy]:
    """Return whether a response says something, and just what it should say."""
    if not final.strip():
        return False, False, "equality"
    if _same(final, answer):
        return True, True, "equality"
    if not is_mathematical(answer):
        return True, False, "equality"
    found = match_mathematics(answer, final)
    return found.found, found.equal, "mathematics"


def _same(final: str, answer: str) -> bool:
    """Say whether a response is its right answer, sign by sign where that is mathematics."""
    if not is_mathematical(answer):
        return bool(_equal(final, answer))
    said = boxed(final)
    return _bare_formula(final if said is None else said) == _bare_formula(answer)


def _bare_formula(text: str) -> str:
    """Return a formula without Markdown and full stop; brackets and "!" are part of it."""
    return " ".join(text.split()).strip("*`$ ").rstrip(".。 ").rstrip("*`$ ")


def _equal(final: str, answer: str) -> float:
    said = boxed(final)
    return float(normal(final if said is None else said) == normal(answer))


def _is_option(said: str, answer: str, options: Mapping[str, str]) -> bool:
    """Say whether a text names the right option, and nothing else."""
    right = letter_of(answer, options)
    text = options.get(right) if right else None
    letter = normal(said).upper()
    if letter in options or (not options and len(letter) == 1):
        return letter == right
    if text is not None and normal(said) == normal(text):
        return True
    labelled = LABELLED.fullmatch(said.strip())
    return (
        labelled is not None
        and labelled[1].upper() == right
        and (text is None or normal(labelled[2]) == normal(text))
    )
