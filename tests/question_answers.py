"""What every question must answer, by plain Python and networkx from the records.

Nothing here reads RDF or SPARQL. Names of nodes and predicates are in the form in which they are
compared.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import networkx as nx

from groundtrace.knowledge.rdf.records import AnyRecord
from groundtrace.models.audit import Audit, SegmentAudit, TreeNode
from groundtrace.models.graph import CriticalGraph, EvidenceGraph, GraphCase
from groundtrace.models.names import normal
from groundtrace.models.reward import Reward
from tests.question_bases import Row, Rows, run_of

Records = Sequence[AnyRecord]
Edge = tuple[str, str, str]


def edge(item: Iterable[Any]) -> Edge:
    subject, predicate, object_ = map(normal, item)
    return subject, predicate, object_


def edges_of(items: Any) -> list[Edge]:
    """Return the triplets among items of a file."""
    found = []
    for item in items if isinstance(items, list) else ():
        parts = item
        if isinstance(item, Mapping):
            parts = [item.get(name) for name in ("subject", "predicate", "object")]
        if isinstance(parts, list) and [type(part) for part in parts] == [str] * 3:
            found.append(edge(parts))
    return found


class Reduced(NamedTuple):
    """A graph with a conclusion, by its arrows of reasoning."""

    id: str
    conclusion: str
    arrows: "nx.DiGraph[str]"

    @property
    def distances(self) -> dict[str, int]:
        """Nodes that lead to the conclusion, with the least number of steps."""
        if self.conclusion not in self.arrows:
            return {}
        found = nx.single_source_shortest_path_length(self.arrows.reverse(), self.conclusion)
        return {node: steps for node, steps in dict(found).items() if steps}


def arrows_of(edges: Iterable[Edge], backwards: Iterable[str] = ()) -> "nx.DiGraph[str]":
    turned = set(map(normal, backwards))
    return nx.DiGraph((o, s) if p in turned else (s, o) for s, p, o in edges)


def reduced(records: Records) -> Iterator[Reduced]:
    """Yield graphs with a conclusion, published ones too."""
    for one in records:
        if isinstance(one, CriticalGraph) and one.conclusion:
            arrows = arrows_of(map(edge, one.critical), one.backwards)
            yield Reduced(one.id, normal(one.conclusion.node), arrows)
        if isinstance(one, GraphCase) and one.conclusion is not None and "graph" in one.meta:
            arrows = arrows_of(edges_of(one.meta["graph"].get("core_reasoning_subgraph")))
            yield Reduced(one.id, normal(one.conclusion), arrows)


def audits(records: Records) -> list[Audit]:
    return [one for one in records if isinstance(one, Audit)]


def entries(records: Records) -> Iterator[tuple[Audit, SegmentAudit]]:
    return ((one, entry) for one in audits(records) for entry in one.segments)


def ancestors(records: Records) -> Iterator[Row]:
    for one in reduced(records):
        yield from ((one.id, steps, node) for node, steps in one.distances.items())


def audit_differences(records: Records) -> Iterator[Row]:
    for one, other in combinations(sorted(audits(records), key=run_of), 2):
        if one.id != other.id:
            continue
        after = {entry.index: entry.outcome for entry in other.segments}
        for entry in one.segments:
            outcome = after.get(entry.index, entry.outcome)
            if outcome != entry.outcome:
                yield one.id, entry.index, entry.outcome, outcome, run_of(one), run_of(other)


def contradictions(records: Records) -> Iterator[Row]:
    for audit, entry in entries(records):
        if entry.outcome == "contradicted":
            for premises in entry.contradicted_by:
                name = f"{'.'.join(map(str, premises))}-{entry.index}"
                yield from ((audit.id, entry.index, name, premise) for premise in premises)


def longest_chains(records: Records) -> Iterator[Row]:
    for one in reduced(records):
        if one.distances:
            yield one.id, max(one.distances.values())


def missed_triplets(records: Records) -> Iterator[Row]:
    scored = [one for one in records if isinstance(one, Reward) and one.status == "scored"]
    found = Counter(parts for one in scored for parts in set(map(edge, one.missed)))
    yield from ((*parts, count) for parts, count in found.items())


def orphans(audit: Audit) -> set[int]:
    return {entry.index for entry in audit.segments if entry.outcome == "orphan"}


def only_orphan_supports(records: Records) -> Iterator[Row]:
    for audit, entry in entries(records):
        leaning = [orphans(audit).intersection(one.premises) for one in entry.supports]
        if leaning and all(leaning):
            yield audit.id, entry.index


def carried(audit: Audit) -> dict[int, list[int]]:
    """Return for each segment the targets of the supports that it is a premise of."""
    found: dict[int, list[int]] = {}
    for entry in audit.segments:
        for support in entry.supports:
            for premise in support.premises:
                found.setdefault(premise, []).append(entry.index)
    return found


def orphans_leaned_on(records: Records) -> Iterator[Row]:
    for audit in audits(records):
        for segment, targets in carried(audit).items():
            if segment in orphans(audit):
                yield audit.id, segment, len(set(targets))


def outcome_counts(records: Records) -> Iterator[Row]:
    counts: Counter[Row] = Counter()
    for audit, entry in entries(records):
        told = [audit.meta.get(name) for name in ("domain", "model")]
        words = [value if isinstance(value, str) else None for value in told]
        counts[*words, audit.provenance.version, run_of(audit), entry.outcome] += 1
    yield from ((*key, count) for key, count in counts.items())


def premise_reuse(records: Records) -> Iterator[Row]:
    for audit in audits(records):
        for segment, targets in carried(audit).items():
            yield audit.id, segment, len(targets), len(set(targets))


def given_to(graph: CriticalGraph) -> Any:
    """Return the items of the graph that was reduced, which may come from a published row."""
    return graph.meta.get("triplets", graph.meta.get("graph", {}).get("triplets"))


def evidence(record: AnyRecord) -> list[Edge]:
    """Return the triplets of an evidence graph."""
    if isinstance(record, GraphCase):
        return edges_of(record.triplets)
    if isinstance(record, EvidenceGraph):
        return edges_of([one.model_dump() for one in record.triplets])
    if isinstance(record, CriticalGraph):
        return edges_of(given_to(record))
    return []


def shared_concepts(records: Records) -> Iterator[Row]:
    cases: dict[str, set[str]] = {}
    for one in records:
        for subject, _, object_ in evidence(one):
            for node in (subject, object_):
                cases.setdefault(node, set()).add(one.id)
    yield from ((node, len(ids)) for node, ids in cases.items() if len(ids) > 1)


def shortcuts(records: Records) -> Iterator[Row]:
    for one in records:
        for dropped in one.dropped if isinstance(one, CriticalGraph) else ():
            for number, step in enumerate(dropped.path or (), 1):
                yield one.id, *edge(dropped.triplet), number, *edge(step)


def single_model(records: Records) -> Iterator[Row]:
    found: set[Row] = set()
    for one in records:
        voted: list[Any] = []
        if isinstance(one, EvidenceGraph):
            voted = [triplet.model_dump() for triplet in (*one.triplets, *one.outvoted)]
        elif isinstance(one, GraphCase | CriticalGraph):
            given = one.triplets if isinstance(one, GraphCase) else given_to(one)
            voted = [item for item in given or () if isinstance(item, Mapping)]
        found |= {
            (one.id, model, *edges_of([item])[0])
            for item in voted
            if item.get("votes") == 1
            for model in item["models"]
        }
    yield from found


def unreached_conclusions(records: Records) -> Iterator[Row]:
    for one in records:
        if isinstance(one, CriticalGraph) and one.conclusion is None:
            yield one.id, None
    for graph in reduced([one for one in records if isinstance(one, CriticalGraph)]):
        if graph.conclusion not in graph.arrows or not graph.arrows.in_degree(graph.conclusion):
            yield graph.id, graph.conclusion


def steps_of(tree: TreeNode) -> Iterator[TreeNode]:
    yield tree
    for child in tree.get("children", ()):
        yield from steps_of(child)


def why_supported(records: Records) -> Iterator[Row]:
    for audit, entry in entries(records):
        for step in steps_of(entry.tree) if entry.tree else ():
            for premise in step.get("premises", ()):
                leaf = premise in audit.leaves
                yield audit.id, entry.index, step["segment"], step["label"], premise, leaf


ANSWERS: dict[str, Callable[[Records], Iterator[Row]]] = {
    one.__name__.replace("_", "-"): one
    for one in (
        ancestors,
        audit_differences,
        contradictions,
        longest_chains,
        missed_triplets,
        only_orphan_supports,
        orphans_leaned_on,
        outcome_counts,
        premise_reuse,
        shared_concepts,
        shortcuts,
        single_model,
        unreached_conclusions,
        why_supported,
    )
}


def answer(question: str, records: Records) -> Rows:
    return Counter(ANSWERS[question](records))
