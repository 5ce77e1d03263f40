"""The two rewards that do not look at reasoning: is the form kept, and is the answer right.

Source: MedCEG paper, section 4.1 (final reward).
"""

import re
from collections.abc import Mapping

from groundtrace.graphs.multiple_choice import LABELLED, letter_of, options_from
from groundtrace.models.names import normal
from groundtrace.models.reward import ResponseStyle, RewardCase
from groundtrace.segmentation.segmenter import split_thinking

_BRACES = re.compile(r"(?P<boxed>\\boxed\s*\{)|\\[{}\\]|[{}]")
_WRAPPERS = re.compile(
    r"(?P<wrapper>\\(?:text|textbf|textrm|textit|mathrm|mathbf)\s*\{)|\\[{}\\]|[{}]"
)
_ESCAPED = re.compile(r"\\([%$#&_])")
_THINK = re.compile(r"<think>(.*)</think>(.*)", re.DOTALL)
_ANSWER_TAG = re.compile(r"</?answer>")
_HEADINGS = re.compile(
    r"## Thinking[ \t]*\r?\n(.*?)^## Final Response[ \t]*\r?\n(.*)", re.DOTALL | re.MULTILINE
)
_HEADING = re.compile(r"^## (?:Thinking|Final Response)[ \t]*\r?$", re.MULTILINE)


def format_reward(response: str, style: ResponseStyle | None = None) -> float:
    """Return 1.0 if a response has one thinking part, not empty, and an answer after it.

    Args:
        response: A model's whole answer.
        style: How the two must be told apart: think tags, or the headings "## Thinking" and
            "## Final Response"; None takes either.
    """
    text = response.strip()
    return float(
        (style != "headings" and _has_tags(text)) or (style != "think" and _has_headings(text))
    )


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


def final_response_of(response: str) -> str:
    """Return what a response says after its thinking; all of it where nothing tells them apart.

    Args:
        response: A model's whole answer.
    """
    answer = split_thinking(response).answer
    return response[answer[0] : answer[1]] if answer else response


def boxed(response: str) -> str | None:
    r"""Return what stands in the last balanced ``\boxed{…}`` that is not empty.

    Without ``\text{}`` around words, and with ``\%`` read as a per cent sign.

    Args:
        response: A model's whole answer.
    """
    last: tuple[int, int] | None = None
    open_: list[int | None] = []
    for brace in _BRACES.finditer(response):
        if brace["boxed"]:
            open_.append(brace.end())
        elif brace[0] == "{":
            open_.append(None)
        elif brace[0] == "}" and open_:
            start = open_.pop()
            inside = start is not None and response[start : brace.start()].strip()
            if start is not None and inside and (last is None or start > last[0]):
                last = start, brace.start()
    return None if last is None else _unwrapped(response[slice(*last)])


def _unwrapped(content: str) -> str:
    """Return what a box holds without LaTeX around its words."""
    pieces: list[str] = []
    place = 0
    wrapped: list[bool] = []
    for brace in _WRAPPERS.finditer(content):
        if brace["wrapper"] or brace[0] == "{":
            wrapped.append(bool(brace["wrapper"]))
        elif brace[0] != "}" or not wrapped or not wrapped.pop():
            continue
        if brace[0] == "{":
            continue
        pieces.append(content[place : brace.start()])
        place = brace.end()
    text = "".join([*pieces, content[place:]]).strip()
    return _ESCAPED.sub(r"\1", text).strip("$").strip()


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


def accuracy(case: RewardCase) -> float | None:
    r"""Return 1.0 if a response gives the right answer, 0.0 if not, None if that is not known.

    What stands in ``\boxed{…}`` of the final response counts, not in the thinking. An option is
    right by its letter, by its text, or by both: "B", "aspirin", "B: aspirin". An open answer is
    right here if it is equal in compared form; without a box the whole final response counts.

    Args:
        case: With a response and the right answer.
    """
    if case.response is None or case.answer is None or not case.answer.strip():
        return None
    final = final_response_of(case.response)
    said = boxed(final)
    if not is_multiple_choice(case):
        return float(normal(final if said is None else said) == normal(case.answer))
    return float(said is not None and _is_option(said, case.answer, options_of(case)))


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
