"""What labellers have in common: chat prompts as questions, and answers in batches."""

from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

from groundtrace.chat.settings import Voter, voters_of
from groundtrace.errors import InputError
from groundtrace.labelling.prompt import chat_key, chat_settings
from groundtrace.labelling.questions import Keep, LabelAnswer, LabelQuestion, keep_nothing
from groundtrace.labelling.settings import LabellingSettings


class LabellerBase:
    """A labeller's settings and voters."""

    def __init__(self, settings: LabellingSettings) -> None:
        """Check the settings that all labellers share.

        Raises:
            InputError: no model is named, or a setting is out of its range.
        """
        self.voters: tuple[Voter, ...] = voters_for(settings)
        self.keep: Keep = keep_nothing
        self.remarks: list[str] = []
        self._settings = settings


class ChatLabeller(LabellerBase):
    """A labeller that asks with the prompt for language models."""

    def settings(self) -> dict[str, Any]:
        """Return what is recorded with the result; a server's address is not."""
        return chat_settings(self._settings)

    def key(self, premises: Sequence[str], conclusion: str, voter: Voter) -> bytes:
        """Return a hash of everything that shapes the answer; 32 bytes."""
        return chat_key(premises, conclusion, voter, self._settings)


class BatchLabeller(LabellerBase):
    """A labeller that answers what it was given all at once."""

    at_once = 1
    """Questions in a batch, at most."""

    def __init__(self, settings: LabellingSettings) -> None:
        """Start with an empty batch.

        Raises:
            InputError: no model is named, or a setting is out of its range.
        """
        super().__init__(settings)
        self._asked: list[LabelQuestion] = []

    def answers(
        self, questions: Sequence[LabelQuestion]
    ) -> list[tuple[LabelQuestion, LabelAnswer]]:
        """Return the answers to some questions, in any order.

        Raises:
            ModelError: the model cannot be used.
            NotImplementedError: the labeller does not say how.
        """
        raise NotImplementedError

    @property
    def room(self) -> int:
        """How many questions it takes now."""
        return self.at_once - len(self._asked)

    @property
    def pending(self) -> int:
        """How many questions it was given and has not answered."""
        return len(self._asked)

    def submit(self, questions: Sequence[LabelQuestion]) -> None:
        """Take questions."""
        self._asked += questions

    def collect(self) -> list[tuple[LabelQuestion, LabelAnswer]]:
        """Answer the batch.

        Raises:
            ModelError: the model cannot be used.
            InputError: an answer cannot be kept.
        """
        asked, self._asked = self._asked, []
        return [(question, self.keep(question, answer)) for question, answer in self.answers(asked)]

    def __enter__(self) -> Self:
        """Get ready; a model is loaded with the first batch."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Let go of everything."""


def voters_for(settings: LabellingSettings) -> tuple[Voter, ...]:
    """Return the voters that some settings describe, after checking what labellers share.

    Raises:
        InputError: no model is named, or a setting is out of its range.
    """
    name = settings.labeller
    if not settings.models:
        hint = (
            "to ask one, name a labeller with --labeller (openai, vllm or nli)"
            if name == "replay"
            else "name one with --model"
        )
        raise InputError(f"the labeller {name} needs a model: {hint}")
    return voters_of(settings)
