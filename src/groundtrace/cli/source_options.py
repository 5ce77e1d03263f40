"""Options of the commands that ask a knowledge base."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from groundtrace.cli.options import Store

if TYPE_CHECKING:
    from groundtrace.knowledge.ask.sources import Source


@dataclass(frozen=True)
class SourceOptions:
    """What is asked, by the names of the parameters."""

    store: Store = None
    endpoint: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Ask a server that speaks the SPARQL 1.1 protocol."),
    ] = None
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="Fetch at most N rows.")] = 10_000
    time_limit: Annotated[
        float, typer.Option(min=0.1, metavar="SECONDS", help="End a query after this time.")
    ] = 60.0

    def source(self, files: list[str]) -> "Source":
        """Return what is asked.

        Args:
            files: RDF, or records as JSON.
        """
        from groundtrace.knowledge.ask.sources import Source

        store = None if self.store is None else str(self.store)
        return Source(tuple(files), store, self.endpoint)
