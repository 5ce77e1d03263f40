"""Resources while they are read: properties with values, and nothing of records."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic_core import from_json
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Triple

from groundtrace.errors import InputError
from groundtrace.knowledge.rdf.terms import INDIVIDUALS, INTEGER, NUMBER, REST, TYPE

Graph = Mapping[str, Mapping[str, Sequence[Any]]]
"""Subject and property to terms, by their IRIs."""

_TRUTHS = {"true": True, "1": True, "false": False, "0": False}


def graph_of(statements: Iterable[Triple | Quad]) -> Graph:
    """Return statements by subject and property.

    Args:
        statements: Of one graph, in any order.
    """
    graph: dict[str, dict[str, list[Any]]] = {}
    # The catalogue says some of it once more.
    for one in {one.triple if isinstance(one, Quad) else one for one in statements}:
        properties = graph.setdefault(getattr(one.subject, "value", str(one.subject)), {})
        properties.setdefault(one.predicate.value, []).append(one.object)
    return graph


class Reading:
    """One resource that is being read."""

    __slots__ = ("_graph", "_properties", "_rest", "iri")

    def __init__(self, graph: Graph, iri: str) -> None:
        """Look a resource up; nothing may be said of it.

        Args:
            graph: All that is said.
        """
        self._graph = graph
        self._properties = graph.get(iri, {})
        self._rest: dict[str, Any] | None = None
        self.iri = iri

    def terms(self, property_: NamedNode) -> Sequence[Any]:
        """Return the values of a property, in no order."""
        return self._properties.get(property_.value, ())

    def is_a(self, kind: NamedNode) -> bool:
        """Say whether it belongs to a class."""
        return kind in self.terms(TYPE)

    def linked(self, property_: NamedNode) -> "list[Reading]":
        """Return the resources that a property leads to, by their numbers."""
        others = [Reading(self._graph, iri) for iri in self.iris(property_)]
        if len(others) > 1:
            others.sort(key=lambda other: (other.whole(NUMBER) or 0, other.iri))
        return others

    def iris(self, property_: NamedNode) -> list[str]:
        """Return the IRIs that a property leads to, in no order.

        Raises:
            InputError: a value is no resource.
        """
        terms = self.terms(property_)
        for term in terms:
            if not isinstance(term, NamedNode | BlankNode):
                raise self._odd(property_, "expected a resource")
        return [term.value for term in terms]

    def only(self, property_: NamedNode) -> "Reading | None":
        """Return the resource that a property leads to, if there is one.

        Raises:
            InputError: there are several.
        """
        iris = self.iris(property_)
        if len(iris) > 1:
            raise self._odd(property_, f"expected one resource, found {len(iris)}")
        return Reading(self._graph, iris[0]) if iris else None

    def value(self, property_: NamedNode, kind: "type[Any]" = str) -> Any:
        """Return the value of a property; None if there is none.

        Args:
            kind: Of value: str, int, float or bool.

        Raises:
            InputError: there are several values, or one of another kind.
        """
        terms = self.terms(property_)
        if not terms:
            return None
        if len(terms) > 1 or not isinstance(terms[0], Literal):
            raise self._odd(property_, "expected one literal")
        text = terms[0].value
        try:
            return _TRUTHS[text] if kind is bool else kind(text)
        except (ValueError, KeyError):
            raise self._odd(property_, f"expected {kind.__name__}, found {text[:40]!r}") from None

    def whole(self, property_: NamedNode) -> int | None:
        """Return a whole number; None if there is none.

        Raises:
            InputError: it is no such number.
        """
        found: int | None = self.value(property_, int)
        return found

    def plain(self, property_: NamedNode) -> str | int | None:
        """Return a whole number or a text, as it was written; None if there is none.

        Raises:
            InputError: there are several values.
        """
        text: str | None = self.value(property_)
        if text is not None and self.terms(property_)[0].datatype == INTEGER:
            return self.whole(property_)
        return text

    def flag(self, property_: NamedNode) -> bool:
        """Return a truth value; false if there is none.

        Raises:
            InputError: it is no truth value.
        """
        return bool(self.value(property_, bool))

    def words(self, property_: NamedNode) -> list[str]:
        """Return texts, sorted.

        Raises:
            InputError: a value is no text.
        """
        terms = self.terms(property_)
        if not all(isinstance(term, Literal) for term in terms):
            raise self._odd(property_, "expected texts")
        return sorted(term.value for term in terms)

    def chosen(self, property_: NamedNode) -> str | None:
        """Return the word for an individual of a closed list; None if there is none.

        Raises:
            InputError: it is none of the individuals.
        """
        other = self.only(property_)
        if other is None:
            return None
        word = other.iri.rpartition("#")[2]
        if word not in INDIVIDUALS or INDIVIDUALS[word].value != other.iri:
            raise self._odd(property_, f"there is no such individual: {other.iri}")
        return word

    def kept(self, property_: NamedNode) -> Any:
        """Return a value that was kept as JSON; None if there is none.

        Raises:
            InputError: it is no JSON.
        """
        text = self.value(property_)
        try:
            return None if text is None else from_json(text)
        except ValueError as error:
            raise self._odd(property_, f"not valid JSON: {error}") from None

    def rest(self) -> dict[str, Any]:
        """Return what was kept as JSON beside the properties.

        Raises:
            InputError: it is no JSON object.
        """
        if self._rest is None:
            found = self.kept(REST)
            if found is not None and not isinstance(found, dict):
                raise self._odd(REST, "expected a JSON object")
            self._rest = found or {}
        return self._rest

    def _odd(self, property_: NamedNode, problem: str) -> InputError:
        return InputError(f"<{self.iri}> {property_}: {problem}")
