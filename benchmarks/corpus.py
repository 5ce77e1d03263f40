"""A corpus of many cases, made of real ones that are repeated and changed.

Half of the cases are critical evidence graphs of the published rows, half are audited proofs with
their traces. A copy has another id, and some of its names and texts are changed, the same way
wherever they stand, so that what was sound stays sound.
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import groundtrace  # noqa: E402
from groundtrace.knowledge.rdf.records import AnyRecord, record_from  # noqa: E402
from groundtrace.models.audit import Audit  # noqa: E402
from groundtrace.models.graph import CriticalGraph, Triplet  # noqa: E402
from groundtrace.models.trace import Trace  # noqa: E402
from tests.real_data import rows  # noqa: E402
from tests.test_real_proofs import entailmentbank, prontoqa, trace_of  # noqa: E402

MODELS = ("north-small", "river-14b", "delta-chat")
CHANGED = 0.3
"""Of the names of a copy."""


def graphs() -> list[CriticalGraph]:
    """Return the published rows, reduced anew, each with votes of three models."""
    found = []
    for row in rows("medceg_example.jsonl"):
        voted = [
            {
                "subject": one[0],
                "predicate": one[1],
                "object": one[2],
                "votes": 2 + place % 2,
                "models": list(MODELS[: 2 + place % 2]),
                "filled": False,
            }
            for place, one in enumerate(row["graph"]["triplets"])
        ]
        case = {
            "id": row["index"],
            "answer": row["answer"],
            "triplets": voted,
            "domain": row["data_source"],
            "conclusion": row["graph"]["core_reasoning_subgraph"][-1][2],
        }
        found.append(groundtrace.critical_graph(case))
    return [graph for graph in found if graph.status == "scored"]


def proofs() -> list[tuple[Trace, Audit]]:
    """Return published proofs with their audits, some of them short of one fact."""
    found = []
    for place, proof in enumerate([*entailmentbank(), *prontoqa()]):
        trace = trace_of(proof, proof.used[0] if place % 3 == 0 else None)
        found.append((trace, groundtrace.audit(trace)))
    return found


def corpus(cases: int, seed: int = 0) -> Iterator[AnyRecord]:
    """Yield the records of many cases.

    Args:
        cases: How many.
        seed: Of what is changed.
    """
    chance = random.Random(seed)
    whole, proved = graphs(), proofs()
    for number in range(cases):
        if number % 2:
            yield _graph(whole[number // 2 % len(whole)], number, chance)
        else:
            trace, audit = proved[number // 2 % len(proved)]
            yield _trace(trace, number, chance)
            yield audit.model_copy(
                update={"id": f"{trace.id}-{number}", "meta": {"domain": f"domain {number % 7}"}}
            )


def _trace(trace: Trace, number: int, chance: random.Random) -> Trace:
    fields = trace.model_dump()
    fields["id"] = f"{trace.id}-{number}"
    fields["domain"] = f"domain {number % 7}"
    for segment in fields["segments"]:
        if chance.random() < CHANGED:
            segment["text"] += f" ({number})"
    found = record_from(fields)
    assert isinstance(found, Trace)  # noqa: S101
    return found


def _graph(graph: CriticalGraph, number: int, chance: random.Random) -> CriticalGraph:
    names: dict[str, str] = {}

    def changed(name: str) -> str:
        if name not in names:
            names[name] = f"{name} {number}" if chance.random() < CHANGED else name
        return names[name]

    def triplet(one: Triplet) -> Triplet:
        return Triplet(changed(one.subject), one.predicate, changed(one.object))

    copy = graph.model_copy(deep=True)
    copy.id = f"{graph.id}-{number}"
    copy.critical = [triplet(one) for one in copy.critical]
    for dropped in copy.dropped:
        dropped.triplet = triplet(dropped.triplet)
        dropped.path = [triplet(one) for one in dropped.path] if dropped.path else dropped.path
    if copy.conclusion:
        copy.conclusion.node = changed(copy.conclusion.node)
    for item in copy.meta["triplets"]:
        item["subject"], item["object"] = changed(item["subject"]), changed(item["object"])
    return copy
