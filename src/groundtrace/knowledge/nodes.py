"""Resources while they are written and read: properties with values, and nothing of records."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic_core import from_json, to_json
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Triple

from groundtrace.errors import InputError
from groundtrace.knowledge.minting import part_iri
from groundtrace.knowledge.terms import INDIVIDUALS, INTEGER, JSON, NUMBER, REST, TYPE

Scalar = str | int | float | bool
_TRUTHS = {"true": True, "1": True, "false": False, "0": False}
Graph = Mapping[str, Mapping[str, Sequence[Any]]]
"""Subject and property to terms, by their IRIs."""


class Sink:
    """Collects what is said in one graph."""

    def __init__(self, graph: NamedNode | None) -> None:
        """Begin with nothing.

        Args:
            graph: Its name; None for the default graph.
        """
        self.quads: list[Quad] = []
        self._graph = graph

    def say(self, subject: NamedNode, property_: NamedNode, value: NamedNode | Literal) -> None:
        """Add one statement.

        Args:
            subject: Of what.
            property_: What of it.
            value: The value.
        """
        if self._graph is None:
            self.quads.append(Quad(subject, property_, value))
        else:
            self.quads.append(Quad(subject, property_, value, self._graph))


class Writing:
    """One resource that is being described."""

    __slots__ = ("_count", "iri", "rest", "sink")

    def __init__(self, sink: Sink, iri: NamedNode, *classes: NamedNode) -> None:
        """Name a resource.

        Args:
            sink: Where the statements go.
            iri: Of the resource.
            classes: That it belongs to.
        """
        self.sink = sink
        self.iri = iri
        self.rest: dict[str, Any] = {}
        self._count = 0
        for one in classes:
            sink.say(iri, TYPE, one)

    def link(self, property_: NamedNode, *others: "NamedNode | Writing") -> None:
        """Say that others are values of a property.

        Args:
            property_: Of ours.
            others: Resources.
        """
        for other in others:
            self.sink.say(self.iri, property_, other.iri if isinstance(other, Writing) else other)

    def set(self, property_: NamedNode, value: Scalar | None) -> None:
        """Say the value of a property; of None nothing is said.

        Args:
            property_: Of ours.
            value: A plain value.
        """
        if value is not None:
            self.sink.say(self.iri, property_, Literal(value))

    def choose(self, property_: NamedNode, word: str | None) -> None:
        """Say which of a closed list of individuals a word stands for.

        Args:
            property_: Of ours.
            word: A label, outcome or status; None to say nothing.
        """
        if word is not None:
            self.sink.say(self.iri, property_, INDIVIDUALS[word])

    def words(self, property_: NamedNode, field: str, values: Sequence[str]) -> None:
        """Say texts; they come back sorted, so another order is kept as it was.

        Args:
            property_: Of ours.
            field: The record's name for them.
            values: Any number.
        """
        for value in dict.fromkeys(values):
            self.set(property_, value)
        if list(values) != sorted(set(values)):
            self.rest[field] = list(values)

    def part(self, kind: str, property_: NamedNode, *classes: NamedNode) -> "Writing":
        """Return a new numbered part of this resource; its number keeps the order.

        Args:
            kind: What it is called in IRIs; one kind of part per resource and property_.
            property_: Of ours, that leads to it.
            classes: That it belongs to.
        """
        self._count += 1
        other = Writing(self.sink, part_iri(self.iri, kind, self._count), *classes)
        self.link(property_, other)
        other.set(NUMBER, self._count)
        return other

    def close(self) -> None:
        """Say what only JSON can: fields that groundtrace does not know, odd orders."""
        if self.rest:
            self.keep(REST, self.rest)

    def keep(self, property_: NamedNode, value: Any) -> None:
        """Say a value as JSON.

        Args:
            property_: Of ours.
            value: Anything that JSON holds.
        """
        text = to_json(value, inf_nan_mode="constants").decode()
        self.sink.say(self.iri, property_, Literal(text, datatype=JSON))


def graph_of(statements: Iterable[Triple | Quad]) -> Graph:
    """Return statements by subject and property_.

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

    __slots__ = ("_graph", "_properties", "iri")

    def __init__(self, graph: Graph, iri: str) -> None:
        """Look a resource up; nothing may be said of it.

        Args:
            graph: All that is said.
            iri: Of the resource.
        """
        self._graph = graph
        self._properties = graph.get(iri, {})
        self.iri = iri

    def terms(self, property_: NamedNode) -> Sequence[Any]:
        """Return the values of a property_, in no order.

        Args:
            property_: Of ours.
        """
        return self._properties.get(property_.value, ())

    def is_a(self, kind: NamedNode) -> bool:
        """Say whether it belongs to a class.

        Args:
            kind: The class.
        """
        return kind in self.terms(TYPE)

    def linked(self, property_: NamedNode) -> "list[Reading]":
        """Return the resources that a property leads to, by their numbers.

        Args:
            property_: Of ours.
        """
        others = [Reading(self._graph, iri) for iri in self.iris(property_)]
        if len(others) > 1:
            others.sort(key=lambda other: (other.whole(NUMBER) or 0, other.iri))
        return others

    def iris(self, property_: NamedNode) -> list[str]:
        """Return the IRIs that a property leads to, in no order.

        Args:
            property_: Of ours.

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

        Args:
            property_: Of ours.

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
            property_: Of ours.
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

        Args:
            property_: Of ours.

        Raises:
            InputError: it is no such number.
        """
        found: int | None = self.value(property_, int)
        return found

    def plain(self, property_: NamedNode) -> str | int | None:
        """Return a whole number or a text, as it was written; None if there is none.

        Args:
            property_: Of ours.

        Raises:
            InputError: there are several values.
        """
        text: str | None = self.value(property_)
        if text is not None and self.terms(property_)[0].datatype == INTEGER:
            return self.whole(property_)
        return text

    def flag(self, property_: NamedNode) -> bool:
        """Return a truth value; false if there is none.

        Args:
            property_: Of ours.

        Raises:
            InputError: it is no truth value.
        """
        return bool(self.value(property_, bool))

    def words(self, property_: NamedNode) -> list[str]:
        """Return texts, sorted.

        Args:
            property_: Of ours.

        Raises:
            InputError: a value is no text.
        """
        terms = self.terms(property_)
        if not all(isinstance(term, Literal) for term in terms):
            raise self._odd(property_, "expected texts")
        return sorted(term.value for term in terms)

    def chosen(self, property_: NamedNode) -> str | None:
        """Return the word for an individual of a closed list; None if there is none.

        Args:
            property_: Of ours.

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

        Args:
            property_: Of ours.

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
        found = self.kept(REST)
        if found is not None and not isinstance(found, dict):
            raise self._odd(REST, "expected a JSON object")
        return found or {}

    def _odd(self, property_: NamedNode, problem: str) -> InputError:
        return InputError(f"<{self.iri}> {property_}: {problem}")
