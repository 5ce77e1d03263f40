"""On random knowledge bases every question answers what plain Python finds in the records."""

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import groundtrace
from groundtrace.graphs.critical import Reducer
from groundtrace.knowledge.questions import Question, bound, read_question
from groundtrace.knowledge.records import AnyRecord, draft_of
from groundtrace.models.graph import GraphCase
from groundtrace.models.reward import Reward
from groundtrace.models.trace import Trace
from groundtrace.normal import normal
from groundtrace.rulebook import rulebook_for
from tests.brute_force import Case
from tests.command import ROOT
from tests.graph_strategies import graphs
from tests.question_answers import ANSWERS, answer
from tests.question_bases import Rows, all_quads, audited, listed, reducer, reward, store_of
from tests.strategies import cases

QUESTIONS = [read_question(path) for path in sorted((ROOT / "ontology/queries").glob("*.rq"))]
IDS = ("a", 'B "} #\n\\u0022', "Ελληνικά\u2011'''", "c d")
NAMES = {"node", "subject", "predicate", "object", "from", "by", "to", "concept", "conclusion"}
FALLING = {"steps", "missed", "leaning", "supports", "cases"}
"""Columns by which the most comes first."""

KEYS = ("subject", "predicate", "object")
MODELS = ("m", "n", "ö")


RANDOMS = st.builds(Random, st.integers(0, 2**32))


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
    """Return a reward; now and then a triplet is missed in two spellings, or recalled and missed."""
    spelled = [[respelled(random, part) for part in one] for one in triplets * 2]
    parts = random.sample(spelled, random.randint(0, len(spelled)))
    recalled = parts[: random.randint(0, len(parts))]
    return reward(
        random.choice(IDS),
        parts[len(recalled) // 2 :],
        random.choice(["scored", "scored", "scored", "failed"]),
        matches=[(one, random.choice(parts), (1.0, 0.5, 1.0)) for one in recalled],
        provenance={"version": str(number)},
    )


OWN: list[dict[str, Any]] = [{}, {"domain": "law"}, {"domain": 3, "model": "m"}, {"model": "ö\n"}]


@st.composite
def traces(draw: st.DrawFn, name: str) -> Trace:
    case: Case = draw(cases())
    return Trace.model_validate(
        {
            **draw(st.sampled_from(OWN)),
            "id": name,
            "segments": [f"segment {number}" for number in range(case.segments)],
            "leaves": sorted(case.leaves),
            "relations": [
                {"premises": premises, "target": target, "label": label}
                for (premises, target), label in case.relations.items()
            ],
        }
    )


@pytest.fixture(scope="module")
def turning(tmp_path_factory: pytest.TempPathFactory) -> Reducer:
    """Give a reducer that takes some predicates the other way round."""
    path = tmp_path_factory.mktemp("rules") / "own.lp"
    path.write_text('backwards("causes"). backwards("is caused by").', encoding="utf-8")
    return Reducer(rulebook_for("graph", [path]))


def base(data: st.DataObject, turning: Reducer) -> list[AnyRecord]:
    """Draw some records of every kind; cases share ids, nodes and models."""
    random = data.draw(RANDOMS)
    found: list[AnyRecord] = []
    for name in data.draw(st.sets(st.sampled_from(IDS), max_size=2)):
        trace = data.draw(traces(name))
        found += [trace, *(audited(trace, gap) for gap in random.choice([(3,), (3, 9), (1, 9)]))]
    for name in data.draw(st.sets(st.sampled_from(IDS), max_size=3)):
        case = case_of(random, name, data.draw(graphs(7, 10)))
        reducers = random.choice([(reducer(),), (reducer(), turning), (turning,)])
        found += [case, *(one.reduce(case) for one in reducers)][random.choice([0, 0, 1]) :]
        if random.random() < 0.5:
            extractions = [
                {"model": model, "triplets": items(random, data.draw(graphs(4, 5)))}
                for model in random.sample(MODELS, random.choice([1, 2]))
            ]
            most = len(extractions)
            votes = {"id": name, "extractions": extractions}
            found.append(groundtrace.vote(votes, random.randint(1, most)))
    for number in range(random.choice([0, 1, 3])):
        found.append(reward_of(random, number, data.draw(graphs(3, 5))))
    return list({draft_of(one).iri.value: one for one in found}.values())


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


def values_for(question: Question, records: list[AnyRecord], random: Random) -> dict[str, str]:
    values = {"id": random.choice([one.id for one in records])}
    if "segment" in {one.name for one in question.parameters}:
        values["segment"] = str(random.randint(1, 12))
    return values


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

    @given(st.data())
    @settings(max_examples=120)
    def compare(data: st.DataObject) -> None:
        records = base(data, turning)
        store = store_of(all_quads(records))
        random = data.draw(RANDOMS)
        for question in QUESTIONS:
            expected = answer(question.name, records)
            assert found_by(store, question.query) == expected, question.name
            answered[question.name] += bool(expected)
            if question.parameters and records:
                values = values_for(question, records, random)
                expected = about(question, records, values)
                assert found_by(store, bound(question, values)) == expected, question.name
                answered[f"{question.name} of one case"] += bool(expected)

    compare()
    asked = {*ANSWERS, *(f"{one.name} of one case" for one in QUESTIONS if one.parameters)}
    assert {name for name, count in answered.items() if count} == asked
