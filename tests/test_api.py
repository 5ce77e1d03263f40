"""The Python interface: a function for each command, errors, threads, and bounds."""

import itertools
import json
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import groundtrace
from groundtrace import (
    ArgumentError,
    Audit,
    InputError,
    LimitError,
    RuleError,
    SizeError,
    TimeLimitError,
    Trace,
)
from tests.command import DATA, ROOT
from tests.command import groundtrace as command
from tests.command_tree import commands

CLINICAL: dict[str, Any] = json.loads((DATA / "clinical.json").read_bytes())


def many(count: int) -> list[dict[str, Any]]:
    return [{**CLINICAL, "id": str(number)} for number in range(count)]


def test_every_public_name_can_be_had() -> None:
    for name in groundtrace.__all__:
        assert getattr(groundtrace, name) is not None
    with pytest.raises(AttributeError, match="nonsense"):
        groundtrace.nonsense  # noqa: B018


def test_a_mapping_and_a_trace_give_the_same_audit() -> None:
    from_mapping = groundtrace.audit(CLINICAL)
    from_trace = groundtrace.audit(Trace.model_validate(CLINICAL))
    assert from_mapping.to_json() == from_trace.to_json()


def test_an_audit_is_read_back_from_its_json() -> None:
    audit = groundtrace.audit(CLINICAL)
    assert Audit.model_validate_json(audit.to_json()) == audit


def test_many_audits_equal_single_ones_in_order() -> None:
    audits = list(groundtrace.audit_many(iter(many(40)), jobs=2))
    assert [one.id for one in audits if isinstance(one, Audit)] == [str(one) for one in range(40)]
    assert all(
        isinstance(one, Audit) and one.to_json() == groundtrace.audit(given).to_json()
        for one, given in zip(audits, many(40), strict=True)
    )


def test_many_audits_give_errors_in_place_of_bad_traces() -> None:
    results = list(groundtrace.audit_many([CLINICAL, {"id": "x"}, {**CLINICAL, "id": "y"}]))
    assert [type(one) for one in results] == [Audit, InputError, Audit]
    assert "segments" in str(results[1])


def test_one_endless_trace_does_not_take_its_neighbours_along(tmp_path: Path) -> None:
    overlay = tmp_path / "endless.lp"
    overlay.write_text(
        'count(1) :- tag(2, "endless").\n'
        "count(N + 1) :- count(N).\nnote(2, N) :- count(N), N < 0.\n"
    )
    endless = {
        "id": "endless",
        "segments": ["a", {"text": "b", "tags": ["endless"]}],
        "relations": [],
    }
    results = list(
        groundtrace.audit_many([*many(2), endless, CLINICAL], overlays=[overlay], time_limit=3)
    )
    assert [type(one) for one in results] == [Audit, Audit, TimeLimitError, Audit]


def test_memory_is_bounded_too(tmp_path: Path) -> None:
    overlay = tmp_path / "huge.lp"
    overlay.write_text("n(1..3000).\np(A, B, C) :- n(A), n(B), n(C).\n")
    audits = groundtrace.audit_many(
        [CLINICAL], overlays=[overlay], time_limit=300, memory_limit=512 * 1024**2
    )
    with pytest.raises(LimitError, match=r"needs more than 0\.5 GiB of memory|lack of memory"):
        next(audits)


def test_faulty_rules_are_refused_before_any_trace(tmp_path: Path) -> None:
    overlay = tmp_path / "own.lp"
    overlay.write_text("#script (python)\n#end.\n")
    with pytest.raises(RuleError, match="#script"):
        next(groundtrace.audit_many([CLINICAL], overlays=[overlay]))


@pytest.mark.parametrize("bad", [{"jobs": 0}, {"jobs": -1}, {"time_limit": 0}])
def test_impossible_numbers_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="expected jobs >= 1 and time_limit > 0"):
        next(groundtrace.audit_many([CLINICAL], **bad))


@pytest.mark.parametrize(
    "given",
    [
        {"segments": ["\ud800"], "relations": []},
        {"segments": [{"text": "a", "tags": ["\ud800"]}], "relations": []},
        {"segments": ["a"], "relations": [{"premises": [10**5000], "target": 1}]},
        {"segments": ["a"], "relations": [{"premises": "x", "target": []}]},
    ],
)
def test_odd_values_from_python_are_input_errors(given: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        groundtrace.audit(given)
    results = list(groundtrace.audit_many([CLINICAL, given]))
    assert [type(one) for one in results] == [Audit, InputError]


def test_traces_without_an_id_are_numbered() -> None:
    unnamed = {"segments": ["a"], "relations": []}
    audits = list(groundtrace.audit_many([unnamed, unnamed]))
    assert [one.id for one in audits if isinstance(one, Audit)] == ["trace-1", "trace-2"]


def test_unknown_fields_of_segments_come_out_again() -> None:
    segments = ["a", {"text": "b", "step": 7}]
    audit = groundtrace.audit({"segments": segments, "relations": []})
    assert audit.segment(2).meta == {"step": 7}


def test_threads_do_not_disturb_each_other() -> None:
    with ThreadPoolExecutor(8) as threads:
        audits = list(threads.map(groundtrace.audit, many(64)))
    assert [audit.id for audit in audits] == [str(number) for number in range(64)]
    expected = groundtrace.audit(CLINICAL).segments
    assert all(audit.segments == expected for audit in audits)


def test_too_large_traces_are_refused_with_the_figures() -> None:
    with pytest.raises(SizeError, match=r"10,001 segments; at most 10,000"):
        groundtrace.audit({"segments": ["x"] * 10_001, "relations": []})
    relations = [
        {"premises": [first, second], "target": 900, "label": "entailment"}
        for first in range(1, 900)
        for second in range(first + 1, 900)
    ]
    with pytest.raises(SizeError, match=r"403,651 relations, 403,651 of them not neutral.*GB"):
        groundtrace.audit({"segments": ["x"] * 900, "relations": relations})


def test_large_premise_sets_are_bounded() -> None:
    wide = [
        {"premises": [*range(1, 400), other], "target": 900, "label": "implied"}
        for other in range(400, 890)
    ]
    with pytest.raises(SizeError, match="comparisons"):
        groundtrace.audit({"segments": ["x"] * 900, "relations": wide})
    one = [{"premises": list(range(1, 61)), "target": 61, "label": "entailment"}]
    audit = groundtrace.audit({"segments": ["x"] * 61, "relations": one})
    assert audit.segment(61).outcome == "unsupported"


def test_a_long_chain_is_cut_in_the_output_only() -> None:
    count = 300
    relations = [
        {"premises": [index], "target": index + 1, "label": "entailment"}
        for index in range(1, count)
    ]
    audit = groundtrace.audit(
        {"segments": ["x"] * count, "relations": relations}, constants={"max_depth": 1000}
    )
    assert audit.summary.supported == count - 1
    assert audit.segment(count).depth == count - 1
    assert json.loads(audit.to_json())


def test_the_search_for_repairs_is_bounded_and_says_so() -> None:
    count = 180
    relations = [
        {"premises": [index], "target": index + 1, "label": "entailment"}
        for index in range(1, count)
    ]
    audit = groundtrace.audit({"segments": ["x"] * count, "relations": relations})
    fallen = [entry for entry in audit.segments if entry.outcome == "unsupported"]
    assert len(fallen) == count - 1 - 100
    # Beyond the depth bound, each segment is cured by accepting one before it.
    assert fallen[1].repairs == [(fallen[0].index,)]
    assert not fallen[1].more_repairs
    assert fallen[-1].repairs == []
    assert fallen[-1].more_repairs


def test_shared_parts_of_a_tree_are_written_once() -> None:
    """As a plain tree, 60 segments that lean on their two neighbours would have 10^12 nodes."""
    relations = [
        {"premises": sorted({max(index - 2, 1), index - 1}), "target": index, "label": "entailment"}
        for index in range(2, 61)
    ]
    audit = groundtrace.audit({"segments": ["x"] * 60, "relations": relations})
    assert audit.summary.supported == 59
    assert len(audit.to_json()) < 1_000_000


def test_a_script_without_a_main_guard_can_audit(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import groundtrace\n"
        "print(groundtrace.audit({'segments': ['a', 'b'], 'relations': []}).summary.orphan)\n"
    )
    result = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert result.stdout == "1\n", result.stderr


FUNCTIONS = {
    "audit": ["audit", "audit_many"],
    "check": ["KnowledgeBase.check"],
    "explain": ["explain"],
    "export": ["export_records"],
    "graph critical": ["critical_graph"],
    "graph extract": ["extract", "extract_many"],
    "graph vote": ["vote"],
    "import": ["import_records"],
    "label": ["label", "label_many"],
    "query": ["KnowledgeBase.query", "KnowledgeBase.question", "KnowledgeBase.frame"],
    "reward": ["reward", "Rewarder"],
    "rules check": ["check_rules"],
    "rules diff": ["diff_rules"],
    "rules list": ["list_rules"],
    "rules show": ["show_rule"],
    "rules test": ["test_rules"],
    "segment": ["segment"],
    "serve": ["serve"],
}
"""Command to the public functions that do the same."""


def test_every_command_has_a_function() -> None:
    assert {*FUNCTIONS} == {*commands()}
    for name in itertools.chain.from_iterable(FUNCTIONS.values()):
        first, *more = name.split(".")
        assert first in groundtrace.__all__
        found = getattr(groundtrace, first)
        for part in more:
            found = getattr(found, part)
        assert callable(found)


UNTYPED: Any = groundtrace
"""As somebody sees it who runs no type checker."""

WRONG = [
    (lambda: UNTYPED.audit(5), "trace: expected a Trace, or a mapping.*got int 5"),
    (lambda: UNTYPED.audit("a.json"), "trace: .* got str 'a.json'"),
    (lambda: UNTYPED.audit(CLINICAL, overlays=5), "overlays: expected an iterable of paths"),
    (lambda: UNTYPED.audit(CLINICAL, overlays=[5]), "overlays: expected a path, got int 5"),
    (lambda: UNTYPED.audit(CLINICAL, constants=["a=1"]), "constants: expected a mapping"),
    (lambda: UNTYPED.audit(CLINICAL, constants={"a": 1.5}), "constants: expected a mapping"),
    (lambda: UNTYPED.audit(CLINICAL, max_trees="5"), "max_trees: expected a whole number"),
    (lambda: UNTYPED.audit_many(CLINICAL), "traces: expected several traces.*list of one"),
    (lambda: UNTYPED.audit_many("a.json"), "traces: expected an iterable of traces, got str"),
    (lambda: UNTYPED.audit_many(None), "traces: expected an iterable of traces, got None"),
    (lambda: UNTYPED.audit_many([], jobs="2"), "jobs: expected a whole number, got str '2'"),
    (lambda: UNTYPED.audit_many([], time_limit=None), "time_limit: expected a number"),
    (lambda: UNTYPED.explain(CLINICAL, "8"), "segment: expected a whole number, got str '8'"),
    (lambda: UNTYPED.segment(7), "raw: expected a response, or a mapping"),
    (lambda: UNTYPED.segment({"response": "x"}, context="c"), "context: expected no context"),
    (lambda: UNTYPED.label_many([], {"labeller": "nli"}), "settings: expected LabellingSett"),
    (lambda: UNTYPED.label_many(CLINICAL, None), "traces: expected several traces"),
    (lambda: UNTYPED.extract_many({}, None), "cases: expected several cases"),
    (lambda: UNTYPED.extract_many([], "http"), "settings: expected ServerSettings, got str"),
    (lambda: UNTYPED.vote([]), "case: expected a GraphCase, or a mapping.*got list"),
    (lambda: UNTYPED.critical_graph("x"), "case: expected a GraphCase, or a mapping"),
    (lambda: UNTYPED.reward(None), "case: expected a RewardCase, or a mapping.*got None"),
    (lambda: UNTYPED.KnowledgeBase(["a.ttl"]), "files: expected a path, got list"),
    (lambda: UNTYPED.KnowledgeBase(store=["kb"]), "store: expected a path, got list"),
    (lambda: UNTYPED.serve(["a.ttl"]), "files: expected a path, got list"),
    (lambda: UNTYPED.check_rules(3), "files: expected an iterable of paths, got int"),
    (lambda: UNTYPED.test_rules([None]), "files: expected a path, got None"),
    (lambda: UNTYPED.list_rules(overlays=[b"x"]), "overlays: expected a path, got bytes"),
    (lambda: UNTYPED.show_rule(3), "name: expected a text, got int"),
    (lambda: UNTYPED.diff_rules(CLINICAL, constants={"max_depth": 9}), "cases: expected sev"),
]


@pytest.mark.parametrize(("call", "message"), WRONG)
def test_wrong_types_are_told_at_the_call(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ArgumentError, match=message) as caught:
        call()
    assert isinstance(caught.value, TypeError)
    assert isinstance(caught.value, InputError)


def test_unknown_choices_are_told_at_the_call() -> None:
    with pytest.raises(InputError, match="on_conflict: expected refuse or weakest, got 'best'"):
        UNTYPED.audit_many([], on_conflict="best")
    with pytest.raises(InputError, match="rules: expected audit, graph, guards or None, got 'x'"):
        UNTYPED.check_rules([], rules="x")
    with pytest.raises(InputError, match="rules: expected audit, graph or None, got 'guards'"):
        UNTYPED.diff_rules([], rules="guards")


@pytest.mark.parametrize(
    "bad", [{"jobs": 0}, {"port": -1}, {"limit": -1}, {"time_limit": 0}, {"store": "kb"}]
)
def test_an_endpoint_that_cannot_be_is_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="expected"):
        groundtrace.serve(DATA / "clinical.json", **bad)


def test_one_path_stands_for_a_list_of_one(tmp_path: Path) -> None:
    overlay = tmp_path / "own.lp"
    overlay.write_text("leaf(5).")
    for given in (overlay, str(overlay), [overlay], (str(overlay),)):
        assert UNTYPED.audit(CLINICAL, overlays=given).leaves == [1, 5]
    (one,) = UNTYPED.audit_many([CLINICAL], overlays=overlay)
    assert isinstance(one, Audit)
    assert one.leaves == [1, 5]


def test_a_response_alone_is_cut() -> None:
    trace = groundtrace.segment("<think>One is odd. Two is even.</think>Two.", context="Which?")
    assert [one.text for one in trace.segments] == ["Which?", "One is odd.", "Two is even."]
    assert trace.leaves == [1]
    assert groundtrace.segment("One. Two.", id="x").leaves == []


def test_a_raw_record_is_cut_as_the_command_does() -> None:
    record = json.loads((DATA / "raw.json").read_bytes())
    shown = command("segment", DATA / "raw.json", "--format", "jsonl").stdout
    assert json.loads(shown) == groundtrace.segment(record).model_dump(exclude_none=True)
    with pytest.raises(InputError, match="context: field required"):
        groundtrace.segment({"response": "x"})


def test_a_segment_is_explained_as_the_command_does() -> None:
    found = groundtrace.explain(CLINICAL, 2)
    assert found.entry == groundtrace.audit(CLINICAL).segment(2)
    assert found.support_trees[0]["premises"] == [1]
    words = ("explain", DATA / "clinical.json", "--segment", "2", "--format", "json")
    assert json.loads(found.to_json()) == json.loads(command(*words).stdout)
    with pytest.raises(InputError, match="segment 1 is a leaf"):
        groundtrace.explain(CLINICAL, 1)


def test_rules_are_listed_and_shown() -> None:
    listed = groundtrace.list_rules(overlays=[ROOT / "asp" / "examples" / "legal.lp"])
    assert "locality" in {one.name for one in listed.rules}
    assert "closest_gap_limit" in {one.name for one in listed.constants}
    assert [Path(one.file.name).name for one in listed.own] == ["legal.lp"]
    (rule,) = groundtrace.show_rule("locality")
    assert rule.name == "locality"
    with pytest.raises(InputError, match="did you mean locality"):
        groundtrace.show_rule("lokality")


def test_rules_are_checked_and_tested(tmp_path: Path) -> None:
    overlay = tmp_path / "own.lp"
    overlay.write_text('leaf(Segment) :- tagg(Segment, "given").\n')
    (checked,) = groundtrace.check_rules(overlay, rules="audit")
    assert checked.errors == 1
    assert "did you mean tag" in checked.faults[0].shown()
    cases = tmp_path / "own.test.lp"
    cases.write_text(
        "%# Mine\n% Purpose: to try.\n\n"
        "%# case: holds\nsegment(1). leaf(1).\n% all: grounded(1)\n\n"
        "%# case: does not\nsegment(1). leaf(1).\n% all: grounded(2)\n"
    )
    (suite,) = groundtrace.test_rules(cases)
    assert [bool(problems) for problems in suite.problems] == [False, True]


def test_an_edit_of_the_rules_is_compared() -> None:
    edit = {"closest_gap_limit": 1}
    trace = Trace.model_validate({**CLINICAL, "id": "as a record"})
    found = list(UNTYPED.diff_rules([CLINICAL, trace, 5, {"id": "x"}], constants=edit))
    one, same, wrong, empty = found
    assert not isinstance(one, Exception)
    assert not isinstance(same, Exception)
    assert (one.id, same.id) == (CLINICAL["id"], "as a record")
    assert one.changes == same.changes
    assert isinstance(wrong, InputError)
    assert isinstance(empty, InputError)
    with pytest.raises(RuleError, match="nothing to compare"):
        groundtrace.diff_rules([CLINICAL])


def test_records_are_exported_and_imported_as_the_commands_do_it(tmp_path: Path) -> None:
    audit = groundtrace.audit(CLINICAL)
    trace = Trace.model_validate(CLINICAL)
    targets: list[dict[str, Any]] = [{"out": tmp_path / "kb.trig"}, {"store": tmp_path / "kb"}]
    for target in targets:
        assert groundtrace.export_records([CLINICAL, audit], **target) == 2
    for source in ((tmp_path / "kb.trig",), ()):
        store = None if source else tmp_path / "kb"
        found = list(groundtrace.import_records(*source, store=store))
        assert found == [audit, trace]
        (only,) = groundtrace.import_records(*source, store=store, kind="audit", id=audit.id)
        assert only == audit
    assert not list(groundtrace.import_records(tmp_path / "kb.trig", kind="critical-graph"))


def test_nothing_is_exported_where_one_record_is_refused(tmp_path: Path) -> None:
    bad = {"id": "x", "segments": ["a"], "own": float("nan")}
    targets: list[dict[str, Any]] = [{"out": tmp_path / "kb.nq"}, {"store": tmp_path / "kb"}]
    for target in targets:
        with pytest.raises(InputError, match=r"^record 2: own: is nan, which JSON cannot hold"):
            groundtrace.export_records([CLINICAL, bad], **target)
    assert not (tmp_path / "kb.nq").exists()
    with pytest.raises(InputError, match="holds no knowledge base"):
        list(groundtrace.import_records(store=tmp_path / "kb"))
    wrongs: list[dict[str, Any]] = [{}, {"out": "a", "store": "b"}, {"out": "a", "replace": True}]
    for wrong in wrongs:
        with pytest.raises(InputError, match="expected"):
            groundtrace.export_records([CLINICAL], **wrong)
    with pytest.raises(InputError, match="holds one record only"):
        groundtrace.export_records([CLINICAL, {**CLINICAL, "id": "y"}], out=tmp_path / "a.ttl")
