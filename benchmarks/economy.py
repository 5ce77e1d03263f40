"""How many calls economy saves, and how often an outcome differs for it.

Run: python benchmarks/economy.py

Labels come from a table instead of a model: the labels of the shipped traces (premise sets that
they leave out count as neutral), real proofs from ../shared/data where it is there (a step is
entailed by its premises, all else is neutral), and random labels. Economy is compared with full
labelling of all single premises and all pairs, on the same table.
"""

import json
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from groundtrace import Trace, audit  # noqa: E402
from groundtrace.labelling.candidates import Candidate, Candidates  # noqa: E402
from groundtrace.labelling.rounds import rounds  # noqa: E402
from groundtrace.models.trace import Relation  # noqa: E402
from tests.test_real_proofs import entailmentbank, prontoqa, trace_of  # noqa: E402

SHIPPED = ("clinical", "algebra", "lease")
MIXES = {
    "sparse": (90.0, 6.0, 4.0, 0.1),
    "dense": (60.0, 25.0, 14.0, 1.0),
    "contradictory": (85.0, 6.0, 4.0, 5.0),
}
LABELS = ("neutral", "implied", "entailment", "contradiction")
RANDOM_TRACES = {9: 200, 20: 40, 40: 5}

Table = Mapping[Candidate, Relation]


class Outcome(NamedTuple):
    """What economy did to some traces."""

    calls: int
    saved: int
    segments: int
    different: int
    flags: int


def economical(trace: Trace, table: Table) -> list[Relation]:
    """Return the relations that economy labels."""
    known: dict[Candidate, Relation] = {}
    for candidates in rounds(trace, Candidates("economy"), known, {}):
        for candidate in candidates:
            known[candidate] = table[candidate]
    return sorted(known.values(), key=lambda relation: relation.key)


def compared(traces: list[tuple[Trace, Table]]) -> Outcome:
    """Return how economy compares with full labelling."""
    calls = saved = segments = different = flags = 0
    for trace, table in traces:
        everything = sorted(table.values(), key=lambda relation: relation.key)
        some = economical(trace, table)
        full = audit(trace.model_copy(update={"relations": everything}), max_trees=1)
        cheap = audit(trace.model_copy(update={"relations": some}), max_trees=1)
        calls += len(everything)
        saved += len(everything) - len(some)
        for one, other in zip(full.segments, cheap.segments, strict=True):
            segments += 1
            different += one.outcome != other.outcome
            flags += one.unstable != other.unstable
    return Outcome(calls, saved, segments, different, flags)


def tabled(trace: Trace) -> tuple[Trace, Table]:
    """Return a trace with a label for every candidate: its own, or neutral."""
    own = {Candidate(one.target, one.premises): one for one in trace.relations or ()}
    return trace, {
        one: own.get(one) or Relation(premises=one.premises, target=one.target, label="neutral")
        for one in Candidates().of(trace)
    }


def proofs(source: Callable[[], Iterable[Any]]) -> list[tuple[Trace, Table]]:
    """Return published proofs with a label for every candidate; none where they are absent."""
    try:
        return [tabled(trace_of(proof, None)) for proof in source()]
    except pytest.skip.Exception:
        return []


def shipped() -> Iterator[Trace]:
    """Yield the traces of data/."""
    for name in SHIPPED:
        yield Trace.model_validate(json.loads((ROOT / "data" / f"{name}.json").read_text()))


def drawn(count: int, weights: tuple[float, ...]) -> tuple[Trace, Table]:
    """Return a trace with random labels."""
    trace = Trace.model_validate({"segments": [f"segment {n}" for n in range(count)]})
    labels = {
        one: Relation.model_validate(
            {
                "premises": one.premises,
                "target": one.target,
                "label": random.choices(LABELS, weights)[0],
            }
        )
        for one in Candidates().of(trace)
    }
    return trace, labels


def main() -> None:
    """Print one row of a table per kind of trace."""
    random.seed(1)
    print("| labels | segments | calls | saved | outcomes that differ | `unstable` missed |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, traces in [
        ("shipped traces", [tabled(trace) for trace in shipped()]),
        ("EntailmentBank proofs", proofs(entailmentbank)),
        ("ProntoQA proofs", proofs(prontoqa)),
    ]:
        if traces:
            row(name, "", compared(traces))
    for mix, weights in MIXES.items():
        for count, times in RANDOM_TRACES.items():
            row(
                f"random, {mix}",
                str(count),
                compared([drawn(count, weights) for _ in range(times)]),
            )


def row(name: str, segments: str, outcome: Outcome) -> None:
    """Print one row."""
    share = f"{outcome.saved / outcome.calls:.0%}"
    different = f"{outcome.different} of {outcome.segments:,}"
    print(f"| {name} | {segments} | {outcome.calls:,} | {share} | {different} | {outcome.flags} |")


if __name__ == "__main__":
    main()
