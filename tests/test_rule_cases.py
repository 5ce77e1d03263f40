"""The rules against cases that an expert can read and write: asp/tests/*/*.test.lp,
in a folder named after the rules that they try. And what tries them.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundtrace.workbench.test.case_reading import read_cases
from groundtrace.workbench.test.cases import HEADING, Case, CaseError
from groundtrace.workbench.test.runner import problems_of
from groundtrace.workbench.test.suites import Suite, own_cases, read_suite

CASES = own_cases()
FILES = sorted(CASES.rglob("*.test.lp"))


def assert_holds(case: Case, folder: Path) -> None:
    if problems := problems_of(case, folder):
        raise CaseError(str(case), problems)


# --- the cases of the project


def _relative(path: Path) -> str:
    return path.relative_to(CASES).as_posix()


def _collected() -> Iterator[object]:
    """Yield one parameter per case; a file that cannot be read fails as one test of its own."""
    for path in FILES:
        suite = read_suite(path)
        if suite.error:
            yield pytest.param(suite.error, id=f"{_relative(path)}::cannot be read")
        for case in suite.cases:
            yield pytest.param(case, id=f"{_relative(path)}::{case.title}")


@pytest.mark.parametrize("case", list(_collected()))
def test_case(case: Case | CaseError, tmp_path: Path) -> None:
    if isinstance(case, CaseError):
        raise case
    assert_holds(case, tmp_path)


def test_files_are_found() -> None:
    assert FILES


@pytest.mark.parametrize("path", FILES, ids=_relative)
def test_file_says_enough(path: Path) -> None:
    cases = read_suite(path).cases
    assert len(cases) >= 3, "a rule needs a case that fires, one that does not, and a near miss"


@pytest.mark.parametrize("path", FILES, ids=_relative)
def test_rules_are_those_of_the_folder(path: Path) -> None:
    assert {case.rules for case in read_suite(path).cases} == {path.parent.name}


# --- the runner itself

HEADER = "%# Title\n% Purpose: try the runner.\n\n"
CHAIN = "segment(1..3). leaf(1). relation(7,2,entailment). premise(7,1).\n"


def case_of(body: str) -> Case:
    return read_cases("made_up.test.lp", f"{HEADER}{HEADING} a made-up case\n{body}\n")[0]


@pytest.mark.parametrize(
    "body",
    [
        "% all: support(7,2) outcome(2,supported) depth(1,0)\n% none: support(7,3)",
        "% any: outcome(2,orphan) outcome(2,supported)",
        "% all: support(_,2) preference(7,(-3,_,1)) preference(_,_)\n% none: support(8,_)",
        'note(2,"a (b _ c").\n% all: note(2, "a (b _ c") note(2,_)\n% none: note(2,"a (b - c")',
        "% set: max_depth=0\n% none: grounded(2)",
        "% set: closest_gap_limit=0 weak_cluster_mode=keep\n% all: finding(_,error,_)",
        "% set: weak_cluster=keep\n% none: finding(_,_,_)",
        "_own(2). note(2,mine) :- _own(2).\n% all: note(2,mine)",
        "% Source: a remark for readers\n% all: leaf(1)",
        "% none: tag(_,_)  \n",
    ],
)
def test_runner_accepts_what_holds(body: str, tmp_path: Path) -> None:
    assert_holds(case_of(CHAIN + body), tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("% all: support(7,2) depth(2,2)", r"missing: depth\(2,2\)\n *closest: depth\(2,1\) depth"),
        ("% all: unstable(2)", r"missing: unstable\(2\)\n *closest: "),
        ("% all: outcome(3,supported)", r"closest: outcome\(2,supported\) outcome\(3,orphan\)"),
        (
            "% any: outcome(2,orphan) outcome(3,supported)",
            r"any of: .*\n *closest: .*outcome\(3,orp",
        ),
        (
            "% none: grounded(3) grounded(2)",
            r"forbidden: grounded\(2\)\n *closest: grounded\(2\)",
        ),
        ("% none: support(_,2)", r"forbidden: support\(_,2\)\n *closest: support\(7,2\)"),
        ("% none: preference(7,(-3,_,_))", r"closest: preference\(7,\(-3,1,1\)\)"),
    ],
)
def test_runner_fails_a_wrong_expectation(body: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(CaseError, match=message) as caught:
        assert_holds(case_of(CHAIN + body), tmp_path)
    assert str(caught.value).startswith("made_up.test.lp::a made-up case\n  made_up.test.lp:6: ")
    assert body in str(caught.value)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("veto(S,tag) :- no_such_word(S).", r"made_up.test.lp:6:16: .*no_such_word"),
        ("veto(S,tag) :- not leaf(S).", r"made_up.test.lp:6:\d+: .*\bS\b"),
        ("relation(1,2", "never closed"),
        (":- segment(1).", "no answer set"),
        ("{ leaf(2) }.", r"more than one answer set, .*; in one of them only: .*leaf\(2\)"),
        ("% set: max_dept=3", "there is no constant 'max_dept'; did you mean max_depth"),
        ("relaton(1,2,implied).", "relaton/3 is not in .*; did you mean relation/3"),
        ("relation(1,2).", "relation takes 3 arguments, not 2"),
        ("support(1,2).", "support is decided by groundtrace's own rules"),
        ("_stands(2).", "_stands is decided by groundtrace's own rules"),
        ("#const support = 3.", "a constant named support would change that word in every rule"),
        ("#script (python) print(1) #end.", "made_up.test.lp:6:1: #script is not allowed"),
        ('#include "/etc/passwd".', "made_up.test.lp:6:1: #include is not allowed"),
        ("#show.", "#show is not allowed"),
        ("leaf(" + "(" * 6000 + "1" + ")" * 6000 + ").", "longer than 5,000 characters"),
    ],
)
def test_runner_fails_a_faulty_program(body: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(CaseError, match=message) as caught:
        assert_holds(case_of(f"{CHAIN}{body}\n% all: segment(1)"), tmp_path)
    assert str(tmp_path) not in str(caught.value)


def test_a_caret_stands_below_the_column(tmp_path: Path) -> None:
    line = 'note(2,"é漢\t") :- nowhere(2).'
    with pytest.raises(CaseError) as caught:
        assert_holds(case_of(f"{CHAIN}{line}\n% all: segment(1)"), tmp_path)
    shown, caret = str(caught.value).split("\n")[-2:]
    assert shown.strip() == line
    # The Chinese character is two columns wide; the tab stays, whatever its width.
    assert caret.index("^") == shown.index("nowhere") + 1
    assert caret.index("\t") == shown.index("\t") + 1


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("% none: unstabel(2)", "unstabel/1 is not in vocabulary.lp.*did you mean unstable/1"),
        ("% none: support(2)", "support/1 is not in vocabulary.lp"),
        ("% none: _stands(2)", "_stands/1 is not in vocabulary.lp"),
        ("% al: support(7,2)", "'al:' is none of all, any, none, set"),
        ("% All: support(7,2)", "'All:' is none of all, any, none, set"),
        ("% rules: graph", "'rules:' is none of all, any, none, set"),
        ("% all: support(7", "not an atom"),
        ("% all: 7", "not an atom"),
        ("% all: -leaf(7)", "not an atom"),
        ("% all: leaf(1..2)", "not an atom"),
        ("% all: leaf(" + "f(" * 9000 + "1" + ")" * 9001, "longer than 1,000 characters"),
        ("leaf(2). % all: leaf(2)", "on a line of its own"),
        ("% all:", "nothing follows 'all:'"),
        ("% set: max_depth", "needs name=value"),
        ("% overlay: nowhere.lp", "overlay nowhere.lp: "),
        ("leaf(2).", "expects nothing"),
    ],
)
def test_runner_refuses_an_unreadable_case(body: str, message: str) -> None:
    with pytest.raises(CaseError, match=message):
        case_of(CHAIN + body)


ONE = f"{HEADING} one\n% all: leaf(1)\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ONE, "must start with"),
        (f"{HEADER}leaf(1).\n{ONE}", "before the first case"),
        (f"{HEADER}{ONE}{ONE}", ":6: title used more than once: one"),
        (HEADER, "holds no case"),
        (f"{HEADER}{HEADING}\n% all: leaf(1)\n", "has no title"),
        (f"{HEADER}% all: leaf(1)\n{ONE}", "before the first case"),
        (f"{HEADER}% rules: graphs\n{ONE}", "one of audit, graph, reward, guards, not 'graphs'"),
        (f"{HEADER}% rules:\n{ONE}", "nothing follows 'rules:'"),
        (f"{HEADER}% Overlays: own.lp\n{ONE}", "did you mean 'overlay:'"),
        (f"{HEADER}% overlay: nowhere.lp\n{ONE}", ":4: overlay nowhere.lp: "),
    ],
)
def test_runner_refuses_an_unreadable_file(text: str, message: str) -> None:
    with pytest.raises(CaseError, match=message):
        read_cases("made_up.test.lp", text)


def suite_of(content: bytes, folder: Path) -> Suite:
    file = folder / "own.test.lp"
    file.write_bytes(content)
    return read_suite(file)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff", ":1:1: the file is not UTF-8 text"),
        (f"{HEADER}{ONE}".encode() + b"\n% \0", ":7:3: the file holds the character U"),
        (b"%" * 1_000_001, "larger than"),
    ],
)
def test_a_file_that_is_no_text_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    assert message in str(suite_of(content, tmp_path).error)


def test_a_pipe_is_no_test_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "own.test.lp")
    assert "no ordinary file" in str(read_suite(tmp_path / "own.test.lp").error)


def test_files_from_windows_are_read(tmp_path: Path) -> None:
    """They start with a byte order mark, and their lines end in two characters."""
    text = f"{HEADER}{HEADING} one\n{CHAIN}leaf(9) :- nowhere(9).\n% all: leaf(1)\n"
    suite = suite_of(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(), tmp_path)
    (case,) = suite.cases
    (problem,) = problems_of(case, tmp_path)
    assert problem.place == f"{tmp_path / 'own.test.lp'}:6:12"


def test_what_an_overlay_derives_may_be_expected(tmp_path: Path) -> None:
    (tmp_path / "own.lp").write_text("strong(S) :- support(_, S).\n_weak(S, 1) :- segment(S).\n")
    case = f"{HEADING} one\n{CHAIN}% all: strong(2) _weak(_,1)\n% none: strong(3)\n"
    suite = suite_of(f"{HEADER}% overlay: own.lp\n{case}".encode(), tmp_path)
    assert_holds(suite.cases[0], tmp_path)
    suite = suite_of(f"{HEADER}{case}% overlay: own.lp\n".encode(), tmp_path)
    assert_holds(suite.cases[0], tmp_path)
    assert "strong/1 is not in" in str(suite_of(f"{HEADER}{case}".encode(), tmp_path).error)
    wrong = case.replace("strong(2)", "strong(2,1)")
    wrong_suite = suite_of(f"{HEADER}% overlay: own.lp\n{wrong}".encode(), tmp_path)
    assert "strong/2 is not in" in str(wrong_suite.error)


def test_the_place_of_an_overlay_s_slip_is_shown(tmp_path: Path) -> None:
    overlay = tmp_path / "own.lp"
    overlay.write_text("\nveto(S, no) :-\n    suport(_, S).\n")
    text = f"{HEADER}% overlay: own.lp\n{HEADING} one\n{CHAIN}% all: leaf(1)\n"
    (problem,) = problems_of(suite_of(text.encode(), tmp_path).cases[0], tmp_path)
    assert problem.place == f"{overlay}:3:5"
    assert problem.excerpt == ("    suport(_, S).", "    ^")
