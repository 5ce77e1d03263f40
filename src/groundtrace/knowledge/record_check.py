"""The check that no SPARQL can make: do triples say what the literal of their record says?"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyoxigraph import NamedNode, Triple

from groundtrace.errors import InputError
from groundtrace.knowledge.ask.answering import Request
from groundtrace.knowledge.ask.asker import Asker
from groundtrace.knowledge.ask.questions import Question
from groundtrace.knowledge.rdf.record_reading import catalogue_of, checked_record
from groundtrace.knowledge.rdf.records import KINDS

RECORD_CHECK = Question(
    name="record-mismatch",
    path=Path(__file__),
    title="Triples that do not say what their record says",
    answers="records whose triples and whose literal (gt:record) disagree, so that an edit of one "
    "would be lost.",
    parameters=(),
    example="",
    query="",
)
_ALL = "SELECT ?s ?p ?o { ?s ?p ?o }"
_RECORDS = (
    "SELECT DISTINCT ?g { GRAPH ?g { ?g a ?kind } VALUES ?kind { "
    + " ".join(str(kind.iri) for kind in KINDS)
    + " } } ORDER BY ?g"
)


def mismatches(asker: Asker, time_limit: float) -> Iterator[tuple[str, str]]:
    """Yield the IRIs of records whose triples and literal disagree, and in what.

    Args:
        asker: Of the knowledge base.
        time_limit: Seconds that each query may take.

    Raises:
        InputError: the source cannot be read.
        LimitError: a query was ended at its limit.
        ModelError: an endpoint could not be reached or used.
    """

    def triples(query: str) -> list[Triple]:
        return [Triple(*row) for row in _rows(asker, query, time_limit)]

    catalogue = catalogue_of(triples(_ALL))
    for (name,) in _rows(asker, _RECORDS, time_limit):
        if isinstance(name, NamedNode):
            graph = triples(f"SELECT ?s ?p ?o {{ GRAPH {name} {{ ?s ?p ?o }} }}")
            try:
                checked_record(name, graph, catalogue)
            except InputError as error:
                yield name.value, str(error).removeprefix(str(name)).lstrip(": ")


def _rows(asker: Asker, query: str, time_limit: float) -> list[tuple[Any, ...]]:
    return asker.ask(Request(query, trusted=True, most_rows=sys.maxsize), time_limit).rows
