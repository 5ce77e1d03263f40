"""``groundtrace serve``: a SPARQL endpoint for notebooks and graph tools."""

from typing import Annotated

import typer

from groundtrace.cli.messages import say
from groundtrace.cli.options import Store

MOST_JOBS = 32

Files = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[FILE...]",
        help="RDF (.trig, .nq, .ttl, .jsonld), or records (.json, .jsonl).",
    ),
]


def serve_command(
    files: Files = None,
    store: Store = None,
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
        typer.Option(min=0, metavar="N", help="Fetch at most N rows; 0 for no limit."),
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
    from groundtrace.knowledge.serve.server import serve

    serve(
        *(files or ()),
        store=store,
        host=host,
        port=port,
        jobs=jobs,
        limit=limit,
        time_limit=time_limit,
        tell=say,
    )
