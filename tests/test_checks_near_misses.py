"""What only looks like a violation is none."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from groundtrace.auditing.auditor import Auditor
from groundtrace.graphs.critical import Reducer
from groundtrace.knowledge.checking import our_checks
from groundtrace.knowledge.rdf.iris import concept_iri
from groundtrace.knowledge.rdf.records import AnyRecord
from groundtrace.models.graph import GraphCase
from groundtrace.rules.rulebook import rulebook_for
from tests.check_damages import Graph
from tests.question_bases import (
    CHECKS,
    all_quads,
    audited,
    critical,
    found,
    published,
    reward,
    trace,
    voted,
)


def chain() -> list[AnyRecord]:
    """Return an audit whose deepest tree is cut."""
    labels = {f"_{number}to{number + 1}": "entailment" for number in range(1, 120)}
    rules = rulebook_for("audit", (), {"max_depth": 1000})
    audit = Auditor(rules).audit(trace("long", 120, (1,), **labels)).audit
    assert '"repeated": true' in json.dumps(audit.segments[-1].tree)
    return [audit]


def turned(tmp_path: Path) -> list[AnyRecord]:
    path = tmp_path / "own.lp"
    path.write_text('backwards("by").', encoding="utf-8")
    case = {"id": "x", "triplets": [["c", "by", "a"], ["c", "p", "d"]], "conclusion": "d"}
    return [Reducer(rulebook_for("graph", [path])).reduce(GraphCase.model_validate(case))]


PAIR = [
    audited(trace("t", 5, _1to5="implied", _1to2="contradiction", _2to3="entailment"), gap)
    for gap in (3, 9)
]
"""Audits of one trace that differ in a segment, which is an orphan in one of them."""

NEAR: dict[str, Callable[[Path], list[AnyRecord]]] = {
    "contradiction-mismatch": lambda _: [audited(trace("t", 3, _1to2="contradiction"))],
    "critical-and-dropped": lambda _: [critical("x", "b", "a p b", "A p B", "b p b", "c p a")],
    "critical-cycle": lambda _: [
        critical("x", "d", "a p b", "a p c", "b p d", "c p d"),
        critical("y", "a", "d p a"),
    ],
    "critical-outside": lambda _: [
        published("x", ["a p b"], "a p b", "b p c"),
        published("y", ["a p b", "z p b"]),
    ],
    "critical-unreaching": lambda _: [
        critical("x", "c", "a p b", "b p a", "b p c", "c p d"),
        critical("y", "a", "c p a"),
        published("z", ["a p b"], "a p b"),
    ],
    "dangling-reference": lambda _: [*PAIR, trace("t", 3, _1to2="neutral")],
    "edge-without-triplet": turned,
    "graph-not-catalogued": lambda _: [*PAIR, trace("t", 5)],
    "grounded-mismatch": lambda _: [audited(trace("t", 4, _2to3="entailment", _1_3to4="implied"))],
    "no-provenance": lambda _: [
        trace("t", 2),
        published("x", ["a p b"], "a p b"),
        critical("x", None, "a p b", answer="z"),
        reward("x", status="failed"),
    ],
    "not-enumerated": lambda _: [
        trace("t", 2, _1to2=None),  # type: ignore[arg-type]
        reward("x", status="failed"),
    ],
    "one-outcome": lambda _: [*PAIR, audited(trace("u", 3, (1, 2), _1_2to3="neutral"))],
    "orphan-with-support": lambda _: [*PAIR],
    "premise-order": lambda _: [
        trace("t", 3, _1_2to3="neutral"),
        audited(trace("u", 2, _1to2="implied")),
    ],
    "score-out-of-range": lambda _: [
        reward("x", process=0.0, format=1.0, reward=1.0),
        reward("y", status="failed", format=1.0, accuracy=0.0),
    ],
    "several-components": lambda _: [
        critical("x", "c", "a p c", "b p c"),
        critical("y", "e", "d p e"),
    ],
    "shortcut-left": lambda _: [
        critical("x", "c", "a p b", "b p a", "b p c", "a p c"),
        critical("y", "b", "a p b", "a q b", "z p a"),
        critical("z", "b", "x p b", "a p x"),
    ],
    "support-not-labelled": lambda _: [
        audited(trace("t", 3, _1to2="neutral", _1to3="contradiction"))
    ],
    "supported-without-tree": lambda _: [
        *chain(),
        audited(trace("t", 3, (1, 2), _1_2to3="entailment")),
    ],
    "unsupported-without-support": lambda _: [
        audited(trace("t", 4, _2to3="implied", _3to4="implied"))
    ],
    "votes-below": lambda _: [
        voted("x", 2, m=["a p b"], n=["a p b", "c p d"]),
        voted("y", 1, m=["a p b"]),
    ],
    "votes-miscounted": lambda _: [voted("x", 1, m=["a p b", "A p b"], n=["c p d"])],
}


def test_every_check_has_a_near_miss() -> None:
    assert sorted(NEAR) == sorted(CHECKS)


@pytest.mark.parametrize("check", CHECKS)
def test_a_check_passes_over_a_near_miss(check: str, tmp_path: Path) -> None:
    records = NEAR[check](tmp_path)
    assert check not in found(all_quads(records))


def test_a_cycle_may_hide_a_shortcut_and_the_check_says_so() -> None:
    graph = Graph(critical("x", "d", "a p b", "b p c", "c p d"))
    a, c = map(concept_iri, "ac")
    graph.say(a, "gt:criticallyLeadsTo", c)
    assert "shortcut-left" in found(graph.quads)
    graph.say(c, "gt:criticallyLeadsTo", concept_iri("b"))
    assert "shortcut-left" not in found(graph.quads)
    (check,) = (one for one in our_checks() if one.name == "shortcut-left")
    assert "Graphs with cycles are left out" in check.answers
