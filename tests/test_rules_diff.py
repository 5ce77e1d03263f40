"""``groundtrace rules diff`` against two whole audits, and as people use it."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import groundtrace as library
from groundtrace.auditing.batch import Plan
from groundtrace.files.reading import Record
from groundtrace.models.audit import Audit
from groundtrace.models.trace import Trace
from groundtrace.workbench.diff.differences import Differing
from tests.brute_force import Case
from tests.command import DATA, groundtrace
from tests.strategies import cases, trace_of
from tests.test_real_proofs import entailmentbank, prontoqa
from tests.test_real_proofs import trace_of as proved

CASES = 200
GUIDELINE = 'leaf(Segment) :- tag(Segment, "guideline").\n'
VETO = """
_entailed(Segment) :- support(Relation, Segment), relation(Relation, Segment, entailment).
veto(Segment, "an implied relation is no proof") :-
    support(_, Segment),
    not leaf(Segment),
    not _entailed(Segment).
"""


def states(audit: Audit) -> dict[int, str]:
    found = dict.fromkeys(audit.leaves, "leaf")
    for entry in audit.segments:
        flags = [flag for flag in ("unstable", "provisional") if getattr(entry, flag)]
        found[entry.index] = ", ".join([entry.outcome, *flags])
    return found


def flips(trace: Trace, before: Audit, after: Audit) -> list[tuple[str, str, str]]:
    first, second = states(before), states(after)
    return [
        (str(index), first[index], second[index])
        for index in range(1, len(trace.segments) + 1)
        if first[index] != second[index]
    ]


@settings(max_examples=settings().max_examples // 4)
@given(cases())
def test_changes_are_those_between_two_whole_audits(case: Case) -> None:
    trace = trace_of(case)
    edit: dict[str, int | str] = {"closest_gap_limit": 1, "weak_cluster_mode": "keep"}
    work = Differing(Plan(), Plan(constants=tuple(edit.items())))
    record = Record("here", "random", trace.model_dump_json().encode())
    (done,) = work.do([record])
    assert done.output is not None
    before, after = library.audit(trace), library.audit(trace, constants=edit)
    changes = [(one.subject, one.before, one.after) for one in done.output.changes]
    assert changes == flips(trace, before, after)
    for change in done.output.changes:
        if change.before != "leaf":
            assert change.reason_before == before.segment(int(change.subject)).explanation
        if change.after != "leaf":
            assert change.reason_after == after.segment(int(change.subject)).explanation


def many(path: Path) -> list[Trace]:
    """Write two hundred real proofs, some of whose steps are only implied."""
    proofs = [*entailmentbank(), *prontoqa()]
    traces = []
    for number in range(CASES):
        trace = proved(proofs[number % len(proofs)], None)
        for place, relation in enumerate(trace.relations or ()):
            if (place + number) % 3 == 0:
                relation.label = "implied"
        traces.append(trace.model_copy(update={"id": f"{trace.id}-{number}"}))
    path.write_text("".join(f"{one.model_dump_json()}\n" for one in traces))
    return traces


def test_the_table_over_many_cases_is_right(tmp_path: Path) -> None:
    """No labeller is asked: there is none here."""
    traces = many(tmp_path / "traces.jsonl")
    result = groundtrace(
        *("rules", "diff", tmp_path / "traces.jsonl", "--set", "closest_gap_limit=30"),
        *("--jobs", "2", "--format", "json"),
    )
    report = json.loads(result.stdout)
    assert report["cases"] == CASES
    expected: Counter[tuple[str, str]] = Counter()
    changed = []
    for trace in traces[:: CASES // 40]:
        found = flips(
            trace, library.audit(trace), library.audit(trace, constants={"closest_gap_limit": 30})
        )
        expected.update((before, after) for _, before, after in found)
        if found:
            changed.append(trace.id)
    assert changed
    chosen = {trace.id for trace in traces[:: CASES // 40]}
    told = [one for one in report["differences"] if one["id"] in chosen]
    assert [one["id"] for one in told] == changed
    seen = Counter((change["before"], change["after"]) for one in told for change in one["changes"])
    assert seen == expected
    whole = Counter(
        (change["before"], change["after"])
        for one in report["differences"]
        for change in one["changes"]
    )
    table = {(row["before"], row["after"]): row["count"] for row in report["table"]}
    assert table == whole
    assert [one["id"] for one in report["differences"]] == [
        trace.id for trace in traces if trace.id in {one["id"] for one in report["differences"]}
    ]


def test_jobs_do_not_change_the_order(tmp_path: Path) -> None:
    many(tmp_path / "traces.jsonl")
    some = tmp_path / "some.jsonl"
    lines = (tmp_path / "traces.jsonl").read_text().splitlines(keepends=True)
    some.write_text("".join(lines[:60]))
    command = ("rules", "diff", some, "--set", "closest_gap_limit=30", "--format", "jsonl")
    one, three = (groundtrace(*command, "--jobs", jobs) for jobs in ("1", "3"))
    assert one.stdout == three.stdout
    assert one.stdout


@pytest.fixture
def overlay(tmp_path: Path) -> Path:
    path = tmp_path / "guideline.lp"
    path.write_text(GUIDELINE)
    return path


def test_reasons_before_and_after_are_told(overlay: Path) -> None:
    result = groundtrace("rules", "diff", DATA / "clinical.json", "--overlay", overlay)
    assert result.returncode == 0
    text = " ".join(result.stdout.split())
    assert "orphan → leaf before: Orphan: nothing earlier supports it" in text
    assert "after: Leaf: a rule of yours accepts it." in text
    assert "orphan leaf 1 unsupported supported 1" in text
    assert text.endswith("1 of 1 case changed: 2 of 10 segments")


def test_a_veto_is_named_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "veto.lp").write_text(VETO)
    command = ("rules", "diff", DATA / "lease.json", "--overlay", tmp_path / "veto.lp")
    report = json.loads(groundtrace(*command, "--format", "json").stdout)
    reasons = [change["reason_after"] for one in report["differences"] for change in one["changes"]]
    assert any("an implied relation is no proof" in reason for reason in reasons) == bool(reasons)


def test_fail_on_change_is_for_continuous_integration(overlay: Path) -> None:
    clinical = DATA / "clinical.json"
    changed = groundtrace("rules", "diff", clinical, "--overlay", overlay, "--fail-on-change")
    same = groundtrace("rules", "diff", clinical, "--set", "max_depth=99", "--fail-on-change")
    assert (changed.returncode, same.returncode) == (1, 0)
    assert "0 of 1 case changed" in same.stdout


def test_the_rules_before_can_have_overlays_too(overlay: Path) -> None:
    command = ("rules", "diff", DATA / "clinical.json", "--base-overlay", overlay)
    result = groundtrace(*command, "--set", "max_depth=99")
    assert "0 of 1 case changed" in result.stdout


def test_graphs_are_compared_by_triplet(tmp_path: Path) -> None:
    (tmp_path / "back.lp").write_text('backwards("suggests").\n')
    graph = json.loads((DATA / "graphs" / "graph.json").read_text())
    command = ("rules", "diff", DATA / "graphs" / "graph.json", "--overlay", tmp_path / "back.lp")
    report = json.loads(groundtrace(*command, "--format", "json").stdout)
    before = library.critical_graph(graph).critical
    after = library.critical_graph(graph, overlays=[tmp_path / "back.lp"]).critical
    (case,) = report["differences"]
    gone = [one["text"] for one in case["changes"] if one["before"] == "critical"]
    assert gone == [f"{s} — {p} → {o}" for s, p, o in before if (s, p, o) not in after]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "nothing to compare"),
        (("--set", "closest_gap=4"), "did you mean closest_gap_limit?"),
        (("--overlay", "nowhere.lp"), "nowhere.lp: cannot read rule file"),
        (("--set", "closest_gap_limit=0"), "closest_gap_limit is outside its range"),
    ],
)
def test_what_cannot_be_compared_is_said(arguments: tuple[str, ...], message: str) -> None:
    result = groundtrace("rules", "diff", DATA / "clinical.json", *arguments)
    assert result.returncode == 2
    assert message in result.stderr


def test_other_records_go_on(tmp_path: Path, overlay: Path) -> None:
    good: dict[str, Any] = json.loads((DATA / "clinical.json").read_text())
    lines = [json.dumps(good), '{"segments": 3}', "nonsense"]
    (tmp_path / "mixed.jsonl").write_text("\n".join(lines))
    result = groundtrace("rules", "diff", tmp_path / "mixed.jsonl", "--overlay", overlay)
    assert result.returncode == 2
    assert "mixed.jsonl:2: segments" in result.stderr
    assert "1 of 1 case changed" in result.stdout
