"""Asking models at a server until an answer can be used, or the server is given up."""

import asyncio
import math
import time

from groundtrace.chat.capabilities import Access
from groundtrace.chat.questions import ChatAnswer, ChatQuestion, Value, text_of
from groundtrace.chat.replies import Reply
from groundtrace.chat.server import ChatServer, UnreachableError
from groundtrace.chat.settings import ServerSettings
from groundtrace.errors import ModelError

TRIES_FOR_A_USABLE_ANSWER = 3
"""At temperature 0 a model seldom changes its mind."""

LEAST_FAILURES_IN_A_ROW = 20
"""So many failed calls and no answer between them: the server is gone."""

SECONDS_UNTIL_THE_NEXT_TRY = 10.0
"""Whoever asks on for days, as a trainer does, must find a server that has come up again; whoever
asks many questions at once must not knock for each of them."""


class Attempts:
    """Asks the models of one server. Used inside one event loop."""

    def __init__(self, settings: ServerSettings, remarks: list[str]) -> None:
        """Check the address; contacts nobody.

        Args:
            remarks: Gets what a user should know of how it went.

        Raises:
            InputError: there is no usable address, or the key cannot be one.
        """
        self._settings = settings
        self._server = ChatServer(settings)
        self._access: dict[str, asyncio.Task[Access]] = {}
        self._failed_at: dict[str, float] = {}
        self._failures_in_a_row = 0
        self._remarks = remarks

    async def ask(self, question: ChatQuestion[Value]) -> ChatAnswer[Value]:
        """Return what a model answers, asking again while the answer cannot be used.

        Raises:
            ModelError: the server cannot be used, or has stopped answering.
        """
        voter, prompt, form = question.voter, question.prompt, question.form
        access = await self._access_to(voter.model)
        self._remark(f"{voter.model}: {access.enforcement.remark(form.rule)}")
        calls = tokens_in = tokens_out = 0
        problem = None
        for _ in range(min(TRIES_FOR_A_USABLE_ANSWER, 1 + self._settings.retries)):
            try:
                reply = await self._server.ask(access, prompt, form, voter)
            except UnreachableError as error:
                problem = self._count_failure(str(error))
                reply = Reply(again=False)
            else:
                self._failures_in_a_row = 0
                problem = reply.problem
            calls += reply.calls
            tokens_in += reply.tokens_in
            tokens_out += reply.tokens_out
            if not problem:
                value, problem = question.read(reply)
                if value is not None:
                    return ChatAnswer(value, None, calls, tokens_in, tokens_out, text_of(reply))
            if not reply.again:
                break
        shown = self._server.mask(problem or "")
        return ChatAnswer(None, shown, calls, tokens_in, tokens_out)

    async def _access_to(self, model: str) -> Access:
        """Return what a model accepts; found out once, and after a failure a while later."""
        known = self._access.get(model)
        ended = time.monotonic() - SECONDS_UNTIL_THE_NEXT_TRY
        lost = known is None or known.cancelled()
        if lost or self._failed_at.get(model, math.inf) < ended:
            self._failed_at.pop(model, None)
            self._access[model] = asyncio.create_task(self._find_out(model))
        return await asyncio.shield(self._access[model])

    async def _find_out(self, model: str) -> Access:
        try:
            access = await self._server.access(model)
        except ModelError:
            self._failed_at[model] = time.monotonic()
            raise
        return access

    def _remark(self, words: str) -> None:
        if words not in self._remarks:
            self._remarks.append(words)

    def _count_failure(self, words: str) -> str:
        """Count a failed call and return its words.

        Raises:
            ModelError: too many failed in a row.
        """
        self._failures_in_a_row += 1
        if self._failures_in_a_row >= max(LEAST_FAILURES_IN_A_ROW, self._settings.concurrency):
            raise ModelError(f"the server stopped answering: {words}")
        return words

    async def close(self) -> None:
        """Close all connections."""
        await self._server.close()
