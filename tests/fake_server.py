"""A chat server on loopback that behaves like the published API, and misbehaves on request."""

import asyncio
import functools
import itertools
import json
import re
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Self

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from tests.waiting import wait_until

LETTERS = "CENI"
_TAGGED = re.compile(r"<(premise|conclusion)((?:-\d+)?)>\n(.*?)\n</\1\2>", re.DOTALL)


@dataclass(frozen=True)
class Asked:
    """One question as the server read it."""

    premises: tuple[str, ...]
    conclusion: str
    model: str
    seed: int | None
    body: dict[str, Any]

    @property
    def content(self) -> tuple[Any, ...]:
        return self.model, self.seed, self.premises, self.conclusion


def read(body: dict[str, Any]) -> Asked | None:
    """Return the question of a request; None for a probe."""
    found = _TAGGED.findall(body["messages"][-1]["content"])
    if not found:
        return None
    texts = [(name, text) for name, _, text in found]
    premises = tuple(text for name, text in texts if name == "premise")
    return Asked(premises, texts[-1][1], body["model"], body.get("seed"), body)


def letter_of(asked: Asked) -> str:
    """Return the letter that this server's model finds right: the same for the same texts."""
    total = sum(map(ord, "".join((*asked.premises, asked.conclusion, asked.model))))
    return LETTERS[(total + len(asked.premises)) % 4]


Spoken = str | None | Response
Behaviour = Callable[[Asked, int], Spoken]
"""What is said to a question at its n-th time, counted from 0; a Response is sent as it is."""


def well_behaved(asked: Asked, time_asked: int) -> Spoken:
    return letter_of(asked)


@dataclass
class FakeServer:
    """What the server does, and what it saw."""

    behaviour: Behaviour = well_behaved
    obeys: Sequence[str] = ("structured_outputs",)
    refuses: Sequence[str] = ()
    """Fields that get status 400."""
    models: Sequence[str] = ("m",)
    length: int | None = None
    delay: float = 0.0
    logprobs: bool = False
    url: str = ""
    seen: list[Asked] = field(default_factory=list)
    probes: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    times: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    most_at_once: int = 0
    at_once: int = 0

    async def chat(self, request: Request) -> Response:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            if self.delay:
                await asyncio.sleep(self.delay)
            return await self._answer(request)
        finally:
            self.at_once -= 1

    async def _answer(self, request: Request) -> Response:
        body = await request.json()
        self.headers.append(dict(request.headers))
        for name in self.refuses:
            if name in body:
                return refusal(400, f"Unrecognized request argument supplied: {name}")
        if body["model"] not in self.models:
            return refusal(404, f"The model `{body['model']}` does not exist.")
        asked = read(body)
        if asked is None:
            self.probes.append(body)
            return self.completion(body, self._constrained(body, "Blue."))
        self.seen.append(asked)
        time_asked = self.times[asked.content]
        self.times[asked.content] += 1
        said = self.behaviour(asked, time_asked)
        if isinstance(said, Hang):
            await asyncio.sleep(said.seconds)
        if isinstance(said, Response):
            return said
        return self.completion(
            body, self._constrained(body, said) if said in LETTERS_ALONE else said
        )

    def _constrained(self, body: dict[str, Any], said: str | None) -> str | None:
        """Return what is said if the constraint in the request is obeyed."""
        choices: list[str] = []
        if "structured_outputs" in self.obeys:
            choices = body.get("structured_outputs", {}).get("choice", [])
        if choices:
            return said if said in choices else choices[0]
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
        if schema and "response_format" in self.obeys:
            choices = schema["properties"]["label"]["enum"]
            return json.dumps({"label": said if said in choices else choices[0]})
        return said

    def completion(
        self, body: dict[str, Any], content: str | None, finish: str = "stop"
    ) -> Response:
        words = sum(len(message["content"]) for message in body["messages"])
        choice = {
            "index": 0,
            "finish_reason": finish,
            "message": {"role": "assistant", "content": content},
            "logprobs": _logprobs(content) if self.logprobs and body.get("logprobs") else None,
        }
        return JSONResponse(
            {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": int(time.time()),
                "model": body["model"],
                "choices": [choice],
                "usage": {
                    "prompt_tokens": words // 4 + 1,
                    "completion_tokens": len(content or ""),
                    "total_tokens": words // 4 + 1 + len(content or ""),
                },
            }
        )

    async def list_models(self, request: Request) -> Response:
        extra = {"max_model_len": self.length} if self.length else {}
        return JSONResponse(
            {
                "object": "list",
                "data": [{"id": one, "object": "model", **extra} for one in self.models],
            }
        )

    @property
    def more_routes(self) -> list[Route]:
        """What else is served."""
        return []

    @contextmanager
    def running(self, alone: bool = False) -> Iterator[Self]:
        """Serve on loopback, in a thread.

        Args:
            alone: Whether the port must be no other server's.
        """
        routes = [
            Route("/v1/chat/completions", self.chat, methods=["POST"]),
            Route("/v1/models", self.list_models),
            *self.more_routes,
        ]
        shared = _started() if alone else _shared()
        name = f"server-{next(_numbers)}"
        shared.apps[name] = Starlette(routes=routes)
        self.url = f"http://127.0.0.1:{shared.port}/{name}/v1"
        try:
            yield self
        finally:
            shared.stop(name)


@dataclass
class _Shared:
    """One server for all tests of a process, each under a path of its own.

    To start and to stop one takes longer than most tests.
    """

    apps: dict[str, Starlette] = field(default_factory=dict)
    port: int = 0
    _under_way: dict[str, set[asyncio.Task[None]]] = field(default_factory=lambda: defaultdict(set))
    _loop: asyncio.AbstractEventLoop | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        _, name, path = scope["path"].split("/", 2)
        app = self.apps.get(name)
        if app is None:
            await Response(status_code=404)(scope, receive, send)
        else:
            own = {"path": f"/{path}", "raw_path": f"/{path}".encode()}
            self._loop = asyncio.get_running_loop()
            task = self._loop.create_task(_called(app, {**scope, **own}, receive, send))
            self._under_way[name].add(task)
            try:
                await task
            except asyncio.CancelledError:  # It hangs, and its test is over.
                await Response(status_code=404)(scope, receive, send)
            finally:
                self._under_way[name].discard(task)

    def stop(self, name: str) -> None:
        """End one of the servers, and whatever hangs there."""
        del self.apps[name]
        if self._loop:
            self._loop.call_soon_threadsafe(self._cancel, name)

    def _cancel(self, name: str) -> None:
        for task in self._under_way.pop(name, set()):
            task.cancel()


async def _called(app: Starlette, scope: Scope, receive: Receive, send: Send) -> None:
    await app(scope, receive, send)


_numbers = itertools.count(1)


def _started() -> _Shared:
    """Return a server that runs on a free port from now on."""
    shared = _Shared()
    server = uvicorn.Server(uvicorn.Config(shared, port=0, log_level="error", lifespan="off"))
    threading.Thread(target=server.run, daemon=True).start()
    wait_until(lambda: server.started, "the server did not start")
    shared.port = server.servers[0].sockets[0].getsockname()[1]
    return shared


@functools.cache
def _shared() -> _Shared:
    """Return the server of this process."""
    return _started()


LETTERS_ALONE = {*LETTERS}


class Hang(Response):
    """Nothing for a long time."""

    seconds = 30.0


class Dropped(Response):
    """A connection that ends in the middle of the answer."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"content-type", b"application/json"), (b"content-length", b"1000")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b'{"choices": [', "more_body": True})
        raise ConnectionError("dropped on purpose")


def refusal(status: int, message: str, **headers: str) -> Response:
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": None}
    return JSONResponse({"error": error}, status_code=status, headers=headers)


def _logprobs(content: str | None) -> dict[str, Any]:
    """Return an answer token by token: the letter has twice the chance of each other one."""
    tokens = [
        {
            "token": character,
            "logprob": -0.9,
            "bytes": None,
            "top_logprobs": [
                {"token": letter, "logprob": -0.9 if letter == character else -1.6, "bytes": None}
                for letter in LETTERS
            ],
        }
        for character in content or ""
    ]
    return {"content": tokens, "refusal": None}
