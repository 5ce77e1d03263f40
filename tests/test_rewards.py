"""Rewards: equal to the formulas, on real rows, on perturbed ones and on random graphs."""

import random
import threading
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import groundtrace
from groundtrace.embedding.vectors import similarity
from groundtrace.errors import InputError, ModelError, RuleError, SizeError
from groundtrace.graphs.guards import Guards
from groundtrace.graphs.triplets import key_of
from groundtrace.models.graph import Triplet
from groundtrace.models.reward import Reward, RewardCase
from groundtrace.rewards.comparison import Comparer
from groundtrace.rewards.likeness_tables import GraphPair, Matching
from groundtrace.rewards.rewarder import Rewarder
from groundtrace.rewards.settings import RewardSettings, Weights
from groundtrace.rules.rulebook import rulebook_for
from tests.graph_brute_force import Scores, scores
from tests.graph_strategies import graphs
from tests.real_data import rows

MEDCEG = Rewarder(RewardSettings(compat="medceg"))
GUARDED = Rewarder()
EQUAL = Rewarder(RewardSettings(embedding=groundtrace.EmbeddingSettings("exact")))

Items = Sequence[Sequence[str]]


def scored(rewarder: Rewarder, generated: Items, reference: Items) -> Reward:
    case = RewardCase(generated=[*generated], reference=[*reference])
    (reward,) = rewarder.score([case], strict=True)
    return reward


def found(reward: Reward) -> list[float | None]:
    return [
        reward.node_coverage,
        reward.structural_correctness,
        reward.chain_completeness,
        reward.max_chain,
        reward.precision,
    ]


# Whose texts have their vectors once, however many tables they stand in.
embedded = cache(similarity)


def table(
    generated: Sequence[tuple[str, ...]],
    reference: Sequence[tuple[str, ...]],
    *,
    guarded: bool,
) -> dict[tuple[str, str], float]:
    """Return the embedding's similarities, one text with one text at a time."""
    compare = embedded()
    mine = sorted({text for one in generated for text in one})
    theirs = sorted({text for one in reference for text in one})
    alike = {(a, b): float(compare.matrix([a], [b])[0, 0]) for a in mine for b in theirs}
    if guarded:
        guards = Guards(rulebook_for("guards"))
        unmatched = guards.unmatched(alike)
        alike = {
            pair: 1.0 if pair[0] == pair[1] else min(max(value, 0.0), 1.0)
            for pair, value in alike.items()
        }
        alike |= dict.fromkeys(unmatched, 0.0)
    return alike


def perturbed(triplets: Items, random_: random.Random) -> list[list[str]]:
    """Return triplets as a model might get them: some lost, turned, mixed up or reworded."""
    nodes = [end for one in triplets for end in (one[0], one[2])]
    changed = []
    for subject, predicate, object_ in triplets:
        turn = random_.random()
        if turn < 0.2:
            continue
        if turn < 0.3:
            subject, object_ = object_, subject
        elif turn < 0.4:
            object_ = random_.choice(nodes)
        elif turn < 0.5:
            predicate = random_.choice(["causes", "is associated with", "rules out"])
        elif turn < 0.6:
            subject = f"possible {subject}"
        elif turn < 0.7:
            object_ = f"no {object_}"
        changed.append([subject, predicate, object_])
    return changed


def close(actual: Sequence[float | None], expected: Scores) -> None:
    assert actual == pytest.approx([*expected], abs=2e-6)


def test_compat_equals_the_formulas_on_the_rows_and_on_perturbed_graphs() -> None:
    random_ = random.Random(7)
    for row in rows("medceg_example.jsonl"):
        reference = row["graph"]["core_reasoning_subgraph"]
        whole = row["graph"]["triplets"]
        for generated in (reference, whole, *(perturbed(whole, random_) for _ in range(3))):
            reward = scored(MEDCEG, generated, reference)
            mine, theirs = [tuple(one) for one in generated], [tuple(one) for one in reference]
            alike = table(mine, theirs, guarded=False)
            expected = scores(mine, theirs, alike, 0.7, 0.6, published=True)
            close(found(reward), expected)
            process = 0.5 * expected.node + 0.3 * expected.structure + 0.2 * expected.chain
            whole_marks = 1.0 if process >= 0.8 else process
            assert reward.process == pytest.approx(whole_marks, abs=2e-6)


def test_our_scores_equal_the_formulas_with_guards_on_perturbed_graphs() -> None:
    random_ = random.Random(8)
    for row in rows("medceg_example.jsonl"):
        reference = row["graph"]["core_reasoning_subgraph"]
        for _ in range(2):
            generated = perturbed(row["graph"]["triplets"], random_)
            mine = [key_of(Triplet(*one)) for one in generated]
            mine = [one for one in mine if one[0] != one[2]]
            theirs = [key_of(Triplet(*one)) for one in reference]
            alike = table(mine, theirs, guarded=True)
            expected = scores(mine, theirs, alike, 0.7, 0.6)
            close(found(scored(GUARDED, generated, reference)), expected)


@pytest.mark.parametrize("rewarder", [MEDCEG, GUARDED], ids=["medceg", "ours"])
def test_each_row_scored_against_itself_reaches_what_it_can(rewarder: Rewarder) -> None:
    chains = []
    for row in rows("medceg_example.jsonl"):
        core = row["graph"]["core_reasoning_subgraph"]
        reward = scored(rewarder, core, core)
        assert reward.node_coverage == pytest.approx(1.0, abs=1e-6)
        assert reward.structural_correctness == 1.0
        assert reward.chain_completeness == reward.max_chain
        assert reward.process == 1.0
        chains.append(round(reward.max_chain or 0, 2))
    assert sorted(chains) == [0.5, 0.6, 0.67, *[1.0] * 9]


class Made:
    """Similarities that a test makes up, the same for the same texts."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def value(self, text: str, other: str) -> float:
        chosen = random.Random(f"{self._seed} {text} {other}").random()
        return round(chosen, 2)

    def matrix(self, texts: Sequence[str], others: Sequence[str]) -> Any:
        values = [[self.value(text, other) for other in others] for text in texts]
        return numpy.array(values, dtype=numpy.float32).reshape(len(texts), len(others))


@given(st.lists(st.tuples(graphs(6, 10), graphs(6, 6)), min_size=1, max_size=4), st.integers())
@settings(max_examples=400)
def test_random_batches_equal_the_formulas(
    drawn: list[tuple[list[Triplet], list[Triplet]]], seed: int
) -> None:
    made = Made(seed)
    comparer = Comparer(Matching(made, None, 0.7, 0.6, verbatim=True))
    pairs = [GraphPair(tuple(generated), tuple(reference)) for generated, reference in drawn]
    for pair, one in zip(pairs, comparer.compare(pairs), strict=True):
        alike = {
            (a, b): float(numpy.float32(made.value(a, b)))
            for a in {text for triplet in pair.generated for text in triplet}
            for b in {text for triplet in pair.reference for text in triplet}
        }
        expected = scores(pair.generated, pair.reference, alike, 0.7, 0.6, published=True)
        size = len(pair.reference)
        assert sum(one.likeness) / len(one.likeness) == pytest.approx(expected.node, abs=1e-6)
        assert one.recalled_count / size == expected.structure
        assert one.chain / size == expected.chain
        assert one.longest_chain / size == expected.max_chain
        assert one.telling_count / len(pair.generated) == expected.precision
        assert set(one.recalled) <= set(range(size))
        assert len(one.recalled) == one.recalled_count


@given(st.lists(st.tuples(graphs(6, 8), graphs(6, 5)), min_size=2, max_size=5), st.data())
@settings(max_examples=100)
def test_a_batch_is_scored_as_its_parts_in_any_order(
    drawn: list[tuple[list[Triplet], list[Triplet]]], data: st.DataObject
) -> None:
    cases = [RewardCase(generated=[*one], reference=[*other]) for one, other in drawn]
    together = EQUAL.score([*cases, cases[0]])
    apart = [EQUAL.score([case])[0] for case in [*cases, cases[0]]]
    assert together == apart
    places = data.draw(st.permutations(range(len(cases))))
    assert EQUAL.score([cases[place] for place in places]) == [apart[place] for place in places]


@given(graphs(8, 12))
@settings(max_examples=300)
def test_a_graph_scored_against_itself_is_perfect(triplets: list[Triplet]) -> None:
    reward = scored(EQUAL, triplets, triplets)
    assert (reward.node_coverage, reward.structural_correctness) == (1.0, 1.0)
    assert (reward.precision, reward.f1, reward.process) == (1.0, 1.0, 1.0)
    assert reward.chain_completeness == reward.max_chain
    assert (reward.triplet_recall, reward.best_jaccard) == (1.0, 1.0)
    assert reward.missed == []
    assert [match.reference for match in reward.matches] == triplets


# --- guards in scores


def test_the_opposite_recalls_nothing_and_covers_nothing() -> None:
    reference = [["hypertension", "damages", "left kidney"]]
    opposite = [["hypotension", "damages", "right kidney"]]
    guarded = scored(GUARDED, opposite, reference)
    assert guarded.structural_correctness == 0.0
    assert guarded.node_coverage == pytest.approx(
        sum(node.similarity for node in guarded.nodes) / 2
    )
    for node in guarded.nodes:
        assert (node.reference, node.generated) not in {
            ("hypertension", "hypotension"),
            ("left kidney", "right kidney"),
        }
    open_ = scored(Rewarder(RewardSettings(guards=False)), opposite, reference)
    assert open_.structural_correctness == 1.0
    assert (open_.node_coverage or 0) > 0.8 > (guarded.node_coverage or 0)


def test_a_node_whose_only_matches_are_forbidden_covers_nothing() -> None:
    reward = scored(GUARDED, [["left eye", "is", "left ear"]], [["right eye", "is", "right ear"]])
    assert reward.node_coverage == 0.0
    assert [node.generated for node in reward.nodes] == [None, None]


# --- states


def test_an_empty_generated_graph_is_scored_0() -> None:
    reward = scored(GUARDED, [], [["a", "p", "b"]])
    assert reward.status == "scored"
    assert found(reward)[:4] == [0.0, 0.0, 0.0, 1.0]
    assert (reward.process, reward.precision, reward.f1) == (0.0, None, None)


@pytest.mark.parametrize("reference", [None, [], [["a", "p"]], "a p b", [None], {"a": 1}])
def test_a_reference_that_cannot_be_used_is_unscorable(reference: Any) -> None:
    (reward,) = GUARDED.score([RewardCase(generated=[["a", "p", "b"]], reference=reference)])
    assert (reward.status, reward.process, reward.reward) == ("unscorable", None, None)
    assert reward.error


class Broken:
    def matrix(self, texts: Sequence[str], others: Sequence[str]) -> Any:
        raise ModelError("the server is gone")


def test_a_failed_embedding_is_a_failure_and_no_score() -> None:
    rewarder = Rewarder()
    rewarder._comparer = Comparer(Matching(Broken(), None))
    case = RewardCase(
        generated=[["a", "p", "b"]],
        reference=[["a", "p", "b"]],
        response="<think>x</think>\\boxed{B}",
        answer="B",
    )
    (reward,) = rewarder.score([case])
    assert (reward.status, reward.error) == ("failed", "the server is gone")
    assert found(reward) == [None] * 5
    assert (reward.process, reward.reward) == (None, None)
    assert (reward.format, reward.accuracy) == (1.0, 1.0)


class Refusing:
    """Refuses one text."""

    def matrix(self, texts: Sequence[str], others: Sequence[str]) -> Any:
        if "refused" in texts:
            raise ModelError("too long")
        return numpy.ones((len(texts), len(others)))


def test_a_text_that_is_refused_fails_its_own_case_only() -> None:
    rewarder = Rewarder()
    rewarder._comparer = Comparer(Matching(Refusing(), None))
    cases = [
        RewardCase(generated=[[name, "p", "b"]], reference=[["a", "p", "b"]])
        for name in ("x", "refused", "y")
    ]
    assert [one.status for one in rewarder.score(cases)] == ["scored", "failed", "scored"]


def test_scores_stay_within_their_range() -> None:
    class Wild:
        def matrix(self, texts: Sequence[str], others: Sequence[str]) -> Any:
            return numpy.full((len(texts), len(others)), -0.9 if "low" in texts else 1.0000002)

    for compat in (None, "medceg"):
        rewarder = Rewarder(RewardSettings(compat=compat, weights=Weights(ceiling=2)))
        rewarder._comparer = Comparer(Matching(Wild(), None, verbatim=compat is not None))
        for name in ("low", "high"):
            case = RewardCase(generated=[[name, "p", "b"]], reference=[["a", "q", "c"]])
            (reward,) = rewarder.score([case])
            assert 0 <= (reward.node_coverage or 0) <= 1
            assert 0 <= (reward.process or 0) <= 1


def test_a_large_reference_is_refused() -> None:
    many = [[f"n{number}", "p", f"m{number}"] for number in range(1_001)]
    with pytest.raises(SizeError, match="1,001 of the reference"):
        scored(EQUAL, [["a", "p", "b"]], many)


@pytest.mark.parametrize("name", ["\0", "\x07", " \x1b "])
def test_a_name_of_nothing_is_no_name(name: str) -> None:
    reward = scored(EQUAL, [[name, "p", "b"]], [["a", "p", "b"]])
    assert reward.malformed[0].place == "generated[0]"


def test_malformed_items_of_both_graphs_are_reported() -> None:
    reference: list[Any] = [["a", "p", "b"], [1, 2, 3]]
    reward = scored(GUARDED, [["a", "p", "b"], ["a"]], reference)
    assert reward.status == "scored"
    assert reward.structural_correctness == 1.0
    assert {item.place for item in reward.malformed} == {"generated[1]", "reference[1]"}


def test_a_case_with_nothing_generated_is_refused() -> None:
    with pytest.raises(InputError, match="no generated graph"):
        GUARDED.score([RewardCase(response="x", reference=[["a", "p", "b"]])], strict=True)


def test_one_bad_case_does_not_cost_the_others_their_scores() -> None:
    good = {"id": "good", "generated": [["a", "p", "b"]], "reference": [["a", "p", "b"]]}
    bad: list[Any] = [
        {"id": "no graph", "response": "x", "reference": [["a", "p", "b"]]},
        {"id": "no list", "generated": "a", "reference": [["a", "p", "b"]]},
        {"id": 7, "accuracy": 2, "generated": []},
        {"id": "large", "generated": [["a", "p", str(one)] for one in range(20_001)]}
        | {"reference": [["a", "p", "b"]]},
        "no case at all",
        None,
    ]
    rewards = EQUAL.score([good, *bad, good])
    assert [one.status for one in rewards] == ["scored", *["failed"] * len(bad), "scored"]
    assert [one.id for one in rewards[1:4]] == ["no graph", "no list", "7"]
    assert all(one.error for one in rewards[1:-1])
    assert rewards[0].process == rewards[-1].process == 1.0


def test_what_is_too_large_is_refused_with_the_figures() -> None:
    many = [[f"n{number}", "p", f"m{number}"] for number in range(20_001)]
    with pytest.raises(SizeError, match="20,001 generated"):
        scored(EQUAL, many, [["a", "p", "b"]])


# --- the reward


RESPONSE = "<think>\nFever suggests flu.\n</think>\n\nThe answer is \\boxed{B}."
WHOLE = {
    "id": "w",
    "response": RESPONSE,
    "answer": "B",
    "options": {"A": "cold", "B": "flu"},
    "generated": [["fever", "suggests", "flu"]],
    "reference": [["fever", "suggests", "flu"], ["cough", "suggests", "flu"]],
}


def test_the_reward_is_the_weighted_sum() -> None:
    reward = groundtrace.reward(WHOLE)
    assert (reward.format, reward.accuracy, reward.structural_correctness) == (1.0, 1.0, 0.5)
    assert reward.process
    assert reward.reward == pytest.approx(0.2 + 0.6 + 0.2 * reward.process)
    assert reward.missed == [Triplet("cough", "suggests", "flu")]
    assert reward.matches[0].similarity == pytest.approx((1, 1, 1))


@pytest.mark.parametrize(
    ("changes", "lacking"),
    [({"answer": None}, "accuracy"), ({"response": None}, "format")],
)
def test_what_does_not_exist_is_none_and_so_is_the_reward(
    changes: dict[str, Any], lacking: str
) -> None:
    reward = groundtrace.reward(WHOLE | changes)
    assert getattr(reward, lacking) is None
    assert reward.reward is None
    assert reward.status == "scored"
    assert reward.process is not None


@pytest.mark.parametrize("answer", ["D", "Z", "malaria"])
def test_a_right_answer_that_is_no_option_makes_a_case_unscorable(answer: str) -> None:
    for made in (None, RewardSettings(compat="medceg")):
        reward = groundtrace.reward(WHOLE | {"answer": answer}, made)
        assert reward.status == "unscorable"
        assert reward.error == f"the right answer “{answer}” is none of the options A, B"
        assert reward.accuracy is reward.reward is None
    judged = groundtrace.reward(WHOLE | {"answer": answer, "accuracy": 1.0})
    assert (judged.status, judged.accuracy) == ("scored", 1.0)


@pytest.mark.parametrize(
    ("response", "accuracy", "found"),
    [
        ("<think>a</think>So it is flu.", 1.0, True),
        ("<think>a</think>\\boxed{A}", 0.0, True),
        ("<think>a</think>I cannot say.", None, False),
        ("<think>a, so \\boxed{B}", 0.0, False),
    ],
)
def test_an_answer_that_is_not_found_is_counted_apart(
    response: str, accuracy: float | None, found: bool
) -> None:
    reward = groundtrace.reward(WHOLE | {"response": response})
    assert (reward.accuracy, reward.answer_found) == (accuracy, found)
    assert (reward.reward is None) == (accuracy is None)


def test_weights_and_ceiling_are_options() -> None:
    weights = Weights(1.0, 0.0, 0.0, 0.99, 0.0, 0.0, 1.0)
    reward = groundtrace.reward(WHOLE, RewardSettings(weights=weights))
    assert reward.process == reward.node_coverage == reward.reward
    assert groundtrace.reward(WHOLE, RewardSettings(weights=Weights(ceiling=0.1))).process == 1.0


@pytest.mark.parametrize(
    "changes",
    [
        {"node": 0.6},
        {"node": -0.5, "structure": 1.3},
        {"format": 0.5},
        {"ceiling": -1.0},
        {"node": float("nan")},
    ],
)
def test_weights_that_are_none_are_refused(changes: dict[str, float]) -> None:
    with pytest.raises(InputError):
        Weights(**changes)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"compat": "other"}, "known is medceg"),
        ({"entity_threshold": 1.5}, "entity_threshold"),
        ({"relation_threshold": float("nan")}, "relation_threshold"),
        ({"embedding": groundtrace.EmbeddingSettings("bge")}, "known are exact, openai"),
        ({"guards": False, "overlays": ("x.lp",)}, "guards are switched off"),
    ],
)
def test_settings_that_cannot_be_used_are_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Rewarder(RewardSettings(**changes))


def test_a_guard_file_that_is_missing_is_told() -> None:
    with pytest.raises(RuleError, match=r"nowhere.lp: cannot read rule file"):
        Rewarder(RewardSettings(overlays=("nowhere.lp",)))


def test_provenance_says_what_shaped_the_scores() -> None:
    told = groundtrace.reward(WHOLE).provenance
    assert told["embedding"] == "use"
    assert told["guards"] is True
    assert {"reward.lp", "guards.lp", "guards/1_terms.lp"} <= set(told["rules"])
    assert groundtrace.reward(WHOLE, RewardSettings(compat="medceg")).provenance["compat"]


def test_unknown_fields_come_out_again() -> None:
    assert groundtrace.reward(WHOLE | {"split": "test"}).meta == {"split": "test"}


def test_threads_score_as_one_thread_does() -> None:
    rewarder = Rewarder()
    cases = [
        RewardCase(generated=WHOLE["generated"], reference=[["fever", "suggests", f"flu {n}"]])
        for n in range(24)
    ]
    expected = Rewarder().score(cases)
    results: dict[int, list[Reward]] = {}
    threads = [
        threading.Thread(target=lambda part=part: results.update({part: rewarder.score(cases)}))
        for part in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 6
    for rewards in results.values():
        # The last digits of an embedding depend on what it was made together with.
        assert [one.process for one in rewards] == pytest.approx([one.process for one in expected])
        assert [one.matches for one in rewards] == [one.matches for one in rewarder.score(cases)]


def test_many_threads_never_mix_up_texts() -> None:
    """Numbers of texts were once kept for all threads, and filled in the wrong order."""
    rewarder = Rewarder(RewardSettings(embedding=groundtrace.EmbeddingSettings("exact")))

    def case(number: int) -> RewardCase:
        whole = [
            [f"n{number} {place}", f"p{place}", f"n{number} {place + 1}"] for place in range(9)
        ]
        return RewardCase(generated=[*whole[: number % 9 + 1]], reference=[*whole])

    results: list[list[float | None]] = []

    def work(start: int) -> None:
        for number in range(start, start + 12):
            (reward,) = rewarder.score([case(number)])
            results.append([float(number % 9 + 1), reward.structural_correctness])

    threads = [threading.Thread(target=work, args=(part * 40,)) for part in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 24 * 12
    assert all(found == pytest.approx((expected or 0) / 9) for expected, found in results)


# --- gaming


def process_of(generated: Items) -> float:
    reference = rows("medceg_example.jsonl")[1]["graph"]["core_reasoning_subgraph"]
    return scored(GUARDED, generated, reference).process or 0.0


def test_no_trick_reaches_the_process_reward_of_an_honest_half() -> None:
    row = rows("medceg_example.jsonl")[1]
    reference = row["graph"]["core_reasoning_subgraph"]
    honest = process_of(reference[: len(reference) // 2])
    random_ = random.Random(3)
    tricks = {
        "nothing": [],
        "echo of the answer": [["the answer", "is", row["answer"]]],
        "the same triplet a thousand times": [reference[0]] * 1000,
        "a flood": [
            [f"finding {random_.randrange(999)}", "suggests", f"disease {random_.randrange(999)}"]
            for _ in range(5000)
        ],
    }
    for name, generated in tricks.items():
        assert process_of(generated) < honest, name


def test_a_list_of_the_nodes_is_worth_less_than_an_honest_half() -> None:
    for row in rows("medceg_example.jsonl"):
        reference = row["graph"]["core_reasoning_subgraph"]
        nodes = list(dict.fromkeys(end for one in reference for end in (one[0], one[2])))
        listed = [[one, "is listed beside", other] for one, other in pairwise(nodes)]
        trick = scored(GUARDED, listed, reference)
        assert (trick.structural_correctness, trick.precision) == (0.0, 0.0)
        assert trick.process == pytest.approx(0.5)
        honest = scored(GUARDED, reference[: (len(reference) + 1) // 2], reference)
        assert (honest.process or 0) > (trick.process or 0)
