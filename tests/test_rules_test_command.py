"""``groundtrace rules test``, run as a user runs it."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.command import ROOT, groundtrace

pytestmark = pytest.mark.slow

HEADER = "%# Cautious\n% Purpose: advice needs an entailment.\n"
FACTS = """segment(1..2). leaf(1). tag(2, "advice").
relation(1, 2, implied). premise(1, 1).
"""
HOLDS = f"{HEADER}\n%# case: implied is enough\n{FACTS}% all: outcome(2, supported)\n"
VETOED = f"%# case: implied is not enough\n{FACTS}% all: outcome(2, unsupported) veto(2, _)\n"
OVERLAY = """_entailed(S) :- support(R, S), relation(R, S, entailment).
veto(S, "needs an entailment") :- tag(S, "advice"), not _entailed(S).
"""
ENDLESS = "_n(0).\n_n(N + 1) :- _n(N).\n"
HOSTILE = "]]></failure> & \"q\" 'a' <b> \x1b[31m \x07 \u202e \ufffe"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_all_hold(tmp_path: Path) -> None:
    file = write(tmp_path / "own.test.lp", HOLDS)
    result = groundtrace("rules", "test", file)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == f"{file}: 1 case, all hold\n\n1 case in 1 file: all hold\n"


def test_a_failed_case_says_what_holds_instead(tmp_path: Path) -> None:
    write(tmp_path / "own.test.lp", f"{HOLDS}{VETOED}")
    result = groundtrace("rules", "test", "own.test.lp", cwd=tmp_path)
    assert result.returncode == 1
    assert (
        result.stdout
        == """\
own.test.lp: 2 cases, 1 failed

failed: own.test.lp:8: implied is not enough
  own.test.lp:11: missing: outcome(2,unsupported)
      % all: outcome(2, unsupported) veto(2, _)
    holds instead: outcome(2,supported)
  own.test.lp:11: missing: veto(2,_)
      % all: outcome(2, unsupported) veto(2, _)
    holds instead: nothing like it

2 cases in 1 file: 1 failed
"""
    )


@pytest.mark.parametrize("line", ["% overlay: ../rules/cautious.lp\n", ""])
def test_overlay_in_the_file_or_on_the_command_line(line: str, tmp_path: Path) -> None:
    overlay = write(tmp_path / "rules" / "cautious.lp", OVERLAY)
    write(tmp_path / "tests" / "own.test.lp", f"{HEADER}{line}{VETOED}")
    added: list[str | Path] = [] if line else ["--overlay", overlay]
    result = groundtrace("rules", "test", *added, tmp_path / "tests")
    assert result.returncode == 0, result.stdout


def test_an_overlay_given_twice_is_used_once(tmp_path: Path) -> None:
    write(tmp_path / "cautious.lp", OVERLAY)
    write(tmp_path / "own.test.lp", f"{HEADER}% overlay: cautious.lp\n{VETOED}")
    result = groundtrace("rules", "test", "--overlay", "./cautious.lp", "own.test.lp", cwd=tmp_path)
    assert result.returncode == 0, result.stdout


def test_constants_of_the_command_line_win(tmp_path: Path) -> None:
    text = f"{HOLDS}% set: closest_gap_limit=3\n"
    file = write(tmp_path / "own.test.lp", text)
    graph = f"""{HEADER}% rules: graph\n
%# case: no constant of the audit
triplet(1, "a", "p", "b"). conclusion("b").
% all: critical(1)
"""
    other = write(tmp_path / "graph.test.lp", graph)
    result = groundtrace("rules", "test", "--set", "closest_gap_limit=1", file, other)
    assert result.returncode == 1
    assert "missing: outcome(2,supported)" in result.stdout
    assert f"{other}: 1 case, all hold" in result.stdout
    result = groundtrace("rules", "test", "--set", "closest_gap=1", file, other)
    assert result.returncode == 2
    assert "did you mean closest_gap_limit?" in result.stderr


@pytest.mark.parametrize("setting", ["weak_cluster=keep", "weak_cluster_mode=keep"])
def test_both_names_of_a_constant_win(setting: str, tmp_path: Path) -> None:
    text = f"""{HEADER}
%# case: weak hints
segment(1..3). leaf(1..2). relation(1,3,implied). relation(2,3,implied). relation(3,3,implied).
premise(1,1). premise(2,2). premise(3,(1;2)).
% set: weak_cluster=combination
% none: drop(_,_)
"""
    file = write(tmp_path / "own.test.lp", text)
    assert groundtrace("rules", "test", file).returncode == 1
    result = groundtrace("rules", "test", "--set", setting, file)
    assert result.returncode == 0, result.stdout


def test_an_overlay_for_audits_says_nothing_about_graphs(tmp_path: Path) -> None:
    """There, its helper has the name of something that our rules decide."""
    overlay = write(tmp_path / "own.lp", "edge(R, S) :- support(R, S).\n")
    file = write(tmp_path / "own.test.lp", f"{HOLDS}% all: edge(1, 2)\n")
    assert groundtrace("rules", "test", "--overlay", overlay, file).returncode == 0
    graph = f'{HEADER}% rules: graph\n%# case: a\nconclusion("a").\n% none: leading(_)\n'
    other = write(tmp_path / "graph.test.lp", graph)
    result = groundtrace("rules", "test", "--overlay", overlay, file, other)
    assert result.returncode == 2
    assert f"{file}: 1 case, all hold\n{other}: cannot be read\n" in result.stdout
    assert f"{overlay}:1:1: " in result.stdout


def test_an_overlay_that_nothing_accepts_is_one_error(tmp_path: Path) -> None:
    overlay = write(tmp_path / "own.lp", "#show.\n")
    result = groundtrace("rules", "test", "--overlay", overlay)
    assert (result.returncode, result.stdout) == (2, "")
    assert f"{overlay}:1:1: " in result.stderr


def test_what_cannot_be_read_is_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    write(tmp_path / "a.test.lp", "leaf(1).\n")
    write(tmp_path / "b.test.lp", f"{HEADER}% overlay: nowhere.lp\n{VETOED}")
    write(tmp_path / "c.test.lp", HOLDS)
    (tmp_path / "d.test.lp").write_bytes(b"\xff\xfe")
    result = groundtrace("rules", "test", ".", cwd=tmp_path)
    assert result.returncode == 2
    lines = result.stdout.splitlines()
    assert lines[:4] == [
        "a.test.lp: cannot be read",
        "b.test.lp: cannot be read",
        "c.test.lp: 1 case, all hold",
        "d.test.lp: cannot be read",
    ]
    assert "a.test.lp:1: must start with a line '%# Title'" in result.stdout
    assert "b.test.lp:3: overlay nowhere.lp: " in result.stdout
    assert "d.test.lp:1:1: the file is not UTF-8 text, but seems to be UTF-16" in result.stdout
    assert lines[-1] == "1 case in 4 files: all hold, 3 files could not be read"


@pytest.mark.parametrize("where", ["case", "overlay of a case", "overlay", "combinations"])
def test_what_does_not_end_is_ended(where: str, tmp_path: Path) -> None:
    overlay = write(tmp_path / "endless.lp", ENDLESS)
    slow = f"{HEADER}\n%# case: endless\n{FACTS}% all: leaf(1)\n"
    if where == "case":
        slow += ENDLESS
    elif where == "overlay of a case":
        slow += "% overlay: endless.lp\n"
    elif where == "combinations":
        slow += "_n(1..99). _m(A, B, C, D, E) :- _n(A), _n(B), _n(C), _n(D), _n(E).\n"
    holds = HOLDS.partition("\n\n")[2]
    file = write(tmp_path / "own.test.lp", f"{slow}{holds}")
    added: list[str | Path] = ["--overlay", overlay] if where == "overlay" else []
    result = groundtrace("rules", "test", "--time-limit", "2", *added, file)
    if where == "overlay":
        assert result.returncode == 2
        assert "ended after 2 seconds" in result.stderr
    else:
        assert result.returncode == 1
        assert f"{file}: 2 cases, 1 failed" in result.stdout
        assert f"failed: {file}:4: endless\n  {file}:4: ended after 2 seconds" in result.stdout


def test_two_answer_sets(tmp_path: Path) -> None:
    file = write(tmp_path / "own.test.lp", f"{HOLDS}{{ note(2, maybe) }}.\n")
    result = groundtrace("rules", "test", file)
    assert result.returncode == 1
    assert f"{file}:4: more than one answer set" in result.stdout
    assert "in one of them only: note(2,maybe)\n" in result.stdout


def test_an_error_of_clingo_shows_line_and_caret(tmp_path: Path) -> None:
    write(tmp_path / "own.test.lp", f"{HOLDS}leaf(2) :- suport(_, 2).\n")
    result = groundtrace("rules", "test", "own.test.lp", cwd=tmp_path)
    assert result.returncode == 1
    before, _, after = result.stdout.partition("  own.test.lp:8:12: ")
    assert before.endswith("failed: own.test.lp:4: implied is enough\n")
    first, *excerpt = after.splitlines()[:3]
    assert "suport" in first
    assert excerpt == ["      leaf(2) :- suport(_, 2).", "                 ^"]


def test_scripts_are_not_run(tmp_path: Path) -> None:
    script = "#script (python)\nopen('made', 'w')\n#end.\n"
    write(tmp_path / "script.lp", script)
    write(tmp_path / "a.test.lp", f"{HOLDS}{script}")
    write(tmp_path / "b.test.lp", f"{HEADER}% overlay: script.lp\n{VETOED}")
    result = groundtrace("rules", "test", ".", cwd=tmp_path)
    assert result.returncode == 2
    assert "a.test.lp:8:1: #script is not allowed" in result.stdout
    assert "script.lp:1:1: " in result.stdout
    assert not (tmp_path / "made").exists()


def test_json(tmp_path: Path) -> None:
    write(tmp_path / "own.test.lp", f"{HOLDS}{VETOED}")
    write(tmp_path / "z.test.lp", "")
    result = groundtrace("rules", "test", "--format", "json", ".", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr == "2 cases in 2 files: 1 failed, 1 file could not be read\n"
    run = json.loads(result.stdout)
    assert (run["cases"], run["failed"], run["unreadable"]) == (2, 1, 1)
    own, other = run["files"]
    assert [case["holds"] for case in own["cases"]] == [True, False]
    assert own["cases"][1]["problems"][0] == {
        "place": "own.test.lp:11",
        "text": "missing: outcome(2,unsupported)",
        "nearest": "outcome(2,supported)",
        "excerpt": ["% all: outcome(2, unsupported) veto(2, _)"],
    }
    assert other["cases"] == []
    assert "must start with" in other["error"][0]["text"]


def test_junit_for_hostile_titles(tmp_path: Path) -> None:
    holds = HOLDS.partition("\n\n")[2]
    text = f"{HEADER}\n%# case: {HOSTILE}\n{FACTS}% all: leaf(2)\n{holds}"
    write(tmp_path / "<&>.test.lp", text)
    write(tmp_path / "z.test.lp", HOSTILE)
    out = tmp_path / "results.xml"
    result = groundtrace("rules", "test", "--out", out, ".", cwd=tmp_path)
    assert result.returncode == 2
    root = ElementTree.parse(out).getroot()  # noqa: S314 - our own.
    assert root.attrib == {"tests": "3", "failures": "1", "errors": "1"}
    first, second = root.findall("testsuite")
    assert first.attrib == {"name": "<&>.test.lp", "tests": "2", "failures": "1", "errors": "0"}
    failed, held = first.findall("testcase")
    assert failed.attrib["name"] == HOSTILE.translate(dict.fromkeys((27, 7, 0xFFFE), "\ufffd"))
    assert failed.attrib["line"] == "4"
    (failure,) = failed
    assert failure.attrib["message"] == "missing: leaf(2)"
    assert "holds instead: leaf(1)" in (failure.text or "")
    assert list(held) == []
    (broken,) = second
    assert [one.tag for one in broken] == ["error"]


def test_text_commands_no_terminal(tmp_path: Path) -> None:
    write(tmp_path / "own.test.lp", f'{HEADER}\n%# case: {HOSTILE}\n% all: tag(1,"\x1b[31m")\n')
    write(tmp_path / "z.test.lp", f"{HEADER}{HOSTILE}\n")
    result = groundtrace("rules", "test", ".", cwd=tmp_path)
    assert result.returncode == 2
    assert not {"\x1b", "\x07", "\u202e"} & {*result.stdout, *result.stderr}


def test_files_from_windows(tmp_path: Path) -> None:
    file = tmp_path / "own.test.lp"
    file.write_bytes(b"\xef\xbb\xbf" + HOLDS.replace("\n", "\r\n").encode())
    assert groundtrace("rules", "test", file).returncode == 0


def test_an_empty_folder_or_none_is_an_error(tmp_path: Path) -> None:
    result = groundtrace("rules", "test", tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert "holds no test file (*.test.lp)" in result.stderr
    result = groundtrace("rules", "test", tmp_path / "nowhere")
    assert result.returncode == 2
    assert "there is no file or folder" in result.stderr


def test_cases_of_other_programs(tmp_path: Path) -> None:
    text = f"""{HEADER}% rules: guards

%# case: sides exclude each other
compared("left", "right"). word("left", 1, "left"). word("right", 1, "right").
% all: unmatched("left", "right")
"""
    assert groundtrace("rules", "test", write(tmp_path / "own.test.lp", text)).returncode == 0
    inside = write(tmp_path / "guards" / "own.test.lp", text.replace("% rules: guards\n", ""))
    assert groundtrace("rules", "test", inside).returncode == 0


def test_jobs_change_nothing() -> None:
    folder = ROOT / "asp" / "tests" / "reward"
    one = groundtrace("rules", "test", folder)
    assert one.returncode == 0
    assert groundtrace("rules", "test", "--jobs", "2", folder).stdout == one.stdout
