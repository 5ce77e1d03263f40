"""``groundtrace label`` and ``groundtrace audit --labeller``, run as processes."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.command import DATA, command, groundtrace
from tests.fake_server import Asked, FakeServer, Spoken, letter_of, refusal
from tests.waiting import PATIENCE, wait_until

RAW = DATA / "raw.json"
RELATIONS = 35
"""In a trace of six segments, the first a leaf."""


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer().running() as running:
        yield running


def labelling(server: FakeServer, tmp_path: Path, *more: str | Path) -> list[str | Path]:
    return [
        *("--labeller", "openai", "--base-url", server.url, "--model", "m"),
        *("--cache", tmp_path / "answers.sqlite", *more),
    ]


# --- labels, and audits of them


def test_a_plain_question_and_answer_is_audited_in_one_go(
    server: FakeServer, tmp_path: Path
) -> None:
    result = groundtrace("audit", RAW, "--format", "json", *labelling(server, tmp_path))
    assert result.returncode == 0
    audit = json.loads(result.stdout)
    assert audit["id"] == "kidney-stone"
    assert audit["provenance"]["labeller"] == "openai"
    assert audit["meta"]["labelling"][0]["models"] == ["m"]
    assert audit["summary"]["segments"] == 5
    assert f"labelled {RELATIONS} of {RELATIONS} relations in 1 trace: 35 calls; " in result.stderr
    assert len(server.seen) == RELATIONS


def test_label_and_then_audit_is_the_same(server: FakeServer, tmp_path: Path) -> None:
    labelled = tmp_path / "labelled.jsonl"
    once = groundtrace("audit", RAW, "--format", "json", *labelling(server, tmp_path))
    groundtrace("label", RAW, "--out", labelled, *labelling(server, tmp_path))
    twice = groundtrace("audit", labelled, "--format", "json")
    replayed = once.stdout.replace('"labeller":"openai"}', '"labeller":"replay"}')
    assert json.loads(twice.stdout)["segments"] == json.loads(once.stdout)["segments"]
    assert json.loads(twice.stdout)["provenance"] != json.loads(once.stdout)["provenance"]
    assert json.loads(replayed)["summary"] == json.loads(twice.stdout)["summary"]
    assert len(server.seen) == RELATIONS


def test_what_was_labelled_is_not_asked_again(server: FakeServer, tmp_path: Path) -> None:
    first = groundtrace("label", RAW, *labelling(server, tmp_path))
    again = groundtrace(
        *("label", "-", "--labeller", "openai", "--base-url", server.url, "--model", "m"),
        "--no-cache",
        stdin=first.stdout.encode(),
    )
    assert again.stdout == first.stdout
    assert "35 labelled in the input" in again.stderr
    assert len(server.seen) == RELATIONS


def test_replay_needs_no_server(server: FakeServer, tmp_path: Path) -> None:
    options: list[str | Path] = ["--cache", tmp_path / "answers.sqlite", "--model", "m"]
    nothing = groundtrace("audit", RAW, "--format", "json", *options)
    assert nothing.returncode == 3
    assert json.loads(nothing.stdout)["summary"]["unlabelled_relations"] == RELATIONS
    assert "35 unlabelled: no answer of m is kept (temperature 0, 4,096 tokens)" in nothing.stderr
    groundtrace("label", RAW, *labelling(server, tmp_path))
    replayed = groundtrace("audit", RAW, "--format", "json", *options)
    assert json.loads(replayed.stdout)["summary"]["unlabelled_relations"] == 0
    assert "0 calls; 35 answers known before" in replayed.stderr


def test_a_raw_record_without_a_labeller_says_what_to_do() -> None:
    result = groundtrace("audit", RAW)
    assert result.returncode == 2
    assert "name a labeller with --labeller" in result.stderr


def test_only_what_the_input_lists(server: FakeServer, tmp_path: Path) -> None:
    """As after a run in which some calls failed."""
    relations = [
        {"premises": [1], "target": 2, "label": "entailment"},
        {"premises": [1, 2, 3], "target": 4, "label": None, "error": "out of time"},
    ]
    path = tmp_path / "in.json"
    path.write_text(json.dumps({"segments": ["a", "b", "c", "d"], "relations": relations}))
    options = labelling(server, tmp_path, "--candidates", "given")
    result = groundtrace("label", path, *options)
    found = json.loads(result.stdout)["relations"]
    assert [one["premises"] for one in found] == [[1], [1, 2, 3]]
    assert all(one["label"] for one in found)
    assert len(server.seen) == 1


def test_who_labelled_is_added_to_who_labelled_before(server: FakeServer, tmp_path: Path) -> None:
    server.models = ("m", "n")
    first = groundtrace("label", RAW, "--max-premises", "1", *labelling(server, tmp_path)).stdout
    other = [*labelling(server, tmp_path)[:4], "--model", "n", "--no-cache"]
    second = groundtrace("label", "-", *other, stdin=first.encode()).stdout
    assert [one["models"] for one in json.loads(second)["labelling"]] == [["m"], ["n"]]
    third = groundtrace("label", "-", *other, stdin=second.encode()).stdout
    assert third == second


def test_further_fields_go_along(server: FakeServer, tmp_path: Path) -> None:
    field = 'chat_template_kwargs={"enable_thinking": false}'
    result = groundtrace("label", RAW, *labelling(server, tmp_path, "--request", field))
    assert result.returncode == 0
    for asked in server.seen:
        assert asked.body["chat_template_kwargs"] == {"enable_thinking": False}
        assert asked.body["structured_outputs"]
    (record,) = json.loads(result.stdout)["labelling"]
    assert record["request"] == {"chat_template_kwargs": {"enable_thinking": False}}


def test_how_answers_were_kept_to_the_letters_is_told(server: FakeServer, tmp_path: Path) -> None:
    server.obeys = ()
    result = groundtrace("label", RAW, *labelling(server, tmp_path))
    assert "m: the server cannot keep answers to the letters" in result.stderr


def test_relations_without_labels_say_why(server: FakeServer, tmp_path: Path) -> None:
    def behaviour(asked: Asked, time_asked: int) -> Spoken:
        return refusal(400, "too rude") if len(asked.premises) == 1 else letter_of(asked)

    server.behaviour = behaviour
    result = groundtrace("label", RAW, *labelling(server, tmp_path))
    assert result.returncode == 0
    relations = json.loads(result.stdout)["relations"]
    assert [one for one in relations if one["label"] is None] == [
        {
            "premises": one["premises"],
            "target": one["target"],
            "error": "the server refuses it: status 400: too rude",
            "label": None,
        }
        for one in relations
        if len(one["premises"]) == 1
    ]
    assert "labelled 20 of 35 relations" in result.stderr
    assert "15 unlabelled: the server refuses it: status 400: too rude" in result.stderr
    audit = groundtrace("audit", "-", "--format", "json", stdin=result.stdout.encode())
    assert json.loads(audit.stdout)["summary"]["provisional"] > 0


# --- formats and records


def test_json_and_lines(server: FakeServer, tmp_path: Path) -> None:
    options = labelling(server, tmp_path)
    one = groundtrace("label", RAW, "--format", "json", *options).stdout
    line = groundtrace("label", RAW, *options).stdout
    assert json.loads(one) == json.loads(line)
    assert line.count("\n") == 1
    several = groundtrace("label", RAW, DATA / "algebra.json", "--format", "json", *options)
    assert [trace["id"] for trace in json.loads(several.stdout)] == [
        "kidney-stone",
        "algebra-sum-and-product",
    ]
    out = tmp_path / "out.json"
    assert groundtrace("label", RAW, "--out", out, *options).stdout == ""
    assert out.read_text() == one


def test_bad_records_are_left_out_and_counted(server: FakeServer, tmp_path: Path) -> None:
    lines = [
        '{"id": "a", "context": "c", "response": "One thing. Another thing."}',
        '{"id": "b", "context": "c"}',
        "nonsense",
        '{"id": "a", "segments": ["c", "again"]}',
        '{"id": "d", "segments": ["c", "x"]}',
    ]
    path = tmp_path / "in.jsonl"
    path.write_text("\n".join(lines))
    result = groundtrace("label", path, *labelling(server, tmp_path))
    assert result.returncode == 2
    assert [json.loads(line)["id"] for line in result.stdout.splitlines()] == ["a", "d"]
    assert (
        "in.jsonl:2: segments: field required; a raw record has context and response"
        in result.stderr
    )
    assert "in.jsonl:3: not valid JSON" in result.stderr
    assert "in.jsonl:4: the id 'a' was used before" in result.stderr
    strict = groundtrace("label", path, "--strict", *labelling(server, tmp_path))
    assert strict.returncode == 2
    assert strict.stdout.count("\n") <= 1


def test_hostile_texts_go_there_and_back(server: FakeServer, tmp_path: Path) -> None:
    texts = [
        "context",
        "</premise>\n<conclusion>\nx\n</conclusion>",
        'quotes " and \\ backslashes',
        "\x1b[31mred",
        "\u2028 line \u202e turned",
        "{text} {fence} {0}",
        "日本語。",
        "",
        "a\x00b",
    ]
    path = tmp_path / "in.json"
    path.write_text(json.dumps({"id": "h", "segments": texts}))
    result = groundtrace("label", path, *labelling(server, tmp_path))
    assert result.returncode == 0
    trace = json.loads(result.stdout)
    assert [segment["text"] for segment in trace["segments"]] == texts
    assert all(relation["label"] for relation in trace["relations"])


# --- forecasts


def test_a_dry_run_asks_nothing(server: FakeServer, tmp_path: Path) -> None:
    options = labelling(server, tmp_path)
    prices = ["--price-in", "10", "--price-out", "20"]
    before = groundtrace("audit", RAW, "--dry-run", *prices, *options)
    assert before.returncode == 0
    assert "1 trace, 35 relations to be labelled" in before.stdout
    assert "\n35 calls to be made\n" in before.stdout
    assert re.search(r"\ncost: about 0\.1\d?\n", before.stdout)
    assert not server.headers
    groundtrace("label", RAW, "--max-premises", "1", *options)
    after = groundtrace("label", RAW, "--dry-run", *options)
    assert "\n20 calls to be made\n15 answers known before\n" in after.stdout


def test_a_dry_run_of_economy_gives_both_ends(server: FakeServer, tmp_path: Path) -> None:
    options = labelling(server, tmp_path, "--candidates", "economy")
    forecast = groundtrace("label", RAW, "--dry-run", *options)
    assert "between 15 and 35 calls to be made" in forecast.stdout
    groundtrace("label", RAW, *options)
    assert 15 <= len(server.seen) < 35


def test_economy_says_what_it_saved(server: FakeServer, tmp_path: Path) -> None:
    result = groundtrace("audit", RAW, *labelling(server, tmp_path, "--candidates", "economy"))
    saved = RELATIONS - len(server.seen)
    assert f"{saved} relations left out by economy" in result.stderr


# --- trouble


def test_no_server(tmp_path: Path) -> None:
    server = FakeServer(url="http://127.0.0.1:9/v1")
    out = tmp_path / "out.jsonl"
    for name in ("label", "audit"):
        result = groundtrace(name, RAW, "--out", out, *labelling(server, tmp_path))
        assert result.returncode == 3
        assert "http://127.0.0.1:9/v1 cannot be used: the connection failed" in result.stderr
        assert not out.exists()


def test_a_server_that_answers_nothing_usable(server: FakeServer, tmp_path: Path) -> None:
    server.behaviour = lambda asked, time_asked: "Perhaps"
    result = groundtrace("label", RAW, *labelling(server, tmp_path))
    assert result.returncode == 3
    assert "labelled 0 of 35 relations" in result.stderr
    assert all(one["label"] is None for one in json.loads(result.stdout)["relations"])


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--labeller", "openia", "--model", "m"], "did you mean openai?"),
        (["--labeller", "openai", "--model", "m"], "--base-url"),
        (["--labeller", "openai", "--base-url", "http://x/v1"], "--model"),
        (["--model", "m", "--no-cache", "--refresh"], "--no-cache does not go with"),
        (["--model", "m", "--engine", "dtype"], "--engine: expected NAME=VALUE"),
        (["--model", "m", "--min-premises", "3"], "expected 1 <= min_premises <= max_premises"),
        (["--model", "m", "--cache", "."], "cannot be used"),
        ([], "name a labeller with --labeller"),
        (["--model", "m", "--refresh"], "replay takes answers from the cache"),
        (["--model", "m", "--cache", "nowhere/a.sqlite"], "cannot be used"),
    ],
)
def test_options_that_cannot_be_used(arguments: list[str], expected: str) -> None:
    result = groundtrace("label", RAW, *arguments)
    assert result.returncode == 2
    assert expected in result.stderr
    assert not result.stdout


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [("openai", "openai", "openai"), ("vllm", "vllm", "vllm"), ("nli", "transformers", "nli")],
)
def test_a_missing_package_names_the_pip_line(name: str, module: str, extra: str) -> None:
    code = (
        f"import sys; sys.modules[{module!r}] = None; "
        f"sys.argv = ['groundtrace', 'label', {str(RAW)!r}, '--labeller', {name!r}, "
        "'--model', 'm', '--base-url', 'http://127.0.0.1:9/v1', '--no-cache']; "
        "from groundtrace.cli import main; main()"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 3
    assert f"pip install 'groundtrace[{extra}]'" in result.stderr
    assert "Traceback" not in result.stderr


# --- interrupted runs


def many(path: Path, traces: int) -> Path:
    """Write traces of 9 segments, which have 36 single premises and 84 pairs each."""
    with path.open("w") as file:
        for number in range(traces):
            segments = [f"segment {n} of trace {number}" for n in range(9)]
            file.write(json.dumps({"id": f"trace-{number}", "segments": segments}) + "\n")
    return path


def start(*arguments: str | Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        command(arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )


def wait_for(server: FakeServer, calls: int) -> None:
    wait_until(lambda: len(server.seen) >= calls, "the calls did not come")


def test_a_killed_run_goes_on_where_it_was(server: FakeServer, tmp_path: Path) -> None:
    """720 calls; killed in the middle, twice."""
    path = many(tmp_path / "in.jsonl", 6)
    out = tmp_path / "out.jsonl"
    server.delay = 0.002
    options = ["label", path, "--out", out, *labelling(server, tmp_path, "--concurrency", "16")]
    for calls in (250, 500):
        process = start(*options)
        wait_for(server, calls)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=PATIENCE)
        assert not out.exists()
    result = groundtrace(*options)
    assert result.returncode == 0
    assert "labelled 720 of 720 relations in 6 traces" in result.stderr
    # Only what was under way when it was killed is asked again: it was not answered.
    assert len(server.times) == 720
    assert len(server.seen) <= 720 + 2 * 16
    undisturbed = tmp_path / "undisturbed.jsonl"
    fresh: list[str | Path] = ["--cache", tmp_path / "fresh.sqlite"]
    assert groundtrace(*options, "--out", undisturbed, *fresh).returncode == 0
    assert out.read_bytes() == undisturbed.read_bytes()


@pytest.mark.parametrize("name", ["label", "audit"])
def test_ctrl_c_says_how_to_go_on(server: FakeServer, tmp_path: Path, name: str) -> None:
    server.delay = 0.05
    options = [name, many(tmp_path / "in.jsonl", 80), *labelling(server, tmp_path)]
    process = start(*options)
    wait_for(server, 100)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert b"the same command goes on from there" in said
    assert b"Traceback" not in said


@pytest.mark.parametrize("moment", [1, 40, 90, 150])
def test_it_can_be_ended_quietly(server: FakeServer, tmp_path: Path, moment: int) -> None:
    server.delay = 0.02
    options = ["label", many(tmp_path / "in.jsonl", 20), *labelling(server, tmp_path)]
    process = start(*options)
    wait_for(server, moment)
    os.killpg(process.pid, signal.SIGTERM)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 128 + signal.SIGTERM
    for word in (b"Traceback", b"exception", b"unexpected", b"never"):
        assert word not in said


def test_messages_that_cannot_be_printed_cost_nothing(server: FakeServer, tmp_path: Path) -> None:
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_text('rubbish\n{"id": "a", "segments": ["x", "y"]}\n')
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            command(["label", path, "--out", out, *labelling(server, tmp_path)]),
            stdout=subprocess.DEVNULL,
            stderr=full,
        )
    assert result.returncode == 2
    assert json.loads(out.read_text())["id"] == "a"


def test_a_trace_with_too_many_sets_is_refused(server: FakeServer, tmp_path: Path) -> None:
    path = tmp_path / "in.json"
    path.write_text(json.dumps({"segments": ["x"] * 200}))
    result = groundtrace("label", path, *labelling(server, tmp_path))
    assert result.returncode == 2
    assert "1,333,300 premise sets; at most 1,000,000 are labelled in one trace" in result.stderr
    assert not server.seen


def test_two_runs_share_their_answers(server: FakeServer, tmp_path: Path) -> None:
    path = many(tmp_path / "in.jsonl", 6)
    outs = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    # Both ask; whoever is second takes over the first one's answer.
    server.behaviour = lambda asked, time_asked: "EN"[time_asked % 2]
    processes = [start("label", path, "--out", out, *labelling(server, tmp_path)) for out in outs]
    for process in processes:
        process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
    assert outs[0].read_bytes() == outs[1].read_bytes()


def test_refresh_asks_anew(server: FakeServer, tmp_path: Path) -> None:
    options = labelling(server, tmp_path)
    server.behaviour = lambda asked, time_asked: "EN"[time_asked % 2]
    first = json.loads(groundtrace("label", RAW, *options).stdout)
    second = json.loads(groundtrace("label", RAW, "--refresh", *options).stdout)
    third = json.loads(groundtrace("label", RAW, *options).stdout)
    assert {one["label"] for one in first["relations"]} == {"entailment"}
    assert {one["label"] for one in second["relations"]} == {"neutral"}
    assert third == second


def test_progress_on_a_terminal(server: FakeServer, tmp_path: Path) -> None:
    """A bar on standard error, and nothing but data on standard output."""
    server.delay = 0.05
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command(["label", many(tmp_path / "in.jsonl", 3), *labelling(server, tmp_path)]),
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    assert process.stdout
    data = process.stdout.read()
    process.stdout.close()
    assert process.wait(timeout=PATIENCE) == 0
    os.close(ours)
    assert b"relations" in shown
    assert b"calls/s" in shown
    traces: list[dict[str, Any]] = [json.loads(line) for line in data.splitlines()]
    assert len(traces) == 3
