"""Every check finds what is broken, passes over what only looks so, and means the same to all."""

import re
from collections import Counter
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from rdflib.plugins.sparql.algebra import translateQuery
from rdflib.plugins.sparql.parser import parseQuery

from groundtrace.errors import InputError
from groundtrace.knowledge.ask.answering import Request
from groundtrace.knowledge.ask.asker import Asker
from groundtrace.knowledge.ask.questions import Question
from groundtrace.knowledge.ask.sources import Source
from groundtrace.knowledge.checking import EXPECTED, chosen_checks, our_checks, run_checks
from groundtrace.knowledge.rdf.record_reading import records_of
from groundtrace.knowledge.rdf.records import AnyRecord, quads_of
from groundtrace.knowledge.rdf.terms import GT, ID
from groundtrace.models.graph import Extraction, GraphCase, Merged, Near
from tests.check_damages import SCORED, Damage, Graph, damages
from tests.command import ROOT
from tests.question_bases import (
    all_quads,
    audited,
    critical,
    in_rdflib,
    listed,
    plain,
    reward,
    rows,
    store_of,
    trace,
    voted,
)
from tests.served import serving
from tests.test_questions_engines import shipped

FILES = sorted((ROOT / "ontology" / "checks").glob("*.rq"))
DAMAGES = damages()
CHECKS = {check.name: check for check in our_checks()}

every_check = pytest.mark.parametrize("check", our_checks(), ids=lambda one: one.name)


def test_every_file_is_a_check() -> None:
    assert [check.path for check in our_checks()] == FILES
    assert len(FILES) >= 14


@every_check
def test_a_check_tells_what_it_looks_for_and_how_bad_that_is(check: Question) -> None:
    assert check.title
    assert not check.title.endswith(".")
    assert check.answers.endswith(".")
    assert not check.parameters
    (severity,) = re.findall(r"^# Severity: (error|warning)$", check.query, re.MULTILINE)
    assert f'("{severity}" AS ?severity)' in check.query


@every_check
def test_both_parsers_read_a_check(check: Question) -> None:
    names = [str(name) for name in translateQuery(parseQuery(check.query)).algebra.PV]
    solutions = ox.Store().query(check.query)
    assert isinstance(solutions, ox.QuerySolutions)
    assert [variable.value for variable in solutions.variables] == names
    assert {"graph", *EXPECTED} == set(names)


def test_every_check_has_something_to_find() -> None:
    assert {damage.check for damage in DAMAGES} == {path.stem for path in FILES}
    assert len(DAMAGES) >= 25


@cache
def named(damage: int) -> str:
    same = [one for one in DAMAGES[:damage] if one.check == DAMAGES[damage].check]
    return f"{DAMAGES[damage].check} {len(same) + 1}"


every_damage = pytest.mark.parametrize("damage", range(len(DAMAGES)), ids=named)


@every_damage
def test_damage_is_found(damage: int) -> None:
    broken: Damage = DAMAGES[damage]
    check = CHECKS[broken.check]
    found = listed(store_of(broken.graph.quads), check.query)
    subjects = [row["subject"] for row in found]
    assert set(subjects) == broken.found
    assert subjects == sorted(subjects)
    assert all(row["graph"] == str(broken.graph.iri) for row in found)
    assert all(row["message"] and row["severity"] in check.query for row in found)
    assert len({tuple(row.values()) for row in found}) == len(found)


OTHERS: list[AnyRecord] = [
    audited(trace("t", 7, _1to2="entailment", _2_4to5="implied", _4to6="entailment"), gap=9),
    audited(trace("u", 3, _1to2="entailment", _1_2to3="implied")),
    critical("y", "d", "a p b", "b p c", "c p d", "e p d", "e q a"),
    voted("y", 1, m=["d p a"]),
    reward("y", ["a p b"], process=1.0, provenance={"version": "1"}),
]


def test_other_records_are_sound() -> None:
    store = store_of(all_quads(OTHERS))
    for check in our_checks():
        assert not rows(store, check.query), check.name


@every_damage
def test_damage_is_not_covered_up_by_sound_records_of_the_same_things(damage: int) -> None:
    broken: Damage = DAMAGES[damage]
    query = CHECKS[broken.check].query
    # Runs and programs are the same, and nothing more may be said of them than was broken.
    shared = re.compile(f"<{ID}(run|software)/")
    others = [quad for quad in all_quads(OTHERS) if not shared.match(str(quad.subject))]
    together = rows(store_of([*broken.graph.quads, *others]), query)
    here = {row for row in together if str(broken.graph.iri) in row}
    assert here == set(rows(store_of(broken.graph.quads), query))


@every_damage
def test_engines_agree_on_damage(damage: int) -> None:
    broken: Damage = DAMAGES[damage]
    query = CHECKS[broken.check].query
    assert in_rdflib(broken.graph.quads)(query) == rows(store_of(broken.graph.quads), query)


def test_checks_find_over_http_what_they_find_here(tmp_path: Path) -> None:
    """On all damages at once; one may make up for another."""
    quads = list({quad for broken in DAMAGES for quad in broken.graph.quads})
    path = tmp_path / "broken.nq"
    path.write_bytes(ox.serialize(quads, format=ox.RdfFormat.N_QUADS) or b"")
    with serving(path) as server, Asker(Source(endpoint=server.sparql)) as asker:
        found = {
            name: Counter(tuple(map(plain, row)) for row in asker.ask(Request(check.query)).rows)
            for name, check in CHECKS.items()
        }
    store = store_of(quads)
    assert found == {name: rows(store, check.query) for name, check in CHECKS.items()}
    assert sum(map(bool, found.values())) > len(CHECKS) / 2


@every_damage
def test_no_damage_escapes_the_comparison_with_the_record(damage: int) -> None:
    with pytest.raises(InputError, match=r"disagree|gt:record"):
        list(records_of(DAMAGES[damage].graph.quads))


@pytest.mark.parametrize("engine", ["oxigraph", "rdflib", "server"])
def test_what_no_query_finds_is_found_by_comparison(engine: Any, tmp_path: Path) -> None:
    edited = Graph(SCORED).change("", "gt:process", ox.Literal(0.25))
    path = tmp_path / "edited.nq"
    quads = [*edited.quads, *all_quads(OTHERS)]
    path.write_bytes(ox.serialize(quads, format=ox.RdfFormat.N_QUADS) or b"")
    with ExitStack() as stack:
        if engine == "server":
            source = Source(endpoint=stack.enter_context(serving(path)).sparql)
        else:
            source = Source((str(path),), engine=engine)
        asker = stack.enter_context(Asker(source))
        done = {one.check.name: one for one in run_checks(asker, chosen_checks([], []), 60)}
    (found,) = [one for checked in done.values() for one in checked.violations]
    assert (found.check, found.severity, found.graph) == (
        "record-mismatch",
        "error",
        edited.iri.value,
    )
    assert "disagree: 1 too many, 1 missing, such as" in found.message
    assert '#process> "0.25"' in found.message


def linking() -> list[AnyRecord]:
    """Return records that together have every property that links things."""
    filled = {"model": "m", "triplets": [["c", "p", "d"]], "filled": [["a", "p", "b"]]}
    near = critical("n", None, "a p b", answer="z")
    near.nearest = [Near("b", 0.5)]
    merged = voted("m", 1, m=["a p b"])
    merged.merged = [Merged(kept="a", dropped="aa", similarity=0.9)]
    return [*shipped(), GraphCase(id="f", extractions=[Extraction(**filled)]), near, merged]


def test_a_link_to_nothing_is_found_whatever_it_means() -> None:
    nothing = ox.NamedNode(f"{ID}nothing")
    query = CHECKS["dangling-reference"].query
    found: set[str] = set()
    for record in linking():
        quads = quads_of(record)
        for place, (subject, property_, value, graph) in enumerate(map(tuple, quads)):
            name = property_.value.removeprefix(GT)
            inner = graph != ox.DefaultGraph() and str(value).startswith(f"<{ID}")
            if inner and name.isalnum() and name not in found:
                broken = [*quads[:place], ox.Quad(subject, property_, nothing, graph)]
                answers = listed(store_of([*broken, *quads[place + 1 :]]), query)
                message = f"it is referred to ({name}), but nothing is said of it"
                assert (str(nothing), message) in {
                    (row["subject"], row["message"]) for row in answers
                }
                found.add(name)
    assert found == set(re.findall(r"gt:(\w+)", query[: query.index("?from ?by")]))
