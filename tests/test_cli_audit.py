"""``groundtrace audit``: formats, options, exit codes, bad input."""

import json
import os
import pty
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from groundtrace.cli.tally import Tally
from groundtrace.errors import BugError, InputError
from tests.command import DATA, command, groundtrace
from tests.waiting import PATIENCE, runs, wait_until

CLINICAL = DATA / "clinical.json"
FILES = sorted(set(DATA.glob("*.json")) - {DATA / "raw.json"})


def trace(identifier: str = "t", **fields: Any) -> dict[str, Any]:
    return {
        "id": identifier,
        "segments": ["context", "claim"],
        "relations": [{"premises": [1], "target": 2, "label": "entailment"}],
        **fields,
    }


def lines(*traces: dict[str, Any]) -> bytes:
    return "".join(json.dumps(one) + "\n" for one in traces).encode()


def test_text_shows_outcomes_reasons_breakpoints_and_repairs() -> None:
    result = groundtrace("audit", CLINICAL)
    assert result.returncode == 0
    assert result.stderr == ""
    text = " ".join(result.stdout.split())
    for expected in (
        "9 segments: 3 supported, 2 unsupported, 4 orphan, 0 contradicted",
        "The reasoning breaks at segment 5. Repairs: accept {5}.",
        "The reasoning breaks at segments 5, 6, 7 and 9.",
        "Repairs: accept {5, 6}, or {5, 7}, or {5, 9}, or {7, 8}, or {8, 9}.",
        "(rule grounding)",
    ):
        assert expected in text
    assert all(len(line) <= 80 for line in result.stdout.splitlines())
    assert "\x1b" not in result.stdout


def test_json_is_one_object_for_one_trace_and_a_list_for_more() -> None:
    one = json.loads(groundtrace("audit", CLINICAL, "--format", "json").stdout)
    assert one["summary"]["orphan"] == 4
    more = json.loads(groundtrace("audit", *FILES, "--format", "json").stdout)
    assert [audit["id"] for audit in more] == [
        json.loads(file.read_bytes())["id"] for file in FILES
    ]
    none = groundtrace("audit", "-", "--format", "json", stdin=b'{"id": "x"}\n')
    assert json.loads(none.stdout) == []


def test_json_lines_hold_one_audit_each() -> None:
    result = groundtrace("audit", *FILES, "--format", "jsonl")
    audits = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(audits) == len(FILES)
    assert {"id", "segments", "leaves", "findings", "summary", "provenance"} <= audits[0].keys()
    assert f"{len(FILES)} audited" in result.stderr


@pytest.mark.parametrize("jobs", [2, 3])
def test_same_bytes_whatever_the_number_of_processes(tmp_path: Path, jobs: int) -> None:
    source = tmp_path / "many.jsonl"
    traces = [json.loads(file.read_bytes()) for file in FILES]
    source.write_bytes(
        lines(*({**one, "id": f"{one['id']}-{number}"} for number in range(30) for one in traces))
    )
    alone = groundtrace("audit", source, "--format", "jsonl")
    together = groundtrace("audit", source, "--format", "jsonl", "--jobs", str(jobs))
    assert alone.stdout.count("\n") == 90
    assert together.stdout == alone.stdout


def test_out_takes_the_format_from_the_name_and_is_whole_or_absent(tmp_path: Path) -> None:
    out = tmp_path / "audit.json"
    assert groundtrace("audit", CLINICAL, "--out", out).returncode == 0
    assert json.loads(out.read_text())["id"] == json.loads(CLINICAL.read_bytes())["id"]
    out.write_text("before")
    result = groundtrace("audit", "-", "--strict", "--out", out, stdin=lines(trace()) + b"{\n")
    assert result.returncode == 2
    assert out.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["audit.json"]


def test_out_follows_links_and_leaves_devices_alone(tmp_path: Path) -> None:
    real, link, pipe = tmp_path / "real.json", tmp_path / "link.json", tmp_path / "pipe"
    link.symlink_to(real)
    assert groundtrace("audit", CLINICAL, "--out", link).returncode == 0
    assert link.is_symlink()
    assert json.loads(real.read_text())["id"]
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True)
    assert groundtrace("audit", CLINICAL, "--out", pipe, "--format", "json").returncode == 0
    assert pipe.is_fifo()
    assert json.loads(reader.communicate()[0])["id"]
    result = groundtrace("audit", CLINICAL, "--out", tmp_path)
    assert result.returncode == 2
    assert "it is a folder" in result.stderr


@pytest.mark.parametrize(
    ("redirection", "expected"),
    [
        ("audit - <&-", "standard input: cannot be read: it is closed"),
        (f"audit {CLINICAL} >&-", "standard output is closed"),
        (f"audit {CLINICAL} >/dev/full", "No space left on device"),
        (f"audit {CLINICAL} 2>&- >/dev/null", ""),
        ("audit 'no\x1b[31m' ", "cannot be read"),
    ],
)
def test_closed_and_full_streams_are_explained(redirection: str, expected: str) -> None:
    line = f"{shlex.join(command([]))} {redirection}"
    result = subprocess.run(["bash", "-c", line], capture_output=True, text=True)
    assert result.returncode == (2 if expected else 0), result.stderr
    assert expected in result.stderr
    assert "Traceback" not in result.stderr
    assert "\x1b" not in result.stderr


def test_out_into_a_missing_folder_is_a_clear_error(tmp_path: Path) -> None:
    result = groundtrace("audit", CLINICAL, "--out", tmp_path / "no" / "a.json")
    assert result.returncode == 2
    assert "cannot write" in result.stderr


def test_one_bad_record_does_not_lose_the_others() -> None:
    stdin = lines(trace("a")) + b'{"id": "broken", \n' + b"\n" + lines(trace("b"))
    result = groundtrace("audit", "-", "--format", "jsonl", stdin=stdin)
    assert [json.loads(line)["id"] for line in result.stdout.splitlines()] == ["a", "b"]
    assert result.returncode == 2
    assert "standard input:2: not valid JSON" in result.stderr
    assert "2 audited" in result.stderr
    assert "1 could not be audited" in result.stderr


def test_a_fault_of_ours_in_one_record_shows_in_the_exit_code() -> None:
    tally = Tally(strict=False)
    for error in (InputError("bad"), BugError("ours"), InputError("bad")):
        tally.refuse("place", error)
    assert tally.exit_code == 70


def test_strict_stops_at_the_first_bad_record() -> None:
    stdin = b"{}\n" + lines(trace("b"))
    result = groundtrace("audit", "-", "--strict", "--format", "jsonl", stdin=stdin)
    assert result.returncode == 2
    assert result.stdout == ""
    assert "standard input:1: segments: field required" in result.stderr


def test_fail_on_sets_the_exit_code() -> None:
    assert groundtrace("audit", CLINICAL, "--fail-on", "orphan,contradicted").returncode == 1
    assert groundtrace("audit", CLINICAL, "--fail-on", "contradicted,unstable").returncode == 0
    result = groundtrace("audit", CLINICAL, "--fail-on", "wrong")
    assert result.returncode == 2
    assert "'wrong'" in result.stderr


def test_repeated_ids_are_refused_across_files(tmp_path: Path) -> None:
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    first.write_bytes(lines(trace("same")))
    second.write_bytes(lines(trace("same"), trace("other")))
    result = groundtrace("audit", first, second, "--format", "jsonl")
    assert [json.loads(line)["id"] for line in result.stdout.splitlines()] == ["same", "other"]
    assert "'same'" in result.stderr
    assert result.returncode == 2


def test_traces_without_an_id_are_named_after_their_place(tmp_path: Path) -> None:
    source = tmp_path / "case.jsonl"
    unnamed = trace()
    del unnamed["id"]
    source.write_bytes(lines(unnamed, unnamed))
    result = groundtrace("audit", source, "--format", "jsonl")
    assert [json.loads(line)["id"] for line in result.stdout.splitlines()] == ["case-1", "case-2"]


def test_set_changes_a_constant_and_is_recorded() -> None:
    result = groundtrace(
        "audit", DATA / "lease.json", "--set", "closest_gap_limit=5", "--format", "json"
    )
    audit = json.loads(result.stdout)
    assert audit["provenance"]["constants"]["closest_gap_limit"] == 5
    assert {one["index"]: one["outcome"] for one in audit["segments"]}[7] == "supported"


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("closest_gap", "NAME=VALUE"),
        ("closest_gap_limt=4", "did you mean closest_gap_limit?"),
        ("closest_gap_limit=0", "outside its range"),
        ("closest_gap_limit=x", "outside its range"),
        ("closest_gap_limit=99999999999", "32 bits"),
        ("closest_gap_limit=3). leaf(5", "whole number"),
        ("weak_cluster=sometimes", "outside its range"),
    ],
)
def test_a_bad_setting_is_explained(setting: str, expected: str) -> None:
    result = groundtrace("audit", CLINICAL, "--set", setting)
    assert result.returncode == 2
    assert expected in result.stderr


def test_weak_cluster_can_be_set_by_its_short_name() -> None:
    result = groundtrace("audit", CLINICAL, "--set", "weak_cluster=keep", "--format", "json")
    constants = json.loads(result.stdout)["provenance"]["constants"]
    assert constants["weak_cluster_mode"] == "keep"


def test_conflicting_labels_are_refused_or_resolved_to_the_weakest() -> None:
    both = [{"premises": [1], "target": 2, "label": label} for label in ("entailment", "implied")]
    stdin = lines(trace(relations=both))
    refused = groundtrace("audit", "-", stdin=stdin)
    assert refused.returncode == 2
    assert "[1] → 2 is labelled both entailment and implied" in refused.stderr
    result = groundtrace("audit", "-", "--on-conflict", "weakest", "--format", "json", stdin=stdin)
    assert json.loads(result.stdout)["segments"][0]["supports"][0]["label"] == "implied"


@pytest.mark.parametrize(
    ("relation", "expected"),
    [
        (
            {"premises": [2], "target": 2, "label": "e"},
            "premise 2 does not come before its target 2",
        ),
        (
            {"premises": [2], "target": 1, "label": "e"},
            "premise 2 does not come before its target 1",
        ),
        ({"premises": [], "target": 2, "label": "e"}, "relations[0].premises: empty"),
        ({"premises": [0], "target": 2, "label": "e"}, "there is no segment 0"),
        ({"premises": [1], "target": 3, "label": "e"}, "there is no segment 3; expected 1 to 2"),
        ({"premises": [1], "target": 2**40, "label": "e"}, "there is no segment 1099511627776"),
        ({"premises": [1], "target": 2, "label": "maybe"}, "relations[0].label"),
        ({"premises": ["1"], "target": 2, "label": "e"}, "relations[0].premises[0]"),
        (
            {"premises": [1], "target": 2, "label": "e", "probability": 2},
            "relations[0].probability",
        ),
    ],
)
def test_a_bad_relation_is_named_with_what_is_expected(
    relation: dict[str, Any], expected: str
) -> None:
    result = groundtrace("audit", "-", stdin=lines(trace(relations=[relation])))
    assert result.returncode == 2
    assert result.stdout == ""
    assert expected in result.stderr


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "empty"),
        (b"\n\n", "empty"),
        (b"\xff\xfe{}", "not valid JSON"),
        (b"[1, 2", "not valid JSON"),
        (b"[1]", "record 1"),
        (b'{"id": "x", "segments": ["\\ud800"], "relations": []}', "not valid JSON"),
        (b'{"id": "x", "segments": ["a"]}', "has no relations"),
        (b'{"id": "x", "context": "c", "response": "r"}', "raw response"),
        (b'{"id": "x", "segments": [{"text": 1}], "relations": []}', "segments[0].text"),
        (b'{"id": "x", "segments": ["a"], "leaves": [2], "relations": []}', "no segment 2"),
        (
            b'{"id": "x", "segments": [{"text": "a", "tags": ["\\u0000"]}], "relations": []}',
            "U+0000",
        ),
        (b"[" * 100_000, "not valid JSON"),
    ],
)
def test_unusable_files_are_explained(tmp_path: Path, content: bytes, expected: str) -> None:
    source = tmp_path / "input.json"
    source.write_bytes(content)
    result = groundtrace("audit", source)
    assert result.returncode == 2
    assert expected in result.stderr
    assert "input.json" in result.stderr


@pytest.mark.parametrize("first", [b"\n", b"   \n\n", b'{"id": "broken",\n', b"nonsense\n"])
def test_a_bad_first_line_does_not_lose_the_others(first: bytes) -> None:
    stdin = first + lines(trace("a"), trace("b"))
    result = groundtrace("audit", "-", "--format", "jsonl", stdin=stdin)
    assert [json.loads(line)["id"] for line in result.stdout.splitlines()] == ["a", "b"]
    assert result.returncode == (2 if first.strip() else 0)


def test_progress_on_a_terminal_leaves_redirected_output_alone() -> None:
    leader, follower = pty.openpty()
    try:
        result = subprocess.run(
            command(["audit", CLINICAL, "--format", "jsonl"]),
            stdout=subprocess.PIPE,
            stderr=follower,
            check=True,
        )
    finally:
        os.close(follower)
        os.close(leader)
    assert json.loads(result.stdout)["summary"]["segments"] == 9


def test_code_in_the_current_folder_is_not_run(tmp_path: Path) -> None:
    (tmp_path / "pickle.py").write_text("raise SystemExit('ran code of a stranger')\n")
    result = subprocess.run(
        [Path(sys.executable).parent / "groundtrace", "audit", CLINICAL],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr


def test_a_directory_and_a_missing_file_are_explained(tmp_path: Path) -> None:
    for path, reason in ((tmp_path, "Is a directory"), (tmp_path / "no", "No such file")):
        result = groundtrace("audit", path)
        assert result.returncode == 2
        assert reason in result.stderr


@pytest.mark.parametrize("segments", [[], ["only"], ["only", "two"]])
def test_traces_of_no_one_and_two_segments(segments: list[str]) -> None:
    stdin = json.dumps({"id": "small", "segments": segments, "relations": []}).encode()
    for output in ("text", "json", "mermaid", "dot"):
        assert groundtrace("audit", "-", "--format", output, stdin=stdin).returncode == 0
    audit = json.loads(groundtrace("audit", "-", "--format", "json", stdin=stdin).stdout)
    assert len(audit["segments"]) == max(len(segments) - 1, 0)


HOSTILE = [
    "quotes \" and ' and `backticks`",
    "line\nbreak\r\nand\ttab",
    "nul \0 and escape \x1b[31mred\x1b[0m and bell \a",
    'a backslash \\ and \\n and \\" at the end \\',
    '"). outcome(2, supported). :- a("',
    "emoji 👩‍⚕️ and 🏳️‍🌈 and combining é",
    "right to left \u202eesrever\u202c العربية עברית",
    "</svg><script>alert(1)</script>",
    "[bold red]markup[/] :smile: {braces} %s %d",
    "漢字" * 50_000,
    "x" * 100_000,
    "",
]


@pytest.mark.parametrize("output", ["text", "jsonl", "mermaid", "dot"])
def test_hostile_texts_change_nothing(output: str) -> None:
    hostile = {
        "id": 'id " \n \\ \x1b[2J',
        "segments": [{"text": text, "tags": [text.replace("\0", "")[:100]]} for text in HOSTILE],
        "relations": [
            {"premises": [index], "target": index + 1, "label": "entailment"}
            for index in range(1, len(HOSTILE))
        ],
    }
    result = groundtrace("audit", "-", "--format", output, stdin=json.dumps(hostile).encode())
    assert result.returncode == 0
    assert "\x1b" not in result.stdout
    assert "\u202e" not in result.stdout
    if output == "jsonl":
        audit = json.loads(result.stdout)
        assert audit["id"] == hostile["id"]
        assert audit["summary"]["supported"] == len(HOSTILE) - 1


def test_unknown_fields_come_out_again() -> None:
    stdin = lines(trace(domain="law", nested={"a": [1]}))
    audit = json.loads(groundtrace("audit", "-", "--format", "json", stdin=stdin).stdout)
    assert audit["meta"] == {"domain": "law", "nested": {"a": [1]}}


def test_a_closed_pipe_ends_the_command_quietly(tmp_path: Path) -> None:
    source = tmp_path / "many.jsonl"
    source.write_bytes(lines(*(trace(str(number)) for number in range(2000))))
    process = subprocess.Popen(
        command(["audit", source, "--format", "jsonl"]),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(timeout=PATIENCE) == 0
    assert process.stderr.read() == b""
    process.stderr.close()


def endless_overlay(folder: Path) -> Path:
    overlay = folder / "endless.lp"
    overlay.write_text(
        "note(N, Text) :- count(N), Text = N.\ncount(1).\ncount(N + 1) :- count(N).\n"
    )
    return overlay


def test_rules_that_ground_for_ever_end_at_the_time_limit(tmp_path: Path) -> None:
    result = groundtrace(
        "audit", CLINICAL, "--overlay", endless_overlay(tmp_path), "--time-limit", "1"
    )
    assert result.returncode == 2
    assert "ended after 1 seconds" in result.stderr


def heed_ctrl_c() -> None:
    """Undo what some shells do to background jobs."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def grounding(child: str) -> bool:
    """Say whether a child has worked for longer than it takes to start."""
    fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") > 1.0


def children_of(process: int) -> list[str]:
    found = subprocess.run(["pgrep", "-P", str(process)], capture_output=True, text=True)
    return found.stdout.split()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_run_can_be_ended_while_clingo_grounds(tmp_path: Path, number: signal.Signals) -> None:
    out = tmp_path / "out.json"
    process = subprocess.Popen(
        command(["audit", CLINICAL, "--overlay", endless_overlay(tmp_path), "--out", out]),
        stderr=subprocess.PIPE,
        preexec_fn=heed_ctrl_c,
    )
    wait_until(lambda: any(map(grounding, children_of(process.pid))), "no child grounds")
    children = children_of(process.pid)
    process.send_signal(number)
    assert process.stderr is not None
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=PATIENCE) != 0
    wait_until(lambda: not any(map(runs, children)), "a child outlived the command")
    if number is not signal.SIGKILL:
        assert [path.name for path in tmp_path.iterdir()] == ["endless.lp"]
    assert not out.exists()


@pytest.mark.parametrize("delay", [0, 0.2, 0.5])
def test_ctrl_c_at_any_time_ends_the_whole_group_quietly(tmp_path: Path, delay: float) -> None:
    source, out = tmp_path / "many.jsonl", tmp_path / "out.jsonl"
    source.write_bytes(lines(*(trace(str(number)) for number in range(3000))))
    process = subprocess.Popen(
        command(["audit", source, "--format", "jsonl", "--out", out, "--jobs", "2"]),
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=heed_ctrl_c,
    )
    while not children_of(process.pid):
        time.sleep(0.01)
    time.sleep(delay)
    os.killpg(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=PATIENCE)
    assert b"Traceback" not in stderr
    assert process.returncode == 130
    assert [path.name for path in tmp_path.iterdir()] == ["many.jsonl"]


def test_a_long_file_is_streamed(tmp_path: Path) -> None:
    """Output comes before the input has ended, so no file is too long for the memory."""
    read, write = os.pipe()
    process = subprocess.Popen(
        command(["audit", "-", "--format", "jsonl"]), stdin=read, stdout=subprocess.PIPE
    )
    os.close(read)
    assert process.stdout is not None
    with os.fdopen(write, "wb") as file:
        for number in range(400):
            file.write(lines(trace(str(number))))
        file.flush()
        first = process.stdout.readline()
        assert json.loads(first)["id"] == "0"
    rest = process.stdout.read()
    process.stdout.close()
    assert rest.count(b"\n") == 399
    assert process.wait(timeout=PATIENCE) == 0
