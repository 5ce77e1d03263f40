"""The parts of evidence graphs as RDF: triplets as edges, and as resources with votes and roles."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pyoxigraph import Literal, NamedNode

from groundtrace.knowledge.rdf.concepts import Naming, parts_of
from groundtrace.knowledge.rdf.findings import write_finding
from groundtrace.knowledge.rdf.iris import concept_iri, predicate_iri
from groundtrace.knowledge.rdf.record_heads import Draft
from groundtrace.knowledge.rdf.resources import Writing
from groundtrace.knowledge.rdf.terms import (
    CRITICAL_TRIPLET,
    CRITICALLY_LEADS_TO,
    DISTANCE,
    DROPPED_FOR,
    EXTRACTOR,
    FILLED,
    HAS_EXTRACTOR,
    HAS_STEP,
    HAS_TRIPLET,
    LABEL,
    LEADS_TO,
    STEP,
    STEP_TRIPLET,
    TRIPLET,
    VOTED_BY,
    VOTES,
)
from groundtrace.models.graph import (
    Dropped,
    GraphWarning,
)
from groundtrace.models.names import normal

Parts = tuple[str, str, str]


class GraphWriter:
    """Writes the parts of one graph."""

    def __init__(self, draft: Draft) -> None:
        """Begin with no triplet."""
        self.draft = draft
        self.record = draft.record
        self.naming = Naming(draft.sink)
        self._members: dict[Parts, Writing] = {}
        self._given = False
        self._critical: dict[Parts, Writing] = {}
        self._extractors: dict[str, Writing] = {}

    def items(self, owner: Writing, property_: NamedNode, values: Iterable[Any]) -> None:
        """Write the triplets among some items.

        Args:
            owner: What they belong to: the record, or an extraction.
        """
        for value in values:
            self._item(owner, property_, value)

    def _item(self, owner: Writing, property_: NamedNode, item: Any) -> None:
        parts = parts_of(item)
        if parts is None:
            return
        node = self._triplet(owner, property_, parts)
        if not isinstance(item, Mapping):
            return
        votes, models, filled = item.get("votes"), item.get("models"), item.get("filled")
        if type(votes) is not int or not isinstance(models, list) or type(filled) is not bool:
            return
        node.set(VOTES, votes)
        node.set(FILLED, filled or None)
        node.link(VOTED_BY, *(self.extractor(name) for name in models if isinstance(name, str)))

    def _triplet(self, owner: Writing, property_: NamedNode, parts: Parts) -> Writing:
        node = owner.part("triplet", property_, TRIPLET)
        self.naming.triplet(node, parts)
        if property_ is HAS_TRIPLET:
            self._members.setdefault(parts, node)
        return node

    def extractor(self, name: str) -> Writing:
        """Return a model that gave triplets, described once."""
        if name not in self._extractors:
            self._extractors[name] = self.record.part("extractor", HAS_EXTRACTOR, EXTRACTOR)
            self._extractors[name].set(LABEL, name)
        return self._extractors[name]

    def critical(self, triplets: Iterable[Any]) -> None:
        """Mark the critical triplets.

        Where the graph that was reduced is known, one that is not in it is written, but does not
        become a part of it; otherwise all are its parts.
        """
        self._given = bool(self._members)
        otherwise = CRITICAL_TRIPLET if self._given else HAS_TRIPLET
        for parts in filter(None, map(parts_of, triplets)):
            node = self._members.get(parts) or self._critical.get(parts)
            if node is None:
                node = self._triplet(self.record, otherwise, parts)
            if parts not in self._critical:
                self.record.link(CRITICAL_TRIPLET, node)
            self._critical[parts] = node

    def dropped(self, dropped: Sequence[Dropped]) -> None:
        """Write why the other triplets are not critical, and what stands for a shortcut.

        The critical ones come first.
        """
        told: set[int] = set()
        for one in dropped:
            node = self._members.get(one.triplet)
            if node is None and not self._given:
                node = self._triplet(self.record, HAS_TRIPLET, one.triplet)
            if node is None or node.number in told:
                continue
            node.set(DROPPED_FOR, one.reason)
            told.add(node.number)
            steps = [self._critical.get(step) for step in one.path or ()]
            for step in filter(None, steps):
                node.part("step", HAS_STEP, STEP).link(STEP_TRIPLET, step)

    def edges(self, backwards: Sequence[str] = (), conclusion: str | None = None) -> None:
        """Write the members as direct edges, and how far each concept is from the conclusion.

        Args:
            backwards: Predicates along which reasoning runs from object to subject.
            conclusion: As it was written; None if there is none.
        """
        turned = set(map(normal, backwards))
        arrows: dict[NamedNode, set[NamedNode]] = {}
        say = self.draft.sink.say
        for parts in {**self._members, **self._critical}:
            subject, object_ = concept_iri(parts[0]), concept_iri(parts[2])
            ends = (object_, subject) if normal(parts[1]) in turned else (subject, object_)
            if parts in self._members:
                say(subject, predicate_iri(parts[1]), object_)
                say(ends[0], LEADS_TO, ends[1])
            if parts in self._critical:
                say(ends[0], CRITICALLY_LEADS_TO, ends[1])
                arrows.setdefault(ends[1], set()).add(ends[0])
        if conclusion is not None:
            for concept, steps in _distances(concept_iri(conclusion), arrows).items():
                say(concept, DISTANCE, Literal(steps))

    def warnings(self, warnings: Iterable[GraphWarning]) -> None:
        """Write what a reader of the graph should know."""
        for one in warnings:
            write_finding(self.record, one.kind, "warning", one.subject, one.message)


def _distances(
    conclusion: NamedNode, arrows: Mapping[NamedNode, Iterable[NamedNode]]
) -> dict[NamedNode, int]:
    """Return the least number of critical steps from each concept to the conclusion."""
    distances = {conclusion: 0}
    waiting = deque([conclusion])
    while waiting:
        reached = waiting.popleft()
        for concept in arrows.get(reached, ()):
            if concept not in distances:
                distances[concept] = distances[reached] + 1
                waiting.append(concept)
    return distances
