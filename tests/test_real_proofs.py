"""Published proofs: whole they stand, and without one fact exactly what needs it falls.

Facts are leaves, each step of a proof is an entailment. What must fall is computed here from
the steps alone, by plain reachability.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from groundtrace.auditing.auditor import Auditor
from groundtrace.models.trace import Trace
from groundtrace.rules.rulebook import rulebook_for
from tests.real_data import rows


class Proof(NamedTuple):
    name: str
    facts: list[str]
    used: list[str]
    steps: list[tuple[list[str], str]]


def entailmentbank() -> Iterator[Proof]:
    for row in rows("entailmentbank.jsonl"):
        steps = [
            ([premise["id"] for premise in step["premises"]], step["conclusion"]["id"])
            for step in row["steps"]
        ]
        facts = [fact["id"] for fact in row["facts"]]
        used = [fact["id"] for fact in row["facts"] if fact["used"]]
        yield Proof(row["id"], facts, used, steps)


def prontoqa() -> Iterator[Proof]:
    for row in rows("prontoqa.jsonl"):
        steps = [(step["premises"], step["conclusion"]) for step in row["steps"]]
        concluded = {conclusion for _, conclusion in steps}
        used = {premise for premises, _ in steps for premise in premises} - concluded
        yield Proof(row["id"], row["facts"], sorted(used), steps)


def conclusions(proof: Proof) -> list[str]:
    return [conclusion for _, conclusion in proof.steps]


def trace_of(proof: Proof, without: str | None) -> Trace:
    names = [*proof.facts, *conclusions(proof)]
    number = {name: index for index, name in enumerate(names, 1)}
    return Trace.model_validate(
        {
            "id": proof.name,
            "segments": names,
            "leaves": [number[fact] for fact in proof.facts if fact != without],
            "relations": [
                {
                    "premises": [number[premise] for premise in premises],
                    "target": number[conclusion],
                    "label": "entailment",
                }
                for premises, conclusion in proof.steps
            ],
        }
    )


def standing(proof: Proof, without: str | None) -> set[str]:
    stands = set(proof.facts) - {without}
    for premises, conclusion in proof.steps:
        if stands.issuperset(premises):
            stands.add(conclusion)
    return stands


@pytest.mark.parametrize("source", [entailmentbank, prontoqa])
def test_a_whole_proof_stands_and_one_lacking_fact_fells_what_needs_it(source: Any) -> None:
    auditor = Auditor(rulebook_for("audit"))
    audited = 0
    for proof in source():
        for without in (None, *proof.used):
            trace = trace_of(proof, without)
            audit = auditor.audit(trace).audit
            stands = standing(proof, without)
            for entry in audit.segments:
                name = trace.segments[entry.index - 1].text
                expected = (
                    "supported"
                    if name in stands
                    else "unsupported"
                    if name in conclusions(proof)
                    else "orphan"
                )
                assert entry.outcome == expected, (proof.name, without, name)
            if without is None:
                assert audit.summary.supported == len(proof.steps)
            else:
                fallen = set(conclusions(proof)) - stands
                assert fallen, (proof.name, without)
            audited += 1
    assert audited > 100
