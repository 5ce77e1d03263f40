"""The SPARQL 1.1 protocol: who may ask, what is asked, in which format the answer is wanted.

Whoever runs a browser on this machine lets strangers' pages send requests to it. They get nothing:
the name by which the server was called is checked, and so is the site whose page asks.
"""

import asyncio
import ipaddress
import re
import socket
from collections.abc import Sequence
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qsl

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 200_000
"""Bytes."""

MOST_READ = 20 * LARGEST_BODY
"""Of a body that is too long: whoever still sends would not see why it is refused."""

BODY_SECONDS = 30.0
"""For a body to arrive."""

_FORM = "application/x-www-form-urlencoded"
_QUERY = "application/sparql-query"
_UPDATE = "application/sparql-update"
_UPDATES = ("update", "using-graph-uri", "using-named-graph-uri")
_GRAPHS = ("default-graph-uri", "named-graph-uri")

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^:\[\]/@\s]+)(?::\d*)?", re.IGNORECASE)
_ALWAYS: Final = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Vary": "Accept",
    "X-Content-Type-Options": "nosniff",
}


class Guard:
    """Lets requests through to an application that come from this server's users."""

    def __init__(self, app: ASGIApp, host: str) -> None:
        """Guard an application.

        Args:
            host: To which the server is bound.
        """
        self._app = app
        self._names = {"localhost", host.lower()}
        self._local = host.lower() == "localhost" or _is_loopback(host)
        if not self._local:
            self._names |= {socket.gethostname().lower(), socket.getfqdn().lower()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_ALWAYS)
            await send(message)

        app = self._app
        if scope["type"] == "http" and (refused := self._refused(Headers(scope=scope))):
            app = PlainTextResponse(f"{refused}\n", status_code=HTTPStatus.FORBIDDEN)
        await app(scope, receive, marked)

    def _refused(self, headers: Headers) -> str | None:
        """Return why a request is refused, if it is."""
        host = headers.get("host", "")
        if not self._is_ours(host):
            # Otherwise a stranger's page, whose name leads to this machine, could read the answers.
            return f"this server is not called {host!r}; it is called localhost"
        origin = headers.get("origin")
        own = origin is None or origin.lower() in (f"http://{host}".lower(), f"https://{host}")
        if not own or headers.get("sec-fetch-site") == "cross-site":
            return "pages of other sites may not ask this server"
        return None

    def _is_ours(self, host: str) -> bool:
        """Return whether the server may be called by a name.

        An address is no name that a stranger could have led here; but a server on loopback has only
        addresses of loopback.
        """
        found = _HOST.fullmatch(host)
        if found is None:
            return False
        name = found[1].strip("[]").lower()
        return name in self._names or (_is_loopback(name) if self._local else _is_address(name))


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_loopback(name: str) -> bool:
    return _is_address(name) and ipaddress.ip_address(name).is_loopback


async def query_of(request: Request) -> str:
    """Return the query that a request holds.

    Raises:
        HTTPException: it holds none, or more than a query.
    """
    given = _parameters(request.scope["query_string"])
    if request.method == "POST":
        media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media_type not in (_FORM, _QUERY, _UPDATE):
            raise HTTPException(
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"expected Content-Type {_FORM} or {_QUERY}"
            )
        body = await _body_of(request)
        if media_type == _FORM:
            given += _parameters(body)
        else:
            given.append(("query" if media_type == _QUERY else "update", _decoded(body)))
    return _query_among(given)


def _query_among(given: list[tuple[str, str]]) -> str:
    """Return the query among parameters; those that mean nothing here are passed over.

    Raises:
        HTTPException: there is none, or a parameter asks for what is not done.
    """
    names = {name for name, _ in given}
    if names.intersection(_UPDATES):
        raise HTTPException(
            HTTPStatus.BAD_REQUEST, "updates are refused: nothing can be changed here"
        )
    if unwanted := names.intersection(_GRAPHS):
        raise HTTPException(
            HTTPStatus.BAD_REQUEST,
            f"{min(unwanted)} is refused: the dataset is fixed; use GRAPH in the query",
        )
    queries = [value for name, value in given if name == "query"]
    if len(queries) != 1:
        raise HTTPException(
            HTTPStatus.BAD_REQUEST,
            f"expected one parameter named query, got {len(queries)}; there is a page at / to try "
            "queries on",
        )
    return queries[0]


def _parameters(encoded: bytes) -> list[tuple[str, str]]:
    """Return what a URL or form holds.

    Raises:
        HTTPException: it is not valid.
    """
    try:
        return parse_qsl(
            encoded.decode(), keep_blank_values=True, errors="strict", max_num_fields=100
        )
    except ValueError:
        raise HTTPException(
            HTTPStatus.BAD_REQUEST, "the parameters are not percent-encoded UTF-8"
        ) from None


def _decoded(body: bytes) -> str:
    """Return a query as text.

    Raises:
        HTTPException: it is not in UTF-8.
    """
    try:
        return body.decode()
    except UnicodeDecodeError:
        raise HTTPException(HTTPStatus.BAD_REQUEST, "the query is not in UTF-8") from None


async def _body_of(request: Request) -> bytes:
    """Return what a request brings along.

    Raises:
        HTTPException: it is too long, or too slow.
    """
    body = bytearray()
    size = 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for piece in request.stream():
                size += len(piece)
                if size <= LARGEST_BODY:
                    body += piece
                elif size > MOST_READ:
                    break
    except TimeoutError:
        raise HTTPException(HTTPStatus.REQUEST_TIMEOUT, "the request did not arrive") from None
    if size > LARGEST_BODY:
        raise HTTPException(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            f"the request is longer than {LARGEST_BODY:,} bytes",
        )
    return bytes(body)


def chosen(accepted: str, offered: Sequence[str]) -> str | None:
    """Return the media type that is liked best among those offered; None if none is liked.

    Args:
        offered: Media types, the best first: it is taken among those that are liked equally.
    """
    ranges = [_range(part) for part in accepted.split(",") if part.strip()]
    ranges = ranges or [("*/*", 1.0)]

    def liking(media_type: str) -> float:
        kind = media_type.partition("/")[0]
        for pattern in (media_type, f"{kind}/*", "*/*"):
            liked = [quality for name, quality in ranges if name == pattern]
            if liked:
                return max(liked)
        return 0.0

    best = max(offered, key=liking)
    return best if liking(best) > 0 else None


def _range(part: str) -> tuple[str, float]:
    """Return a part of the header Accept: a pattern, and how much it is liked."""
    name, *parameters = (piece.strip().lower() for piece in part.split(";"))
    quality = 1.0
    for parameter in parameters:
        key, _, value = parameter.partition("=")
        if key.strip() == "q":
            try:
                quality = float(value)
            except ValueError:
                quality = 0.0
    return name, quality if quality >= 0 else 0.0
