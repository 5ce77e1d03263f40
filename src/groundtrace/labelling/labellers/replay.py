"""The labeller that asks nobody: what is not in the answer cache stays unlabelled."""

from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

from groundtrace.labelling.jury import jury
from groundtrace.labelling.prompt import chat_key, chat_settings
from groundtrace.labelling.questions import Answer, Question, Settings, Voter, keep_nothing

MISSING = "not in the answer cache, and replay asks nobody"
AT_ONCE = 10_000


class Labeller:
    """Finds nothing, since the cache is looked at before any labeller is asked."""

    def __init__(self, settings: Settings) -> None:
        """Check the settings.

        Args:
            settings: The models whose answers are replayed, and how they were asked.

        Raises:
            InputError: no model is named, or a setting is out of its range.
        """
        self._settings = settings
        self.voters = jury(settings)
        self.keep = keep_nothing
        self._asked: list[Question] = []

    def settings(self) -> dict[str, Any]:
        """Return what is recorded with the result."""
        return chat_settings(self._settings)

    def key(self, premises: Sequence[str], conclusion: str, voter: Voter) -> bytes:
        """Return the key that a language-model labeller used; 32 bytes.

        Args:
            premises: Texts.
            conclusion: A text.
            voter: Who was asked.
        """
        return chat_key(premises, conclusion, voter, self._settings)

    @property
    def room(self) -> int:
        """How many questions it takes now."""
        return AT_ONCE - len(self._asked)

    @property
    def pending(self) -> int:
        """How many questions it was given and has not answered."""
        return len(self._asked)

    def submit(self, questions: Sequence[Question]) -> None:
        """Take questions.

        Args:
            questions: At most ``room``.
        """
        self._asked += questions

    def collect(self) -> list[tuple[Question, Answer]]:
        """Return an answer without a label for each question."""
        asked, self._asked = self._asked, []
        return [(question, Answer(None, error=MISSING)) for question in asked]

    def __enter__(self) -> Self:
        """Get ready."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Let go of everything."""
