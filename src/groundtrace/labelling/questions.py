"""What is asked and answered, and the protocol that every labeller follows.

A labeller is one file in ``labellers/`` with a class ``Labeller`` that is made from
:class:`LabellingSettings`. Nothing else has to know it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol, Self

from groundtrace.chat.settings import Voter
from groundtrace.labelling.settings import LabellingSettings
from groundtrace.vocabulary import Label


@dataclass(frozen=True, slots=True)
class LabelQuestion:
    """What some premises mean for a conclusion, as one voter is asked.

    Attributes:
        key: Hash of everything that shapes the answer; 32 bytes.
        premises: Texts, at least one, in the order of the trace.
        conclusion: A text.
        voter: Who is asked.
    """

    key: bytes
    premises: tuple[str, ...]
    conclusion: str
    voter: Voter


@dataclass(frozen=True, slots=True)
class LabelAnswer:
    """What came back.

    Attributes:
        label: None if no usable answer came.
        probability: The voter's probability of the label, in 0..1, where it is known.
        error: Why there is no label.
        calls: Calls made for it; 0 if none was needed.
        tokens_in: Tokens of the prompts, as the server counts them.
        tokens_out: Tokens of the answers, as the server counts them.
    """

    label: Label | None
    probability: float | None = None
    error: str | None = None
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


Keep = Callable[[LabelQuestion, LabelAnswer], LabelAnswer]


def keep_nothing(question: LabelQuestion, answer: LabelAnswer) -> LabelAnswer:
    """Return the answer.

    Args:
        question: As it was asked.
    """
    return answer


class Labeller(Protocol):
    """Answers questions, some at a time. Made with no network and no model."""

    voters: tuple[Voter, ...]
    """Who is asked each question; at least one."""

    remarks: list[str]
    """What a user should know of how it went, for the summary."""

    keep: Keep
    """Called with every answer as it arrives, in any thread; what it returns is the answer."""

    def __init__(self, settings: LabellingSettings) -> None:
        """Check the settings.

        Raises:
            InputError: a setting is missing or cannot be used.
            ModelError: a package that is needed is not installed.
        """

    def settings(self) -> dict[str, Any]:
        """Return what is recorded with the result: JSON values, no secret, no address."""

    def key(self, premises: Sequence[str], conclusion: str, voter: Voter) -> bytes:
        """Return a hash of everything that shapes the answer; 32 bytes."""

    @property
    def room(self) -> int:
        """How many questions it takes now."""

    @property
    def pending(self) -> int:
        """How many questions it was given and has not answered."""

    def submit(self, questions: Sequence[LabelQuestion]) -> None:
        """Take questions.

        Raises:
            ModelError: the server or model cannot be used at all.
        """

    def collect(self) -> list[tuple[LabelQuestion, LabelAnswer]]:
        """Return at least one answer, waiting for it; called only while some are pending.

        Raises:
            ModelError: the server or model cannot be used any more.
        """

    def __enter__(self) -> Self:
        """Get ready."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Let go of everything, at once."""
