"""The same question has the same answer whoever is asked."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from typing import Any

import pytest

import groundtrace
from groundtrace.files.reading import read_records
from groundtrace.graphs.critical import critical_graph
from groundtrace.graphs.matching import TextMatching
from groundtrace.knowledge.ask.questions import Question, bound, our_questions
from groundtrace.knowledge.rdf.records import AnyRecord, record_of
from groundtrace.models.audit import Audit
from groundtrace.models.graph import GraphCase
from groundtrace.models.trace import Trace
from groundtrace.rewards.rewarder import Rewarder
from groundtrace.rewards.settings import RewardSettings
from tests.command import DATA
from tests.question_answers import answer
from tests.question_bases import (
    ENGINES,
    Engine,
    Rows,
    all_quads,
    audited,
    critical,
    listed,
    store_of,
    trace,
)

EXACT = TextMatching(embedding=None)


@cache
def shipped() -> list[AnyRecord]:
    """Return the shipped data, and what the commands make of them; traces are audited twice."""
    found: list[AnyRecord] = []
    for name in ("algebra.json", "clinical.json", "lease.json"):
        (record,) = read_records(str(DATA / name))
        trace = record_of(record)
        assert isinstance(trace, Trace)
        found += [trace, audited(trace), audited(trace, gap=10)]
    voted, case = (
        GraphCase.model_validate_json((DATA / "graphs" / name).read_text())
        for name in ("extractions.json", "graph.json")
    )
    other = case.model_copy(update={"id": "other", "answer": "patient"})
    found += [voted, case, groundtrace.vote(voted)]
    found += [critical_graph(one, comparing=EXACT) for one in (case, other)]
    exact = RewardSettings(embedding=groundtrace.EmbeddingSettings("exact"))
    found += Rewarder(exact).score(json.loads((DATA / "graphs/rewards.json").read_text()))
    return found


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Engine]]:
    with ExitStack() as stack:
        yield {
            name: stack.enter_context(engine(shipped(), tmp_path_factory.mktemp(name)))
            for name, engine in ENGINES.items()
        }


VALUES: tuple[dict[str, str], ...] = (
    {},
    {"id": "lease-workshop"},
    {"id": "addison"},
    {"id": "thorough"},
)
BOTH = {"id": "algebra-sum-and-product", "segment": "5"}


def texts(question: Question) -> list[str]:
    """Return a question with its parameters, with some of them, and without."""
    known = {one.name for one in question.parameters}
    return [bound(question, values) for values in (*VALUES, BOTH) if known.issuperset(values)]


@pytest.mark.parametrize("question", our_questions(), ids=lambda one: one.name)
def test_engines_agree_on_a_question(question: Question, engines: dict[str, Engine]) -> None:
    answers: list[dict[str, Rows]] = [
        {name: ask(text) for name, ask in engines.items()} for text in texts(question)
    ]
    for found in answers:
        assert all(rows == found["memory"] for rows in found.values()), found
    assert any(found["memory"] for found in answers)


def test_shipped_audits_are_answered_as_by_plain_python(engines: dict[str, Engine]) -> None:
    audits = [one for one in shipped() if isinstance(one, Audit)]
    for question in our_questions():
        if expected := answer(question.name, audits):
            assert engines["memory"](question.query) == expected


ORDER = {
    "ancestors": "id distance node",
    "audit-differences": "id segment made_by1 made_by2",
    "contradictions": "id segment relation premise",
    "longest-chains": "-steps id",
    "missed-triplets": "-missed subject predicate object",
    "only-orphan-supports": "id segment",
    "orphans-leaned-on": "-leaning id orphan",
    "outcome-counts": "domain model version made_by outcome",
    "premise-reuse": "-supports id segment",
    "shared-concepts": "-cases concept",
    "shortcuts": "id subject predicate object step",
    "single-model": "id model subject predicate object",
    "unreached-conclusions": "id conclusion",
    "why-supported": "id segment -step premise",
}


MORE: list[AnyRecord] = [
    audited(trace("a", 3, _1_2to3="contradiction", _1to2="contradiction")),
    critical("q", "c", "b p c", "a p c", "c p d"),
    critical("p", "d", "a p b", "b p c", "c p d", "a p c"),
    critical("t", "c", "c p d"),
    critical("s", None, "a p b", answer="z"),
]


def in_order(columns: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows sorted by columns; a minus puts the most first, what is unbound comes first."""
    rows = list(rows)
    for name in reversed(columns.split()):
        key = name.removeprefix("-")
        rows.sort(
            key=lambda row, key=key: (row[key] is not None, row[key]),  # type: ignore[misc]
            reverse=name != key,
        )
    return rows


def test_the_order_of_every_question_is_known() -> None:
    assert sorted(ORDER) == [question.name for question in our_questions()]


@pytest.mark.parametrize("question", our_questions(), ids=lambda one: one.name)
def test_rows_come_in_order(question: Question) -> None:
    """Of one audit per trace; several are told one after the other."""
    wide = {"audit-differences": 0}.get(question.name, 10)
    records = [
        one
        for one in shipped()
        if not isinstance(one, Audit) or one.provenance.constants["closest_gap_limit"] != wide
    ]
    rows = listed(store_of(all_quads([*records, *MORE])), question.query)
    assert len(rows) > 1 or question.name == "audit-differences"
    assert rows == in_order(ORDER[question.name], rows)
