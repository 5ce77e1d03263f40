"""Economy leaves out premise sets, and changes no outcome but for contradictions of sets."""

from collections.abc import Mapping
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundtrace.labelling.candidates import Candidate, Candidates
from groundtrace.labelling.rounds import rounds
from groundtrace.models.trace import Relation, Trace
from groundtrace.vocabulary import Label
from tests.brute_force import Case, Options
from tests.brute_force import audit as brute_force

Premises = tuple[int, ...]
Oracle = Mapping[tuple[Premises, int], Label]


def labelled(
    count: int, oracle: Oracle, sizes: int = 2, constants: Mapping[str, int | str] | None = None
) -> dict[Candidate, Relation]:
    """Label a trace in economy mode, with an oracle for the answers; neutral if it has none."""
    trace = Trace.model_validate({"segments": [f"segment {n}" for n in range(1, count + 1)]})
    known: dict[Candidate, Relation] = {}
    for candidates in rounds(trace, Candidates("economy", 1, sizes), known, constants or {}):
        for target, premises in candidates:
            assert (target, premises) not in known, "asked twice"
            known[Candidate(target, premises)] = Relation(
                premises=premises, target=target, label=oracle.get((premises, target), "neutral")
            )
    return known


def asked_sets(count: int, oracle: Oracle) -> set[tuple[Premises, int]]:
    """Return the larger sets that economy asks for."""
    known = labelled(count, oracle)
    return {(one.premises, one.target) for one in known if len(one.premises) > 1}


@st.composite
def oracles(draw: st.DrawFn) -> tuple[int, int, Oracle]:
    """Draw labels for every premise set of a trace; only single premises contradict."""
    count = draw(st.integers(1, 7))
    sizes = draw(st.sampled_from([2, 2, 2, 3]))
    weights = draw(
        st.sampled_from(["EEEIIIINNNNNNNNC", "IIIIIINN", "EINNNNNNNNNN", "EIN", "IIIIIIIE"])
    )
    names: dict[str, Label] = {
        "E": "entailment", "I": "implied", "N": "neutral", "C": "contradiction"
    }  # fmt: skip
    random = draw(st.randoms(use_true_random=False))
    oracle: dict[tuple[Premises, int], Label] = {}
    for target in range(2, count + 1):
        for size in range(1, sizes + 1):
            for premises in combinations(range(1, target), size):
                label = names[random.choice(weights)]
                if size > 1 and label == "contradiction":
                    label = "neutral"
                oracle[premises, target] = label
    return count, sizes, oracle


@given(oracles(), st.sampled_from(["cluster", "combination", "keep"]), st.sampled_from([1, 3, 100]))
@settings(max_examples=400)
def test_no_outcome_changes(
    drawn: tuple[int, int, Oracle], weak_cluster: str, closest_gap_limit: int
) -> None:
    count, sizes, oracle = drawn
    options = Options(weak_cluster=weak_cluster, closest_gap_limit=closest_gap_limit)
    known = labelled(
        count,
        oracle,
        sizes,
        {"weak_cluster": weak_cluster, "closest_gap_limit": closest_gap_limit},
    )
    leaves = frozenset({1})
    everything = brute_force(Case(count, leaves, dict(oracle)), options)
    economical = brute_force(
        Case(count, leaves, {(one.premises, one.target): known[one].label for one in known}),
        options,
    )
    assert economical.outcome == everything.outcome


def case(*labels: tuple[Premises, int, Label]) -> Oracle:
    return {(premises, target): label for premises, target, label in labels}


PAIRS_INTO_4 = {((1, 2), 4), ((1, 3), 4), ((2, 3), 4)}
ALL_PAIRS = {((1, 2), 3), *PAIRS_INTO_4}


@pytest.mark.parametrize(
    ("oracle", "expected"),
    [
        # Nothing supports anything: every pair could.
        (case(), ALL_PAIRS),
        # 4 stands on an entailment: no pair into it matters.
        (case(((1,), 4, "entailment")), {((1, 2), 3)}),
        # 4 is contradicted: no pair into it matters.
        (case(((3,), 4, "contradiction")), {((1, 2), 3)}),
        # 4 is implied by 2, which is an orphan: pairs with 2 or with the orphan 3 ground nothing.
        (case(((2,), 4, "implied")), {((1, 2), 3)}),
        # 4 stands on one weak hint: no pair has two hints.
        (case(((2,), 4, "implied"), ((1,), 2, "entailment")), {((1, 2), 3)}),
        # 4 stands on two weak hints that may turn out to be a weak cluster.
        (
            case(((1,), 2, "entailment"), ((2,), 4, "implied"), ((3,), 4, "implied")),
            ALL_PAIRS,
        ),
        # 4 is entailed by the orphan 2: pairs with 2 are no support, and 3 does not stand.
        (case(((2,), 4, "entailment")), {((1, 2), 3)}),
        # 4 is entailed by the orphan 2, and 3 stands: {1, 3} could ground it.
        (
            case(((2,), 4, "entailment"), ((1,), 3, "entailment")),
            {((1, 3), 4)},
        ),
        # 4 is entailed by the orphan 3 and implied by 2, which stands: a weak cluster of 1 and 2
        # could still take that away.
        (
            case(
                ((1,), 2, "entailment"),
                ((1,), 4, "implied"),
                ((2,), 4, "implied"),
                ((3,), 4, "entailment"),
            ),
            {((1, 2), 3), ((1, 2), 4)},
        ),
        # 4 is implied from too far away to count: it has no support.
        (case(((1,), 4, "implied"), ((1,), 3, "entailment")), PAIRS_INTO_4),
    ],
)
def test_which_sets_are_asked_for(oracle: Oracle, expected: set[tuple[Premises, int]]) -> None:
    assert asked_sets(4, oracle) == expected


def test_what_a_set_shows_counts_for_the_sets_after_it() -> None:
    """{1, 2} grounds 3, so that 3 carries 4 firmly and no pair into 4 is needed."""
    oracle = case(((1, 2), 3, "entailment"), ((3,), 4, "entailment"), ((1,), 2, "entailment"))
    assert asked_sets(4, oracle) == {((1, 2), 3)}


def test_a_hidden_contradiction_is_what_economy_misses() -> None:
    oracle = case(((1,), 4, "entailment"), ((1, 2), 4, "contradiction"))
    assert ((1, 2), 4) not in asked_sets(4, oracle)


def test_a_set_that_grounds_its_target_ends_the_asking() -> None:
    """Among 20 leaves the near pairs are asked first, 16 at a time; the first one does it."""
    count = 21
    trace = Trace.model_validate(
        {"segments": [str(n) for n in range(count)], "leaves": list(range(1, count))}
    )
    known: dict[Candidate, Relation] = {}
    for candidates in rounds(trace, Candidates("economy"), known, {}):
        for one in candidates:
            label: Label = "entailment" if one.premises == (19, 20) else "neutral"
            known[one] = Relation(premises=one.premises, target=one.target, label=label)
    assert len(known) == 20 + 16


def test_a_constant_counts() -> None:
    """With weak clusters kept, two weak hints cannot lose their target its support."""
    oracle = case(((1,), 2, "entailment"), ((2,), 4, "implied"), ((3,), 4, "implied"))
    known = labelled(4, oracle, constants={"weak_cluster": "keep"})
    assert {one.premises for one in known if one.target == 4 and len(one.premises) > 1} == set()


def test_full_asks_for_everything_in_one_round() -> None:
    trace = Trace.model_validate({"segments": ["a", "b", "c", "d"]})
    (only,) = rounds(trace, Candidates(), {}, {})
    assert list(only) == list(Candidates().of(trace))
