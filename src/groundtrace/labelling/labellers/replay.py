"""The labeller that asks nobody: what is not in the answer cache stays unlabelled."""

from collections.abc import Sequence

from groundtrace.labelling.labeller_bases import Batched, Chat
from groundtrace.labelling.questions import Answer, Question


class Labeller(Batched, Chat):
    """Finds nothing, since the cache is looked at before any labeller is asked."""

    at_once = 10_000

    def answers(self, questions: Sequence[Question]) -> list[tuple[Question, Answer]]:
        """Return an answer without a label for each question.

        Args:
            questions: That the cache does not hold.
        """
        settings = self._settings
        how = (
            f"temperature {settings.sampling_temperature:g}, {settings.max_output_tokens:,} tokens"
        )
        return [
            (question, Answer(None, error=f"no answer of {question.voter.model} is kept ({how})"))
            for question in questions
        ]
