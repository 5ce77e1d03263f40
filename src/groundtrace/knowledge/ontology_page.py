"""Makes docs/ontology.md from ontology/groundtrace.ttl.

Run it as ``python -m groundtrace.knowledge.ontology_page > docs/ontology.md``.
"""

import sys
from collections.abc import Callable, Iterable, Sequence

from pyoxigraph import NamedNode

from groundtrace.knowledge.rdf.resource_reading import Reading, graph_of
from groundtrace.knowledge.rdf.terms import GT, LABEL, PREFIXES, TYPE
from groundtrace.knowledge.reason.axioms import ontology, short

_HEAD = """\
# The ontology

What the records of groundtrace mean when they are kept as RDF. The ontology is
[`ontology/groundtrace.ttl`](../ontology/groundtrace.ttl), version {version}, in OWL 2 DL; its name
is <https://w3id.org/groundtrace/ontology>. It opens in Protégé and needs no network.

A record is a trace, an audit, an evidence graph or a reward. Each stands in a graph of its own,
which is named after it; the default graph lists all records and describes the runs that made them.

In the sources, “Kohli et al.” is “Reference-Free Evaluation of Reasoning in Open-Ended Question
Answering”, and “MedCEG paper” is “MedCEG: Reinforcing Verifiable Medical Reasoning with Critical
Evidence Graph”.

This page is made from the ontology:

```sh
python -m groundtrace.knowledge.ontology_page > docs/ontology.md
```
"""
_KINDS = {
    "Class": "class",
    "ObjectProperty": "property",
    "DatatypeProperty": "property",
    "AnnotationProperty": "property",
    "NamedIndividual": "individual",
}
"""Of terms, with the first word of the anchor: gt:Predicate is not gt:predicate."""

_DATATYPES = {
    "string": "text",
    "integer": "whole number",
    "double": "number",
    "boolean": "yes or no",
}
_OWL, _RDFS, _DCTERMS, _XSD = (PREFIXES[name] for name in ("owl", "rdfs", "dcterms", "xsd"))


def _owl(name: str) -> NamedNode:
    return NamedNode(_OWL + name)


_COMMENT, _DOMAIN, _RANGE, _SUBCLASS, _SUBPROPERTY = (
    NamedNode(_RDFS + name)
    for name in ("comment", "domain", "range", "subClassOf", "subPropertyOf")
)
_SOURCE = NamedNode(f"{_DCTERMS}source")
_FIRST, _REST = (NamedNode(PREFIXES["rdf"] + name) for name in ("first", "rest"))
_EQUIVALENT, _ONE_OF, _UNION, _INTERSECTION, _MEMBERS = map(
    _owl, ("equivalentClass", "oneOf", "unionOf", "intersectionOf", "members")
)

_GRAPH = graph_of(ontology())


def page() -> str:
    """Return the page, in Markdown."""
    version = Reading(_GRAPH, GT.rstrip("#")).value(_owl("versionInfo"))
    sections = [
        _HEAD.format(version=version),
        _section("Prefixes", ("prefix", "namespace"), _prefixes()),
        _section("Classes", ("class", "what it is", "kind of", "source"), _rows("Class", _class)),
        _section(
            "Properties that lead to things",
            ("property", "what it says", "of", "leads to", "how many", "source"),
            _rows("ObjectProperty", _property),
        ),
        _section(
            "Properties with plain values",
            ("property", "what it says", "of", "value", "how many", "source"),
            _rows("DatatypeProperty", _property),
        ),
        _section(
            "Annotations",
            ("property", "what it says", "source"),
            _rows("AnnotationProperty", lambda _: []),
        ),
        _section(
            "Individuals",
            ("individual", "what it says", "one of", "source"),
            _rows("NamedIndividual", _individual),
        ),
        _section("Never both", ("nothing is two of these",), _disjoint()),
        _section("Terms of others", ("term", "what it is here"), _borrowed()),
    ]
    return "\n".join(sections)


def _section(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a heading and a table."""
    lines = [columns, ["---"] * len(columns), *rows]
    cells = ("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
    return "\n".join([f"## {title}", "", *cells, ""])


def _terms(kind: str) -> list[Reading]:
    """Return the terms of a kind, by name."""
    found = [Reading(_GRAPH, iri) for iri in _GRAPH]
    wanted = [one for one in found if one.is_a(_owl(kind)) and ":" in short(one.iri)]
    return sorted(wanted, key=lambda one: (short(one.iri).lower(), one.iri))


def _rows(kind: str, row: Callable[[Reading], list[str]]) -> Iterable[list[str]]:
    """Yield a row for each of our terms of a kind."""
    for term in _terms(kind):
        if term.iri.startswith(GT):
            anchor = f'<a id="{_anchor(kind, term.iri)}"></a>`{short(term.iri)}`'
            told = f"*{term.value(LABEL)}*: {term.value(_COMMENT)}"
            yield [anchor, told, *row(term), str(term.value(_SOURCE))]


def _anchor(kind: str, iri: str) -> str:
    return f"{_KINDS[kind]}-{iri.removeprefix(GT)}"


def _class(term: Reading) -> list[str]:
    names = [iri for iri in term.iris(_SUBCLASS) if iri.startswith("http")]
    for other in term.linked(_EQUIVALENT):
        names += [one for one in _list(other, _INTERSECTION) if one.startswith("http")]
        if members := _list(other, _ONE_OF):
            return [f"closed list: {_linked(members)}"]
    return [_linked(sorted(names))]


def _property(term: Reading) -> list[str]:
    above = [Reading(_GRAPH, iri) for iri in term.iris(_SUBPROPERTY)]
    meant = term if term.iris(_DOMAIN) or not above else above[0]
    many = "one at most" if term.is_a(_owl("FunctionalProperty")) else "any number"
    domain, range_ = (
        ", ".join(_named(one) for one in meant.linked(property_)) for property_ in (_DOMAIN, _RANGE)
    )
    return [domain, range_, many]


def _named(node: Reading) -> str:
    """Return what a domain or range allows."""
    if node.iri.startswith(_XSD):
        return _DATATYPES[node.iri.removeprefix(_XSD)]
    if values := _list(node, _ONE_OF):
        return " or ".join(f"`{value}`" for value in values)
    union = _list(node, _UNION)
    if union and union[0].startswith(_XSD):
        return " or ".join(_named(Reading(_GRAPH, one)) for one in union)
    return _linked(union or [node.iri])


def _individual(term: Reading) -> list[str]:
    return [_linked(iri for iri in term.iris(TYPE) if iri.startswith(GT))]


def _disjoint() -> Iterable[list[str]]:
    """Yield the lists of classes that exclude each other, the shortest first."""
    nodes = [Reading(_GRAPH, iri) for iri in _GRAPH]
    lists = [_list(one, _MEMBERS) for one in nodes if one.is_a(_owl("AllDisjointClasses"))]
    return ([_linked(one)] for one in sorted(lists, key=lambda one: (len(one), one)))


def _borrowed() -> Iterable[list[str]]:
    for kind in _KINDS:
        for term in _terms(kind):
            if not term.iri.startswith(GT):
                yield [f"`{short(term.iri)}`", str(term.value(_COMMENT))]


def _prefixes() -> Iterable[list[str]]:
    return ([f"`{prefix}:`", f"<{namespace}>"] for prefix, namespace in PREFIXES.items())


def _list(node: Reading, property_: NamedNode) -> list[str]:
    """Return the members of an RDF list, in its order; none if there is no list."""
    members = []
    cell = node.only(property_)
    while cell is not None and cell.terms(_FIRST):
        members.append(str(cell.terms(_FIRST)[0].value))
        cell = cell.only(_REST)
    return members


def _linked(iris: Iterable[str]) -> str:
    """Return terms with links to their rows, where they have one."""
    linked = []
    for iri in iris:
        kinds = [kind for kind in _KINDS if Reading(_GRAPH, iri).is_a(_owl(kind))]
        name = f"`{short(iri)}`"
        own = iri.startswith(GT) and kinds
        linked.append(f"[{name}](#{_anchor(kinds[0], iri)})" if own else name)
    return ", ".join(linked)


if __name__ == "__main__":
    sys.stdout.buffer.write(page().encode())
