"""The HTTP client for a chat server: goes nowhere else, takes nothing along, waits only so long."""

import asyncio
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx2
import openai
from openai import AsyncOpenAI

from groundtrace.errors import InputError


def client_for(url: str, key: str, timeout: float, retries: int) -> AsyncOpenAI:
    """Return a client that talks to one server.

    Args:
        timeout: Seconds that one try may take.
        retries: Further tries of a failed call.
    """
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
    # A proxy sees the texts and the key unless they are encrypted.
    encrypted = url.startswith("https:")
    with _without("OPENAI_CUSTOM_HEADERS", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        return AsyncOpenAI(
            base_url=url,
            api_key=key or "none",
            max_retries=retries,
            timeout=timeout,
            http_client=_Client(timeout, limits=limits, trust_env=encrypted),
        )


class _Client(openai.DefaultAsyncHttpxClient):
    """An HTTP client that goes nowhere but where it was sent, and waits only so long.

    The library's own time limit starts anew with every byte that drips in.
    """

    def __init__(self, seconds: float, **options: Any) -> None:
        super().__init__(follow_redirects=False, timeout=seconds, **options)
        self._seconds = seconds

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send a request.

        Raises:
            ReadTimeout: the whole answer did not come in time.
        """
        try:
            async with asyncio.timeout(self._seconds):
                return await super().send(request, **options)
        except TimeoutError as error:
            raise httpx2.ReadTimeout("out of time", request=request) from error


_ENVIRONMENT = threading.Lock()


@contextmanager
def _without(*names: str) -> Iterator[None]:
    """Hide variables of the environment that the library would send to any server."""
    with _ENVIRONMENT:
        yield from _hide(*names)


def _hide(*names: str) -> Iterator[None]:
    hidden = {name: os.environ.pop(name) for name in names if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(hidden)


def read_key(variable: str) -> str:
    """Return the key in a variable of the environment, or "" if there is none.

    Raises:
        InputError: no server can be sent such a key.
    """
    key = os.environ.get(variable, "").strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise InputError(f"the key in {variable} holds characters that no key has")
    return key


def check_url(url: str | None) -> str:
    """Return the address of a server.

    Args:
        url: As the user named it.

    Raises:
        InputError: it is no http or https address.
    """
    if not url:
        raise InputError("no server is named: name one with --base-url")
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        named = parts.username is not None or parts.password is not None
    except ValueError:
        usable = named = False
    if named:
        raise InputError("--base-url: keys belong into the environment, not into the address")
    if not usable or not url.isprintable() or " " in url:
        raise InputError(
            f"--base-url: expected an address such as http://localhost:8000/v1, got {url!r}"
        )
    return url
