"""The labeller that asks an OpenAI-compatible chat server over HTTP.

Any such server will do: ``vllm serve``, llama.cpp, a hosted one. Calls run side by side.
"""

from collections.abc import Sequence
from concurrent.futures import Future
from functools import partial
from queue import SimpleQueue
from types import TracebackType
from typing import Self

from groundtrace.chat.answer_forms import one_of
from groundtrace.chat.questions import ChatAnswer, ChatQuestion
from groundtrace.chat.replies import Reply
from groundtrace.errors import GroundtraceError, bug_of, missing_package
from groundtrace.labelling.answers import read_answer
from groundtrace.labelling.labeller_bases import ChatLabeller
from groundtrace.labelling.prompt import CHOICES, prompt_for
from groundtrace.labelling.questions import LabelAnswer, LabelQuestion
from groundtrace.labelling.settings import LabellingSettings
from groundtrace.vocabulary import Label

Result = tuple[LabelQuestion, LabelAnswer] | GroundtraceError
Spoken = tuple[Label, float | None]
"""A label and its probability, where it is known."""

FORM = one_of(CHOICES, weighed=True)


class Labeller(ChatLabeller):
    """Asks a chat server."""

    def __init__(self, settings: LabellingSettings) -> None:
        """Check the settings; contacts nobody.

        Raises:
            InputError: the server or the model is not named, or a setting is out of range.
            ModelError: the package openai is not installed.
        """
        super().__init__(settings)
        try:
            from groundtrace.chat.service import ChatService
        except ModuleNotFoundError as error:
            raise missing_package("the labeller openai needs", "openai", error.name) from None
        self._service = ChatService(settings)
        self.remarks = self._service.remarks
        self._results: SimpleQueue[Result] = SimpleQueue()
        self._pending = 0

    @property
    def room(self) -> int:
        """How many questions it takes now."""
        # Calls go from one question to the next at once: a connection that lies idle in
        # between costs the HTTP library a look at each of its idle connections.
        return 2 * self._settings.concurrency - self._pending

    @property
    def pending(self) -> int:
        """How many questions it was given and has not answered."""
        return self._pending

    def submit(self, questions: Sequence[LabelQuestion]) -> None:
        """Start to ask."""
        for question in questions:
            prompt = prompt_for(question.premises, question.conclusion)
            future = self._service.submit(ChatQuestion(question.voter, prompt, FORM, _read))
            self._pending += 1
            future.add_done_callback(partial(self._arrive, question))

    def _arrive(self, question: LabelQuestion, future: "Future[ChatAnswer[Spoken]]") -> None:
        """Keep an answer at once, in the thread of the calls, and hand it over."""
        if future.cancelled():
            return
        result: Result
        try:
            result = question, self.keep(question, _answer_of(future.result()))
        except GroundtraceError as error:
            result = error
        except Exception as error:  # It must reach whoever waits.
            result = bug_of(error)
        self._results.put(result)

    def collect(self) -> list[tuple[LabelQuestion, LabelAnswer]]:
        """Return the answers that have come, waiting for the first.

        Raises:
            ModelError: the server cannot be used, or has stopped answering.
            InputError: an answer cannot be kept.
        """
        results = [self._results.get()]
        while not self._results.empty():
            results.append(self._results.get())
        answers: list[tuple[LabelQuestion, LabelAnswer]] = []
        for result in results:
            if isinstance(result, GroundtraceError):
                raise result
            answers.append(result)
        self._pending -= len(answers)
        return answers

    def __enter__(self) -> Self:
        """Get ready; the first question starts the calls."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Drop what is under way and close the connections."""
        self._service.close()


def _read(reply: Reply) -> tuple[Spoken | None, str | None]:
    """Return the label of an answer and its probability, or why there is none."""
    label, probability, problem = read_answer(reply.content, reply.tokens)
    return (label, probability) if label else None, problem


def _answer_of(answer: ChatAnswer[Spoken]) -> LabelAnswer:
    label, probability = answer.value or (None, None)
    return LabelAnswer(
        label, probability, answer.problem, answer.calls, answer.tokens_in, answer.tokens_out
    )
