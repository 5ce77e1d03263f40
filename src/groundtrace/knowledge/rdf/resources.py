"""Resources while they are written: properties with values, and nothing of records."""

from collections.abc import Iterable

from pyoxigraph import Literal, NamedNode, Quad

from groundtrace.knowledge.rdf.iris import part_iri
from groundtrace.knowledge.rdf.terms import INDIVIDUALS, NUMBER, TYPE

Scalar = str | int | float | bool


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
        """Add one statement."""
        if self._graph is None:
            self.quads.append(Quad(subject, property_, value))
        else:
            self.quads.append(Quad(subject, property_, value, self._graph))


class Writing:
    """One resource that is being described."""

    __slots__ = ("_count", "iri", "number", "sink")

    def __init__(self, sink: Sink, iri: NamedNode, *classes: NamedNode) -> None:
        """Name a resource.

        Args:
            sink: Where the statements go.
            classes: That it belongs to.
        """
        self.sink = sink
        self.iri = iri
        self.number = 0
        self._count = 0
        for one in classes:
            sink.say(iri, TYPE, one)

    def link(self, property_: NamedNode, *others: "NamedNode | Writing") -> None:
        """Say that others are values of a property."""
        for other in others:
            self.sink.say(self.iri, property_, other.iri if isinstance(other, Writing) else other)

    def set(self, property_: NamedNode, value: Scalar | None) -> None:
        """Say the value of a property; of None nothing is said."""
        if value is not None:
            self.sink.say(self.iri, property_, Literal(value))

    def choose(self, property_: NamedNode, word: str | None) -> None:
        """Say which of a closed list of individuals a word stands for.

        Args:
            word: A label, outcome or status; None to say nothing.
        """
        if word is not None:
            self.sink.say(self.iri, property_, INDIVIDUALS[word])

    def words(self, property_: NamedNode, values: Iterable[str]) -> None:
        """Say texts, each once."""
        for value in dict.fromkeys(values):
            self.set(property_, value)

    def part(self, kind: str, property_: NamedNode, *classes: NamedNode) -> "Writing":
        """Return a new numbered part of this resource; its number keeps the order.

        Args:
            kind: What it is called in IRIs; one kind of part per resource and property.
            property_: Of ours, that leads to it.
            classes: That it belongs to.
        """
        self._count += 1
        other = Writing(self.sink, part_iri(self.iri, kind, self._count), *classes)
        self.link(property_, other)
        other.number = self._count
        other.set(NUMBER, other.number)
        return other
