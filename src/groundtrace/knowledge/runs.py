"""Runs: which version, rule files, constants and labeller made a record (PROV-O)."""

from collections.abc import Mapping
from json import dumps
from typing import Any

from pyoxigraph import NamedNode

from groundtrace.knowledge.minting import agent_iri, digest
from groundtrace.knowledge.node_reading import Reading
from groundtrace.knowledge.node_writing import Sink, Writing
from groundtrace.knowledge.terms import (
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


def run_digest(provenance: Mapping[str, Any]) -> str:
    """Return what tells runs apart; the same for the same settings.

    Args:
        provenance: As in files.
    """
    return digest(dumps(provenance, sort_keys=True))


def write_run(sink: Sink, kind: NamedNode, provenance: Mapping[str, Any]) -> NamedNode:
    """Describe a run, and return its IRI.

    Args:
        sink: Of the catalogue.
        kind: Of run.
        provenance: As in files; what has no property, or an odd shape, is kept as JSON.
    """
    name = kind.value.rpartition("#")[2].lower().removesuffix("run")
    run = Writing(sink, NamedNode(f"{ID}run/{name}-{run_digest(provenance)}"), kind)
    run.rest.update(provenance)
    _write_agents(run)
    _write_rules(run)
    if _all_are(run.rest.get("constants"), str, int):
        for name, value in sorted(run.rest.pop("constants").items()):
            constant = Writing(sink, agent_iri("constant", f"{name} {value!r}"), CONSTANT)
            constant.set(LABEL, name)
            constant.set(VALUE, value)
            run.link(HAS_CONSTANT, constant)
    for field, property_ in _NUMBERS.items():
        if type(run.rest.get(field)) is int:
            run.set(property_, run.rest.pop(field))
    run.close()
    return run.iri


def _write_agents(run: Writing) -> None:
    version, labeller = run.rest.get("version"), run.rest.get("labeller")
    if isinstance(version, str):
        del run.rest["version"]
        software = Writing(run.sink, agent_iri("software", f"groundtrace {version}"), SOFTWARE)
        software.set(LABEL, "groundtrace")
        software.set(VERSION, version)
        run.link(WAS_ASSOCIATED_WITH, software)
    if isinstance(labeller, str):
        del run.rest["labeller"]
        agent = Writing(run.sink, agent_iri("labeller", labeller), LABELLER)
        agent.set(LABEL, labeller)
        run.link(WAS_ASSOCIATED_WITH, agent)


def _write_rules(run: Writing) -> None:
    if _all_are(run.rest.get("rules"), str):
        for path, hash_ in sorted(run.rest.pop("rules").items()):
            file = Writing(run.sink, agent_iri("rule-file", f"{path} {hash_!r}"), RULE_FILE)
            file.set(PATH, path)
            file.set(HASH, hash_)
            run.link(USED, file)
    overlays = run.rest.get("overlays")
    if overlays and isinstance(overlays, list) and all(isinstance(one, str) for one in overlays):
        run.words(OVERLAY, "overlays", run.rest.pop("overlays"))


def _all_are(values: Any, *kinds: type) -> bool:
    """Say whether some named values can be properties: there are some, each of a plain kind."""
    return (
        isinstance(values, dict)
        and bool(values)
        and all(type(value) in kinds for value in values.values())
    )


def read_run(run: Reading) -> dict[str, Any]:
    """Return the provenance that a run stands for, as in files.

    Args:
        run: As read.

    Raises:
        InputError: it is damaged.
    """
    provenance: dict[str, Any] = {}
    for agent in run.linked(WAS_ASSOCIATED_WITH):
        if agent.is_a(LABELLER):
            provenance["labeller"] = agent.value(LABEL)
        else:
            provenance["version"] = agent.value(VERSION)
    if files := run.linked(USED):
        pairs = sorted((str(file.value(PATH)), file.value(HASH)) for file in files)
        provenance["rules"] = dict(pairs)
    if constants := run.linked(HAS_CONSTANT):
        pairs = sorted((str(one.value(LABEL)), one.plain(VALUE)) for one in constants)
        provenance["constants"] = dict(pairs)
    if overlays := run.words(OVERLAY):
        provenance["overlays"] = overlays
    for field, property_ in _NUMBERS.items():
        if (number := run.whole(property_)) is not None:
            provenance[field] = number
    return provenance | run.rest()
