"""Concepts and triplets as RDF, with the spellings that were used."""

from collections.abc import Mapping, Sequence
from typing import Any

from pyoxigraph import NamedNode

from groundtrace.knowledge.rdf.iris import concept_iri, predicate_iri
from groundtrace.knowledge.rdf.resources import Sink, Writing
from groundtrace.knowledge.rdf.terms import (
    ALT_LABEL,
    CONCEPT,
    LABEL,
    OBJECT,
    OBJECT_TEXT,
    PREDICATE,
    PREDICATE_OF,
    PREDICATE_TEXT,
    PREF_LABEL,
    SUBJECT,
    SUBJECT_TEXT,
)
from groundtrace.models.graph import Triplet
from groundtrace.models.names import normal

_TEXTS = (
    (SUBJECT, SUBJECT_TEXT),
    (PREDICATE_OF, PREDICATE_TEXT),
    (OBJECT, OBJECT_TEXT),
)


class Naming:
    """Describes the concepts of one record, each once."""

    def __init__(self, sink: Sink) -> None:
        """Begin with none.

        Args:
            sink: Where the statements go.
        """
        self._sink = sink
        self._labels: dict[NamedNode, str] = {}
        self._others: set[tuple[NamedNode, str]] = set()

    def concept(
        self, node: Writing, property_: NamedNode, text_property: NamedNode, text: str
    ) -> None:
        """Link a resource to what a text names.

        Args:
            property_: That leads to the concept.
            text_property: That holds the text where this record labels the concept otherwise.
            text: As it was written.
        """
        self._link(node, property_, text_property, text, concept_iri(text), CONCEPT)

    def triplet(self, node: Writing, triplet: Sequence[str]) -> None:
        """Describe a triplet by its three parts.

        Args:
            triplet: As it was written.
        """
        for (property_, text_property), text in zip(_TEXTS, triplet, strict=True):
            if property_ is PREDICATE_OF:
                self._link(node, property_, text_property, text, predicate_iri(text), PREDICATE)
            else:
                self.concept(node, property_, text_property, text)

    def _link(
        self,
        node: Writing,
        property_: NamedNode,
        text_property: NamedNode,
        text: str,
        iri: NamedNode,
        kind: NamedNode,
    ) -> None:
        node.link(property_, iri)
        label = self._labels.get(iri)
        if label is None:
            self._labels[iri] = text
            named = Writing(self._sink, iri, kind)
            named.set(LABEL, text)
            named.set(PREF_LABEL, normal(text))
        elif label != text:
            node.set(text_property, text)
            if (iri, text) not in self._others:
                self._others.add((iri, text))
                Writing(self._sink, iri).set(ALT_LABEL, text)


def parts_of(item: Any) -> tuple[str, str, str] | None:
    """Return the three texts of an item of a file; None if it is no triplet.

    Args:
        item: A list or an object.
    """
    parts = [item.get(name) for name in Triplet._fields] if isinstance(item, Mapping) else item
    if not isinstance(parts, list | tuple) or len(parts) != 3:
        return None
    return None if any(not isinstance(part, str) for part in parts) else tuple(parts)
