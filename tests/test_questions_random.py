"""On random knowledge bases every question answers what plain Python finds in the records."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from random import Random
from typing import Any

import pyoxigraph as ox
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import groundtrace
from groundtrace.graphs.critical import Reducer
from groundtrace.knowledge.ask.questions import Question, bound, read_question
from groundtrace.knowledge.rdf.records import AnyRecord
from groundtrace.models.graph import GraphCase
from groundtrace.models.names import normal
from groundtrace.models.reward import Reward
from groundtrace.models.trace import Trace
from groundtrace.rules.rulebook import rulebook_for
from tests.command import ROOT
from tests.graph_strategies import ODD_NAMES, PREDICATES
from tests.question_answers import ANSWERS, answer
from tests.question_bases import Rows, all_quads, audited, listed, reducer, reward, store_of

QUESTIONS = [read_question(path) for path in sorted((ROOT / "ontology/queries").glob("*.rq"))]
IDS = ("a", 'B "} #\n\\u0022', "Ελληνικά\u2011'''", "c d")
NAMES = {"node", "subject", "predicate", "object", "from", "by", "to", "concept", "conclusion"}
FALLING = {"steps", "missed", "leaning", "supports", "cases"}
"""Columns by which the most comes first."""

KEYS = ("subject", "predicate", "object")
MODELS = ("m", "n", "ö")


NODES = ("n1", "n2", "n3", "n4", *ODD_NAMES)
DOMAINS: list[dict[str, Any]] = [{}, {"domain": "law"}, {"domain": 3, "model": "m"}]


def trace_of(random: Random, name: str) -> Trace:
    """Return a trace, sparse or dense; few relations contradict or lack a label."""
    count, share = random.randint(2, 8), random.choice([0.1, 0.2, 0.5])
    labels = ["entailment", "implied", "implied", "neutral", "neutral"] * 3 + [
        "contradiction",
        None,
    ]
    sets = [
        (premises, target)
        for target in range(2, count + 1)
        for size in (1, 2, 3)
        for premises in combinations(range(1, target), size)
    ]
    return Trace.model_validate(
        {
            **random.choice(DOMAINS),
            "id": name,
            "segments": [f"segment {number}" for number in range(count)],
            "leaves": random.sample(range(1, count + 1), random.choice([0, 1, 1, 2])),
            "relations": [
                {"premises": premises, "target": target, "label": random.choice(labels)}
                for premises, target in sets
                if random.random() < share
            ],
        }
    )


def edges_of(random: Random, most: int) -> list[tuple[str, str, str]]:
    """Return triplets between few nodes, with cycles or without."""
    nodes = random.sample(NODES, random.randint(2, 6))
    pairs = list(combinations(nodes, 2))
    pairs += random.choice([[], [(end, start) for start, end in pairs]])
    chosen = random.sample(pairs, random.randint(1, min(most, len(pairs))))
    return [(start, random.choice(PREDICATES), end) for start, end in chosen]


def respelled(random: Random, text: str) -> str:
    return random.choice([text, text, text.upper(), f"“{text}”", text.replace("-", "\u2011")])


def items(random: Random, triplets: Iterable[Any]) -> list[Any]:
    """Return triplets in several forms and spellings, and now and then what is none."""
    found: list[Any] = []
    for one in triplets:
        parts = [respelled(random, part) for part in one]
        votes = random.sample(MODELS, random.choice([1, 2]))
        form = {**dict(zip(KEYS, parts, strict=True)), "votes": len(votes), "models": votes}
        found.append(random.choice([parts, parts, {**form, "filled": random.random() < 0.2}]))
        if random.random() < 0.1:
            found.append(random.choice([parts, [parts[0], "is", parts[0]], ["", "p", "q"], 3]))
    return found


def case_of(random: Random, name: str, triplets: list[Any]) -> GraphCase:
    """Return a case: as it is, or as a published row; with a conclusion or without."""
    given_ = items(random, triplets)
    fields: dict[str, Any] = {"id": name, "triplets": given_}
    if random.random() < 0.3:
        core = [list(one) for one in triplets if random.random() < 0.7]
        graph = {"triplets": given_, "core_reasoning_subgraph": core}
        fields = {"index": name, "graph": graph}
    if random.random() < 0.8:
        fields["conclusion"] = respelled(random, random.choice(triplets)[2])
    return GraphCase.model_validate(fields)


def reward_of(random: Random, number: int, triplets: list[Any]) -> Reward:
    """Return a reward; some triplets are missed in two spellings, or recalled and missed."""
    spelled = [[respelled(random, part) for part in one] for one in triplets * 2]
    parts = random.sample(spelled, random.randint(0, len(spelled)))
    recalled = parts[: random.randint(0, len(parts))]
    status = random.choice(["scored", "scored", "scored", "failed"])
    return reward(
        random.choice(IDS),
        parts[len(recalled) // 2 :],
        status,
        matches=[(one, random.choice(parts), (1.0, 0.5, 1.0)) for one in recalled],
        process=0.5 if status == "scored" else None,
        provenance={"version": str(number)},
    )


@pytest.fixture(scope="module")
def turning(tmp_path_factory: pytest.TempPathFactory) -> Reducer:
    """Give a reducer that takes some predicates the other way round."""
    path = tmp_path_factory.mktemp("rules") / "own.lp"
    path.write_text('backwards("causes"). backwards("is caused by").', encoding="utf-8")
    return Reducer(rulebook_for("graph", [path]))


def base(random: Random, turning: Reducer) -> list[AnyRecord]:
    """Return some records of every kind; cases share ids, nodes and models."""
    found: list[AnyRecord] = []
    for name in random.sample(IDS, random.randint(0, 2)):
        trace = trace_of(random, name)
        found += [trace, *(audited(trace, gap) for gap in random.choice([(3,), (3, 9), (1, 9)]))]
    for name in random.sample(IDS, random.randint(0, 3)):
        case = case_of(random, name, edges_of(random, 10))
        reducers = random.choice([(reducer(),), (reducer(), turning), (turning,)])
        found += [case] if random.random() < 0.7 else []
        found += [one.reduce(case) for one in reducers]
        if random.random() < 0.5:
            extractions = [
                {"model": model, "triplets": items(random, edges_of(random, 5))}
                for model in random.sample(MODELS, random.choice([1, 2]))
            ]
            most = len(extractions)
            votes = {"id": name, "extractions": extractions}
            found.append(groundtrace.vote(votes, random.randint(1, most)))
    for number in range(random.choice([0, 1, 3])):
        found.append(reward_of(random, number, edges_of(random, 5)))
    # What could not be reduced knows no rules, and is the same whatever they are.
    return list(
        {repr((one.id, getattr(one, "provenance", type(one)))): one for one in found}.values()
    )


def found_by(store: ox.Store, query: str) -> Rows:
    """Return an answer with names in the form in which they are compared."""
    answers = listed(store, query)
    for name in FALLING.intersection(*answers):
        counts = [row[name] for row in answers]
        assert counts == sorted(counts, reverse=True)
    return Counter(
        tuple(
            normal(value) if name in NAMES and value is not None else value
            for name, value in row.items()
        )
        for row in answers
    )


def values_for(
    question: Question, expected: Rows, records: list[AnyRecord], random: Random
) -> dict[str, str]:
    """Return values for all parameters: of a row, or any."""
    if {one.name for one in question.parameters} == {"id"}:
        return {"id": random.choice(records).id}
    name, segment, *_ = random.choice([*expected, (IDS[0], 1)])
    return {"id": name, "segment": str(segment)}


def about(question: Question, records: list[AnyRecord], values: dict[str, str]) -> Rows:
    """Return what must be answered about one case, and one segment if there is a choice."""
    expected = answer(question.name, [one for one in records if one.id == values["id"]])
    if "segment" in values:
        return Counter(
            {row: count for row, count in expected.items() if str(row[1]) == values["segment"]}
        )
    return expected


def test_every_question_is_answered_by_other_means() -> None:
    assert sorted(ANSWERS) == [question.name for question in QUESTIONS]


def test_every_question_answers_what_plain_python_finds(turning: Reducer) -> None:
    answered: Counter[str] = Counter()

    @given(st.integers(0, 2**32))
    # A smaller seed is no simpler case.
    @settings(max_examples=120, phases=[Phase.generate])
    def compare(seed: int) -> None:
        random = Random(seed)
        records = base(random, turning)
        store = store_of(all_quads(records))
        for question in QUESTIONS:
            expected = answer(question.name, records)
            assert found_by(store, question.query) == expected, question.name
            answered[question.name] += bool(expected)
            if question.parameters and records:
                values = values_for(question, expected, records, random)
                expected = about(question, records, values)
                assert found_by(store, bound(question, values)) == expected, question.name
                answered[f"{question.name} of one case"] += bool(expected)

    compare()
    asked = {*ANSWERS, *(f"{one.name} of one case" for one in QUESTIONS if one.parameters)}
    assert {name for name, count in answered.items() if count} == asked
