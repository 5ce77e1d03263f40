"""Votes: equal to counting by hand, with who voted, on made-up and on real extractions."""

from collections import defaultdict
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import groundtrace
from groundtrace.errors import InputError
from groundtrace.graphs.guards import Guards
from groundtrace.graphs.matching import Aliases
from groundtrace.graphs.voting import vote
from groundtrace.models.graph import EvidenceGraph, VotedTriplet
from groundtrace.models.names import normal
from groundtrace.rules.rulebook import rulebook_for
from tests.graph_strategies import graphs
from tests.real_data import rows

Items = list[list[str]]


def case(**extractions: Items | None) -> dict[str, Any]:
    return {
        "id": "c",
        "extractions": [
            {"model": model, "triplets": items} for model, items in extractions.items()
        ],
    }


def forms(voted: list[VotedTriplet]) -> dict[tuple[str, str, str], set[str]]:
    return {
        (normal(one.subject), normal(one.predicate), normal(one.object)): set(one.models)
        for one in voted
    }


@settings(max_examples=400)
@given(st.lists(graphs(5, 8), min_size=1, max_size=4), st.integers(1, 3), st.data())
def test_equal_to_counting_by_hand(
    given_graphs: list[list[Any]], min_votes: int, data: st.DataObject
) -> None:
    models = [data.draw(st.sampled_from("abc")) for _ in given_graphs]
    if len(set(models)) < min_votes:
        return
    extractions = [
        {"model": model, "triplets": [list(one) for one in graph]}
        for model, graph in zip(models, given_graphs, strict=True)
    ]
    found = vote({"extractions": extractions}, min_votes)
    who = defaultdict(set)
    for extraction in extractions:
        for triplet in extraction["triplets"]:
            who[tuple(map(normal, triplet))].add(extraction["model"])
    expected = {form: voters for form, voters in who.items() if len(voters) >= min_votes}
    assert forms(found.triplets) == expected
    assert forms(found.outvoted) == {form: who[form] for form in who if form not in expected}
    assert all(one.votes == len(one.models) for one in [*found.triplets, *found.outvoted])


@settings(max_examples=400)
@given(st.lists(graphs(5, 8), min_size=2, max_size=3), st.data())
def test_the_order_of_extractions_changes_nothing_but_the_order(
    given_graphs: list[list[Any]], data: st.DataObject
) -> None:
    extractions = [
        {"model": f"m{place}", "triplets": [list(one) for one in graph]}
        for place, graph in enumerate(given_graphs)
    ]
    shuffled = data.draw(st.permutations(extractions))

    def spelled(graph: EvidenceGraph) -> set[tuple[Any, ...]]:
        return {
            (one.subject, one.predicate, one.object, one.votes, frozenset(one.models))
            for one in graph.triplets
        }

    assert spelled(vote({"extractions": extractions})) == spelled(vote({"extractions": shuffled}))


def test_the_spelling_that_most_models_used_is_kept() -> None:
    found = vote(
        case(
            a=[["C\u2011Reactive  protein", "IS", "high"]],
            b=[["c-reactive protein", "is", "high"]],
            c=[["c-reactive protein", "is", "“high”"]],
        )
    )
    (one,) = found.triplets
    assert (one.subject, one.predicate, one.object) == ("c-reactive protein", "is", "high")
    assert (one.votes, one.models) == (3, ["a", "b", "c"])


def test_a_node_is_spelled_alike_in_all_triplets() -> None:
    found = vote(
        case(
            a=[["Fever", "suggests", "flu"], ["Fever", "rules out", "cold"]],
            b=[["fever", "suggests", "flu"], ["Fever", "rules out", "cold"]],
            c=[["fever", "suggests", "flu"]],
        )
    )
    assert [one.subject for one in found.triplets] == ["Fever", "Fever"]


def test_one_model_has_one_vote() -> None:
    same = [["a", "p", "b"], ["A", "P", "B"]]
    found = vote(
        {
            "extractions": [
                {"model": "a", "triplets": same},
                {"model": "a", "triplets": same},
                {"model": "b", "triplets": []},
            ]
        }
    )
    assert found.triplets == []
    assert [one.votes for one in found.outvoted] == [1]


def test_names_that_name_nothing_are_left_out_with_a_finding() -> None:
    triplets = [
        ["This", "related_to", "the problem"],
        ["It", "causes", "fever"],
        ["fever", "suggests", "now"],
        ["the patient", "has", "fever"],
        ["patient", "has", "a fever"],
    ]
    found = vote({"extractions": [{"model": one, "triplets": triplets} for one in "ab"]})
    assert [(one.subject, one.object, one.votes) for one in found.triplets] == [
        ("the patient", "fever", 2)
    ]
    assert [item.problem for item in found.malformed[:3]] == [
        "subject: “This” alone names nothing",
        "subject: “It” alone names nothing",
        "object: “now” alone names nothing",
    ]


def test_malformed_items_are_reported_with_their_place() -> None:
    found = vote(case(a=[["a", "p", "b"], ["a", "p"]], b=[["a", "p", "b"], ["a", "p", ""]]))
    assert len(found.triplets) == 1
    assert [item.place for item in found.malformed] == [
        "extractions[0].triplets[1]",
        "extractions[1].triplets[1]",
    ]


def test_a_lost_extraction_is_told_and_the_others_vote() -> None:
    found = vote(case(a=[["a", "p", "b"]], b=[["a", "p", "b"]], c=None))
    assert found.status == "scored"
    assert [warning.kind for warning in found.warnings] == ["missing_extraction"]
    assert "c" in found.warnings[0].message


def test_too_few_extractions_fail_the_case_rather_than_empty_it() -> None:
    found = vote(case(a=[["a", "p", "b"]], b=None, c=None))
    assert (found.status, found.triplets) == ("failed", [])
    assert "no triplets from b" in (found.error or "")


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"triplets": [["a", "p", "b"]]}, "no extractions"),
        (case(a=[["a", "p", "b"]]), "2 votes are needed, but only 1"),
        ({"extractions": [{"triplets": []}]}, "model"),
        ({"extractions": [{"model": "a", "triplets": "x"}]}, "triplets"),
    ],
)
def test_what_cannot_be_voted_on_is_refused(record: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        vote(record)


def test_what_was_filled_in_is_marked_unless_somebody_found_it() -> None:
    found = vote(
        {
            "extractions": [
                {"model": "a", "triplets": [["a", "p", "b"]], "filled": [["b", "p", "c"]]},
                {"model": "b", "triplets": [["b", "p", "c"]], "filled": [["c", "p", "d"]]},
                {"model": "c", "triplets": [["a", "p", "b"]], "filled": [["c", "p", "d"]]},
            ]
        }
    )
    assert {one.object: one.filled for one in found.triplets} == {
        "b": False,
        "c": False,
        "d": True,
    }


# --- aliases


class Table:
    """Similarities that a test makes up; equal texts are alike."""

    def __init__(self, **alike: float) -> None:
        self._alike = {frozenset(pair.split("__")): value for pair, value in alike.items()}

    def matrix(self, texts: Any, others: Any) -> Any:
        import numpy

        return numpy.array(
            [
                [1.0 if a == b else self._alike.get(frozenset((a, b)), 0.0) for b in others]
                for a in texts
            ],
            dtype=numpy.float32,
        ).reshape(len(texts), len(others))


def test_spellings_of_one_thing_are_merged_into_the_first() -> None:
    found = vote(
        case(a=[["mi", "causes", "pain"]], b=[["heartattack", "causes", "pain"]]),
        aliases=Aliases(Table(mi__heartattack=0.95), None, 0.9),
    )
    (one,) = found.triplets
    assert (one.subject, one.votes) == ("heartattack", 2)
    assert [(merged.kept, merged.dropped) for merged in found.merged] == [("mi", "heartattack")]


def test_alike_is_not_passed_on_from_one_to_the_next() -> None:
    aliases = Aliases(Table(a__b=0.95, b__c=0.95), None, 0.9)
    assert [(one.kept, one.dropped) for one in aliases(["a", "b", "c"], [])] == [("a", "b")]


def test_opposites_are_never_merged() -> None:
    everything = Table(**{"left kidney__right kidney": 0.99, "hypertension__hypotension": 0.99})
    texts = ["left kidney", "right kidney", "hypertension", "hypotension"]
    guards = Guards(rulebook_for("guards"))
    assert Aliases(everything, guards, 0.9)(texts, []) == []
    assert len(Aliases(everything, None, 0.9)(texts, [])) == 2


def test_a_triplet_whose_ends_were_merged_is_left_out() -> None:
    found = vote(
        case(a=[["mi", "is", "heartattack"]], b=[["mi", "is", "heartattack"]]),
        aliases=Aliases(Table(mi__heartattack=0.95), None, 0.9),
    )
    assert found.triplets == []
    assert {item.place for item in found.malformed} == {"a", "b"}


# --- three real extractors over the same abstracts


def tau_cases() -> dict[int, dict[str, Any]]:
    """Return the extractions of each abstract that at least two extractors looked at."""
    by_abstract: dict[int, dict[str, Items]] = defaultdict(dict)
    for model in ("gpt4", "gpt35", "textmining"):
        for row in rows(f"tau_{model}.jsonl"):
            triplet = [row["Subject"], row["Relation"], row["Object"]]
            by_abstract[row["PubMedID"]].setdefault(model, []).append(triplet)
    return {abstract: case(**found) for abstract, found in by_abstract.items() if len(found) > 1}


def test_real_extractions_are_voted_on_as_counting_by_hand_does() -> None:
    cases = tau_cases()
    assert len(cases) > 20
    agreed = 0
    for record in cases.values():
        found = groundtrace.vote(record)
        who = defaultdict(set)
        for extraction in record["extractions"]:
            for triplet in extraction["triplets"]:
                if normal(triplet[0]) != normal(triplet[2]):
                    who[tuple(map(normal, triplet))].add(extraction["model"])
        assert forms(found.triplets) == {form: of for form, of in who.items() if len(of) > 1}
        assert len(found.triplets) + len(found.outvoted) == len(who)
        agreed += len(found.triplets)
    # The three write names in different ways, so that nobody repeats another word for word.
    assert agreed == 0


def respelled(text: str) -> str:
    """Return a name as another model might write it."""
    return f" “{text.upper().replace('-', chr(0x2011)).replace(' ', chr(0xA0))}”. "


def test_real_names_in_another_spelling_are_the_same_names() -> None:
    for record in tau_cases().values():
        for extraction in record["extractions"]:
            other = [[respelled(text) for text in one] for one in extraction["triplets"]]
            found = vote(case(a=extraction["triplets"], b=other))
            assert found.outvoted == []
            assert all(one.votes == 2 for one in found.triplets)


def test_awkward_names_come_out_as_they_went_in() -> None:
    for record in tau_cases().values():
        given_names = {
            text for one in record["extractions"] for triplet in one["triplets"] for text in triplet
        }
        found = vote(record, 1)
        for one in found.triplets:
            assert {one.subject, one.predicate, one.object} <= given_names
