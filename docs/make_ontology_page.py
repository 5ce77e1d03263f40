"""Makes docs/ontology.md from ontology/groundtrace.ttl.

Run it as ``python docs/make_ontology_page.py > docs/ontology.md``.
"""

import sys
from collections.abc import Callable, Iterable, Sequence

from rdflib import OWL, RDF, RDFS, XSD, BNode, Graph, URIRef
from rdflib.collection import Collection
from rdflib.namespace import DCTERMS
from rdflib.term import Node

from groundtrace.knowledge.ontology_files import ONTOLOGY, ontology_directory
from groundtrace.knowledge.rdf.terms import GT, PREFIXES
from groundtrace.knowledge.reason.axioms import short

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
python docs/make_ontology_page.py > docs/ontology.md
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
_GRAPH = Graph().parse(ontology_directory() / ONTOLOGY, format="turtle")


def page() -> str:
    """Return the page, in Markdown."""
    version = _GRAPH.value(URIRef(GT.rstrip("#")), OWL.versionInfo)
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


def _terms(kind: str) -> list[URIRef]:
    """Return the terms of a kind, by name."""
    found = [one for one in _GRAPH.subjects(RDF.type, OWL[kind]) if isinstance(one, URIRef)]
    wanted = [one for one in found if ":" in short(one)]
    return sorted(wanted, key=lambda one: (short(one).lower(), one))


def _rows(kind: str, row: Callable[[URIRef], list[str]]) -> Iterable[list[str]]:
    """Yield a row for each of our terms of a kind."""
    for term in _terms(kind):
        if term.startswith(GT):
            anchor = f'<a id="{_anchor(kind, term)}"></a>`{short(term)}`'
            told = f"*{_GRAPH.value(term, RDFS.label)}*: {_GRAPH.value(term, RDFS.comment)}"
            yield [anchor, told, *row(term), str(_GRAPH.value(term, DCTERMS.source))]


def _anchor(kind: str, iri: str) -> str:
    return f"{_KINDS[kind]}-{iri.removeprefix(GT)}"


def _class(term: URIRef) -> list[str]:
    names = [one for one in _GRAPH.objects(term, RDFS.subClassOf) if isinstance(one, URIRef)]
    for other in _GRAPH.objects(term, OWL.equivalentClass):
        names += [one for one in _list(other, OWL.intersectionOf) if isinstance(one, URIRef)]
        if members := _list(other, OWL.oneOf):
            return [f"closed list: {_linked(members)}"]
    return [_linked(sorted(names))]


def _property(term: URIRef) -> list[str]:
    above = _GRAPH.value(term, RDFS.subPropertyOf)
    meant = term if above is None or (term, RDFS.domain, None) in _GRAPH else above
    functional = (term, RDF.type, OWL.FunctionalProperty) in _GRAPH
    many = "one at most" if functional else "any number"
    domain, range_ = (
        ", ".join(_named(one) for one in _GRAPH.objects(meant, property_))
        for property_ in (RDFS.domain, RDFS.range)
    )
    return [domain, range_, many]


def _named(node: Node) -> str:
    """Return what a domain or range allows."""
    if str(node).startswith(str(XSD)):
        return _DATATYPES[str(node).removeprefix(str(XSD))]
    if values := _list(node, OWL.oneOf):
        return " or ".join(f"`{value}`" for value in values)
    union = _list(node, OWL.unionOf)
    if union and str(union[0]).startswith(str(XSD)):
        return " or ".join(map(_named, union))
    return _linked(union or [node])


def _individual(term: URIRef) -> list[str]:
    return [_linked(one for one in _GRAPH.objects(term, RDF.type) if str(one).startswith(GT))]


def _disjoint() -> Iterable[list[str]]:
    """Yield the lists of classes that exclude each other, the shortest first."""
    nodes = _GRAPH.subjects(RDF.type, OWL.AllDisjointClasses)
    lists = [_list(one, OWL.members) for one in nodes]
    return ([_linked(one)] for one in sorted(lists, key=lambda one: (len(one), one)))


def _borrowed() -> Iterable[list[str]]:
    for kind in _KINDS:
        for term in _terms(kind):
            if not term.startswith(GT):
                yield [f"`{short(term)}`", str(_GRAPH.value(term, RDFS.comment))]


def _prefixes() -> Iterable[list[str]]:
    return ([f"`{prefix}:`", f"<{namespace}>"] for prefix, namespace in PREFIXES.items())


def _list(node: Node, property_: URIRef) -> list[Node]:
    """Return the members of an RDF list, in its order; none if there is no list."""
    head = _GRAPH.value(node, property_)
    return list(Collection(_GRAPH, head)) if isinstance(head, BNode) else []


def _linked(terms: Iterable[Node]) -> str:
    """Return terms with links to their rows, where they have one."""
    linked = []
    for term in terms:
        iri = str(term)
        kinds = [kind for kind in _KINDS if (term, RDF.type, OWL[kind]) in _GRAPH]
        name = f"`{short(iri)}`"
        own = iri.startswith(GT) and kinds
        linked.append(f"[{name}](#{_anchor(kinds[0], iri)})" if own else name)
    return ", ".join(linked)


if __name__ == "__main__":
    sys.stdout.buffer.write(page().encode())
