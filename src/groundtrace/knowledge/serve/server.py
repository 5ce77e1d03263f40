"""A SPARQL endpoint that runs until it is ended."""

import errno
import ipaddress
import socket
from collections.abc import Callable, Sequence
from pathlib import Path

from groundtrace.errors import InputError, missing_package
from groundtrace.knowledge.ask.answering import DEFAULT_ROW_LIMIT
from groundtrace.knowledge.ask.asker import DEFAULT_TIME_LIMIT
from groundtrace.knowledge.ask.sources import Source
from groundtrace.models import arguments

DEFAULT_PORT = 8787
MOST_NAMED = 4


def serve(
    *files: str | Path,
    store: str | Path | None = None,
    host: str = "127.0.0.1",
    port: int = DEFAULT_PORT,
    jobs: int = 2,
    limit: int = DEFAULT_ROW_LIMIT,
    time_limit: float = DEFAULT_TIME_LIMIT,
    tell: Callable[[str], None] = lambda line: None,
) -> None:
    """Answer SPARQL queries over HTTP until Ctrl-C; nothing can be changed.

    Args:
        files: RDF, or records as JSON; read at the start.
        store: Folder of a knowledge base, instead.
        host: Where to listen; only this machine, by default.
        port: 0 takes one that is free.
        jobs: Queries to answer at once.
        limit: Rows at which an answer is cut; 0 for no limit.
        time_limit: Seconds after which a query is ended.
        tell: Takes lines for people, such as the address.

    Raises:
        InputError: the source or the address cannot be used.
        ModelError: a package is missing.
        ArgumentError: an argument has the wrong type.
    """
    named = arguments.paths("files", files)
    folder = None if store is None else str(arguments.path("store", store))
    for option, value, least in (("port", port, 0), ("jobs", jobs, 1), ("limit", limit, 0)):
        if arguments.whole(option, value) < least:
            raise InputError(f"{option}: expected a number from {least}, got {value}")
    if not arguments.number("time_limit", time_limit) > 0:
        raise InputError(f"time_limit: expected a number above 0, got {time_limit}")
    name = _name_of(named, folder)
    try:
        from groundtrace.knowledge.ask.asker_pool import Askers
        from groundtrace.knowledge.serve import endpoint
    except ModuleNotFoundError as error:
        raise missing_package("the endpoint needs", "serve", error.name) from None

    source = Source(named, folder)
    with _socket_at(host, port) as listener, Askers(source, jobs) as askers:
        address = _address(host, listener)
        if not _is_local(listener):
            tell(f"whoever can reach {host} can read everything in {name}: there is no password")

        def ready() -> None:
            tell(f"serving {name} at {address}, SPARQL at {address}sparql; Ctrl-C ends it")

        limits = endpoint.Limits(time_limit, limit)
        try:
            endpoint.serve(endpoint.Service(askers, host, limits, name, tell), listener, ready)
        except KeyboardInterrupt:
            tell("ended")


def _name_of(files: Sequence[str], store: str | None) -> str:
    """Return what to call the sources in a line.

    Raises:
        InputError: they are not files, or one knowledge base.
    """
    if bool(files) == (store is not None):
        raise InputError("expected files, or --store DIR")
    if "-" in files:
        raise InputError("-: expected a file; it is read by several processes")
    more = f" and {len(files) - MOST_NAMED:,} more" if len(files) > MOST_NAMED else ""
    return f"{', '.join(files[:MOST_NAMED])}{more}" if files else str(store)


def _socket_at(host: str, port: int) -> socket.socket:
    """Return a socket at which requests can come in.

    Raises:
        InputError: there cannot be one.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        return socket.create_server(address[:2], family=family, backlog=128)
    except socket.gaierror:
        raise InputError(f"--host {host}: there is no such name or address") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise InputError(
                f"--port {port}: in use by another program; name another, or 0 for a free one"
            ) from None
        raise InputError(f"cannot listen at {host}, port {port}: {error.strerror}") from None


def _is_local(listener: socket.socket) -> bool:
    return ipaddress.ip_address(listener.getsockname()[0].partition("%")[0]).is_loopback


def _address(host: str, listener: socket.socket) -> str:
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{listener.getsockname()[1]}/"
