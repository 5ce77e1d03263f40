"""Every question: its header, a case that it must find, and a near miss that it must not."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import pyoxigraph as ox
import pytest
from rdflib.plugins.sparql.algebra import translateQuery
from rdflib.plugins.sparql.parser import parseQuery

from groundtrace import __version__
from groundtrace.knowledge.ask.questions import Question, bound, read_question
from groundtrace.knowledge.rdf.records import AnyRecord
from groundtrace.models.graph import GraphCase
from groundtrace.models.trace import Trace
from tests.command import ROOT
from tests.question_bases import (
    Row,
    all_quads,
    audited,
    critical,
    listed,
    reward,
    rows,
    run_of,
    store_of,
    trace,
    voted,
)

FILES = sorted((ROOT / "ontology" / "queries").glob("*.rq"))
QUESTIONS = [read_question(path) for path in FILES]
SLOT = re.compile(r"VALUES \?(\w+) \{ UNDEF \}")

every_question = pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: one.name)


def test_there_are_questions() -> None:
    assert len(QUESTIONS) >= 13


@every_question
def test_a_question_tells_what_it_answers_and_what_can_be_given(question: Question) -> None:
    assert question.title
    assert not question.title.endswith(".")
    assert question.answers.endswith(".")
    assert [one.name for one in question.parameters] == SLOT.findall(question.query)
    assert all(one.about for one in question.parameters)


@every_question
def test_both_parsers_read_a_question_and_the_example_is_one_of_its_rows(
    question: Question,
) -> None:
    names = [str(name) for name in translateQuery(parseQuery(question.query)).algebra.PV]
    solutions = ox.Store().query(question.query)
    assert isinstance(solutions, ox.QuerySolutions)
    assert [variable.value for variable in solutions.variables] == names
    assert len(question.example.split("|")) == len(names)


class Example(NamedTuple):
    """A case by hand.

    Attributes:
        found: Records.
        rows: What a question must find in them.
        missed: Records in which it must find nothing.
        values: Of its parameters.
    """

    found: Sequence[AnyRecord]
    rows: list[Row]
    missed: Sequence[AnyRecord]
    values: dict[str, str]


LEANING = trace("t", 4, _2to3="entailment", _2to4="entailment", _1_2to4="neutral")
"""3 and 4 have no support but by 2, an orphan."""

BESIDES = trace("t", 4, _1to2="entailment", _2to4="entailment", _3to4="neutral")
"""2 is no orphan, and nothing leans on 3, which is one."""

FAR = trace("t", 5, _1to5="implied")
"""Whether the gap is too large depends on a constant."""

CHAIN = ("a causes b", "b causes c")


def ancestors() -> Example:
    whole = critical("x", "c", *CHAIN, "c causes b", "c causes d")
    aside = critical("x", "c", "c causes d", "d causes e")
    return Example([whole], [("x", 1, "b"), ("x", 2, "a")], [aside], {"id": "x"})


def audit_differences() -> Example:
    pair = [audited(FAR), audited(FAR, gap=9)]
    first, second = sorted(pair, key=run_of)
    row = ("t", 5, first.segment(5).outcome, second.segment(5).outcome)
    equal = [audited(BESIDES), audited(BESIDES, gap=9)]
    apart = audited(FAR.model_copy(update={"id": "u"}), gap=9)
    return Example(pair, [(*row, run_of(first), run_of(second))], [*equal, apart], {"id": "t"})


def contradictions() -> Example:
    bad = audited(trace("t", 3, _1_2to3="contradiction", _1to2="contradiction"))
    found: list[Row] = [("t", 2, "1-2", 1), ("t", 3, "1.2-3", 1), ("t", 3, "1.2-3", 2)]
    return Example([bad], found, [audited(BESIDES)], {"id": "t"})


def longest_chains() -> Example:
    long = critical("x", "c", *CHAIN, "c causes d")
    short = critical("y", "c", "b causes c")
    given: AnyRecord = GraphCase(id="x", triplets=[["a", "p", "b"]], conclusion="b")
    none = critical("x", "c", "c causes d")
    return Example([short, long], [("x", 2), ("y", 1)], [given, none], {})


def missed_triplets() -> Example:
    some = [
        reward("x", ["a causes b", "Fever causes flu"]),
        reward("x", ["fever Causes Flu"], provenance={"version": "other"}),
        reward("x", ["a causes b"], status="failed", provenance={"version": "third"}),
    ]
    both = [(["a", "p", "b"], ["a", "q", "b"], [1.0, 0.7, 1.0])]
    recalled = [reward("x", matches=both), reward("y", ["a p b"], status="unscorable")]
    found: list[Row] = [("Fever", "Causes", "Flu", 2), ("a", "causes", "b", 1)]
    return Example(some, found, recalled, {"id": "x"})


def only_orphan_supports() -> Example:
    other = trace("t", 4, _2to4="entailment", _1to4="entailment")
    return Example([audited(LEANING)], [("t", 3), ("t", 4)], [audited(other)], {"id": "t"})


def orphans_leaned_on() -> Example:
    return Example([audited(LEANING)], [("t", 2, 2)], [audited(BESIDES)], {"id": "t"})


def outcome_counts() -> Example:
    one = audited(Trace.model_validate({**LEANING.model_dump(), "domain": "law", "model": "m"}))
    common = ("law", "m", __version__, run_of(one))
    found: list[Row] = [(*common, "orphan", 1), (*common, "unsupported", 2)]
    return Example([one], found, [LEANING], {})


def premise_reuse() -> Example:
    reused = trace("t", 4, _1to2="entailment", _1to3="entailment", _1_2to3="implied")
    none = trace("t", 4, _1to2="neutral", _1to3="contradiction", _1to4=None)  # type: ignore[arg-type]
    return Example([audited(reused)], [("t", 1, 2, 2)], [audited(none)], {"id": "t"})


def shared_concepts() -> Example:
    pair = [critical("x", "flu", "Fever suggests flu"), critical("y", "x", "“fever” is x")]
    same: list[AnyRecord] = [
        critical("x", "flu", "fever suggests flu"),
        voted("x", m=["fever suggests flu"]),
        voted("y", 2, m=["fever suggests cold", "a is b"], n=["a is b"]),
    ]
    return Example(pair, [("fever", 2)], same, {})


def shortcuts() -> Example:
    jump = critical("x", "c", *CHAIN, "a means c")
    found: list[Row] = [
        ("x", "a", "means", "c", 1, "a", "causes", "b"),
        ("x", "a", "means", "c", 2, "b", "causes", "c"),
    ]
    round_ = critical("x", "c", *CHAIN, "c causes a", "a means d")
    return Example([jump], found, [round_], {"id": "x"})


def single_model() -> Example:
    alone = voted("x", m=["a is b", "c is d"], n=["A is B"])
    both = voted("x", 2, m=["a is b"], n=["A is b"])
    return Example([alone], [("x", "m", "c", "is", "d")], [both], {"id": "x"})


def unreached_conclusions() -> Example:
    unreached = critical("x", "c", "c causes d")
    unfound = critical("y", None, *CHAIN, answer="nothing of this")
    reached = critical("x", "c", *CHAIN)
    return Example([unreached, unfound], [("x", "c"), ("y", None)], [reached], {})


def why_supported() -> Example:
    found: list[Row] = [
        ("t", 4, 4, "implied", 2, False),
        ("t", 4, 4, "implied", 3, False),
        ("t", 4, 3, "entailment", 1, True),
        ("t", 4, 2, "entailment", 1, True),
    ]
    tree = trace("t", 4, _1to2="entailment", _1to3="entailment", _2_3to4="implied")
    return Example([audited(tree)], found, [audited(LEANING)], {"id": "t", "segment": "4"})


EXAMPLES: dict[str, Callable[[], Example]] = {
    one.__name__.replace("_", "-"): one
    for one in (
        ancestors,
        audit_differences,
        contradictions,
        longest_chains,
        missed_triplets,
        only_orphan_supports,
        orphans_leaned_on,
        outcome_counts,
        premise_reuse,
        shared_concepts,
        shortcuts,
        single_model,
        unreached_conclusions,
        why_supported,
    )
}


def test_every_question_has_an_example() -> None:
    assert sorted(EXAMPLES) == [path.stem for path in FILES]


@every_question
def test_a_question_finds_what_it_is_about_in_order(question: Question) -> None:
    example = EXAMPLES[question.name]()
    found = listed(store_of(all_quads(example.found)), bound(question, example.values))
    assert [tuple(row.values()) for row in found] == example.rows


@every_question
def test_a_question_passes_over_a_near_miss(question: Question) -> None:
    assert not rows(store_of(all_quads(EXAMPLES[question.name]().missed)), question.query)


ABOUT_ONE = [one for one in QUESTIONS if "id" in {parameter.name for parameter in one.parameters}]


@pytest.mark.parametrize("question", ABOUT_ONE, ids=lambda one: one.name)
def test_a_question_about_one_case_passes_over_others(question: Question) -> None:
    store = store_of(all_quads(EXAMPLES[question.name]().found))
    assert rows(store, question.query)
    assert not rows(store, bound(question, {"id": "another"}))
