"""Critical graphs: equal to brute force, equal to networkx, independent of order; real rows."""

from collections.abc import Sequence
from pathlib import Path

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundtrace.errors import InputError, RuleError, SizeError
from groundtrace.graphs.conclusion import Likeness
from groundtrace.graphs.critical import Reducer, critical_graph
from groundtrace.graphs.matching import TextMatching
from groundtrace.graphs.triplets import triplets_from
from groundtrace.models.graph import CriticalGraph, GraphCase, Triplet
from groundtrace.models.names import normal
from groundtrace.rules.rulebook import rulebook_for
from tests.graph_brute_force import critical, walk_from
from tests.graph_strategies import PREDICATES, graphs
from tests.real_data import rows

EQUAL_ONLY = TextMatching(embedding=None)
REDUCER = Reducer(rulebook_for("graph"))


def reduced(triplets: Sequence[Triplet], conclusion: str) -> CriticalGraph:
    return REDUCER.reduce(GraphCase(triplets=list(triplets), conclusion=conclusion))


def forms(triplets: Sequence[Sequence[str]]) -> list[tuple[str, str, str]]:
    return [(normal(s), normal(p), normal(o)) for s, p, o in triplets]


@settings(max_examples=800)
@given(graphs(), st.data())
def test_equal_to_brute_force(triplets: list[Triplet], data: st.DataObject) -> None:
    nodes = sorted({end for s, _, o in triplets for end in (s, o)})
    conclusion = data.draw(st.sampled_from(nodes))
    found = reduced(triplets, conclusion)
    expected = critical(forms(triplets), normal(conclusion))
    assert found.critical == [triplets[place] for place in sorted(expected.critical)]
    reasons = {forms([one.triplet])[0]: one.reason for one in found.dropped}
    for place, form in enumerate(forms(triplets)):
        if place in expected.shortcut:
            assert reasons[form] == "shortcut"
        elif place not in expected.leading:
            assert reasons[form] == "not_leading"
    assert len(found.critical) + len(found.dropped) == len(triplets)


@pytest.mark.parametrize("turned", PREDICATES)
def test_equal_to_brute_force_with_a_table_of_directions(turned: str, tmp_path: Path) -> None:
    overlay = tmp_path / "backwards.lp"
    spelled = normal(turned).replace("\\", "\\\\").replace('"', '\\"')
    overlay.write_text(f'backwards("{spelled}").\n')
    reducer = Reducer(rulebook_for("graph", [overlay]))

    @given(graphs(), st.data())
    @settings(max_examples=200)
    def holds(triplets: list[Triplet], data: st.DataObject) -> None:
        conclusion = data.draw(st.sampled_from([one.object for one in triplets]))
        found = reducer.reduce(GraphCase(triplets=list(triplets), conclusion=conclusion))
        expected = critical(forms(triplets), normal(conclusion), [normal(turned)])
        kept = [forms(triplets)[place] for place in sorted(expected.critical)]
        assert forms(found.critical) == kept

    holds()


@given(graphs(), st.data())
def test_what_can_be_reached_stays_the_same(triplets: list[Triplet], data: st.DataObject) -> None:
    conclusion = data.draw(st.sampled_from([one.object for one in triplets]))
    found = reduced(triplets, conclusion)
    expected = critical(forms(triplets), normal(conclusion))
    leading = [forms(triplets)[place] for place in expected.leading]

    def steps(edges: Sequence[tuple[str, str, str]]) -> dict[str, set[str]]:
        ways: dict[str, set[str]] = {}
        for subject, _, object_ in edges:
            ways.setdefault(subject, set()).add(object_)
        return ways

    before, after = steps(leading), steps(forms(found.critical))
    for node in before:
        assert walk_from(node, before) == walk_from(node, after)


@given(graphs(), st.data())
def test_a_shortcut_is_told_with_a_path_that_replaces_it(
    triplets: list[Triplet], data: st.DataObject
) -> None:
    conclusion = data.draw(st.sampled_from([one.object for one in triplets]))
    found = reduced(triplets, conclusion)
    kept = set(forms(found.critical))
    for one in found.dropped:
        if one.reason != "shortcut":
            assert one.path is None
            continue
        path = forms(one.path or ())
        assert len(path) > 1
        assert set(path) <= kept
        (subject, _, object_) = forms([one.triplet])[0]
        assert [subject, *(end for _, _, end in path)][-1] == object_
        assert [start for start, _, _ in path] == [subject, *(end for _, _, end in path[:-1])]


@given(graphs(), st.data())
def test_the_order_of_triplets_does_not_matter(
    triplets: list[Triplet], data: st.DataObject
) -> None:
    conclusion = data.draw(st.sampled_from([one.object for one in triplets]))
    shuffled = data.draw(st.permutations(triplets))
    one, other = reduced(triplets, conclusion), reduced(shuffled, conclusion)
    assert set(one.critical) == set(other.critical)
    assert sorted(map(str, one.warnings)) == sorted(map(str, other.warnings))


@given(st.integers(2, 14), st.data())
def test_without_cycles_it_is_the_transitive_reduction_of_networkx(
    count: int, data: st.DataObject
) -> None:
    pairs = [(a, b) for a in range(count) for b in range(a + 1, count)]
    chosen = data.draw(st.lists(st.sampled_from(pairs), min_size=1, unique=True))
    conclusion = data.draw(st.sampled_from(sorted({b for _, b in chosen})))
    found = reduced([Triplet(f"n{a}", "p", f"n{b}") for a, b in chosen], f"n{conclusion}")
    graph = networkx.DiGraph(chosen)
    kept = networkx.ancestors(graph, conclusion) | {conclusion}
    expected = networkx.transitive_reduction(graph.subgraph(kept))
    assert {(one.subject, one.object) for one in found.critical} == {
        (f"n{a}", f"n{b}") for a, b in expected.edges
    }


def test_a_large_graph_is_reduced() -> None:
    """500 nodes, 3,000 triplets: as large as the specification asks for."""
    triplets = [
        Triplet(f"n{number % 500}", "p", f"n{(number * 7 + number // 500 + 1) % 500}")
        for number in range(3000)
    ]
    triplets = [one for one in triplets if one.subject != one.object]
    found = reduced(triplets, "n0")
    expected = critical(forms(triplets), "n0")
    assert forms(found.critical) == [forms(triplets)[place] for place in sorted(expected.critical)]


def test_a_graph_beyond_bounds_is_refused_with_the_figures() -> None:
    triplets = [Triplet(f"n{number}", "p", f"n{number + 1}") for number in range(6000)]
    with pytest.raises(SizeError, match="6,001 nodes and 6,000 links"):
        reduced(triplets, "n1")


# --- conclusions


def likeness_of(table: dict[str, float]) -> Likeness:
    return lambda text, others: [table.get(other, 0.0) for other in others]


CHAIN = [["a", "p", "b"], ["b", "p", "c"]]


def test_a_given_conclusion_is_found_in_any_spelling() -> None:
    found = critical_graph({"triplets": CHAIN, "conclusion": " “C”. "}, comparing=EQUAL_ONLY)
    assert found.conclusion
    assert (found.conclusion.node, found.conclusion.found_by) == ("c", "given")


def test_a_given_conclusion_that_is_no_node_is_no_guess() -> None:
    reducer = Reducer(rulebook_for("graph"), likeness_of({"a": 0.99, "b": 0.5, "c": 0.1}))
    found = reducer.reduce(GraphCase(triplets=CHAIN, conclusion="d"))
    assert (found.status, found.critical, found.conclusion) == ("unscorable", [], None)
    assert [near.node for near in found.nearest] == ["a", "b", "c"]
    assert "'d'" in (found.error or "")


@pytest.mark.parametrize(("best", "node"), [(0.7, "b"), (0.69, None)])
def test_an_embedding_counts_from_the_threshold_on(best: float, node: str | None) -> None:
    reducer = Reducer(rulebook_for("graph"), likeness_of({"b": best, "c": 0.3, "a": 0.1}))
    found = reducer.reduce(GraphCase(triplets=CHAIN, answer="something"))
    if node is None:
        assert found.status == "unscorable"
        assert [near.node for near in found.nearest] == ["b", "c", "a"]
    else:
        assert found.conclusion
        assert (found.conclusion.node, found.conclusion.found_by) == (node, "embedding")
        assert found.conclusion.similarity == best


def test_the_text_of_an_option_counts_and_not_its_letter() -> None:
    case = {"triplets": [["x", "p", "aspirin"], ["x", "p", "B"]], "answer": "B"}
    question = "What helps?\nA: water\nB: Aspirin\nC: tea"
    found = critical_graph({**case, "question": question}, comparing=EQUAL_ONLY)
    assert found.conclusion
    assert found.conclusion.node == "aspirin"
    options = {"a": "water", "b": "aspirin"}
    found = critical_graph({**case, "options": options}, comparing=EQUAL_ONLY)
    assert found.conclusion
    assert found.conclusion.node == "aspirin"


def test_a_letter_without_options_is_told() -> None:
    found = critical_graph({"triplets": CHAIN, "answer": "B"}, comparing=EQUAL_ONLY)
    assert found.status == "unscorable"
    assert "no option" in (found.error or "")


def test_neither_answer_nor_conclusion_is_told() -> None:
    found = critical_graph({"triplets": CHAIN}, comparing=EQUAL_ONLY)
    assert found.status == "unscorable"
    assert "neither" in (found.error or "")


def test_the_embedded_default_finds_a_paraphrase_and_never_the_opposite() -> None:
    triplets = [["x", "suggests", "heart attack"], ["y", "suggests", "hypotension"]]
    found = critical_graph({"triplets": triplets, "answer": "myocardial infarction"})
    assert found.conclusion
    assert (found.conclusion.node, found.conclusion.found_by) == ("heart attack", "embedding")
    opposite = critical_graph({"triplets": triplets, "answer": "hypertension"})
    assert opposite.status == "unscorable"
    unguarded = critical_graph(
        {"triplets": triplets, "answer": "hypertension"}, comparing=TextMatching(guards=False)
    )
    assert unguarded.conclusion
    assert unguarded.conclusion.node == "hypotension"


# --- what comes in


def test_malformed_items_are_reported_with_their_place_and_the_rest_is_used() -> None:
    items = [
        ["a", "p", "b"],
        ["a", "p"],
        "a p b",
        ["a", 1, "b"],
        ["", "p", "b"],
        ["a", "p", "A."],
        ["A", "P", "“b”"],
        ["a", "p", "x" * 301],
        ["a", "\ud800", "b"],
        None,
        {"subject": "b", "predicate": "p", "object": "c", "votes": 3},
        {"subject": "b"},
    ]
    found = critical_graph({"triplets": items, "conclusion": "c"}, comparing=EQUAL_ONLY)
    assert found.critical == [Triplet("a", "p", "b"), Triplet("b", "p", "c")]
    told = {item.place: item.problem for item in found.malformed}
    assert set(told) == {f"triplets[{place}]" for place in (1, 2, 3, 4, 5, 6, 7, 8, 9, 11)}
    assert "predicate: expected a text, got int" in told["triplets[3]"]
    assert "same" in told["triplets[5]"]
    assert "earlier" in told["triplets[6]"]
    assert "301 characters" in told["triplets[7]"]


@pytest.mark.parametrize("items", [[], [["a", "p"]], [[]]])
def test_a_graph_without_triplets_is_unscorable(items: list[list[str]]) -> None:
    found = critical_graph({"triplets": items, "conclusion": "a"}, comparing=EQUAL_ONLY)
    assert (found.status, found.error) == ("unscorable", "the graph has no triplets")


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ({}, "no triplets, extractions or rationale"),
        ({"triplets": 3}, "triplets"),
        ({"triplets": CHAIN, "conclusion": 3}, "conclusion"),
        ({"triplets": CHAIN, "options": ["a"]}, "options"),
    ],
)
def test_a_case_that_is_none_is_refused(case: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        critical_graph(case, comparing=EQUAL_ONLY)


def test_a_failed_vote_stays_failed() -> None:
    case = {"triplets": [], "status": "failed", "error": "no triplets from m", "conclusion": "c"}
    found = critical_graph(case, comparing=EQUAL_ONLY)
    assert (found.status, found.error) == ("failed", "no triplets from m")


# --- rules of a user


def test_constants_and_overlays_are_recorded(tmp_path: Path) -> None:
    overlay = tmp_path / "own.lp"
    overlay.write_text('hub_exempt("a").\nfinding(rare, warning, Node) :- edge(_, Node, "c").\n')
    found = critical_graph(
        {"triplets": CHAIN, "conclusion": "c"},
        overlays=[overlay],
        constants={"hub_degree": 1, "hub_share": 100},
        comparing=EQUAL_ONLY,
    )
    assert found.provenance["constants"] == {"hub_share": 100, "hub_degree": 1}
    assert found.provenance["overlays"] == [str(overlay)]
    assert str(overlay) in found.provenance["rules"]
    kinds = [(warning.kind, warning.subject) for warning in found.warnings]
    assert ("hub", "b") in kinds
    assert ("hub", "a") not in kinds
    assert ("rare", "b") in kinds


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("backwards(is_caused_by).", 'write "is_caused_by"'),
        ("disabled(shortcut).", "no rule has that name"),
        ("critical(1).", "decided by groundtrace's own rules"),
        ('triplet(1, "a", "b", "c").', "decided by groundtrace's own rules"),
        ("backwards(1, 2).", "backwards takes 1 arguments"),
        ("{ mine }.", "more than one answer"),
        (":- edge(_, _, _).", "no answer"),
        ("#script (python) #end.", "not allowed"),
    ],
)
def test_a_rule_that_cannot_be_used_is_refused(tmp_path: Path, rule: str, words: str) -> None:
    overlay = tmp_path / "own.lp"
    overlay.write_text(f"{rule}\n")
    with pytest.raises(RuleError, match=words):
        critical_graph(
            {"triplets": CHAIN, "conclusion": "c"}, overlays=[overlay], comparing=EQUAL_ONLY
        )


def test_a_constant_of_the_audit_is_none_of_graphs() -> None:
    with pytest.raises(InputError, match="known are hub_share, hub_degree"):
        critical_graph({"triplets": CHAIN, "conclusion": "c"}, constants={"max_depth": 3})


# --- the published rows


def test_the_published_rows_are_read_as_they_are() -> None:
    found = [critical_graph(row) for row in rows("medceg_example.jsonl")]
    assert len(found) == 12
    assert [one.id for one in found][:2] == ["PMC3707284", "PMC10766553"]
    for row, one in zip(rows("medceg_example.jsonl"), found, strict=True):
        expected = {tuple(triplet) for triplet in row["graph"]["triplets"]}
        if one.conclusion is None:
            assert one.status == "unscorable"
            assert len(one.nearest) == 3
            continue
        assert set(one.critical) | {gone.triplet for gone in one.dropped} == expected
        places = critical(forms(row["graph"]["triplets"]), normal(one.conclusion.node))
        assert len(one.critical) == len(places.critical)
    by_id = {one.id: one.conclusion for one in found}
    bouveret = by_id["PMC3707284"]
    assert bouveret
    assert (bouveret.node, bouveret.found_by) == ("Bouveret's syndrome", "embedding")
    assert sum(conclusion is not None for conclusion in by_id.values()) == 8


def test_the_figures_of_the_choices_page_on_the_published_examples() -> None:
    published = shared = found = astray = 0
    for row in rows("medceg_example.jsonl"):
        theirs = triplets_from(row["graph"]["core_reasoning_subgraph"], "theirs")
        ours = critical_graph(row)
        published += len(theirs.keys)
        shared += len({*theirs.keys} & {*triplets_from(ours.critical, "ours").keys})
        if ours.conclusion is not None:
            whole = GraphCase(triplets=[*theirs.kept], conclusion=ours.conclusion.node)
            reduced = critical_graph(whole)
            found += len(theirs.keys)
            if reduced.status == "scored":
                astray += sum(one.reason == "not_leading" for one in reduced.dropped)
            else:
                astray += len(theirs.keys)
    assert (published, shared, found, astray) == (41, 11, 29, 19)
