"""Questions to the models of one server, from any thread, each asked once.

This is how everything here talks to chat servers. Calls run side by side in a thread of their
own, so that whoever asks may wait as long as it likes, and no longer.
"""

import asyncio
import hashlib
import json
import threading
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from groundtrace.chat.attempts import Attempts
from groundtrace.chat.background import BackgroundLoop
from groundtrace.chat.questions import ChatAnswer, ChatQuestion, Value
from groundtrace.chat.replies import Reply
from groundtrace.chat.settings import ServerSettings, Voter, voters_of
from groundtrace.chat.text_cache import TextCache
from groundtrace.errors import GroundtraceError, InputError, bug_of


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
        self.remarks: list[str] = []
        """What a user should know of how it went."""
        self._settings = settings
        self._cache = cache
        self._start()

    def _start(self) -> None:
        self._lock = threading.Lock()
        self._loop = BackgroundLoop()
        self._attempts = Attempts(self._settings, self.remarks)
        self._turns = asyncio.Semaphore(self._settings.concurrency)
        self._under_way: dict[bytes, Future[ChatAnswer[Any]]] = {}

    def submit(self, question: ChatQuestion[Value]) -> "Future[ChatAnswer[Value]]":
        """Start to ask.

        The future raises ModelError if the server cannot be used, and InputError if the cache
        cannot.

        Raises:
            InputError: the cache cannot be read.
        """
        if self._loop.inherited:
            # This process was forked: calls under way are the other one's.
            self._start()
        key = self._key(question)
        under_way = self._find_under_way(key)
        if under_way is not None:
            return under_way
        known = self._cache.get(key) if self._cache else None
        value = question.read(Reply(known))[0] if known is not None else None
        if value is not None:
            with self._lock:
                self.counts.cached += 1
            answered: Future[ChatAnswer[Value]] = Future()
            answered.set_result(ChatAnswer(value, None))
            return answered
        with self._lock:
            if key in self._under_way:
                self.counts.repeated += 1
                return self._under_way[key]
            future = self._loop.submit(self._answer(key, question))
            self._under_way[key] = future
        future.add_done_callback(lambda _: self._under_way.pop(key, None))
        return future

    def _find_under_way(self, key: bytes) -> "Future[ChatAnswer[Any]] | None":
        """Return the answer that is under way, if the question was asked already."""
        with self._lock:
            if key not in self._under_way:
                return None
            self.counts.repeated += 1
            return self._under_way[key]

    async def _answer(self, key: bytes, question: ChatQuestion[Value]) -> ChatAnswer[Value]:
        try:
            async with self._turns:
                answer = await self._attempts.ask(question)
            with self._lock:
                self.counts.calls += answer.calls
                self.counts.tokens_in += answer.tokens_in
                self.counts.tokens_out += answer.tokens_out
                self.counts.failed += answer.value is None
            if answer.value is not None and answer.text is not None and self._cache:
                self._cache.put(key, answer.text)
        except GroundtraceError:
            raise
        except Exception as error:  # It must reach whoever waits.
            raise bug_of(error) from error
        return answer

    def _key(self, question: ChatQuestion[Any]) -> bytes:
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
        """Drop what is under way and close the connections; it may be used again."""
        self._loop.close(self._attempts.close)
        self._turns = asyncio.Semaphore(self._settings.concurrency)

    def __del__(self) -> None:
        """Leave no thread and no connection behind."""
        try:  # noqa: SIM105 - at the end of a process, modules may be gone.
            self.close()
        except Exception:  # noqa: S110
            pass
