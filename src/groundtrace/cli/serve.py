"""``groundtrace serve``: a SPARQL endpoint for notebooks and graph tools."""

import errno
import ipaddress
import socket
from pathlib import Path
from typing import Annotated

import typer

from groundtrace.cli.messages import say
from groundtrace.errors import InputError, missing_package

MOST_JOBS = 32
MOST_NAMED = 4

Files = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[FILE...]",
        help="RDF (.trig, .nq, .ttl, .jsonld), or records (.json, .jsonl).",
    ),
]


def serve_command(
    files: Files = None,
    store: Annotated[
        Path | None, typer.Option("--store", metavar="DIR", help="A knowledge base on disk.")
    ] = None,
    host: Annotated[
        str, typer.Option(metavar="NAME", help="Where to listen: only this machine, by default.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, metavar="N", help="0 takes one that is free.")
    ] = 8787,
    jobs: Annotated[
        int, typer.Option(min=1, max=MOST_JOBS, metavar="N", help="Queries to answer at once.")
    ] = 2,
    limit: Annotated[
        int,
        typer.Option(min=0, metavar="ROWS", help="Cut answers there; 0 for no limit."),
    ] = 10_000,
    time_limit: Annotated[
        float, typer.Option(min=0.1, metavar="SECONDS", help="End a query after this time.")
    ] = 60.0,
) -> None:
    """Answer SPARQL queries over HTTP, at /sparql; with a page at / to try them on.

    For notebooks and graph tools, by the SPARQL 1.1 protocol. Nothing can be changed, and nothing
    is fetched for a query. What is exported into the knowledge base meanwhile is seen by the next
    query; files are read at the start.

    An answer of more rows than --limit is cut, and then has the header X-Groundtrace-More: true.
    Most programs do not look at it: use --limit 0 for those, or ask them for ORDER BY with LIMIT
    and OFFSET. A query that takes too long gets status 504, one that waits too long 503.

    Example: groundtrace serve data/clinical.json data/graphs/graph.json
    """
    name = _named(files or [], store)
    try:
        from groundtrace.knowledge.ask.asker_pool import Askers
        from groundtrace.knowledge.serve.endpoint import Limits, Service, serve
    except ModuleNotFoundError as error:
        raise missing_package("the endpoint needs", "serve", error.name) from None
    from groundtrace.knowledge.ask.sources import Source

    source = Source(tuple(files or ()), str(store) if store is not None else None)
    with _listening(host, port) as listener, Askers(source, jobs) as askers:
        address = _address(host, listener)
        if not _is_local(listener):
            say(f"whoever can reach {host} can read everything in {name}: there is no password")

        def ready() -> None:
            say(f"serving {name} at {address}, SPARQL at {address}sparql; Ctrl-C ends it")

        service = Service(askers, host, Limits(time_limit, limit), name, say)
        try:
            serve(service, listener, ready)
        except KeyboardInterrupt:
            say("ended")


def _named(files: list[str], store: Path | None) -> str:
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


def _listening(host: str, port: int) -> socket.socket:
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
