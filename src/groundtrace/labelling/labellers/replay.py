"""The labeller that asks nobody: what is not in the answer cache stays unlabelled."""

from collections.abc import Sequence

from groundtrace.labelling.labeller_bases import BatchLabeller, ChatLabeller
from groundtrace.labelling.questions import LabelAnswer, LabelQuestion


class Labeller(BatchLabeller, ChatLabeller):
    """Finds nothing, since the cache is looked at before any labeller is asked."""

    at_once = 10_000

    def answers(
        self, questions: Sequence[LabelQuestion]
    ) -> list[tuple[LabelQuestion, LabelAnswer]]:
        """Return an answer without a label for each question.

        Args:
            questions: That the cache does not hold.
        """
        settings = self._settings
        how = (
            f"temperature {settings.sampling_temperature:g}, {settings.max_output_tokens:,} tokens"
        )
        return [
            (
                question,
                LabelAnswer(None, error=f"no answer of {question.voter.model} is kept ({how})"),
            )
            for question in questions
        ]
