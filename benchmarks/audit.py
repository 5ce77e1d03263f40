"""How fast and how large an audit is, beside bare clingo and beside plain Python.

Run: python benchmarks/audit.py

Every row is measured in a process of its own, in seconds of one processor, which a busy
machine disturbs less than seconds of the clock. All rows see the same random traces: all single
premises and all pairs labelled, 90 % neutral, 6 % implied, 4 % entailment, 1 in 1,000 a
contradiction.

ours    a JSON line in, a JSON line out: reading, checking, encoding, rules, trees, repairs,
        explanations, writing
floor   the same facts and rules as text, parsed, grounded and solved by bare clingo, support
        trees and repairs included, nothing decoded
python  the brute force of the tests, without any output (small traces only)
"""

import gc
import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path

import clingo

ROOT = Path(__file__).resolve().parents[1]
LABELS = ("neutral", "implied", "entailment", "contradiction")
WEIGHTS = (90.0, 6.0, 4.0, 0.1)
ROUNDS = {9: 60, 20: 15, 40: 5, 80: 2}
PYTHON_UP_TO = 9
TRIES = {9: 7, 20: 5, 40: 3, 80: 3}


def traces(segments: int) -> list[str]:
    """Return one JSON line per round."""
    source = random.Random(segments)
    lines = []
    for number in range(ROUNDS[segments]):
        relations = [
            {
                "premises": premises,
                "target": target,
                "label": source.choices(LABELS, WEIGHTS)[0],
            }
            for target in range(2, segments + 1)
            for size in (1, 2)
            for premises in combinations(range(1, target), size)
        ]
        texts = [f"Segment {index} says something." for index in range(1, segments + 1)]
        lines.append(json.dumps({"id": str(number), "segments": texts, "relations": relations}))
    return lines


def ours(lines: Sequence[str]) -> Callable[[], None]:
    """Return the work of the program on some lines."""
    from groundtrace.auditing.auditor import Auditor
    from groundtrace.files.reading import Record, trace_of
    from groundtrace.rules.rulebook import rulebook_for

    auditor = Auditor(rulebook_for("audit"))

    def work() -> None:
        for line in lines:
            trace = trace_of(Record("line", "line", line.encode()))
            auditor.audit(trace).audit.to_json()

    return work


def floor(lines: Sequence[str]) -> Callable[[], None]:
    """Return the work of bare clingo on the same facts, prepared as program text beforehand."""
    from groundtrace.auditing.auditor import DEFAULT_MAX_TREES, Auditor
    from groundtrace.auditing.explanations import MAX_REPAIRS
    from groundtrace.auditing.facts import encode
    from groundtrace.files.reading import Record, trace_of
    from groundtrace.rules.rulebook import rulebook_for

    rulebook = rulebook_for("audit")
    auditor = Auditor(rulebook)
    prepared = []
    for line in lines:
        trace = trace_of(Record("line", "line", line.encode()))
        audit = auditor.audit(trace).audit
        places = {
            (relation.target, relation.premises): place
            for place, relation in enumerate(trace.relations or (), 1)
        }
        options = [
            f"_option({entry.index},{rank},{places[entry.index, support.premises]})."
            for entry in audit.segments
            if entry.outcome == "supported"
            for rank, support in enumerate(
                [one for one in entry.supports if not one.blocked_by][: DEFAULT_MAX_TREES + 1], 1
            )
        ]
        facts = "".join(f"{fact}." for fact in encode(trace))
        sizes = {
            entry.index: max((len(repair) for repair in entry.repairs), default=0)
            for entry in audit.segments
            if entry.outcome == "unsupported"
        }
        sinks = [entry.index for entry in audit.segments if entry.outcome == "supported"]
        prepared.append((facts, "".join(options), sinks, sizes))

    def work() -> None:
        for facts, options, sinks, sizes in prepared:
            control = clingo.Control(["--heuristic=Domain"])
            control.add("base", [], facts)
            for file in rulebook.files:
                control.load(str(file))
            control.add("trees", [], options)
            control.ground([("base", [])])
            control.solve()
            control.ground([("trees", []), ("repairs", [])])
            for sink in sinks:
                solve_for(control, ["_sink", sink], DEFAULT_MAX_TREES + 1)
            for size in range(1, max(sizes.values(), default=0) + 1):
                control.ground([("repairs_of_size", [clingo.Number(size)])])
            for goal, largest in sizes.items():
                for size in range(1, largest + 1):
                    solve_for(control, ["_goal", goal], 1)
                    solve_for(control, ["_goal", goal, "_size", size], MAX_REPAIRS + 1)
                solve_for(control, ["_goal", goal], 1)

    return work


def solve_for(control: clingo.Control, on: Sequence[str | int], limit: int) -> None:
    """Solve for one segment, as the program does for its trees and repairs."""
    wanted = {f"{name}({number})" for name, number in zip(on[::2], on[1::2], strict=True)}
    assumptions = [
        atom.literal if str(atom.symbol) in wanted else -atom.literal
        for name in ("_sink", "_goal", "_size")
        for atom in control.symbolic_atoms.by_signature(name, 1)
    ]
    control.configuration.solve.models = limit  # type: ignore[union-attr]
    control.solve(assumptions=assumptions)


def python(lines: Sequence[str]) -> Callable[[], None]:
    """Return the work of the tests' brute force."""
    sys.path.insert(0, str(ROOT))
    from tests.brute_force import Case, audit

    cases = []
    for line in lines:
        trace = json.loads(line)
        relations = {
            (tuple(one["premises"]), one["target"]): one["label"] for one in trace["relations"]
        }
        cases.append(Case(len(trace["segments"]), frozenset({1}), relations))

    def work() -> None:
        for case in cases:
            audit(case)

    return work


def measure(what: str, segments: int) -> None:
    """Print seconds per trace and megabytes, in a process that does nothing else."""
    lines = traces(segments)
    gc.disable()  # As the command's child processes do.
    work = {"ours": ours, "floor": floor, "python": python}[what](lines)
    start = time.process_time()
    work()
    seconds = (time.process_time() - start) / len(lines)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps([seconds, memory]))


def row(what: str, segments: int) -> tuple[float, float]:
    """Return the measurements of one process."""
    command = [sys.executable, __file__, what, str(segments)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    seconds, memory = json.loads(output)
    return seconds, memory


def main() -> None:
    """Print the table."""
    print("segments relations   ours traces/s   ours/floor   python/ours   ours MB   floor MB")
    for segments in ROUNDS:
        relations = sum(j - 1 + (j - 1) * (j - 2) // 2 for j in range(2, segments + 1))
        # In turns, the best of each: what else the machine does must not decide.
        pairs = [(row("ours", segments), row("floor", segments)) for _ in range(TRIES[segments])]
        seconds, memory = min(ours_row for ours_row, _ in pairs)
        floor_seconds, floor_memory = min(floor_row for _, floor_row in pairs)
        beside = "-"
        if segments <= PYTHON_UP_TO:
            beside = f"{row('python', segments)[0] / seconds:.2f}"
        print(
            f"{segments:8} {relations:9,} {1 / seconds:15.1f} {seconds / floor_seconds:12.2f} "
            f"{beside:>13} {memory:9.0f} {floor_memory:10.0f}"
        )
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "groundtrace", "--help"], check=True, capture_output=True)
    print(f"start-up (--help): {time.perf_counter() - start:.2f} s")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        measure(sys.argv[1], int(sys.argv[2]))
    else:
        main()
