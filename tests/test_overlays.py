"""Users' rule files: every extension point works, and every fault is explained."""

from collections.abc import Callable
from pathlib import Path

import pytest

import groundtrace
from groundtrace import Audit, RuleError
from groundtrace.auditing.auditor import Auditor
from groundtrace.rules.judge.dictionary import dictionary, own_heads
from groundtrace.rules.rulebook import rulebook_for
from groundtrace.rules.text.syntax import statements_of

Overlay = Callable[[str], Audit]

TRACE = {
    "id": "t",
    "segments": [
        "context",
        {"text": "finding"},
        {"text": "guideline", "tags": ["guideline"]},
        {"text": "advice", "tags": ["recommendation", 'with "quotes" \\ and\nlines']},
    ],
    "relations": [
        {"premises": [1], "target": 2, "label": "entailment"},
        {"premises": [2], "target": 4, "label": "implied"},
        {"premises": [2, 3], "target": 4, "label": "entailment"},
        {"premises": [1], "target": 4, "label": "neutral"},
    ],
}


@pytest.fixture
def with_rules(tmp_path: Path) -> Overlay:
    def audit(rules: str) -> Audit:
        overlay = tmp_path / "own.lp"
        overlay.write_text(rules, encoding="utf-8")
        return groundtrace.audit(TRACE, overlays=[overlay])

    return audit


def test_without_overlay() -> None:
    audit = groundtrace.audit(TRACE)
    assert [entry.outcome for entry in audit.segments] == ["supported", "orphan", "supported"]


def test_leaf_accepts_a_segment(with_rules: Overlay) -> None:
    audit = with_rules('leaf(Segment) :- tag(Segment, "guideline").')
    assert audit.leaves == [1, 3]
    assert [entry.index for entry in audit.segments] == [2, 4]
    best = audit.segment(4).tree
    assert best is not None
    assert best["premises"] == [2, 3]


def test_tags_are_compared_as_text(with_rules: Overlay) -> None:
    audit = with_rules(r'note(S, "found") :- tag(S, "with \"quotes\" \\ and\nlines").')
    assert audit.segment(4).notes == ["found"]


def test_drop_gives_its_own_reason(with_rules: Overlay) -> None:
    audit = with_rules("drop(Relation, no_weak_evidence) :- relation(Relation, _, implied).")
    entry = audit.segment(4)
    assert entry.outcome == "unsupported"
    assert {one.premises: one.reasons for one in entry.rejected} == {
        (1,): ["neutral"],
        (2,): ["no_weak_evidence"],
    }


def test_contradicted_and_unstable_can_be_derived(with_rules: Overlay) -> None:
    audit = with_rules("contradicted(2). unstable(4).")
    assert audit.segment(2).outcome == "contradicted"
    assert "user's rule" in audit.segment(2).explanation
    assert audit.segment(4).outcome == "unsupported"
    assert audit.segment(4).unstable
    assert audit.segment(4).breakpoints == [2, 3]


def test_veto_keeps_a_segment_from_being_grounded(with_rules: Overlay) -> None:
    audit = with_rules(
        """
        _strong(Segment) :- support(Relation, Segment), relation(Relation, Segment, entailment),
                            not _needs(Relation, 3).
        _needs(Relation, Segment) :- premise(Relation, Segment).
        veto(Segment, "a recommendation needs an entailment") :-
            tag(Segment, "recommendation"), not _strong(Segment).
        veto(3, hearsay).
        """
    )
    advice, guideline = audit.segment(4), audit.segment(3)
    assert advice.outcome == "unsupported"
    assert advice.vetoes == ["a recommendation needs an entailment"]
    assert "a recommendation needs an entailment" in advice.explanation
    assert advice.repairs == []
    assert guideline.outcome == "orphan"
    assert "hearsay" in guideline.explanation


def test_disabled_switches_a_rule_off(with_rules: Overlay) -> None:
    far = {**TRACE, "relations": [{"premises": [1], "target": 4, "label": "implied"}]}
    assert groundtrace.audit(far).segment(4).outcome == "orphan"
    audit = with_rules("disabled(locality).")
    assert audit.provenance.overlays


def test_note_is_shown(with_rules: Overlay) -> None:
    audit = with_rules('note(4, "See the guideline.").')
    assert audit.segment(4).notes == ["See the guideline."]
    assert audit.segment(4).explanation.endswith("See the guideline.")


def test_constants_can_be_overridden_and_added(with_rules: Overlay) -> None:
    audit = with_rules(
        "#const closest_gap_limit = 2. [override]\n#const own = 7.\nnote(4, Own) :- Own = own."
    )
    assert audit.provenance.constants["closest_gap_limit"] == 2
    assert audit.provenance.constants["own"] == 7
    assert audit.segment(4).notes == ["7"]
    assert audit.segment(4).rejected[-1].reasons == ["neutral"] or audit.segment(4).supports


def test_provenance_holds_the_hash_of_the_overlay(with_rules: Overlay, tmp_path: Path) -> None:
    audit = with_rules("disabled(locality).")
    path = str(tmp_path / "own.lp")
    assert audit.provenance.overlays == [path]
    assert audit.provenance.rules[path].startswith("sha256:")
    assert audit.provenance.rules["audit/3_patterns.lp"].startswith("sha256:")


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("leaf(3)", "own.lp:1:8"),
        ("leaf(S) :- not segment(S).", "unsafe"),
        ("leaf(S) :- segmant(S).", "segmant(S)"),
        ("leaf(S) :- segment(S), S > 1 + x.", "own.lp:1"),
        ('note(2, "open).', "own.lp:1:9"),
        ("leaf(9).", "segment 9, which does not exist"),
        ("drop(99, reason).", "relation 99, which does not exist"),
        ("disabled(localty).", "no rule has that name"),
        ("{ leaf(3) }.", "more than one answer"),
        ("leaf(3) :- not leaf(4). leaf(4) :- not leaf(3).", "more than one answer"),
        (":- segment(2).", "no answer"),
        ("leaf(3) :- not leaf(3).", "no answer"),
        ("leaf(two).", "Segment is a number here"),
        ("veto(two, reason).", "Segment is a number here"),
        ("note(two, text).", "Segment is a number here"),
        ("outcome(2, supported).", "outcome is decided by groundtrace's own rules"),
        ("grounded(S) :- tag(S, T).", "grounded is decided"),
        ("segment(9).", "segment is decided"),
        ("relation(9, 2, entailment). premise(9, 1).", "premise is decided"),
        ("_given(9, 2, entailment, 1).", "_given is decided"),
        ("_within(2, 0).", "_within is decided"),
        ("{ support(1, 2) } :- segment(2).", "support is decided"),
        ("note(2).", "note takes 2 arguments, not 1"),
        ("own(2) ; own(3).", "more than one answer"),
        ('#include "/etc/passwd".', "#include is not allowed"),
        ("% fine\n  #script (python)\n#end.", "own.lp:2:3"),
        ("#show leaf/1.", "#show is not allowed"),
        ("#program other.\nleaf(3).", "#program is not allowed"),
        ("#minimize { S : leaf(S) }.", "#minimize is not allowed"),
        (":~ leaf(S). [S]", ":~ is not allowed"),
        ("leaf(3). #const implied = 3.", "own.lp:1:10"),
        ("#const weak_cluster = 3.", "would change that word in every rule"),
        ("#const max_depth = 5.", "own.lp:1"),
        ('%* %* *% " *% #include "/etc/passwd". %"', "#include is not allowed"),
        ("%* %* *% ' *%\n#script (python)\n#end.", "own.lp:2:1: #script is not allowed"),
        ("#minimise { S : leaf(S) }.", "#minimise is not allowed"),
        ("#const%c\nsupported = orphan.", "would change that word"),
        ("#const %*x*% supported = orphan.", "would change that word"),
        ("#const unlabelled = entailment.", "would change that word"),
        ("#const keep = cluster.", "would change that word"),
        ("#const contradicted_leaf = foo.", "would change that word"),
        ("#const closest_gap_limit = 4294967300. [override]", "numbers end at 2147483647"),
        ("leaf(3) :- 1 = " + "-" * 900_000 + "1.", "longer than"),
        ("leaf(3) :- x = " + "f(" * 240_000 + "1" + ")" * 240_000 + ".", "longer than"),
        ("leaf(3) :- x = 1..2" + "+(1..2)" * 100_000 + ".", "longer than"),
        ("leaf(S) :- S = @run(1).", "own.lp:1"),
    ],
)
def test_a_faulty_overlay_is_explained(with_rules: Overlay, rules: str, expected: str) -> None:
    with pytest.raises(RuleError) as caught:
        with_rules(rules)
    assert expected in str(caught.value)


def test_directives_in_comments_and_strings_are_no_directives(with_rules: Overlay) -> None:
    audit = with_rules(
        '% #include "x".\n%* #script *%\nnote(2, "#show % and #program"). % :~\n%* block\n*%'
    )
    assert audit.segment(2).notes == ["#show % and #program"]
    assert "own" not in with_rules("%*\n#const own = 1.\n*%").provenance.constants


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"leaf(2).\n\xff", "own.lp:2:1: the file is not UTF-8"),
        (b"leaf(2).\0", r"U\+0000"),
        (b"%" + b"x" * 1_000_001, "larger than"),
    ],
)
def test_unusable_files_are_explained(tmp_path: Path, content: bytes, expected: str) -> None:
    overlay = tmp_path / "own.lp"
    overlay.write_bytes(content)
    with pytest.raises(RuleError, match=expected):
        groundtrace.audit(TRACE, overlays=[overlay])


def test_a_missing_overlay_is_explained(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="No such file"):
        groundtrace.audit(TRACE, overlays=[tmp_path / "none.lp"])


def test_nothing_is_printed_about_good_rules(
    with_rules: Overlay, capfd: pytest.CaptureFixture[str]
) -> None:
    for kept in (statements_of, own_heads, dictionary):
        kept.cache_clear()
    with_rules("leaf(3).")
    assert capfd.readouterr() == ("", "")


def test_an_overlay_that_changes_while_in_use_is_refused(tmp_path: Path) -> None:
    overlay = tmp_path / "own.lp"
    overlay.write_text("leaf(3).\n")
    auditor = Auditor(rulebook_for("audit", [overlay]))
    trace = groundtrace.Trace.model_validate(TRACE)
    assert auditor.audit(trace).audit.leaves == [1, 3]
    overlay.write_text('#include "/etc/passwd".\n')
    with pytest.raises(RuleError, match="was changed while it was in use"):
        auditor.audit(trace)


def test_findings_of_users_are_shown_as_they_are(with_rules: Overlay) -> None:
    audit = with_rules('finding("{0} {subject.__class__}", warning, "{x}").')
    assert [one.message for one in audit.findings] == ["{0} {subject.__class__}: {x}"]
    assert audit.summary.warnings == 1


def test_a_reason_of_ours_may_be_given_by_a_user(with_rules: Overlay) -> None:
    audit = with_rules("drop(R, neutral) :- relation(R, _, entailment).")
    assert {one.premises: one.reasons for one in audit.segment(4).rejected} == {
        (1,): ["neutral"],
        (2, 3): ["neutral"],
    }


def test_windows_line_ends_are_fine(with_rules: Overlay) -> None:
    assert with_rules("% a comment\r\nleaf(3).\r\n").leaves == [1, 3]


def test_a_misspelt_head_is_refused_rather_than_ignored(with_rules: Overlay) -> None:
    with pytest.raises(RuleError, match=r"nothing reads vetto/2.*did you mean veto\(Segment"):
        with_rules('vetto(S, "by hand") :- segment(S).')


def test_overlays_are_judged_together(tmp_path: Path) -> None:
    """What one file derives and another one reads is neither misspelt nor unknown."""
    first, second = tmp_path / "first.lp", tmp_path / "second.lp"
    first.write_text("leafs(3).\n")
    second.write_text("leaf(S) :- leafs(S).\n")
    assert groundtrace.audit(TRACE, overlays=[first, second]).leaves == [1, 3]
    assert groundtrace.audit(TRACE, overlays=[second, first]).leaves == [1, 3]
    with pytest.raises(RuleError, match=r"first\.lp is refused"):
        groundtrace.audit(TRACE, overlays=[first])
    second.write_text("leaf(S) :- leafs(S, 1).\n")
    with pytest.raises(RuleError, match="derived with 1 argument, but read with 2"):
        groundtrace.audit(TRACE, overlays=[first, second])


def test_a_file_that_changes_is_judged_anew(with_rules: Overlay) -> None:
    assert with_rules("leaf(3).").leaves == [1, 3]
    with pytest.raises(RuleError, match="support is decided by groundtrace's own rules"):
        with_rules("support(2, 4).")


@pytest.mark.parametrize("name", ["-", "./-"])
def test_a_file_named_as_standard_input_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-").write_text("leaf(3).\n")
    with pytest.raises(RuleError, match="standard input"):
        groundtrace.audit(TRACE, overlays=[name])


@pytest.mark.parametrize(
    "rules",
    [
        "foo(1) ; drop(R, x) :- relation(R, _, _).",
        "".join(f"w{number}(1).\n" for number in range(110)) + "{drop(R, x)} :- relation(R, _, _).",
    ],
)
def test_warnings_hide_no_error(rules: str, with_rules: Overlay) -> None:
    with pytest.raises(RuleError, match="is refused"):
        with_rules(rules)


def test_rules_that_extend_other_rules_are_refused(with_rules: Overlay) -> None:
    with pytest.raises(RuleError, match="backwards is known to the rules for graph"):
        with_rules('backwards("is").')
