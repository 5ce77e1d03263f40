"""The two rewards that do not look at reasoning: is the form kept, and is the answer right.

Source: MedCEG paper, section 4.1 (final reward).
"""

import re
from collections.abc import Mapping

from groundtrace.graphs.conclusion import options_in, text_of_answer
from groundtrace.models.reward import ResponseStyle, RewardCase
from groundtrace.normal import normal
from groundtrace.segmentation import split_thinking

_BOXED = re.compile(r"\\boxed\s*\{")
_WRAPPED = re.compile(r"\\(?:text|textbf|textrm|textit|mathrm|mathbf)\s*\{([^{}]*)\}")
_LABELLED = re.compile(r"\(?([A-Za-z])[).:]\s*(.+)", re.DOTALL)
_STYLES: Mapping[str, ResponseStyle] = {"tags": "think", "headings": "headings"}


def format_reward(response: str, style: ResponseStyle | None = None) -> float:
    """Return 1.0 if a response has one thinking part, not empty, and an answer after it.

    Args:
        response: A model's whole answer.
        style: How the two must be told apart: think tags, or the headings "## Thinking" and
            "## Final Response"; None takes either.
    """
    parts = split_thinking(response)
    start, end = parts.reasoning
    kept = parts.well_formed and end > start
    return float(kept and (style is None or _STYLES.get(parts.style) == style))


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
    r"""Return what stands in the last balanced ``\boxed{…}``, without ``\text{}`` around words.

    Args:
        response: A model's whole answer.
    """
    for match in reversed(list(_BOXED.finditer(response))):
        content = _balanced(response, match.end())
        if content is not None:
            before = ""
            while before != content:
                before, content = content, _WRAPPED.sub(r"\1", content)
            return content.strip().strip("$").strip()
    return None


def _balanced(text: str, start: int) -> str | None:
    """Return a text up to the brace that closes what was opened before it."""
    depth = 1
    place = start
    while place < len(text):
        one = text[place]
        if one == "\\" and text[place + 1 : place + 2] in ("{", "}", "\\"):
            place += 2
            continue
        depth += (one == "{") - (one == "}")
        if depth == 0:
            return text[start:place]
        place += 1
    return None


def options_of(case: RewardCase) -> dict[str, str]:
    """Return the options of a multiple choice by letter; none for an open question.

    Args:
        case: Its field ``options``, or lines such as "A: aspirin" in its question.
    """
    if case.options:
        return {letter.strip().upper(): text for letter, text in case.options.items()}
    return options_in(case.question or "")


def is_multiple_choice(case: RewardCase) -> bool:
    """Say whether the right answer of a case is one of several options.

    Args:
        case: With an answer.
    """
    answer = (case.answer or "").strip()
    return bool(options_of(case)) or (len(answer) == 1 and answer.isalpha())


def accuracy(case: RewardCase) -> float | None:
    r"""Return 1.0 if a response gives the right answer, 0.0 if not, None if that is not known.

    An option is right by its letter, by its text, or by both: "B", "aspirin", "B: aspirin". An
    open answer is right here if it is equal in compared form; that of ``\boxed{…}`` counts, or
    without one the whole final response.

    Args:
        case: With a response and the right answer.
    """
    if case.response is None or case.answer is None or not case.answer.strip():
        return None
    said = boxed(case.response)
    if not is_multiple_choice(case):
        open_answer = said if said is not None else final_response_of(case.response)
        return float(normal(open_answer) == normal(case.answer))
    return float(said is not None and _is_option(said, case.answer, options_of(case)))


def _is_option(said: str, answer: str, options: Mapping[str, str]) -> bool:
    """Say whether a text names the right option, and nothing else."""
    right = _letter(answer, options)
    text = options.get(right) if right else text_of_answer(answer, options)
    letter = said.strip().strip("().:").strip()
    if len(letter) == 1 and letter.isalpha():
        return letter.upper() == right
    if text is not None and normal(said) == normal(text):
        return True
    labelled = _LABELLED.fullmatch(said.strip())
    return (
        labelled is not None
        and labelled[1].upper() == right
        and (text is None or normal(labelled[2]) == normal(text))
    )


def _letter(answer: str, options: Mapping[str, str]) -> str | None:
    """Return the letter of the right option, which may be given by its text."""
    bare = answer.strip().strip("().:").strip()
    if len(bare) == 1 and bare.isalpha():
        return bare.upper()
    for letter, text in options.items():
        if normal(text) == normal(answer):
            return letter
    return None
