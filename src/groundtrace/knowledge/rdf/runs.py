"""Runs: which version, rule files, constants and labeller made a record (PROV-O)."""

from collections.abc import Mapping
from functools import lru_cache
from json import dumps, loads
from typing import Any, NamedTuple

from pyoxigraph import NamedNode, Quad

from groundtrace.knowledge.rdf.iris import digest, named_iri
from groundtrace.knowledge.rdf.resources import Sink, Writing
from groundtrace.knowledge.rdf.terms import (
    CONSTANT,
    HAS_CONSTANT,
    HASH,
    ID,
    LABEL,
    LABELLER,
    MAX_TREES,
    MIN_VOTES,
    OVERLAY,
    PATH,
    RULE_FILE,
    SOFTWARE,
    USED,
    VALUE,
    VERSION,
    WAS_ASSOCIATED_WITH,
)

_NUMBERS = {"max_trees": MAX_TREES, "min_votes": MIN_VOTES}


class Run(NamedTuple):
    """What made records, described."""

    iri: NamedNode
    digest: str
    """Tells runs apart; the same for the same settings."""
    quads: tuple[Quad, ...]
    """Of the catalogue."""


def run_of(kind: NamedNode, provenance: Mapping[str, Any]) -> Run | None:
    """Return the run that a provenance describes; None if nothing is known of it.

    Args:
        provenance: As in files; what has no property, or an odd shape, is in the record alone.
    """
    # All records of a run have the same: it is described once.
    return _described(kind, dumps(provenance, sort_keys=True)) if provenance else None


@lru_cache(maxsize=64)
def _described(kind: NamedNode, provenance: str) -> Run:
    name = kind.value.rpartition("#")[2].lower().removesuffix("run")
    settings = digest(provenance)
    run = Writing(Sink(None), NamedNode(f"{ID}run/{name}-{settings}"), kind)
    fields = loads(provenance)
    _write_agents(run, fields)
    _write_rules(run, fields)
    if _all_are(fields.get("constants"), str, int):
        for constant, value in sorted(fields["constants"].items()):
            node = Writing(run.sink, named_iri("constant", f"{constant} {value!r}"), CONSTANT)
            node.set(LABEL, constant)
            node.set(VALUE, value)
            run.link(HAS_CONSTANT, node)
    for field, property_ in _NUMBERS.items():
        if type(fields.get(field)) is int:
            run.set(property_, fields[field])
    return Run(run.iri, settings, tuple(run.sink.quads))


def _write_agents(run: Writing, fields: Mapping[str, Any]) -> None:
    version, labeller = fields.get("version"), fields.get("labeller")
    if isinstance(version, str):
        software = Writing(run.sink, named_iri("software", f"groundtrace {version}"), SOFTWARE)
        software.set(LABEL, "groundtrace")
        software.set(VERSION, version)
        run.link(WAS_ASSOCIATED_WITH, software)
    if isinstance(labeller, str):
        agent = Writing(run.sink, named_iri("labeller", labeller), LABELLER)
        agent.set(LABEL, labeller)
        run.link(WAS_ASSOCIATED_WITH, agent)


def _write_rules(run: Writing, fields: Mapping[str, Any]) -> None:
    if _all_are(fields.get("rules"), str):
        for path, hash_ in sorted(fields["rules"].items()):
            file = Writing(run.sink, named_iri("rule-file", f"{path} {hash_!r}"), RULE_FILE)
            file.set(PATH, path)
            file.set(HASH, hash_)
            run.link(USED, file)
    overlays = fields.get("overlays")
    if isinstance(overlays, list):
        run.words(OVERLAY, (one for one in overlays if isinstance(one, str)))


def _all_are(values: Any, *kinds: type) -> bool:
    """Say whether some named values can be properties: there are some, each of a plain kind."""
    return (
        isinstance(values, dict)
        and bool(values)
        and all(type(value) in kinds for value in values.values())
    )
