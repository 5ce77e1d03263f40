"""An endpoint that answers SPARQL queries over HTTP and only reads; with a page to try them on."""

import asyncio
import base64
import hashlib
import html
import json
import re
import sys
import time
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from importlib.resources import files
from socket import socket

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from groundtrace.errors import GroundtraceError, InputError, LimitError, bug_of
from groundtrace.knowledge.ask import answering, asker
from groundtrace.knowledge.ask.asker_pool import Askers, BusyError, StoppableAsker, UnavailableError
from groundtrace.knowledge.ask.endpoints import MORE_HEADER
from groundtrace.knowledge.ask.results import ROW_WRITERS, TRIPLE_FORMATS, triples_written
from groundtrace.knowledge.rdf.terms import PREFIXES
from groundtrace.knowledge.serve.protocol import Guard, chosen, query_of

GRACE_SECONDS = 2
MOST_CONNECTIONS = 512

_INLINE = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)
_ANY_FORMAT = [*ROW_WRITERS, *TRIPLE_FORMATS]


@dataclass(frozen=True)
class Limits:
    """What one query may cost.

    Attributes:
        time_limit: Seconds that it may take.
        most_rows: Of an answer, which is cut there; 0 for no limit.
    """

    time_limit: float = asker.DEFAULT_TIME_LIMIT
    most_rows: int = answering.DEFAULT_ROW_LIMIT

    def __str__(self) -> str:
        """Return the limits for people."""
        rows = f"{self.most_rows:,} rows" if self.most_rows else "any number of rows"
        return f"{self.time_limit:g} seconds and {rows}"


@dataclass(frozen=True)
class Service:
    """What is served, and how.

    Attributes:
        askers: Who answer.
        host: To which the server is bound.
        limits: Of each query.
        name: Of what is asked, for people.
        told: Gets what whoever runs the server should know.
    """

    askers: Askers
    host: str
    limits: Limits
    name: str
    told: Callable[[str], None]


def serve(service: Service, listening: socket, ready: Callable[[], None]) -> None:
    """Answer queries until the process is told to end.

    Args:
        service: What is served; its askers are started.
        listening: Where requests come in.
        ready: Called when requests are answered.
    """
    config = uvicorn.Config(
        application(service),
        http="h11",
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    _Server(config, service.askers, ready).run(sockets=[listening])


class _Server(uvicorn.Server):
    """Says when it is ready, and ends queries before it waits for their answers."""

    def __init__(self, config: uvicorn.Config, askers: Askers, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._askers = askers
        self._ready = ready

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        self._askers.end()
        await super().shutdown(sockets=sockets)


def application(service: Service) -> ASGIApp:
    """Return the endpoint as an ASGI application.

    Args:
        service: What is served; its askers are started.
    """
    shown = query_page(service.name, service.limits)
    policy = {"Content-Security-Policy": policy_of(shown)}

    def page(request: Request) -> Response:
        return HTMLResponse(shown, headers=policy)

    answers = Route("/sparql", _Endpoint(service).reply, methods=["GET", "POST"])
    return Guard(Starlette(routes=[Route("/", page), answers]), service.host)


def query_page(name: str, limits: Limits) -> str:
    """Return the page to try queries on.

    Args:
        name: Of what is asked.
    """
    content = (files("groundtrace.knowledge.serve") / "query_page.html").read_text(encoding="utf-8")
    known = json.dumps(PREFIXES, indent=1).replace("<", "\\u003c")
    filled = {"name": html.escape(name), "limits": html.escape(str(limits)), "prefixes": known}
    return re.sub(r"\{\{(\w+)\}\}", lambda found: filled[found[1]], content)


def policy_of(content: str) -> str:
    """Return what a browser may do on a page: run its own script, and ask this server."""
    allowed = {"script": "", "style": ""}
    for kind, text in _INLINE.findall(content):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        allowed[kind] += f" 'sha256-{digest}'"
    return (
        f"default-src 'none'; script-src{allowed['script']}; style-src{allowed['style']}; "
        "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )


class _Endpoint:
    """What answers at /sparql."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._limits = service.limits

    async def reply(self, request: Request) -> Response:
        try:
            query = await query_of(request)
            return await _unless_gone(request, self._answered(request, query))
        except HTTPException:
            raise
        except ClientDisconnect:
            return Response(status_code=HTTPStatus.BAD_REQUEST)
        except (BusyError, UnavailableError) as error:
            return _refusal(HTTPStatus.SERVICE_UNAVAILABLE, error, {"Retry-After": "5"})
        except InputError as error:
            return _refusal(HTTPStatus.BAD_REQUEST, error)
        except LimitError as error:
            return _refusal(HTTPStatus.GATEWAY_TIMEOUT, error)
        except Exception as error:
            bug = bug_of(error)
            self._service.told(f"{bug}. This is a fault of groundtrace; please report it.")
            return _refusal(HTTPStatus.INTERNAL_SERVER_ERROR, bug)

    async def _answered(self, request: Request, query: str) -> Response:
        accepted = ",".join(request.headers.getlist("accept"))
        if not chosen(accepted, _ANY_FORMAT):
            raise _not_acceptable(_ANY_FORMAT)
        async with self._service.askers.free(self._limits.time_limit) as asker:
            work = asyncio.ensure_future(run_in_threadpool(self._asked, asker, query, accepted))
            try:
                return await asyncio.shield(work)
            except asyncio.CancelledError:  # A thread cannot be cancelled; what it waits for can.
                asker.stop()
                with suppress(Exception):
                    await work
                raise

    def _asked(self, waiting: StoppableAsker, query: str, accepted: str) -> Response:
        """Return the answer to a query; runs in a thread.

        Raises:
            HTTPException: it takes too much memory, or cannot be had in a format that is accepted.
        """
        wanted = answering.Request(query, most_rows=self._limits.most_rows or sys.maxsize)
        start = time.monotonic()
        try:
            answer = waiting.answer(wanted, self._limits.time_limit)
        except LimitError as error:
            if time.monotonic() - start < self._limits.time_limit:
                raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, str(error)) from None
            raise
        response = _written(answer, accepted)
        if answer.more:
            response.headers[MORE_HEADER] = "true"
            self._service.told(f"an answer was cut at {self._limits.most_rows:,} rows (--limit)")
        return response


async def _unless_gone(request: Request, work: Coroutine[None, None, Response]) -> Response:
    """Return a response; the work on it is cancelled if whoever wants it goes away."""

    async def leave() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    working, leaving = asyncio.create_task(work), asyncio.create_task(leave())
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else Response(status_code=400)
    finally:
        working.cancel()
        leaving.cancel()


def _written(answer: answering.Answer, accepted: str) -> Response:
    """Return an answer in the format that is liked best.

    Raises:
        HTTPException: it cannot be had in any that is accepted.
    """
    offered = list(TRIPLE_FORMATS if answer.form == "triples" else ROW_WRITERS)
    media_type = chosen(accepted, offered)
    if media_type is None:
        raise _not_acceptable(offered)
    try:
        if answer.form == "triples":
            content = triples_written(answer, TRIPLE_FORMATS[media_type])
        else:
            content = ROW_WRITERS[media_type](answer).encode()
    except InputError as error:
        raise HTTPException(HTTPStatus.NOT_ACCEPTABLE, str(error)) from None
    return Response(content, media_type=media_type)


def _not_acceptable(offered: list[str]) -> HTTPException:
    known = ", ".join(dict.fromkeys(offered))
    return HTTPException(HTTPStatus.NOT_ACCEPTABLE, f"the answer can be had as {known}")


def _refusal(
    status: HTTPStatus, error: GroundtraceError, headers: Mapping[str, str] | None = None
) -> Response:
    return PlainTextResponse(f"{error}\n", status_code=status, headers=headers)
