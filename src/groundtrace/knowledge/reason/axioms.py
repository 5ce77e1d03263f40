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

from groundtrace.knowledge.ontology_files import ONTOLOGY, ontology_directory
from groundtrace.knowledge.rdf.terms import GT, ID, PREFIXES, TYPE

Resource = NamedNode | BlankNode
Facts = Mapping[str, list[Triple]]
"""Of individuals, by the IRI of what they are said of."""

_RDF, _RDFS, _OWL, _XSD = (PREFIXES[name] for name in ("rdf", "rdfs", "owl", "xsd"))
_SAME = NamedNode(f"{_OWL}sameAs")
_BETWEEN_INDIVIDUALS = {_SAME, NamedNode(f"{_OWL}differentFrom")}
_SUBCLASS = NamedNode(f"{_RDFS}subClassOf")
_DATA, _OBJECT, _FUNCTIONAL = (
    NamedNode(f"{_OWL}{name}")
    for name in ("DatatypeProperty", "ObjectProperty", "FunctionalProperty")
)
_IDLE = {NamedNode(f"{_OWL}{name}") for name in ("Ontology", "NamedIndividual")}
# Imports are silent too: a reasoner would fetch them.
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
    own: list[Triple]
    """Of the ontology's individuals."""
    facts: Facts
    """Of other individuals; the likeliest to be contradictory come first."""
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

    Raises:
        InputError: the installation is broken.
    """
    given = {one.triple if isinstance(one, Quad) else one for one in statements}
    others = sorted(given.difference(ontology()), key=str)
    data, links, functional = (
        _declared(kind, [*ontology(), *others]) for kind in (_DATA, _OBJECT, _FUNCTIONAL)
    )
    properties = data | links | _BETWEEN_INDIVIDUALS
    schema = [_readable(one) for one in (*ontology(), *others) if _is_schema(one)]
    own = [one for one in ontology() if _is_fact(one, properties)]
    facts: dict[str, list[Triple]] = {}
    faults = []
    for one in others:
        if _is_fact(one, properties) and isinstance(one.subject, Resource):
            if problem := _problem(one, data, links):
                faults.append(Fault(one.subject.value, problem))
            facts.setdefault(one.subject.value, []).append(_readable(one))
    above: set[tuple[object, object]] = {
        (one.subject, one.object) for one in schema if one.predicate == _SUBCLASS
    }
    order = sorted(facts.items(), key=lambda pair: not _is_odd(pair[1], functional, above))
    return Axioms(schema, own, dict(order), faults)


def _declared(kind: NamedNode, statements: Iterable[Triple]) -> set[Resource]:
    """Return the properties of a kind."""
    return {
        one.subject
        for one in statements
        if one.predicate == TYPE and one.object == kind and isinstance(one.subject, Resource)
    }


def _is_schema(one: Triple) -> bool:
    """Say whether a statement is about classes and properties, and not silent."""
    if one.predicate == TYPE:
        return isinstance(one.object, NamedNode) and one.object not in _IDLE and _of_owl(one.object)
    return _of_owl(one.predicate) and one.predicate not in _SILENT | _BETWEEN_INDIVIDUALS


def _is_fact(one: Triple, properties: set[Resource]) -> bool:
    """Say whether a statement is about an individual."""
    if one.predicate == TYPE:
        return not (isinstance(one.object, NamedNode) and _of_owl(one.object))
    return one.predicate in properties


def _of_owl(name: NamedNode) -> bool:
    return name.value.startswith((_OWL, _RDFS, _RDF))


def _problem(one: Triple, data: set[Resource], links: set[Resource]) -> str | None:
    """Return what is wrong with a value; None if a reasoner can read it."""
    value, name = one.object, short(one.predicate.value)
    if not isinstance(value, Literal):
        wrong = one.predicate in data and one.predicate not in links
        return f"{name} leads to a resource; expected a plain value" if wrong else None
    if one.predicate not in data:
        return f"{name} has the plain value {value.value[:40]!r}; expected a resource"
    pattern = _WELL_FORMED.get(value.datatype.value)
    if pattern and not pattern.fullmatch(value.value):
        return f"{name}: {value.value[:40]!r} is no {short(value.datatype.value)}"
    return None


def _readable(one: Triple) -> Triple:
    """Return a statement that HermiT reads as it is meant.

    Its parser loses escapes, so that texts become others, or hold what it refuses. All that counts
    is which texts are equal.
    """
    text = one.object
    if not isinstance(text, Literal) or _PLAIN.fullmatch(text.value):
        return one
    code = "text " + hashlib.sha256(text.value.encode()).hexdigest()
    coded = Literal(code, language=text.language) if text.language else Literal(code)
    return Triple(one.subject, one.predicate, coded)


def _is_odd(
    facts: Iterable[Triple], functional: set[Resource], above: set[tuple[object, object]]
) -> bool:
    """Say whether there are two values of a property, or classes, where one is usual."""
    used = [one.predicate for one in facts if one.predicate in functional]
    kinds = [one.object for one in facts if one.predicate == TYPE]
    lowest = [kind for kind in kinds if not any((other, kind) in above for other in kinds)]
    return len(used) > len(set(used)) or len(lowest) > 1


def ntriples(axioms: Axioms, facts: Facts) -> bytes:
    """Return axioms as HermiT reads them.

    Names are unique: two individuals of ours are never one and the same, unless somebody says so.
    OWL itself would take an outcome that is unheard of for one of the four.

    Args:
        axioms: Of which the schema is written.
        facts: All that are to be written, or some.
    """
    said = [*axioms.own, *(one for some in facts.values() for one in some)]
    same = {end for one in said if one.predicate == _SAME for end in (one.subject, one.object)}
    ours = {end for one in said for end in resources(one) if end.value.startswith((GT, ID))} - same
    names = [Triple(one, _NAME, Literal(place)) for place, one in enumerate(sorted(ours, key=str))]
    kinds = [Triple(_NAME, TYPE, kind) for kind in (_DATA, _FUNCTIONAL)]
    return serialize([*axioms.schema, *said, *kinds, *names], format=RdfFormat.N_TRIPLES) or b""


def resources(fact: Triple) -> Iterator[NamedNode]:
    """Yield the individuals that a fact is about."""
    for end in (fact.subject,) if fact.predicate == TYPE else (fact.subject, fact.object):
        if isinstance(end, NamedNode):
            yield end


def short(iri: str) -> str:
    """Return an IRI with a prefix in place of its namespace, if there is one."""
    for prefix, namespace in PREFIXES.items():
        if iri.startswith(namespace):
            return f"{prefix}:{iri.removeprefix(namespace)}"
    return iri
