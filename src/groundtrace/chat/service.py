"""Questions to the models of one server, from any thread, each asked once.

Calls run side by side in an event loop of their own, so that whoever asks may wait as long as
it likes, and no longer.
"""

import asyncio
import contextlib
import hashlib
import json
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import NamedTuple

from groundtrace.chat.answer_forms import Form
from groundtrace.chat.answer_text import spoken
from groundtrace.chat.asking import Asked, Asking
from groundtrace.chat.prompts import Prompt
from groundtrace.chat.replies import Reply
from groundtrace.chat.settings import ServerSettings, Voter, voters_of
from groundtrace.chat.text_cache import TextCache
from groundtrace.errors import GroundtraceError, InputError, ModelError, bug_of

SECONDS_TO_CLOSE = 5.0


class ChatQuestion(NamedTuple):
    """What is asked, and how to tell an answer that can be used."""

    voter: Voter
    prompt: Prompt
    form: Form
    problem_with: Callable[[str], str | None]
    """Returns why an answer cannot be used; None if it can."""


@dataclass
class ServiceCounts:
    """What was done, for a summary.

    Attributes:
        calls: To the server.
        cached: Questions that were answered before.
        repeated: Questions that were under way already.
        failed: Questions without a usable answer.
        tokens_in: Tokens of the prompts.
        tokens_out: Tokens of the answers.
    """

    calls: int = 0
    cached: int = 0
    repeated: int = 0
    failed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


def _writable(text: str) -> bool:
    """Say whether a text can be kept in a file: it may hold half of a character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class ChatService:
    """Asks the models of one server. For any number of threads."""

    def __init__(self, settings: ServerSettings, cache: TextCache | None = None) -> None:
        """Check the settings; contacts nobody.

        Args:
            cache: What was answered before; None remembers nothing.

        Raises:
            InputError: the server or a model is not named, or a setting is out of range.
        """
        if not settings.models:
            raise InputError(
                "no model is named: name one with --model, or in the settings as models"
            )
        self.voters: tuple[Voter, ...] = voters_of(settings)
        self.counts = ServiceCounts()
        self._settings = settings
        self._cache = cache
        self._asking = Asking(settings)
        self._lock = threading.Lock()
        self._under_way: dict[bytes, Future[Asked[str]]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._process = 0
        self._turns: asyncio.Semaphore | None = None
        self._thread: threading.Thread | None = None

    @property
    def remarks(self) -> list[str]:
        """What a user should know of how it went."""
        return self._asking.remarks

    def submit(self, question: ChatQuestion) -> "Future[Asked[str]]":
        """Start to ask; the future holds the answer without thinking and code fence.

        The future raises ModelError if the server cannot be used, and InputError if the cache
        cannot.

        Raises:
            InputError: the cache cannot be read.
        """
        self._own()
        key = self._key(question)
        with self._lock:
            if key in self._under_way:
                self.counts.repeated += 1
                return self._under_way[key]
        known = self._cache.get(key) if self._cache else None
        if known is not None and question.problem_with(known) is None:
            with self._lock:
                self.counts.cached += 1
            answered: Future[Asked[str]] = Future()
            answered.set_result(Asked(known, None))
            return answered
        with self._lock:
            if key in self._under_way:
                self.counts.repeated += 1
                return self._under_way[key]
            answer = self._answer(key, question)
            future = asyncio.run_coroutine_threadsafe(answer, self._running())
            self._under_way[key] = future
        future.add_done_callback(lambda _: self._under_way.pop(key, None))
        return future

    def _own(self) -> None:
        """Start afresh in a process that was forked: calls under way are the other one's."""
        if self._process not in (0, os.getpid()):
            self._lock = threading.Lock()
            self._under_way = {}
            self._asking = Asking(self._settings)
            self._loop = None
            self._process = 0

    def _running(self) -> asyncio.AbstractEventLoop:
        """Return the event loop, which runs in a thread of its own in this very process."""
        if self._loop is None:
            self._process = os.getpid()
            self._loop = asyncio.new_event_loop()
            self._turns = asyncio.Semaphore(self._settings.concurrency)
            self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
            self._thread.start()
        return self._loop

    async def _answer(self, key: bytes, question: ChatQuestion) -> Asked[str]:
        def read(reply: Reply) -> tuple[str | None, str | None]:
            said = spoken(reply.content) if isinstance(reply.content, str) else None
            if said is None or not _writable(said):
                return None, "the answer is no text, or ends inside its thinking part"
            problem = question.problem_with(said)
            return (None, problem) if problem else (said, None)

        if self._turns is None:
            raise ModelError("the service is not running")
        try:
            async with self._turns:
                asked = await self._asking.ask(question.voter, question.prompt, question.form, read)
        except GroundtraceError:
            raise
        except Exception as error:  # It must reach whoever waits.
            raise bug_of(error) from error
        with self._lock:
            self.counts.calls += asked.calls
            self.counts.tokens_in += asked.tokens_in
            self.counts.tokens_out += asked.tokens_out
            self.counts.failed += asked.value is None
        if asked.value is not None and self._cache:
            self._cache.put(key, asked.value)
        return asked

    def _key(self, question: ChatQuestion) -> bytes:
        """Return a hash of everything that shapes the answer; the server's address does not."""
        settings = self._settings
        shape = [
            "text",
            question.prompt,
            question.voter,
            settings.sampling_temperature,
            settings.max_output_tokens,
            dict(question.form.structured),
            settings.request,
        ]
        return hashlib.sha256(json.dumps(shape).encode()).digest()

    def close(self) -> None:
        """Drop what is under way and close the connections."""
        loop, self._loop = self._loop, None
        if loop is None or self._process != os.getpid():
            return
        ended = asyncio.run_coroutine_threadsafe(self._end(), loop)
        # Whatever goes wrong now, nobody waits for it any more.
        with contextlib.suppress(Exception):
            ended.result(SECONDS_TO_CLOSE)
        loop.call_soon_threadsafe(loop.stop)
        if self._thread is not None:
            self._thread.join(SECONDS_TO_CLOSE)
            if not self._thread.is_alive():
                loop.close()

    def __del__(self) -> None:
        """Leave no thread and no connection behind."""
        try:  # noqa: SIM105 - at the end of a process, modules may be gone.
            self.close()
        except Exception:  # noqa: S110
            pass

    async def _end(self) -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._asking.close()
