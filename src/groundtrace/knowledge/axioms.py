"""What a reasoner reads of some RDF: statements that can contradict each other, and no others.

Labels, comments and JSON mean nothing to a reasoner. Nor does a property that nothing declares,
such as the direct edges between concepts: no axiom speaks of it.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, RdfFormat, Triple, parse, serialize

from groundtrace.knowledge.places import ONTOLOGY, ontology_directory
from groundtrace.knowledge.terms import GT, ID, PREFIXES, TYPE

_RDF, _RDFS, _OWL, _XSD = (PREFIXES[name] for name in ("rdf", "rdfs", "owl", "xsd"))
_SAME = NamedNode(f"{_OWL}sameAs")
_FACTS = {_SAME, NamedNode(f"{_OWL}differentFrom")}
_DATA, _OBJECT, _FUNCTIONAL = (
    NamedNode(f"{_OWL}{name}")
    for name in ("DatatypeProperty", "ObjectProperty", "FunctionalProperty")
)
_IDLE = {NamedNode(f"{_OWL}{name}") for name in ("Ontology", "NamedIndividual")}
# Imports are idle as well: a reasoner would fetch them.
_SILENT = {
    NamedNode(namespace + name)
    for namespace, names in {
        _RDFS: ("label", "comment", "seeAlso", "isDefinedBy"),
        _OWL: ("imports", "versionInfo", "versionIRI", "priorVersion", "deprecated"),
    }.items()
    for name in names
}
_NAME = NamedNode("urn:groundtrace:name")
_PLAIN = re.compile(r"[ !#-\[\]-~]{0,80}")
_DECIMAL = r"[+-]?(\d+(\.\d*)?|\.\d+)"
_WELL_FORMED = {
    f"{_XSD}{name}": re.compile(pattern, re.ASCII)
    for name, pattern in {
        "boolean": "true|false|0|1",
        "integer": r"[+-]?\d+",
        "decimal": _DECIMAL,
        "double": rf"{_DECIMAL}([eE][+-]?\d+)?|[+-]?INF|NaN",
    }.items()
}


class Fault(NamedTuple):
    """A statement that OWL cannot even express."""

    individual: str
    problem: str
    """What is wrong with it, and what was expected."""


class Axioms(NamedTuple):
    """What a reasoner reads."""

    schema: list[Triple]
    """Of classes and properties, the ontology's and others."""
    facts: dict[str, list[Triple]]
    """Of individuals, by what they are said of; the likeliest to be contradictory come first."""
    faults: list[Fault]


@cache
def ontology() -> tuple[Triple, ...]:
    """Return the ontology.

    Raises:
        InputError: the installation is broken.
    """
    quads = parse(path=str(ontology_directory() / ONTOLOGY), format=RdfFormat.TURTLE)
    return tuple(quad.triple for quad in quads)


def axioms_of(statements: Iterable[Quad | Triple]) -> Axioms:
    """Return what a reasoner reads of some RDF and the ontology; graphs are merged.

    Args:
        statements: In any order.

    Raises:
        InputError: the installation is broken.
    """
    given = {one.triple if isinstance(one, Quad) else one for one in statements}
    everything = [*ontology(), *sorted(given.difference(ontology()), key=str)]
    kinds = {
        kind: {one.subject for one in everything if one.predicate == TYPE and one.object == kind}
        for kind in (_DATA, _OBJECT, _FUNCTIONAL)
    }
    axioms = Axioms([], {}, [])
    for one in everything:
        if _is_schema(one):
            axioms.schema.append(_readable(one))
        elif one.predicate in kinds[_DATA] or one.predicate in kinds[_OBJECT]:
            if problem := _problem(one, one.predicate in kinds[_DATA]):
                axioms.faults.append(Fault(one.subject.value, problem))
            axioms.facts.setdefault(one.subject.value, []).append(_readable(one))
        elif one.predicate in _FACTS or (one.predicate == TYPE and one.object not in _IDLE):
            axioms.facts.setdefault(one.subject.value, []).append(one)
    odd = kinds[_FUNCTIONAL] | {TYPE}
    order = sorted(axioms.facts.items(), key=lambda pair: not _says_much(pair[1], odd))
    return axioms._replace(facts=dict(order))


def _is_schema(one: Triple) -> bool:
    """Say whether a statement is about classes and properties, and not idle."""
    if one.predicate == TYPE:
        kind = one.object
        return isinstance(kind, NamedNode) and kind not in _IDLE and _of_owl(kind)
    return _of_owl(one.predicate) and one.predicate not in _SILENT | _FACTS


def _of_owl(name: NamedNode) -> bool:
    return name.value.startswith((_OWL, _RDFS, _RDF))


def _problem(one: Triple, data: bool) -> str | None:
    """Return what is wrong with a value; None if it can be read."""
    value, name = one.object, short(one.predicate.value)
    if not isinstance(value, Literal):
        return f"{name} leads to a resource; expected a plain value" if data else None
    if not data:
        return f"{name} has the plain value {value.value[:40]!r}; expected a resource"
    pattern = _WELL_FORMED.get(value.datatype.value)
    if pattern and not pattern.fullmatch(value.value):
        return f"{name}: {value.value[:40]!r} is no {short(value.datatype.value)}"
    return None


def _readable(one: Triple) -> Triple:
    """Return a statement that HermiT reads as it is meant.

    Its parser loses escapes, so that texts become others, or characters that it refuses. All that
    counts is which texts are equal.
    """
    text = one.object
    if not isinstance(text, Literal) or _PLAIN.fullmatch(text.value):
        return one
    code = "text " + hashlib.sha256(text.value.encode()).hexdigest()
    coded = Literal(code, language=text.language) if text.language else Literal(code)
    return Triple(one.subject, one.predicate, coded)


def _says_much(facts: Iterable[Triple], properties: set[NamedNode | BlankNode]) -> bool:
    """Say whether one property has several values, which is often too many."""
    used = [one.predicate for one in facts if one.predicate in properties]
    return len(used) > len(set(used))


def ntriples(schema: Iterable[Triple], facts: Mapping[str, Iterable[Triple]]) -> bytes:
    """Return axioms as HermiT reads them.

    Names are unique: two individuals of ours are never one and the same, unless somebody says so.
    OWL itself would take an outcome that is unheard of for one of the four.

    Args:
        schema: As in :class:`Axioms`.
        facts: Of some individuals, or all.
    """
    said = [one for some in facts.values() for one in some]
    same = {end for one in said if one.predicate == _SAME for end in (one.subject, one.object)}
    ours = {end for one in said for end in _individuals(one)} - same
    names = [Triple(one, _NAME, Literal(place)) for place, one in enumerate(sorted(ours, key=str))]
    kinds = [Triple(_NAME, TYPE, kind) for kind in (_DATA, _FUNCTIONAL)]
    written = serialize([*schema, *said, *kinds, *names], format=RdfFormat.N_TRIPLES)
    return written or b""


def _individuals(one: Triple) -> Iterator[NamedNode]:
    """Yield the individuals of ours that a fact is about."""
    for end in (one.subject,) if one.predicate == TYPE else (one.subject, one.object):
        if isinstance(end, NamedNode) and end.value.startswith((GT, ID)):
            yield end


def short(iri: str) -> str:
    """Return an IRI with a prefix in place of its namespace, if there is one.

    Args:
        iri: Of anything.
    """
    for prefix, namespace in PREFIXES.items():
        if iri.startswith(namespace):
            return f"{prefix}:{iri.removeprefix(namespace)}"
    return iri
