"""The labeller that asks an OpenAI-compatible chat server over HTTP.

Any such server will do: ``vllm serve``, llama.cpp, a hosted one. Calls run side by side in an
event loop that goes on whenever answers are waited for.
"""

import asyncio
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from groundtrace.chat.answer_forms import one_of
from groundtrace.chat.looping import Loop
from groundtrace.chat.replies import Reply
from groundtrace.errors import GroundtraceError, bug_of, missing_package
from groundtrace.labelling.answers import read_answer
from groundtrace.labelling.labeller_bases import Chat
from groundtrace.labelling.prompt import CHOICES, prompt_for
from groundtrace.labelling.questions import Answer, LabellingSettings, Question
from groundtrace.vocabulary import Label

Result = tuple[Question, Answer] | GroundtraceError


class Labeller(Chat):
    """Asks a chat server."""

    def __init__(self, settings: LabellingSettings) -> None:
        """Check the settings; contacts nobody.

        Raises:
            InputError: the server or the model is not named, or a setting is out of range.
            ModelError: the package openai is not installed.
        """
        super().__init__(settings)
        try:
            from groundtrace.chat.asking import Asking
        except ModuleNotFoundError as error:
            raise missing_package("the labeller openai needs", "openai", error.name) from None
        self._asking = Asking(settings)
        self.remarks = self._asking.remarks
        self._waiting: asyncio.Queue[Question] = asyncio.Queue()
        self._results: asyncio.Queue[Result] = asyncio.Queue()
        self._workers = 0
        self._pending = 0

    @property
    def room(self) -> int:
        """How many questions it takes now."""
        # Workers go from one question to the next at once: a connection that lies idle in
        # between costs the HTTP library a look at each of its idle connections.
        return 2 * self._settings.concurrency - self._pending

    @property
    def pending(self) -> int:
        """How many questions it was given and has not answered."""
        return self._pending

    def submit(self, questions: Sequence[Question]) -> None:
        """Start to ask."""
        self._pending += len(questions)
        for question in questions:
            self._waiting.put_nowait(question)
        while self._workers < min(self._settings.concurrency, self._pending):
            self._workers += 1
            self._loop.start(self._work())

    def collect(self) -> list[tuple[Question, Answer]]:
        """Return the answers that have come, waiting for the first.

        Raises:
            ModelError: the server cannot be used, or has stopped answering.
            InputError: an answer cannot be kept.
        """
        results = self._loop.run(self._arrived())
        answers: list[tuple[Question, Answer]] = []
        for result in results:
            if isinstance(result, GroundtraceError):
                raise result
            answers.append(result)
        self._pending -= len(answers)
        return answers

    async def _arrived(self) -> list[Result]:
        results = [await self._results.get()]
        while not self._results.empty():
            results.append(self._results.get_nowait())
        return results

    async def _work(self) -> None:
        """Ask one question after the other."""
        while True:
            question = await self._waiting.get()
            self._results.put_nowait(await self._result(question))

    async def _result(self, question: Question) -> Result:
        """Return the answer to a question, or what makes every question hopeless."""
        try:
            return question, self.keep(question, await self._answer(question))
        except GroundtraceError as error:
            return error
        except Exception as error:  # It must reach whoever waits.
            return bug_of(error)

    async def _answer(self, question: Question) -> Answer:
        prompt = prompt_for(question.premises, question.conclusion)
        asked = await self._asking.ask(question.voter, prompt, one_of(CHOICES, weighed=True), _read)
        label, probability = asked.value or (None, None)
        return Answer(
            label, probability, asked.problem, asked.calls, asked.tokens_in, asked.tokens_out
        )

    def __enter__(self) -> Self:
        """Get an event loop."""
        self._loop = Loop()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Drop what is under way and close the connections."""
        self._loop.close(self._asking.close())


def _read(reply: Reply) -> tuple[tuple[Label, float | None] | None, str | None]:
    """Return the label of an answer and its probability, or why there is none."""
    label, probability, problem = read_answer(reply.content, reply.tokens)
    return (label, probability) if label else None, problem
