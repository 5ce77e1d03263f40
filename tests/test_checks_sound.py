"""Sound data have no errors, and warnings only where they are true."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from random import Random
from typing import Any

import networkx as nx
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from groundtrace.auditing.auditor import Auditor
from groundtrace.graphs.critical import critical_graph
from groundtrace.knowledge.rdf.iris import concept_iri
from groundtrace.knowledge.rdf.records import AnyRecord, draft_of
from groundtrace.models.graph import CriticalGraph, GraphCase
from groundtrace.models.trace import Trace
from groundtrace.rules.rulebook import rulebook_for
from tests.question_bases import (
    CHECKS,
    all_quads,
    audited,
    found,
    in_rdflib,
    published,
    reducer,
)
from tests.real_data import rows as public_rows
from tests.test_questions_engines import EXACT, shipped
from tests.test_questions_random import base
from tests.test_real_proofs import entailmentbank, prontoqa, trace_of

WARNINGS = {name for name, query in CHECKS.items() if '"warning" AS' in query}


def edges_of(record: AnyRecord) -> tuple[list[Any], list[str], str | None] | None:
    """Return the critical triplets of a record, its backward predicates, and its conclusion."""
    if isinstance(record, CriticalGraph) and record.conclusion:
        return record.critical, record.backwards, record.conclusion.node
    if isinstance(record, GraphCase) and "graph" in record.meta:
        core = record.meta["graph"]["core_reasoning_subgraph"]
        return core, [], record.conclusion
    return None


def expected(record: AnyRecord) -> dict[str, set[tuple[str, str]]]:
    """Return what is to be said of a critical graph, by networkx."""
    edges = edges_of(record)
    if edges is None:
        return {}
    core, backwards, conclusion = edges
    turned = [(o, s) if p in backwards else (s, o) for s, p, o in core]
    arrows = nx.DiGraph((str(concept_iri(one)), str(concept_iri(other))) for one, other in turned)
    rings = [set(one) for one in nx.strongly_connected_components(arrows)]
    cyclic = {node for one in rings for node in one if len(one) > 1 or arrows.has_edge(node, node)}
    found = {"critical-cycle": cyclic, "several-components": set(), "shortcut-left": set()}
    if arrows:
        first = min(str(concept_iri(one[0])) for one in core)
        found["several-components"] = set(arrows) - set(
            nx.node_connected_component(arrows.to_undirected(), first)
        )
    if not cyclic:
        jumps = set(arrows.edges) - set(nx.transitive_reduction(arrows).edges)
        found["shortcut-left"] = {start for start, _ in jumps}
    if conclusion is not None:
        end = str(concept_iri(conclusion))
        reaching = nx.ancestors(arrows, end) | {end} if end in arrows else {end}
        found["critical-unreaching"] = set(arrows) - reaching
    graph = str(draft_of(record).iri)
    return {name: {(graph, node) for node in nodes} for name, nodes in found.items() if nodes}


def merged(records: Iterable[AnyRecord]) -> dict[str, set[tuple[str, str]]]:
    together: dict[str, set[tuple[str, str]]] = {}
    for record in records:
        for name, violations in expected(record).items():
            together.setdefault(name, set()).update(violations)
    return together


def assert_sound(records: Sequence[AnyRecord]) -> dict[str, set[tuple[str, str]]]:
    """Compare what checks find with what is true: nothing but warnings."""
    violations = found(all_quads(records))
    assert violations == merged(records)
    assert WARNINGS.issuperset(violations)
    return violations


def test_shipped_data_are_sound_for_all_engines() -> None:
    records = shipped()
    assert assert_sound(records) == {}
    ask = in_rdflib(all_quads(records))
    assert not any(ask(query) for query in CHECKS.values())


@pytest.mark.parametrize("source", [entailmentbank, prontoqa])
def test_audits_of_published_proofs_are_sound(source: Any) -> None:
    records: list[AnyRecord] = []
    for proof in list(source())[::3]:
        for without in (None, proof.used[0]):
            given_ = trace_of(proof, without).model_copy(update={"id": f"{proof.name} {without}"})
            records += [given_, audited(given_)]
    assert len(records) >= 40
    assert assert_sound(records) == {}


def test_checks_find_in_published_graphs_what_networkx_finds() -> None:
    cases = [GraphCase.model_validate(row) for row in public_rows("medceg_example.jsonl")]
    assert len(cases) == 12
    violations = found(all_quads(cases))
    outside = [
        (str(draft_of(case).iri), one)
        for case in cases
        for one in case.meta["graph"]["core_reasoning_subgraph"]
        if one not in (case.triplets or [])
    ]
    assert len(outside) == 1
    assert [graph for graph, _ in violations.pop("critical-outside")] == [outside[0][0]]
    assert violations == merged(cases)
    assert {"critical-cycle", "several-components", "shortcut-left"}.issuperset(violations)
    assert violations
    anew = [critical_graph(case, comparing=EXACT) for case in cases]
    assert_sound([*anew])


AUDIT_RULES = (
    'note(S, "second") :- segment(S), S > 2. note(S, "first") :- segment(S).',
    'veto(S, "not this one") :- segment(S), S \\ 3 = 0.',
    "leaf(2) :- segment(2). leaf(5) :- segment(5).",
    "disabled(locality). disabled(redundant).",
    "disabled(contradiction).",
    "drop(R, own_reason) :- relation(R, _, implied).",
    "unstable(4) :- segment(4).",
)


@pytest.fixture(scope="module")
def auditors(tmp_path_factory: pytest.TempPathFactory) -> list[Auditor]:
    """Give auditors with rules of a user's own."""
    found_: list[Auditor] = []
    for number, rules in enumerate(AUDIT_RULES):
        path = tmp_path_factory.mktemp("rules") / f"{number}.lp"
        path.write_text(rules, encoding="utf-8")
        found_.append(Auditor(rulebook_for("audit", [path]), 3))
    return found_


def test_random_records_are_sound(auditors: list[Auditor]) -> None:
    warned: set[str] = set()

    @given(st.integers(0, 2**32))
    @settings(max_examples=60, phases=[Phase.generate])
    def look(seed: int) -> None:
        random = Random(seed)
        made = base(random, reducer())
        records = [one for one in made if not isinstance(one, GraphCase)]
        own = [random.choice(auditors).audit(one).audit for one in made if isinstance(one, Trace)]
        warned.update(assert_sound([*records, *own]))

    look()
    # What is made by the rules hangs together by its conclusion.
    assert warned == {"critical-cycle"}


def test_checks_find_in_random_graphs_what_networkx_finds() -> None:
    seen: set[str] = set()

    @given(st.integers(0, 2**32))
    @settings(max_examples=120, phases=[Phase.generate])
    def compare(seed: int) -> None:
        random = Random(seed)
        cases = []
        for name in ("x", "y"):
            nodes = random.sample("abcdefgh", random.randint(2, 8))
            pairs = list(combinations(nodes, 2)) + random.choice([[], [(nodes[1], nodes[0])]])
            chosen = random.sample(pairs, random.randint(1, min(len(pairs), 10)))
            core = [f"{start} p {end}" for start, end in chosen]
            ends = [{}, {"conclusion": nodes[-1]}, {"conclusion": "z"}]
            cases.append(published(name, core, *core, **random.choice(ends)))
        violations = found(all_quads(cases))
        assert violations == merged(cases)
        seen.update(violations)

    compare()
    assert seen == {"critical-cycle", "several-components", "shortcut-left", "critical-unreaching"}
