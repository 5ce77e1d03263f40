"""Findings that repeat: one line for each kind in text, all of them in JSON."""

import json

from groundtrace.graphs.voting import vote
from groundtrace.models.graph import GraphCase
from groundtrace.models.reward import RewardCase
from groundtrace.rewards.rewarder import Rewarder
from groundtrace.show.graph_text import evidence_text, graph_json, reward_json, reward_text
from groundtrace.show.repeats import ShownFinding, finding_lines

TRIPLET = ["fever", "suggests", "flu"]


def lines(text: str, start: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(start)]


def test_one_finding_is_told_as_it_is() -> None:
    told = [ShownFinding("triplets[3]", "object: empty")]
    assert [*finding_lines("left out", told)] == ["left out: triplets[3]: object: empty"]


def test_findings_of_one_kind_are_counted_with_their_first_places() -> None:
    told = [ShownFinding(f"t[{place}]", "object: empty") for place in range(1200)]
    told.insert(1, ShownFinding("t[7]", "subject: empty"))
    assert [*finding_lines("left out", told)] == [
        "left out, 1,200 times (t[0], t[1], t[2], …): object: empty",
        "left out: t[7]: subject: empty",
    ]


def test_three_places_are_all_places() -> None:
    told = [ShownFinding(one, f"“{one}” is odd", "odd", told=True) for one in "abc"]
    assert [*finding_lines("warning", told)] == ["warning, 3 times (a, b, c): “a” is odd"]
    assert [*finding_lines("warning", told[:1])] == ["warning: “a” is odd"]


def test_names_and_numbers_in_a_message_make_no_kind_of_their_own() -> None:
    told = [
        ShownFinding("t[0]", "subject: 1,024 characters; at most 300 make a name"),
        ShownFinding("t[1]", "subject: 400 characters; at most 300 make a name"),
        ShownFinding("t[2]", "subject: “this” alone names nothing"),
        ShownFinding("t[3]", "subject: “it” alone names nothing"),
    ]
    assert len([*finding_lines("left out", told)]) == 2


def test_the_same_triplet_many_times_is_one_line_of_text_and_all_of_json() -> None:
    extractions = [{"model": model, "triplets": [TRIPLET] * 500} for model in "abc"]
    case = GraphCase.model_validate({"extractions": extractions})
    graph = vote(case)
    text = evidence_text(case, graph, width=200, colour=False)
    (line,) = lines(text, "left out")
    assert line == (
        "left out, 1,497 times (extractions[0].triplets[1], extractions[0].triplets[2], "
        "extractions[0].triplets[3], …): the same as an earlier one"
    )
    assert len(json.loads(graph_json(case, graph))["malformed"]) == 1497


def test_rewards_are_told_likewise() -> None:
    case = RewardCase(generated=[TRIPLET] * 500, reference=[TRIPLET])
    (reward,) = Rewarder().score([case])
    assert len(lines(reward_text(reward, width=200, colour=False), "left out")) == 1
    assert len(json.loads(reward_json(reward))["malformed"]) == 499
