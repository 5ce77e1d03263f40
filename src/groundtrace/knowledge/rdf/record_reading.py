"""From RDF back to records: each is read from its literal, and its triples must say the same.

The literal is the record; the triples are there to be asked. Who edits one and not the other is
told so: nothing that was said is lost without a word.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from pydantic_core import from_json
from pyoxigraph import DefaultGraph, Literal, NamedNode, Quad, Store, Triple

from groundtrace.errors import InputError
from groundtrace.knowledge.rdf.record_heads import Draft
from groundtrace.knowledge.rdf.records import KINDS, AnyRecord, draft_of, record_from
from groundtrace.knowledge.rdf.terms import ABOUT, DOUBLE, INTEGER, RECORD, TYPE

LONGEST_SHOWN = 120
"""Characters of a part of a statement in messages."""

CURE = "change the record in its JSON file and export it again"
_KINDS = {kind.iri for kind in KINDS}

Statement = tuple[Any, Any, Any]
"""Subject, property and value, so that equal numbers are equal however they are spelled."""

Catalogue = Mapping[Any, Iterable[Triple]]
"""What the default graph says, by subject."""


class Kept(NamedTuple):
    """A record as its literal has it, with what its triples must be."""

    record: AnyRecord
    draft: Draft


def records_of(quads: Iterable[Quad]) -> Iterator[AnyRecord]:
    """Yield the records that some RDF stands for, by their IRIs.

    Raises:
        InputError: a record is damaged, or its triples say something else.
    """
    store = Store()
    store.bulk_extend(map(_in_named_graph, quads))
    yield from records_in(store)


def _in_named_graph(quad: Quad) -> Quad:
    """Return a statement of a graph without a name as one of the catalogue.

    rdflib's JSON-LD has the default graph as such a graph.
    """
    return quad if isinstance(quad.graph_name, NamedNode) else Quad(*quad.triple)


def records_in(store: Store) -> Iterator[AnyRecord]:
    """Yield the records of a store, by their IRIs, one at a time.

    Args:
        store: Of whole records; without graphs, of all that is said of some.

    Raises:
        InputError: a record is damaged, its triples say something else, or the store's files were
            removed meanwhile.
    """
    try:
        yield from _records_in(store)
    except OSError as error:
        # Files are opened when they are needed, and old generations do not stay for ever.
        told = f"the knowledge base cannot be read: {error}; if others write to it, try again"
        raise InputError(told) from None


def _records_in(store: Store) -> Iterator[AnyRecord]:
    """Yield the records of a store.

    Raises:
        InputError: a record is damaged, or its triples say something else.
    """
    catalogue = catalogue_of(triples_in(store, DefaultGraph()))
    names = {name for name in store.named_graphs() if isinstance(name, NamedNode)}
    listed = {one for one, said in catalogue.items() if any(map(_is_head, said))}
    if not names:
        yield from _in_one_graph(catalogue, listed)
        return
    for name in sorted(names | listed, key=lambda name: str(name)):
        graph = triples_in(store, name) if name in names else []
        # Graphs of others may stand there too.
        if name in listed or any(one.subject == name for one in graph):
            yield checked_record(name, graph, catalogue)


def triples_in(store: Store, graph: NamedNode | DefaultGraph) -> list[Triple]:
    """Return what a graph says."""
    return [quad.triple for quad in store.quads_for_pattern(None, None, None, graph)]


def catalogue_of(triples: Iterable[Triple]) -> dict[Any, list[Triple]]:
    """Return the statements of the default graph by subject."""
    catalogue: dict[Any, list[Triple]] = {}
    for one in triples:
        catalogue.setdefault(one.subject, []).append(one)
    return catalogue


def _is_head(triple: Triple) -> bool:
    """Say whether a statement makes its subject a record."""
    return triple.predicate == ABOUT or (triple.predicate == TYPE and triple.object in _KINDS)


def _in_one_graph(catalogue: Catalogue, heads: Iterable[Any]) -> Iterator[AnyRecord]:
    """Yield the records of RDF without graphs, which says everything in one place.

    Raises:
        InputError: a record is damaged, or the triples say something else.
    """
    kept = [kept_record(head, catalogue[head]) for head in sorted(heads, key=str)]
    if not kept:
        return
    expected = chain.from_iterable(one.draft.quads() for one in kept)
    found = chain.from_iterable(catalogue.values())
    compare(kept[0].draft.iri, found, (quad.triple for quad in expected))
    yield from (one.record for one in kept)


def checked_record(name: Any, graph: Iterable[Triple], catalogue: Catalogue) -> AnyRecord:
    """Return the record of a graph, whose triples say the same as its literal.

    Args:
        name: Of the graph and of the record.

    Raises:
        InputError: it is damaged, or they do not.
    """
    graph = list(graph)
    record, draft = kept_record(name, (one for one in graph if one.subject == name))
    entry, own = draft.own_parts()
    compare(name, graph, (quad.triple for quad in own))
    listed = {quad.triple for quad in (*entry, *(draft.run.quads if draft.run else ()))}
    subjects = {one.subject for one in listed}
    said = chain.from_iterable(catalogue.get(subject, ()) for subject in subjects)
    compare(name, said, listed)
    return record


def kept_record(iri: Any, said: Iterable[Triple]) -> Kept:
    """Return a record as its literal has it.

    Args:
        said: Of the record.

    Raises:
        InputError: there is no such literal, or it holds no record, or another one.
    """
    literals = [one.object for one in said if one.predicate == RECORD]
    if len(literals) != 1 or not isinstance(literals[0], Literal):
        raise InputError(f"{iri} gt:record: expected one literal that holds the record; {CURE}")
    try:
        fields = _parsed(literals[0].value)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{iri} gt:record: not valid JSON: {error}") from None
    if not isinstance(fields, dict):
        raise InputError(f"{iri} gt:record: expected a JSON object")
    try:
        record = record_from(fields)
        draft = draft_of(record)
    except InputError as error:
        raise InputError(f"{iri} gt:record: {error}") from None
    if draft.iri != iri:
        raise InputError(f"{iri} gt:record: holds another record, {draft.iri}")
    return Kept(record, draft)


def _parsed(text: str) -> Any:
    """Return what JSON holds, however deep: a support tree may have a hundred levels.

    Raises:
        ValueError: it is no JSON.
    """
    try:
        return from_json(text, allow_inf_nan=False)
    except ValueError as error:
        if "recursion limit" not in str(error):
            raise
    return json.loads(text, parse_constant=_refuse)


def _refuse(constant: str) -> None:
    """Refuse NaN and Infinity, which Python takes for JSON.

    Raises:
        ValueError: always.
    """
    raise ValueError(f"{constant} is no JSON")


def compare(name: Any, found: Iterable[Triple], expected: Iterable[Triple]) -> None:
    """Refuse triples that are not those of the record.

    Args:
        name: Of the record.

    Raises:
        InputError: they are not; the message shows one.
    """
    there, wanted = _statements(found), _statements(expected)
    more, less = there.keys() - wanted.keys(), wanted.keys() - there.keys()
    # rdflib's TriG has seven digits of a number.
    if more == {_shortened(one) for one in less}:
        return
    few = [f"{len(one)} {told}" for one, told in ((more, "too many"), (less, "missing")) if one]
    odd = more or less
    example = min(_shown((there if more else wanted)[one]) for one in odd)
    raise InputError(
        f"{name}: its triples and its gt:record disagree: {', '.join(few)}, such as {example}; "
        f"{CURE}"
    )


def _statements(triples: Iterable[Triple]) -> dict[Statement, Triple]:
    """Return statements by what they say; the literal with the whole record is none of them."""
    return {
        (one.subject, one.predicate, _value(one.object)): one
        for one in triples
        if one.predicate != RECORD
    }


def _value(term: Any) -> Any:
    """Return a term, or the number that it spells."""
    kind = {DOUBLE: float, INTEGER: int}.get(term.datatype) if isinstance(term, Literal) else None
    try:
        return term if kind is None else (kind, kind(term.value))
    except ValueError:
        return term


def _shortened(statement: Statement) -> Statement:
    """Return a statement with seven digits of its number, if it is one with a fraction."""
    subject, property_, value = statement
    if isinstance(value, tuple) and value[0] is float:
        return subject, property_, (float, float(f"{value[1]:e}"))
    return statement


def _shown(triple: Triple) -> str:
    return " ".join(
        text if len(text := str(part)) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
        for part in triple
    )
