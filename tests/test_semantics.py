"""The rules against an independent brute force, on many random traces."""

from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import example, given

from groundtrace.auditing.auditor import Audited, Auditor
from groundtrace.models.trace import Trace
from groundtrace.rules.rulebook import rulebook_for
from tests.brute_force import Case, Options, Result
from tests.brute_force import audit as brute_force
from tests.strategies import cases, options, trace_of

WORKED_CHECK = Case(
    10,
    frozenset({1}),
    {
        ((1,), 2): "entailment",
        ((1,), 3): "entailment",
        ((1,), 4): "entailment",
        ((2, 3), 4): "implied",
        ((4, 5), 8): "entailment",
        ((5, 6), 10): "entailment",
        ((7, 8), 10): "implied",
        ((8, 9), 10): "implied",
    },
)


def audited(case: Case, chosen: Options, overlays: list[Path]) -> tuple[Trace, Audited]:
    constants = {
        name: value
        for name, value in asdict(chosen).items()
        if name not in ("max_trees", "max_repairs", "disabled")
    }
    trace = trace_of(case)
    return trace, Auditor(rulebook_for("audit", overlays, constants), chosen.max_trees).audit(trace)


def assert_agree(trace: Trace, result: Audited, expected: Result) -> None:
    entries = {entry.index: entry for entry in result.audit.segments}
    judged = entries.keys()
    assert {index: entry.outcome for index, entry in entries.items()} == expected.outcome
    assert {one for one in judged if entries[one].unstable} == expected.unstable & judged
    assert {one for one in judged if entries[one].provisional} == expected.provisional & judged
    relations = trace.relations or []
    for index, entry in entries.items():
        assert entry.depth == expected.depth.get(index)
        assert entry.grounded == (index in expected.depth)
        assert [one.premises for one in entry.supports] == expected.supports.get(index, [])
        for support in entry.supports:
            assert support.blocked_by == expected.blocked[support.premises, index]
        assert {one.premises: frozenset(one.reasons) for one in entry.rejected} == {
            premises: reasons
            for (premises, target), reasons in expected.rejected.items()
            if target == index
        }
        listed = result.trees[index].listed if index in result.trees else []
        assert [
            {segment: relations[pick - 1].premises for segment, pick in tree.items()}
            for tree in listed
        ] == expected.trees.get(index, [])
        assert entry.trees == len(listed)
        assert entry.more_trees == expected.more_trees.get(index, False)
        assert entry.breakpoints == expected.breakpoints.get(index, [])
        assert entry.repairs == expected.repairs.get(index, [])


@given(cases(), options())
@example(WORKED_CHECK, Options())
def test_rules_equal_the_brute_force(
    tmp_path_factory: pytest.TempPathFactory, case: Case, chosen: Options
) -> None:
    overlays = []
    if chosen.disabled:
        overlay = tmp_path_factory.getbasetemp() / "disabled.lp"
        overlay.write_text("".join(f"disabled({rule}).\n" for rule in sorted(chosen.disabled)))
        overlays.append(overlay)
    trace, result = audited(case, chosen, overlays)
    assert_agree(trace, result, brute_force(case, chosen))


def test_worked_check_of_the_paper() -> None:
    """The clinical case of tables 4 and 5, as a pattern of relations."""
    expected = brute_force(WORKED_CHECK, Options())
    trace, result = audited(WORKED_CHECK, Options(), [])
    assert_agree(trace, result, expected)
    outcomes = {entry.index: entry.outcome for entry in result.audit.segments}
    assert outcomes == {
        **dict.fromkeys((2, 3, 4), "supported"),
        **dict.fromkeys((5, 6, 7, 9), "orphan"),
        **dict.fromkeys((8, 10), "unsupported"),
    }
    assert result.audit.segment(8).breakpoints == [5]
    assert result.audit.segment(8).repairs == [(5,)]
    assert result.audit.segment(10).breakpoints == [5, 6, 7, 9]
    assert result.audit.segment(10).repairs == [(5, 6), (5, 7), (5, 9), (7, 8), (8, 9)]


def test_one_ungrounded_premise_is_enough_to_fail() -> None:
    """Figure 2's failing example: one premise is grounded, the other an orphan."""
    case = Case(4, frozenset({1}), {((1,), 2): "entailment", ((2, 3), 4): "entailment"})
    _, result = audited(case, Options(), [])
    entry = result.audit.segment(4)
    assert entry.outcome == "unsupported"
    assert entry.supports[0].blocked_by == [3]
    assert entry.breakpoints == [3]
