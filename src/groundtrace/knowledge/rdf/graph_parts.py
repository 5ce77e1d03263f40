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
    PUBLISHED_ROW,
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
VOTED_FIELDS = {"subject", "predicate", "object", "votes", "models", "filled"}


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

    def items(
        self,
        owner: Writing,
        property_: NamedNode,
        field: str,
        values: Sequence[Any],
    ) -> None:
        """Write the triplets among some items; what they leave out is kept as it was.

        Args:
            owner: What they belong to: the record, or an extraction.
            field: Where the items are kept if they are not all plain triplets.
        """
        plain = [self._item(owner, property_, value) for value in values]
        if not plain or not all(plain):
            owner.rest[field] = list(values)

    def _item(self, owner: Writing, property_: NamedNode, item: Any) -> bool:
        """Write an item, and say whether it can be read again from what was written."""
        parts = parts_of(item)
        if parts is None:
            return False
        node = self._triplet(owner, property_, parts)
        if not isinstance(item, Mapping):
            return True
        votes, models, filled = item.get("votes"), item.get("models"), item.get("filled")
        if type(votes) is not int or not isinstance(models, list) or type(filled) is not bool:
            return False
        node.set(VOTES, votes)
        node.set(FILLED, filled or None)
        known = [self.extractor(name) for name in models if isinstance(name, str)]
        node.link(VOTED_BY, *known)
        places = [one.number for one in known]
        in_order = len(known) == len(models) and places == sorted(set(places))
        return in_order and item.keys() == VOTED_FIELDS

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

    def critical(self, triplets: Sequence[Any], field: str) -> None:
        """Mark the critical triplets.

        Where the graph that was reduced is known, one that is not in it is written, but does not
        become a part of it; otherwise all are its parts.

        Args:
            field: Where the list is kept if the order is not that of the members.
        """
        self._given = bool(self._members)
        otherwise = CRITICAL_TRIPLET if self._given else HAS_TRIPLET
        known = [parts for parts in map(parts_of, triplets) if parts is not None]
        for parts in known:
            node = self._members.get(parts) or self._critical.get(parts)
            if node is None:
                node = self._triplet(self.record, otherwise, parts)
            if parts not in self._critical:
                self.record.link(CRITICAL_TRIPLET, node)
            self._critical[parts] = node
        order = [self._critical[parts].number for parts in known]
        if len(known) < len(triplets) or order != sorted(set(order)):
            self.record.rest[field] = [list(one) for one in triplets]

    def dropped(self, dropped: Sequence[Dropped]) -> None:
        """Write why the other triplets are not critical, and what stands for a shortcut.

        The critical ones come first.
        """
        order: dict[int, None] = {}
        whole = True
        for one in dropped:
            node = self._members.get(one.triplet)
            if node is None and not self._given:
                node = self._triplet(self.record, HAS_TRIPLET, one.triplet)
            if node is None or node.number in order:
                whole = False
                continue
            node.set(DROPPED_FOR, one.reason)
            order[node.number] = None
            steps = [self._critical.get(step) for step in one.path or ()]
            for step in filter(None, steps):
                node.part("step", HAS_STEP, STEP).link(STEP_TRIPLET, step)
            whole = whole and None not in steps and one.path != []
        if not whole or list(order) != sorted(order):
            self.record.rest["dropped"] = [one.model_dump() for one in dropped]

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

    def row(self, meta: dict[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
        """Return the user's own fields without those of a published row that the record has.

        Args:
            known: Field of a row to what the record holds.
        """
        meta = dict(meta)
        graph = meta.get("graph")
        if isinstance(graph, dict):
            rest = dict(graph)
            for name in ("triplets", "core_reasoning_subgraph"):
                if name in graph and name in known and graph[name] == known[name]:
                    del rest[name]
                    self.record.set(PUBLISHED_ROW, f"graph.{name}")
            meta["graph"] = rest
        for name in ("index", "reasoning_content"):
            if isinstance(meta.get(name), str) and meta[name] == known.get(name):
                del meta[name]
                self.record.set(PUBLISHED_ROW, name)
        return meta


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
