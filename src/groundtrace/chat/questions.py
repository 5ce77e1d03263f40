"""What a language model is asked, and how its reply is read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from groundtrace.chat.answer_forms import Form
from groundtrace.chat.answer_text import read_word, strip_wrapping
from groundtrace.chat.prompts import Prompt
from groundtrace.chat.replies import Reply
from groundtrace.chat.settings import Voter

Value = TypeVar("Value")

Reader = Callable[[Reply], tuple[Value | None, str | None]]
"""Returns what a reply says, or None and why it cannot be used."""

_QUOTED = 60


@dataclass(frozen=True)
class ChatQuestion(Generic[Value]):
    """What is asked, and how the reply is read.

    Attributes:
        voter: Who is asked.
        form: What the answer must look like.
    """

    voter: Voter
    prompt: Prompt
    form: Form
    read: Reader[Value]


class ChatAnswer(NamedTuple, Generic[Value]):
    """What came of a question."""

    value: Value | None
    """None if no usable answer came."""
    problem: str | None
    """Why not."""
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    text: str | None = None
    """What the model wrote, without thinking and code fence; None if that is no text."""


def text_of(reply: Reply) -> str | None:
    """Return what a model wrote, without thinking and code fence; None if that is no text."""
    said = strip_wrapping(reply.content) if isinstance(reply.content, str) else None
    return said if said is not None and _is_writable(said) else None


def _is_writable(text: str) -> bool:
    """Say whether a text can be kept in a file: it may hold half of a character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def text_reader(problem_with: Callable[[str], str | None]) -> Reader[str]:
    """Return what reads a text.

    Args:
        problem_with: Returns why a text cannot be used; None if it can.
    """

    def read(reply: Reply) -> tuple[str | None, str | None]:
        said = text_of(reply)
        if said is None:
            return None, "the answer is no text, or ends inside its thinking part"
        problem = problem_with(said)
        return (None, problem) if problem else (said, None)

    return read


def choice_reader(choices: Sequence[str], expected: str) -> Reader[str]:
    """Return what reads one of some choices, in lower case.

    Args:
        expected: What a choice is called, as in "the answer is no number".
    """
    read_text = text_reader(
        lambda said: (
            None
            if read_word(said).lower() in choices
            else f"the answer is {expected}: {said[:_QUOTED]!r}"
        )
    )

    def read(reply: Reply) -> tuple[str | None, str | None]:
        said, problem = read_text(reply)
        return (None, problem) if said is None else (read_word(said).lower(), None)

    return read
