"""Rule files that are wrong are told so in words, with the place and the cure; others are not."""

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import groundtrace
from groundtrace import RuleError
from groundtrace.cli.rules_check import check_rules_command
from groundtrace.rules.rulebook import rulebook_for
from groundtrace.vocabulary import Program
from groundtrace.workbench.check import samples
from groundtrace.workbench.check.checker import Checked, check_files, check_text
from tests.command import ROOT

pytestmark = pytest.mark.slow

APP = typer.Typer()
APP.command()(check_rules_command)


class Case(NamedTuple):
    """A faulty file, as people write them."""

    text: str
    place: str
    words: str
    cure: str


SLIPS = [
    Case("leaf(3)", "1:8", "must end with a full stop", "put a . here"),
    Case("leaf(3)\nleaf(4).", "1:8", "must end with a full stop", "put a . here"),
    Case('leaf(S) :- tag(S, "a")\nnote(2, "b").', "1:23", "must end with a full stop", "put a ."),
    Case(
        'leaf(S) :- tag(S, "a"),\nnote(S, "b") :- leaf(S).',
        "1:23",
        "a new rule begins",
        "full stop",
    ),
    Case('note(2, "open).', "1:9", "no closing quotation mark", 'put " at its end'),
    Case('note(2, open").', "1:13", "no closing quotation mark", 'put " at its end'),
    Case("leaf(3.", "1:5", "( that stands here is never closed", "add a )"),
    Case("leaf(3)).", "1:8", "this ) closes nothing", "take it out"),
    Case("leaf(S) := segment(S).", "1:9", ":= stands where", "write :-"),
    Case("leaf(S) <- segment(S).", "1:9", "<- stands where", "write :-"),
    Case("leaf(S) : segment(S).", "1:9", ": stands where", "write :-"),
    Case("leaf(S) -: segment(S).", "1:9", "-: stands where", "write :-"),
    Case("leaf(S) : - segment(S).", "1:9", ": stands where", "write :-"),
    Case("leaf(S) if segment(S).", "1:9", "the word if", "write :- instead"),
    Case('leaf(S) :- leaf(S) and tag(S, "a").', "1:20", "the word and", "a comma"),
    Case('leaf(S) :- leaf(S) or tag(S, "a").', "1:20", "the word or", "two rules"),
    Case('leaf(S) :- leaf(S) & tag(S, "a").', "1:20", "the word &", "a comma"),
    Case('leaf(S) :- leaf(S) && tag(S, "a").', "1:20", "the word &&", "a comma"),
    Case('leaf(S) :- leaf(S) || tag(S, "a").', "1:20", "the word ||", "two rules"),
    Case("leaf(S) :- segment(S), !leaf(S).", "1:24", "! does not mean", "write not and a space"),
    Case("leaf(S) :- segment(S), -leaf(S).", "1:24", "- does not mean", "write not and a space"),
    Case("leaf(S) :- segment(S), Not leaf(S).", "1:24", "the word Not", "write not"),
    Case("leaf(S) :- not(segment(S)).", "1:12", "without parentheses", "write not leaf"),
    Case("note(1, 'a text').", "1:9", "single quotation marks", 'write "…"'),
    Case("note(1, “a text”).", "1:9", "“ is a quotation mark of a word processor", 'write "'),
    Case('note(S, "a") :- depth(S, D), D => 3.', "1:32", "=> is no comparison", "write >="),
    Case('note(S, "a") :- depth(S, D), D =< 3.', "1:32", "=< is no comparison", "write <="),
    Case('note(S, "a") :- depth(S, D), D ≤ 3.', "1:32", "the sign ≤", "write <="),
    Case('note(S, "a") :- depth(S, D), D = ≥ 3.', "1:34", "the sign ≥", "write >="),
    Case("# a remark\nleaf(3).", "1:1", "remarks do not start with #", "with %"),
    Case("// a remark\nleaf(3).", "1:1", "remarks do not start with //", "with %"),
    Case("leaf(3). %* a remark", "1:10", "is never closed", "end it with *%"),
    Case('note(S, "a") :- depth(S, D), D > 3.5.', "1:34", "3.5 is no whole number", "thousandths"),
    Case("leaf(9999999999).", "1:6", "numbers end at 2147483647", "smaller number"),
    Case("leaf(03).", "1:6", "starts with 0", "write 3"),
    Case("Leaf(3).", "1:1", "Leaf( starts with a capital letter", "write leaf("),
    Case("leaf[3].", "1:5", "do not stand in [ ]", "write ( and )"),
    Case("leaf(3) :- segment(3),.", "1:22", "a condition is missing", "take the comma out"),
    Case(
        'note(S, "a") :- relation(R,S,_), closest gap(R, 1).', "1:34", "not one name", "closest_gap"
    ),
    Case(
        'note(S, "a") :- relation(R,S,_), closest-gap(R, 1).', "1:34", "not one name", "closest_gap"
    ),
    Case(r'note(1, "C:\dir").', "1:12", r"\d means nothing", r"write two: \\"),
    Case('leaf(S) :- segment(S) tag(S, "a").', "1:23", "without a sign", "put a comma"),
    Case("#cosnt mine = 3.\nleaf(mine).", "1:1", "#cosnt is not known", "#const"),
    Case("const mine = 3.\nleaf(mine).", "1:1", "const is not known", "#const name = value."),
    Case("#script (python)\n#end.", "1:1", "#script is not allowed", "no programs"),
    Case('#include "/etc/passwd".', "1:1", "#include is not allowed", "--overlay"),
    Case("leaf(3).\n#show leaf/1.", "2:1", "#show is not allowed", "leave the line out"),
    Case("#minimize { S : leaf(S) }.", "1:1", "#minimize is not allowed", "leave it out"),
    Case("#external leaf(3).", "1:1", "#external is not allowed", "write the fact"),
    Case(":~ leaf(S). [S]", "1:1", ":~ is not allowed", "veto or a note"),
    Case("\tleaf(S) :-\tsegmant(S).", "1:13", "nothing derives segmant/1", "segment(Segment)"),
    Case("leaf(1" + "+1" * 2600 + ").", "1:1", "longer than 5,000 characters", "cut it"),
    Case("leaf(3) :- 1 = " + "f(" * 1500 + "1" + ")" * 1500 + ".", "1:1", "nested too", "cut it"),
]

MEANINGS = [
    Case("leaf(S) :- segmant(S).", "1:12", "nothing derives segmant/1", "segment(Segment)?"),
    Case('vetto(S, "a") :- segment(S).', "1:1", "nothing reads vetto/2", "veto(Segment, Reason)?"),
    Case('backward("is due to").', "1:1", "nothing reads backward/1", "backwards(Predicate)?"),
    Case(
        'note(S, "a") :- relation(R, S).',
        "1:17",
        "relation takes 3 arguments, not 2",
        "relation(Relation, Target, Label)",
    ),
    Case("note(2).", "1:1", "note takes 2 arguments, not 1", "note(Segment, Text)"),
    Case('own(1, 2).\nnote(S, "a") :- own(S).', "2:17", "derived with 2 arguments", "same number"),
    Case(
        'note(S, "a") :- outcome(S, Supported).', "1:28", "makes it a variable", "write supported"
    ),
    Case('note(S, "a") :- relation(R, S, Entailment).', "1:32", "a variable", "write entailment"),
    Case('note(S, "a") :- relation(R, S, entails).', "1:32", "no label entails", "entailment?"),
    Case(
        'note(S, "a") :- relation(R, S, "neutral").', "1:32", "without quotation", "write neutral"
    ),
    Case(
        'note(S, "a") :- outcome(S, O), O = suported.', "1:36", "no outcome suported", "supported?"
    ),
    Case("disabled(localty).", "1:10", "no rule has that name", "locality?"),
    Case("leaf(s) :- segment(s).", "1:6", "is the name of one thing", "write S"),
    Case("leaf(two).", "1:6", "is the name of one thing", "write its number"),
    Case("leaf(S) :- tag(S, guideline).", "1:19", "no quotation marks", 'write "guideline"'),
    Case("leaf(S) :- tag(S, Guideline).", "1:19", "it fits every text", 'write "guideline"'),
    Case("backwards(is_due_to).", "1:11", "no quotation marks", 'write "is_due_to"'),
    Case('forbidden_match("heart", lung).', "1:26", "no quotation marks", 'write "lung"'),
    Case('veto("a text", S) :- segment(S).', "1:6", "is a text, but", "wrong order"),
    Case("outcome(2, supported).", "1:1", "own rules", "veto(Segment, Reason)"),
    Case("support(R, S) :- relation(R, S, implied).", "1:1", "own rules", "drop(Relation, Reason)"),
    Case('critical(1).\nbackwards("a").', "1:1", "own rules", "backwards(Predicate)"),
    Case(
        'note(S, "a") :- relation(R, S, _), _carried(R, 3).', "1:36", "private", "public predicate"
    ),
    Case("not leaf(3).", "1:5", "cannot say that something does not hold", "leave the not out"),
    Case("leaf(S) :- segment(S), not not leaf(S).", "1:32", "not not says", "leave both out"),
    Case("#const closest_gap = 4.", "1:1", "would change that word", "closest_gap_limit?"),
    Case("#const closest_gap_limt = 4.", "1:1", "nothing reads a constant", "closest_gap_limit?"),
    Case("#const max_depth = 5.", "1:1", "has a value already", "[override]"),
    Case("#const max_depth = 5000000. [override]", "1:1", "outside its range", "0 to 1000000"),
    Case(
        "#const weak_cluster_mode = clustr. [override]", "1:1", "outside its range", "combination"
    ),
    Case("#const a = 1.\n#const a = 2.\nleaf(a).", "2:1", "defined in line 1", "take one out"),
    Case("{ leaf(3) }.", "1:1", "more than one answer", "take the braces out"),
    Case("leaf(3) ; leaf(4).", "1:1", "more than one answer", "one rule for each"),
    Case('n(1).\nn(X + 1) :- n(X).\nnote(1, "a") :- n(3).', "2:1", "would never end", "bounds it"),
    Case(
        'n(X + 1) :- n(X), X < 5.\nnote(1, "a") :- n(3).',
        "1:13",
        "follows only from itself",
        "begins n/1",
    ),
    Case(
        'note(A, "a") :- segment(A), segment(B), segment(C).',
        "1:29",
        "cross product",
        "the same variable",
    ),
    Case("leaf(S) :- segment(S), N = 1..10000000, N > S.", "1:1", "makes 10,000,000", "smaller"),
    Case(
        'note(S, "a") :- segment(S).\nnote(S, "a") :- segment(S).', "2:1", "in line 1", "take one"
    ),
    Case(
        'veto(S, "a") :- tag(Segment, "b"), segment(S).', "1:21", "occurs only once", "write S if"
    ),
    Case(
        'note(S, "a") :- triplet(_, S, _, _), segment(S), leaf(S).',
        "1:17",
        "rules for graph",
        "graph critical --overlay",
    ),
    Case("mine(S) :- segment(S).", "1:1", "nothing reads mine/1", "read it in another rule"),
    Case("% nothing yet\n", "", "only remarks", ""),
    Case("", "", "holds nothing", ""),
]

TRIALS = [
    Case('veto(S, R) :- tag(Seg, "a").', "1:6", "the variables S and R stand in no", "mean Seg?"),
    Case("leaf(S) :- not segment(S).", "1:6", "the variable S stands in no", "segment(S)"),
    Case("veto(S, Hearsay) :- segment(S).", "1:9", "Hearsay stands in no", '"hearsay"'),
    Case('note(S, "a") :- segment(S), S > 1 + x.', "1:33", "cannot be computed", "numbers"),
    Case('a :- not b.\nb :- not a.\nnote(1, "a") :- a.', "1:1", "more than one answer", "let one"),
    Case("leaf(3) :- not leaf(3).", "1:1", "no answer: leaf depends on leaf", "does not depend"),
    Case(
        'veto(S, "a") :- outcome(S, supported).', "1:1", "veto depends on outcome", "let the rule"
    ),
    Case("drop(R, weak) :- support(R, _).", "1:1", "drop depends on support", "let the rule"),
    Case(":- segment(2).", "1:1", "integrity constraint", "finding("),
    Case("leaf(S + 1) :- segment(S).", "1:1", "which does not exist", "segment(Segment)"),
]

COSTS = [
    Case(
        'a :- not b, tag(1, "z").\nb :- not a, tag(1, "z").\nnote(1, "a") :- a.',
        "1:1",
        "negation loop",
        "let one of them",
    ),
    Case(
        'note(S, "a") :- leaf(S), #count { A,B : segment(A), segment(B) } > 5.',
        "1:26",
        "counts through about 125,000,000 elements",
        "share variables",
    ),
    Case("#const big = 65536 * 65536.\nleaf(big).", "1:14", "65536*65536) is beyond", "smaller"),
    Case('note(S, "a") :- segment(S), S > 2147483647 + 1.', "1:33", "wraps around", "smaller"),
    Case("#const n = 20000000.\nleaf(S) :- segment(S), S = 1..n.", "2:1", "20,000,000", "bounds"),
    Case(
        'p(A, B) :- segment(A), segment(B).\nnote(A, "a") :- p(A, B), p(B, C), p(C, D).',
        "2:1",
        "tried about 62,500,000,000 times",
        "share more variables",
    ),
    Case('n(1..10000).\nnote(X, "a") :- n(X), n(Y), X < Y.', "2:1", "100,000,000 times", "bound"),
]
"""What is only bounded when it is run: warned of, and accepted."""


@pytest.mark.parametrize("case", COSTS, ids=lambda case: case.text[:40])
def test_what_is_only_bounded_when_it_is_run_is_warned_of(case: Case, tmp_path: Path) -> None:
    found = check_text("own.lp", case.text)
    (one,) = [one for one in found.faults if case.words in one.text]
    assert (one.severity, one.place) == ("warning", f"own.lp:{case.place}")
    assert case.cure in (one.cure or "")
    assert found.errors == 0
    path = tmp_path / "own.lp"
    path.write_text(case.text)
    rulebook_for("audit", [path])


@pytest.mark.parametrize(
    "text",
    [
        'veto(S, "a") :- support(R, S), premise(R, P), premise(R, Q), leaf(P), leaf(Q), P < Q.',
        'note(S, "a") :- segment(S), #count { R : support(R, S) } > 5.',
        'note(S, "a") :- segment(S), segment(T), T = S + 1, leaf(T).',
        'n(1..100).\nnote(X, "a") :- n(X), n(Y), X < Y, segment(X).',
        "#const top = 2147483647.\nleaf(S) :- segment(S), S < top - 1.",
        'up(A, B) :- premise(R, A), support(R, B).\nnote(A, "a") :- up(A, B), leaf(B).',
    ],
)
def test_what_is_bounded_is_not_warned_of(text: str) -> None:
    assert [one.text for one in check_text("own.lp", text).faults] == []


WARNINGS = ("capital_text", "double_not", "duplicate", "near_variable", "unread_head", "no_rules",
            "finding")  # fmt: skip


def blocks() -> list[str]:
    pages = [ROOT / "asp" / "README.md", ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    return [
        block
        for page in pages
        for block in re.findall(r"```prolog\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
        # The guide shows a file of test cases and a faulty one too.
        if "%# case:" not in block and "tagg(" not in block
    ]


EXAMPLES = [
    path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "asp" / "examples").glob("*.lp"))
    if not path.name.endswith(".test.lp")
]

FINE = [
    *blocks(),
    *EXAMPLES,
    'leaf(Segment) :- tag(Segment, "guideline").',
    r'note(S, "found") :- tag(S, "with \"quotes\" \\ and\nlines").',
    "drop(Relation, no_weak_evidence) :- relation(Relation, _, implied).",
    "contradicted(2). unstable(4).",
    "veto(3, hearsay).",
    "disabled(locality).",
    "#const closest_gap_limit = 2. [override]\n#const own = 7.\nnote(4, Own) :- Own = own.",
    '% #include "x".\n%* #script *%\nnote(2, "#show % and #program"). % :~\n%* block\n*%',
    'finding("{0} {subject.__class__}", warning, "{x}").',
    "drop(R, neutral) :- relation(R, _, entailment).",
    "% a comment\r\nleaf(3).\r\n",
    'hub_exempt("a").\nfinding(rare, warning, Node) :- edge(_, Node, "c").\n',
    'term(lobe, front, ("frontal"; "fronto-")).\nterm(lobe, back, "occipital").\n',
    'n(1). n(X + 1) :- n(X), X < 10.\nnote(S, "a") :- segment(S), n(S).',
    'note(S, "many") :- segment(S), #count { R : support(R, S) } > 2.',
    'note(S, "all leaves") :- support(R, S), leaf(P) : premise(R, P).',
    "leaf(2;3).",
    'note(S, "near") :- grounded(S), |S - 3| <= 2.',
    "rests(S, P) :- support(R, S), premise(R, P).\nrests(S, Q) :- rests(S, P), rests(P, Q).\n"
    'note(S, "rests on 2") :- rests(S, 2).',
    'note(S, "é → “quoted” 3.5 if and or. ") :- segment(S), tag(S, "#x % //").',
    "% only “fancy” – remarks, 'quoted' if 3.5 or /* so */\nleaf(2).",
    'note(S, "a") :- segment(S), S <> 3, S == S.',
    '#defined mine/1.\nnote(S, "a") :- segment(S), mine(S).',
    'veto(S, Reason) :- reason(Reason), tag(S, "a").\nreason("none").',
    '\tleaf(S)\t:-\ttag(S, "a").\t% fine',
]


def check(text: str, trial: bool = False, program: Program | None = None) -> Checked:
    return check_text("own.lp", text, program, trial)


def confirm(case: Case, trial: bool) -> None:
    found = check(case.text, trial)
    told = [
        one
        for one in found.faults
        if case.words in one.text and one.place == ":".join(["own.lp", *filter(None, [case.place])])
    ]
    assert told, "\n".join(one.shown() for one in found.faults)
    assert case.cure in (told[0].cure or "")
    assert (told[0].severity == "warning") == (told[0].kind in WARNINGS)


@pytest.mark.parametrize("case", SLIPS, ids=lambda case: case.text[:40])
def test_a_slip_of_the_pen_is_explained(case: Case) -> None:
    confirm(case, trial=False)


@pytest.mark.parametrize("case", MEANINGS, ids=lambda case: case.text[:40])
def test_a_rule_that_cannot_be_meant_is_explained(case: Case) -> None:
    confirm(case, trial=False)


@pytest.mark.parametrize("case", TRIALS, ids=lambda case: case.text[:40])
def test_what_only_shows_when_run_is_explained(case: Case) -> None:
    confirm(case, trial=True)


@pytest.mark.parametrize("text", FINE, ids=lambda text: text[:40])
def test_what_is_fine_gets_no_message(text: str) -> None:
    found = check(text, trial=True)
    assert not found.faults, "\n".join(one.shown() for one in found.faults)


def test_one_slip_makes_one_message() -> None:
    for case in SLIPS:
        found = check(case.text)
        assert len(found.faults) <= 2, "\n".join(one.shown() for one in found.faults)


def test_all_faults_of_a_file_are_told_at_once() -> None:
    text = "leaf(S) := segment(S).\nnote(2, 'x').\nleaf(S) :- segmant(S).\nleaf(3)\nleaf(x).\n"
    found = check(text)
    assert [(one.line, one.column) for one in found.faults] == [
        (1, 9), (2, 9), (3, 12), (4, 8), (5, 6),
    ]  # fmt: skip


def test_the_line_and_a_caret_are_shown() -> None:
    shown = check("% é\n\tnote(2, “x”).").faults[0].shown().splitlines()
    assert shown[0].startswith("own.lp:2:10: error: “")
    assert shown[1:3] == ["    \tnote(2, “x”).", "    \t        ^"]
    assert shown[3].startswith("    cure: ")


# --- files that are no text


@pytest.mark.parametrize(
    ("content", "place", "words"),
    [
        ("leaf(2).".encode("utf-16"), ":1:1", "UTF-16"),
        ("leaf(2).".encode("utf-16-le"), ":1:2", "UTF-16"),
        (b"\x7fELF\x02\x01\xff", ":1:7", "not UTF-8"),
        (b"leaf(2).\n\xff", ":2:1", "not UTF-8"),
        (b"leaf(2).\0", ":1:9", "U+0000"),
        (b"% old\rleaf(2).\r", ":1:6", "old Macs"),
        (b"%" + b"x" * 1_000_001, "", "larger than"),
    ],
)
def test_files_that_are_no_rule_files(
    tmp_path: Path, content: bytes, place: str, words: str
) -> None:
    path = tmp_path / "own.lp"
    path.write_bytes(content)
    (found,) = check_files([str(path)])
    assert found.faults[0].place == f"{path}{place}"
    assert words in found.faults[0].text
    with pytest.raises(RuleError, match=re.escape(words)):
        groundtrace.audit({"segments": ["a"], "relations": []}, overlays=[path])


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    folder, missing = check_files([str(tmp_path), str(tmp_path / "none.lp")])
    assert "this is a folder" in folder.faults[0].text
    assert "No such file" in missing.faults[0].text


def test_a_file_of_test_cases_is_none_of_rules(tmp_path: Path) -> None:
    path = tmp_path / "own.test.lp"
    path.write_text("segment(1).\n")
    (found,) = check_files([str(path)])
    assert "groundtrace rules test" in (found.faults[0].cure or "")


def test_a_sign_from_elsewhere_does_not_end_the_process(tmp_path: Path) -> None:
    path = tmp_path / "own.lp"
    path.write_text("leaf(é).", encoding="utf-8")
    with pytest.raises(RuleError, match="é cannot stand outside of a text"):
        groundtrace.audit({"segments": ["a"], "relations": []}, overlays=[path])


# --- several files, and the command


def test_files_are_judged_with_those_that_they_need(tmp_path: Path) -> None:
    one, two = tmp_path / "one.lp", tmp_path / "two.lp"
    one.write_text('note(S, "a") :- mine(S).\n')
    two.write_text('mine(S) :- tag(S, "a").\n')
    assert [found.faults for found in check_files([str(one), str(two)])] == [(), ()]
    alone = [check_files([str(path)])[0].faults[0].kind for path in (one, two)]
    assert alone == ["unknown_predicate", "unread_head"]


ENDLESS = 'm(1).\nn(1).\nn(X + Y) :- n(X), m(Y).\nnote(1, "a") :- n(3).\nleaf(2).\n'


def test_a_rule_that_never_ends_is_found(tmp_path: Path) -> None:
    path = tmp_path / "own.lp"
    path.write_text(ENDLESS)
    (found,) = check_files([str(path)], time_limit=1)
    assert [one.place for one in found.faults] == [f"{path}:3:1"]
    assert "does not end within 1 seconds" in found.faults[0].text


def test_the_command_says_what_a_file_does(tmp_path: Path) -> None:
    path = tmp_path / "own.lp"
    path.write_text('leaf(S) :- tag(S, "a").\n')
    result = CliRunner().invoke(APP, [str(path)])
    assert result.exit_code == 0, result.output
    assert "nothing wrong; with the rules for audit it derives leaf/1, reads tag/2" in result.output


def test_the_command_fails_for_errors_and_not_for_warnings(tmp_path: Path) -> None:
    bad, odd = tmp_path / "bad.lp", tmp_path / "odd.lp"
    bad.write_text("leaf(3)\n")
    odd.write_text("% nothing\n")
    both = CliRunner().invoke(APP, [str(bad), str(odd)])
    assert both.exit_code == 2
    assert f"{bad}:1:8: error: a rule must end with a full stop" in both.output
    assert "1 error, 1 warning" in both.output
    assert CliRunner().invoke(APP, [str(odd)]).exit_code == 0


def test_the_command_writes_json(tmp_path: Path) -> None:
    path = tmp_path / "own.lp"
    path.write_text("critical(1).\n")
    result = CliRunner().invoke(APP, [str(path), "--format", "json", "--rules", "graph"])
    (file,) = json.loads(result.stdout)
    assert file["rules"] == "graph"
    assert file["faults"][0]["kind"] == "decided_by_us"
    assert file["faults"][0]["line"] == 1


def test_settings_are_tried(tmp_path: Path) -> None:
    path = tmp_path / "own.lp"
    path.write_text("leaf(3).\n")
    with pytest.raises(groundtrace.InputError, match="did you mean max_depth"):
        check_files([str(path)], settings={"max_dept": 3})


# --- what the audit makes of rules that leave no answer, or two


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ("a :- not b. b :- not a. leaf(3) :- a.", "more than one answer"),
        (":- segment(2).", "no answer"),
        ("1 { leaf(2); leaf(3) } 1.", "more than one answer"),
    ],
)
def test_an_audit_is_never_half_decided(tmp_path: Path, rules: str, words: str) -> None:
    path = tmp_path / "own.lp"
    path.write_text(rules)
    trace = {"segments": ["a", "b", "c"], "relations": []}
    with pytest.raises(RuleError, match=words):
        groundtrace.audit(trace, overlays=[path])


# --- anything at all


@given(st.data())
def test_a_character_less_is_accepted_or_explained(data: st.DataObject) -> None:
    before = samples.LARGE
    samples.LARGE = samples.SMALL
    try:
        text = data.draw(st.sampled_from(FINE))
        place = data.draw(st.integers(0, len(text) - 1))
        found = check(text[:place] + text[place + 1 :], trial=True)
    finally:
        samples.LARGE = before
    for one in found.faults:
        assert one.text
        assert one.line or one.kind in ("no_rules", "no_answer", "several_answers", "finding")


@given(st.text(alphabet="leafSnotXYg(){}[],.;:-\"'%*#_ \n\t=<>!|&@~\\0127é“/", max_size=60))
def test_whatever_is_written_is_read(text: str) -> None:
    for one in check(text).faults:
        assert one.text
