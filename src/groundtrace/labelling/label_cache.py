"""Labels on disk, so that no question is asked twice."""

from dataclasses import replace
from typing import get_args

from groundtrace.files.answer_cache import CacheFile
from groundtrace.labelling.questions import LabelAnswer, LabelQuestion
from groundtrace.vocabulary import Label


class LabelCache(CacheFile):
    """A file of labels, for any number of threads. It holds no text of a trace."""

    def get(self, key: bytes) -> LabelAnswer | None:
        """Return the answer to a question, if it was asked before.

        Args:
            key: From the labeller; 32 bytes.

        Raises:
            InputError: the file cannot be read.
        """
        return None if self.refresh else self._answer(key)

    def _answer(self, key: bytes) -> LabelAnswer | None:
        rows = self.found("SELECT label, probability FROM answers WHERE key = ?", (key,))
        return LabelAnswer(*rows[0]) if rows and _believable(*rows[0]) else None

    def put(self, question: LabelQuestion, answer: LabelAnswer) -> LabelAnswer:
        """Keep an answer that has a label, and return the one that now stands in the file.

        That is another one if another process was faster: all who share a file agree.

        Args:
            question: As it was asked.
            answer: Kept only if it has a label.

        Raises:
            InputError: the file cannot be written.
        """
        if answer.label is None:
            return answer
        written = self.kept("answers", [(question.key, answer.label, answer.probability)])
        found = None if written else self._answer(question.key)
        if found is None:
            return answer
        return replace(answer, label=found.label, probability=found.probability)


def _believable(label: object, probability: object) -> bool:
    """Say whether a row can be an answer; anybody may have written into the file."""
    likely = probability is None or (isinstance(probability, float) and 0 <= probability <= 1)
    return label in get_args(Label) and likely
