"""Several voters, one label."""

from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtrace.chat.settings import Voter
from groundtrace.labelling.candidates import Candidate
from groundtrace.labelling.questions import LabelAnswer
from groundtrace.labelling.votes import majority, relation_of
from groundtrace.vocabulary import LABELS, Label

E: Label = "entailment"
I: Label = "implied"  # noqa: E741
N: Label = "neutral"
C: Label = "contradiction"


@pytest.mark.parametrize(
    ("votes", "label"),
    [
        ([E], E),
        ([E, E, N], E),
        ([E, N], N),
        ([E, I, N, C], C),
        ([E, E, I, I], I),
        ([None], None),
        ([E, None], None),
        ([E, E, None], E),
        ([I, I, None, None], None),
        ([C, None], C),
        ([N, N, E, None], N),
    ],
)
def test_the_majority_wins_and_ties_go_to_the_weaker_label(
    votes: list[Label | None], label: Label | None
) -> None:
    assert majority(votes) == label


def decided(votes: Sequence[Label]) -> Label:
    best = max(votes.count(label) for label in LABELS)
    return next(label for label in LABELS if votes.count(label) == best)


@given(st.lists(st.sampled_from([*LABELS, None]), min_size=1, max_size=6))
def test_a_label_stands_only_if_no_missing_vote_could_change_it(votes: list[Label | None]) -> None:
    cast = [vote for vote in votes if vote]
    missing = len(votes) - len(cast)
    possible = {decided([*cast, *others]) for others in product(LABELS, repeat=missing)}
    certain = len(possible) == 1 and bool(cast)
    assert majority(votes) == (possible.pop() if certain else None)


def test_one_vote_keeps_its_own_probability() -> None:
    relation = relation_of(Candidate(3, (1, 2)), [Voter("m", 0)], [LabelAnswer(E, 0.9)])
    assert (relation.label, relation.probability, relation.meta) == (E, 0.9, {})


def test_several_votes_are_kept() -> None:
    voters = [Voter("m", 0), Voter("m", 1), Voter("other", 0)]
    answers = [LabelAnswer(E, 0.9), LabelAnswer(E), LabelAnswer(None, error="out of time")]
    relation = relation_of(Candidate(2, (1,)), voters, answers)
    assert relation.label == E
    assert relation.probability == 1.0
    assert relation.meta == {
        "votes": [
            {"model": "m", "sample": 0, "label": E, "probability": 0.9},
            {"model": "m", "sample": 1, "label": E},
            {"model": "other", "sample": 0, "label": None, "error": "out of time"},
        ]
    }


def test_why_there_is_no_label() -> None:
    voters = [Voter("m", 0), Voter("m", 1)]
    relation = relation_of(
        Candidate(2, (1,)), voters, [LabelAnswer(E), LabelAnswer(None, error="out of time")]
    )
    assert relation.label is None
    assert relation.error == "1 of 2 votes are missing: out of time"
