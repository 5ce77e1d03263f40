"""How alike two graphs are, against a brute force that tries every reading of every triplet."""

from collections.abc import Mapping, Sequence
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundtrace import EmbeddingSettings, InputError, RewardSettings, graph_similarity
from groundtrace.graphs.guards import Guards
from groundtrace.models.graph import Triplet
from groundtrace.models.names import normal
from groundtrace.rewards.jaccard import GraphSimilarity, similarity_of
from groundtrace.rewards.likeness_tables import Matching
from groundtrace.rules.rulebook import rulebook_for
from tests import real_data

if TYPE_CHECKING:
    from groundtrace.embedding.settings import Matrix

EXACT = RewardSettings(embedding=EmbeddingSettings("exact"))
ELEMENT = 0.75
# Few names, so that parts are shared between places and triplets; one stands in both graphs.
GENERATED_NAMES = "abcd"
REFERENCE_NAMES = "dvwxyz"

Pairs = Mapping[frozenset[str], float]


class Made:
    """A similarity that is looked up: symmetric, and 1 for equal texts."""

    def __init__(self, values: Pairs) -> None:
        self._values = values

    def of(self, text: str, other: str) -> float:
        return 1.0 if text == other else self._values.get(frozenset((text, other)), 0.0)

    def matrix(self, texts: Sequence[str], others: Sequence[str]) -> "Matrix":
        found: Matrix = numpy.zeros((len(texts), len(others)), dtype=numpy.float64)
        for row, text in enumerate(texts):
            for column, other in enumerate(others):
                found[row, column] = self.of(text, other)
        return found


def brute_force(
    generated: Sequence[Triplet],
    reference: Sequence[Triplet],
    made: Made,
    element: float = ELEMENT,
    recalled: float = 0.6,
) -> GraphSimilarity:
    """Map each generated triplet in every way, and compare each reading with each target."""
    elements = {part for triplet in reference for part in triplet}
    readings = {
        frozenset(reading)
        for triplet in generated
        for reading in product(
            *([other for other in elements if made.of(part, other) >= element] for part in triplet)
        )
    }
    best = []
    for target in map(frozenset, reference):
        scores = [len(one & target) / len(one | target) for one in readings]
        best.append(max(scores, default=0.0))
    return GraphSimilarity(
        sum(value >= recalled for value in best) / len(best), sum(best) / len(best)
    )


def graphs(names: str, smallest: int) -> st.SearchStrategy[list[Triplet]]:
    # A part may stand twice in a triplet: its set of parts is smaller then.
    name = st.sampled_from(names)
    return st.lists(
        st.builds(Triplet, name, name, name), min_size=smallest, max_size=4, unique=True
    )


@st.composite
def similarities(draw: st.DrawFn) -> Made:
    """Draw a table, sparse to full; the threshold itself is among the values."""
    share = draw(st.sampled_from([0.1, 0.3, 0.6, 1.0]))
    # A table drawn value by value takes most of the time, and shrinks to nothing clearer.
    random = Random(draw(st.integers(0, 2**32)))
    names = sorted({*GENERATED_NAMES, *REFERENCE_NAMES})
    return Made(
        {
            frozenset((one, other)): random.choice([ELEMENT, 0.9, 1.0])
            if random.random() < share
            else random.choice([-0.5, 0.0, 0.5, 0.7])
            for one in names
            for other in names
            if one < other
        }
    )


GENERATED = graphs(GENERATED_NAMES, 0)
REFERENCES = graphs(REFERENCE_NAMES, 1)


@settings(max_examples=400)
@given(GENERATED, REFERENCES, similarities(), st.sampled_from([0.0, 0.2, 0.5, 0.6, 1.0]))
def test_the_best_of_all_readings_counts(
    generated: list[Triplet], reference: list[Triplet], made: Made, recalled: float
) -> None:
    found = similarity_of(generated, reference, Matching(made, None), ELEMENT, recalled)
    assert found == brute_force(generated, reference, made, ELEMENT, recalled)


@settings(max_examples=400)
@given(GENERATED, REFERENCES, similarities(), st.sampled_from([-1.0, 0.5, 0.75, 0.95]))
def test_the_published_way_differs_only_in_the_spellings_compared(
    generated: list[Triplet], reference: list[Triplet], made: Made, element: float
) -> None:
    found = similarity_of(generated, reference, Matching(made, None, verbatim=True), element)
    assert found == brute_force(generated, reference, made, element)


@settings(max_examples=400)
@given(GENERATED, REFERENCES, similarities())
def test_order_does_not_count(
    generated: list[Triplet], reference: list[Triplet], made: Made
) -> None:
    how = Matching(made, None)
    found = similarity_of(generated, reference, how)
    again = similarity_of(generated[::-1], reference[::-1], how)
    assert again.triplet_recall == found.triplet_recall
    # A sum in another order rounds in another way.
    assert again.best_jaccard == pytest.approx(found.best_jaccard, abs=1e-12)


@settings(max_examples=400)
@given(GENERATED, GENERATED, REFERENCES, similarities())
def test_more_triplets_never_make_a_graph_less_alike(
    generated: list[Triplet], more: list[Triplet], reference: list[Triplet], made: Made
) -> None:
    how = Matching(made, None)
    fewer, all_of_them = (
        similarity_of(some, reference, how) for some in (generated, [*generated, *more])
    )
    assert all_of_them.triplet_recall >= fewer.triplet_recall
    assert all_of_them.best_jaccard >= fewer.best_jaccard


@settings(max_examples=400)
@given(REFERENCES, similarities(), st.booleans())
def test_a_graph_is_wholly_like_itself(
    reference: list[Triplet], made: Made, verbatim: bool
) -> None:
    assert similarity_of(reference, reference, Matching(made, None, verbatim=verbatim)) == (1, 1)


@settings(max_examples=400)
@given(GENERATED, REFERENCES)
def test_graphs_that_share_nothing_are_not_alike(
    generated: list[Triplet], reference: list[Triplet]
) -> None:
    apart = [Triplet(*(part.replace("d", "e") for part in triplet)) for triplet in generated]
    assert similarity_of(apart, reference, Matching(Made({}), None)) == (0, 0)


def test_an_empty_graph_is_like_none() -> None:
    assert graph_similarity([], [["a", "b", "c"]], EXACT) == (0, 0)


def test_a_reference_without_triplets_is_refused() -> None:
    with pytest.raises(InputError, match="no triplet in the reference"):
        graph_similarity([["a", "b", "c"]], [["a", "b"]], EXACT)


@pytest.mark.parametrize(
    ("generated", "expected"),
    [
        (["a", "p", "b"], (1.0, 1.0)),
        (["b", "p", "a"], (1.0, 1.0)),
        (["A ", "“P”", "b."], (1.0, 1.0)),
        (["p", "a", "b"], (1.0, 1.0)),
        (["a", "b", "c"], (0.0, 0.0)),
        (["a", "a", "b"], (1.0, 2 / 3)),
        (["a", "p", "a b"], (0.0, 0.0)),
    ],
)
def test_parts_count_in_any_place_but_each_must_match(
    generated: list[str], expected: tuple[float, float]
) -> None:
    assert graph_similarity([generated], [["a", "p", "b"]], EXACT) == expected


def test_two_shared_parts_of_three_are_too_few() -> None:
    reference = [["a", "p", "b"], ["b", "q", "c"]]
    # It shares a and b with the first, b and c with the second: two of four parts.
    assert graph_similarity([["a", "b", "c"]], reference, EXACT) == (0.0, 0.5)
    assert graph_similarity([["a", "b", "c"]], reference, EXACT, recalled=0.5) == (1.0, 0.5)


def test_a_part_outside_the_target_is_shared_where_it_can_be() -> None:
    # "a" and "b" both mean "v", which the target lacks; taken as one they cost only once.
    made = Made({frozenset(pair): 1.0 for pair in ("av", "bv", "bw", "cx")})
    reference = [Triplet("x", "y", "z"), Triplet("v", "w", "x")]
    found = similarity_of([Triplet("a", "b", "c")], reference, Matching(made, None))
    assert found == GraphSimilarity(0.5, (1 / 4 + 1) / 2)


def test_a_similarity_at_the_threshold_is_enough() -> None:
    made = Made({frozenset("av"): ELEMENT, frozenset("bw"): ELEMENT, frozenset("cx"): ELEMENT})
    pair = [Triplet("a", "b", "c")], [Triplet("v", "w", "x")]
    assert similarity_of(*pair, Matching(made, None)) == (1, 1)
    assert similarity_of(*pair, Matching(made, None), element=0.7501) == (0, 0)


def test_guards_forbid_what_a_similarity_allows() -> None:
    made = Made({frozenset(("left kidney", "right kidney")): 1.0})
    pair = [Triplet("left kidney", "has", "stone")], [Triplet("right kidney", "has", "stone")]
    assert similarity_of(*pair, Matching(made, None)) == (1, 1)
    guards = Guards(rulebook_for("guards"))
    # A part that means nothing in the reference takes its triplet along.
    assert similarity_of(*pair, Matching(made, guards)) == (0, 0)


def test_the_default_embedding_works_with_and_without_guards() -> None:
    pair = [["left kidney", "has", "stone"]], [["right kidney", "has", "stone"]]
    assert graph_similarity(*pair, RewardSettings(guards=False)) == (1, 1)
    assert graph_similarity(*pair) == (0, 0)


def published() -> list[tuple[str, list[Any], list[Any]]]:
    """Return name, whole and core graph of each published row."""
    return [
        (row["index"], row["graph"]["triplets"], row["graph"]["core_reasoning_subgraph"])
        for row in real_data.rows("medceg_example.jsonl")
    ]


def by_hand(generated: Sequence[Sequence[str]], reference: Sequence[Sequence[str]]) -> Any:
    """Compare two graphs whose parts match only if they are equal."""

    def keys(graph: Sequence[Sequence[str]]) -> list[Triplet]:
        return list(dict.fromkeys(Triplet(*map(normal, triplet)) for triplet in graph))

    return brute_force(keys(generated), keys(reference), Made({}))


def test_published_critical_graphs_are_wholly_like_themselves() -> None:
    for name, whole, core in published():
        assert graph_similarity(core, core, EXACT) == (1, 1), name
        assert graph_similarity(whole, whole, EXACT) == (1, 1), name


def test_published_critical_graphs_lie_in_their_evidence_graphs() -> None:
    found = {name: graph_similarity(whole, core, EXACT) for name, whole, core in published()}
    # One published triplet is not in its own graph; the others say again all that is asked.
    assert found.pop("PMC3707284") == pytest.approx((0.75, 0.8))
    assert set(found.values()) == {(1, 1)}


def test_published_graphs_are_compared_as_by_hand() -> None:
    for name, whole, core in published():
        assert graph_similarity(whole, core, EXACT) == by_hand(whole, core), name
        small = graph_similarity(core, whole, EXACT)
        assert small == by_hand(core, whole), name
        assert 0 < small.triplet_recall < small.best_jaccard < 0.3, name
