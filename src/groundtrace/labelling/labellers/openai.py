"""The labeller that asks an OpenAI-compatible chat server over HTTP.

Any such server will do: ``vllm serve``, llama.cpp, a hosted one. Calls run side by side in a
thread of their own, so that reading, deciding and writing go on meanwhile.
"""

import asyncio
import threading
from collections.abc import Sequence
from queue import SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from groundtrace.errors import GroundtraceError, ModelError, bug_of
from groundtrace.labelling.answers import read_answer
from groundtrace.labelling.chat_replies import Reply
from groundtrace.labelling.jury import jury
from groundtrace.labelling.prompt import CHOICES, chat_key, chat_settings, prompt_for
from groundtrace.labelling.questions import Answer, Question, Settings, Voter

if TYPE_CHECKING:
    from groundtrace.labelling.chat_access import Access

TRIES_FOR_A_USABLE_ANSWER = 3
"""At temperature 0 a model seldom changes its mind."""

LEAST_FAILURES_IN_A_ROW = 20
"""So many failed calls and no answer between them: the server is gone."""

Result = tuple[Question, Answer] | GroundtraceError


class Labeller:
    """Asks a chat server."""

    def __init__(self, settings: Settings) -> None:
        """Check the settings; contacts nobody.

        Args:
            settings: How to label.

        Raises:
            InputError: the server or the model is not named, or a setting is out of range.
            ModelError: the package openai is not installed.
        """
        self.voters = jury(settings)
        self._settings = settings
        try:
            from groundtrace.labelling.chat_server import ChatServer
        except ModuleNotFoundError as error:
            raise ModelError(
                f"the labeller openai needs the package {error.name}: "
                "pip install 'groundtrace[openai]'"
            ) from None
        self._server = ChatServer(settings)
        self._results: SimpleQueue[Result] = SimpleQueue()
        self._pending = 0
        self._access: dict[str, asyncio.Task[Access]] = {}
        self._failures_in_a_row = 0

    def settings(self) -> dict[str, Any]:
        """Return what is recorded with the result; the server's address is not."""
        return chat_settings(self._settings)

    def key(self, premises: Sequence[str], conclusion: str, voter: Voter) -> bytes:
        """Return a hash of everything that shapes the answer; 32 bytes.

        Args:
            premises: Texts.
            conclusion: A text.
            voter: Who is asked.
        """
        return chat_key(premises, conclusion, voter, self._settings)

    @property
    def room(self) -> int:
        """How many questions it takes now."""
        return self._settings.concurrency - self._pending

    @property
    def pending(self) -> int:
        """How many questions it was given and has not answered."""
        return self._pending

    def submit(self, questions: Sequence[Question]) -> None:
        """Start to ask.

        Args:
            questions: At most ``room``.
        """
        self._pending += len(questions)
        self._loop.call_soon_threadsafe(self._start, questions)

    def collect(self) -> list[tuple[Question, Answer]]:
        """Return the answers that have come, waiting for the first.

        Raises:
            ModelError: the server cannot be used, or has stopped answering.
        """
        answers: list[tuple[Question, Answer]] = []
        while not answers or not self._results.empty():
            result = self._results.get()
            if isinstance(result, GroundtraceError):
                raise result
            answers.append(result)
            self._pending -= 1
        return answers

    def _start(self, questions: Sequence[Question]) -> None:
        for question in questions:
            task = self._loop.create_task(self._result(question))
            task.add_done_callback(self._deliver)

    def _deliver(self, task: "asyncio.Task[Result]") -> None:
        if not task.cancelled():
            self._results.put(task.result())

    async def _result(self, question: Question) -> Result:
        """Return the answer to a question, or what makes every question hopeless."""
        try:
            return question, await self._answer(question)
        except GroundtraceError as error:
            return error
        except Exception as error:  # It must reach the thread that waits.
            return bug_of(error)

    async def _answer(self, question: Question) -> Answer:
        from groundtrace.labelling.chat_server import UnreachableError

        access = await self._access_to(question.voter.model)
        prompt = prompt_for(question.premises, question.conclusion)
        tries = min(TRIES_FOR_A_USABLE_ANSWER, 1 + self._settings.retries)
        calls = tokens_in = tokens_out = 0
        problem = None
        for _ in range(tries):
            try:
                reply = await self._server.ask(access, prompt, CHOICES, question.voter)
            except UnreachableError as error:
                problem = self._failed(str(error))
                reply = Reply(again=False)
            else:
                self._failures_in_a_row = 0
                problem = reply.problem
            calls += reply.calls
            tokens_in += reply.tokens_in
            tokens_out += reply.tokens_out
            if not problem:
                label, probability, problem = read_answer(reply.content, reply.tokens)
                if label:
                    return Answer(label, probability, None, calls, tokens_in, tokens_out)
            if not reply.again:
                break
        return Answer(None, None, problem, calls, tokens_in, tokens_out)

    async def _access_to(self, model: str) -> "Access":
        """Return what a model accepts; found out once."""
        if model not in self._access:
            self._access[model] = self._loop.create_task(self._server.access(model))
        return await asyncio.shield(self._access[model])

    def _failed(self, words: str) -> str:
        """Count a failed call and return its words.

        Raises:
            ModelError: too many failed in a row.
        """
        self._failures_in_a_row += 1
        if self._failures_in_a_row >= max(LEAST_FAILURES_IN_A_ROW, self._settings.concurrency):
            raise ModelError(
                f"the server stopped answering: {words}; the answers so far are kept, and the "
                "same command goes on from there"
            )
        return words

    def __enter__(self) -> Self:
        """Start the thread."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Drop what is under way and end the thread."""
        asyncio.run_coroutine_threadsafe(self._shut(), self._loop).result(timeout=10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=10)
        self._loop.close()

    async def _shut(self) -> None:
        tasks = asyncio.all_tasks(self._loop) - {asyncio.current_task(self._loop)}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._server.close()
