"""The commands of graphs and rewards, run as processes."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas
import pytest

from tests.command import CACHE, DATA, command, groundtrace
from tests.fake_server import refusal
from tests.model_server import ModelServer
from tests.real_data import SHARED
from tests.waiting import PATIENCE, wait_until

GRAPHS = DATA / "graphs"
EXTRACTIONS = GRAPHS / "extractions.json"
GRAPH = GRAPHS / "graph.json"
REWARDS = GRAPHS / "rewards.json"
RATIONALE = "fever > suggests > flu\ncough > suggests > flu"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(models=("a", "b", "c")).running() as running:
        yield running


def asking(server: ModelServer, folder: Path, *models: str) -> list[str]:
    names = [part for model in models or ("a", "b", "c") for part in ("--model", model)]
    return ["--base-url", server.url, "--cache", str(folder / "cache.sqlite"), *names]


def written(folder: Path, *records: Any, name: str = "in.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


# --- the whole way


def test_from_a_rationale_to_a_reward(server: ModelServer, tmp_path: Path) -> None:
    case = {"id": "one", "answer": "Flu", "rationale": RATIONALE, "split": "test", "fold": None}
    source = written(tmp_path, case)
    extracted, graph, critical = (tmp_path / f"{name}.jsonl" for name in ("e", "v", "c"))
    asked = asking(server, tmp_path)
    assert groundtrace("graph", "extract", source, *asked, "--out", extracted).returncode == 0
    assert groundtrace("graph", "vote", extracted, "--out", graph).returncode == 0
    assert groundtrace("graph", "critical", graph, "--out", critical).returncode == 0
    (found,) = lines(critical.read_text())
    assert found["critical"] == [["fever", "suggests", "flu"], ["cough", "suggests", "flu"]]
    assert found["conclusion"]["found_by"] == "exact"
    assert [one["votes"] for one in found["triplets"]] == [3, 3]
    assert (found["split"], found["fold"]) == ("test", None)
    response = {"response": "<think>\nfever > suggests > flu\n</think>\nFlu."}
    scored = written(tmp_path, found | response, name="r.jsonl")
    result = groundtrace("reward", scored, *asking(server, tmp_path, "a"), "--format", "json")
    reward = json.loads(result.stdout)
    assert (reward["status"], reward["format"], reward["accuracy"]) == ("scored", 1.0, 1.0)
    assert reward["structural_correctness"] == 0.5
    assert reward["missed"] == [["cough", "suggests", "flu"]]


def test_the_help_of_each_command_has_an_example_that_works() -> None:
    for words in (["graph", "vote"], ["graph", "critical"], ["reward"]):
        shown = groundtrace(*words, "--help").stdout
        example = shown.partition("Example: groundtrace ")[2].partition("\n\n")[0].split()
        result = groundtrace(*example, cwd=DATA.parent)
        assert result.returncode == 0, result.stderr
        assert result.stdout
    assert "Example: groundtrace graph extract" in groundtrace("graph", "extract", "--help").stdout


# --- formats


@pytest.mark.parametrize(
    ("words", "source"),
    [(["graph", "vote"], EXTRACTIONS), (["graph", "critical"], GRAPH), (["reward"], REWARDS)],
)
def test_formats(words: list[str], source: Path, tmp_path: Path) -> None:
    text = groundtrace(*words, source)
    assert text.returncode == 0
    assert groundtrace(*words, source, "--format", "text").stdout == text.stdout
    assert "\x1b" not in text.stdout
    as_lines = lines(groundtrace(*words, source, "--format", "jsonl").stdout)
    whole = json.loads(groundtrace(*words, source, "--format", "json").stdout)
    assert as_lines == (whole if isinstance(whole, list) else [whole])
    out = tmp_path / "out.jsonl"
    groundtrace(*words, source, "--out", out)
    assert lines(out.read_text()) == as_lines


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_rewards_as_a_table(format: str, tmp_path: Path) -> None:  # noqa: A002
    out = tmp_path / f"rewards.{format}"
    assert groundtrace("reward", REWARDS, "--out", out).returncode == 0
    table = pandas.read_csv(out) if format == "csv" else pandas.read_parquet(out)
    rewards = lines(groundtrace("reward", REWARDS, "--format", "jsonl").stdout)
    assert table["id"].tolist() == [one["id"] for one in rewards]
    for name in ("process", "reward", "node_coverage"):
        assert table[name].tolist() == pytest.approx([one[name] for one in rewards])
    assert table["missed"].tolist() == [len(one["missed"]) for one in rewards]


def test_audits_as_a_table(tmp_path: Path) -> None:
    out = tmp_path / "audits.csv"
    result = groundtrace("audit", DATA / "clinical.json", DATA / "lease.json", "--out", out)
    assert result.returncode == 0
    table = pandas.read_csv(out)
    assert len(table) == 9 + 9
    assert (table["outcome"] == "supported").sum() == 3 + 4
    assert table["explanation"].str.len().min() > 10


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_same_bytes_whatever_the_number_of_processes(jobs: str, tmp_path: Path) -> None:
    case = json.loads(GRAPH.read_text())
    source = written(tmp_path, *({**case, "id": f"c{number}"} for number in range(60)))
    first = groundtrace("graph", "critical", source, "--format", "jsonl").stdout
    again = groundtrace("graph", "critical", source, "--format", "jsonl", "--jobs", jobs).stdout
    assert first == again
    assert len(lines(first)) == 60


def test_rows_of_the_published_data_go_in_and_come_out(tmp_path: Path) -> None:
    source = SHARED / "medceg_example.jsonl"
    if not source.is_file():
        pytest.skip(f"{source} is not there")
    result = groundtrace("graph", "critical", source, "--format", "medceg")
    given, found = lines(source.read_text()), lines(result.stdout)
    assert len(found) == 12
    for before, after in zip(given, found, strict=True):
        assert after["graph"]["triplets"] == before["graph"]["triplets"]
        told = {"status": after["status"], "error": after["error"]} if "status" in after else {}
        assert {**before, "graph": 0, **told} == {**after, "graph": 0}
    again = written(tmp_path, *found)
    twice = groundtrace("graph", "critical", again, "--format", "medceg")
    assert twice.stdout == result.stdout
    assert "12 cases: 8 scored, 4 unscorable" in result.stderr


def test_a_critical_graph_read_again_is_the_same() -> None:
    first = groundtrace("graph", "critical", GRAPH, "--format", "json").stdout
    again = groundtrace("graph", "critical", "-", "--format", "json", stdin=first.encode()).stdout
    assert json.loads(first) == json.loads(again)


# --- conclusions


def test_a_conclusion_from_the_command_line() -> None:
    result = groundtrace("graph", "critical", GRAPH, "--conclusion", "Adrenal failure")
    assert "conclusion: “adrenal failure” (as it was given)" in result.stdout


def test_a_conclusion_chosen_by_a_model(server: ModelServer, tmp_path: Path) -> None:
    triplets = [["fever", "suggests", "influenza A"], ["x", "p", "y"]]
    source = written(
        tmp_path,
        {"id": "found", "answer": "influenza", "triplets": triplets},
        {"id": "lost", "answer": "gout", "triplets": triplets},
        {"id": "exact", "answer": "Influenza A.", "triplets": triplets},
    )
    asked = asking(server, tmp_path, "a")
    options = ["--conclusion-by", "model", *asked, "--format", "jsonl"]
    result = groundtrace("graph", "critical", source, *options)
    found, lost, exact = lines(result.stdout)
    assert found["conclusion"]["node"] == "influenza A"
    assert found["conclusion"]["found_by"] == "model"
    assert (lost["status"], len(lost["nearest"])) == ("unscorable", 3)
    assert "the model finds no node" in lost["error"]
    assert exact["conclusion"]["found_by"] == "exact"
    assert len(server.forms) == 2
    assert groundtrace("graph", "critical", source, *options).stdout == result.stdout
    assert len(server.forms) == 2, "the choice is kept"


def test_a_choice_that_cannot_be_read_fails_its_own_case_only(
    server: ModelServer, tmp_path: Path
) -> None:
    server.says = lambda model, text, time: "no idea" if "odd" in text else None
    sources = [
        {"id": name, "answer": "flu", "triplets": [[name, "suggests", "seasonal flu"]]}
        for name in ("cough", "odd fever", "chills")
    ]
    options = ["--conclusion-by", "model", *asking(server, tmp_path, "a"), "--format", "jsonl"]
    result = groundtrace("graph", "critical", written(tmp_path, *sources), *options)
    assert result.returncode == 3
    assert [one["status"] for one in lines(result.stdout)] == ["scored", "failed", "scored"]


def test_a_conclusion_is_for_one_case() -> None:
    case = json.loads(GRAPH.read_text())
    source = "".join(json.dumps({**case, "id": name}) + "\n" for name in "ab")
    options = ["--conclusion", "adrenal failure", "--format", "jsonl"]
    result = groundtrace("graph", "critical", "-", *options, stdin=source.encode())
    assert result.returncode == 2
    assert "name it with --id" in result.stderr
    result = groundtrace("graph", "critical", "-", *options, "--id", "b", stdin=source.encode())
    assert json.loads(result.stdout)["conclusion"]["node"] == "adrenal failure"


def test_graphs_need_no_packages_for_servers(tmp_path: Path) -> None:
    """As after a plain installation."""
    (tmp_path / "openai.py").write_text("raise ModuleNotFoundError('no openai', name='openai')\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "XDG_CACHE_HOME": str(CACHE)}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command(arguments), env=environment, capture_output=True, text=True, timeout=120
        )

    for name, source in (
        ("graph vote", EXTRACTIONS),
        ("graph critical", GRAPH),
        ("reward", REWARDS),
    ):
        result = run(*name.split(), str(source))
        assert result.returncode == 0, result.stderr
    rationale = str(GRAPHS / "rationale.json")
    for words in (["graph", "extract", rationale], ["graph", "critical", str(GRAPH)]):
        more = ["--conclusion-by", "model"] if "critical" in words else []
        result = run(*words, *more, "--model", "m", "--base-url", "http://127.0.0.1:9/v1")
        assert result.returncode == 3
        assert "pip install 'groundtrace[openai]'" in result.stderr


# --- states and exit codes


def test_lost_extractions_are_told_and_nothing_is_lost(server: ModelServer, tmp_path: Path) -> None:
    server.says = lambda model, text, time: refusal(400, "too long") if "x" in text else None
    source = written(
        tmp_path,
        {"id": "good", "rationale": "a > p > b"},
        {"id": "bad", "rationale": "x > p > b"},
        {"id": "none"},
    )
    result = groundtrace("graph", "extract", source, *asking(server, tmp_path))
    assert result.returncode == 3
    assert f"{source}:3: " in result.stderr
    assert "bad: no triplets from b: " in result.stderr
    good, _ = lines(result.stdout)
    assert [one["triplets"] for one in good["extractions"]] == [[["a", "p", "b"]]] * 3
    voted = groundtrace("graph", "vote", "-", "--format", "jsonl", stdin=result.stdout.encode())
    assert voted.returncode == 3
    statuses = [one["status"] for one in lines(voted.stdout)]
    assert statuses == ["scored", "failed"]
    assert "1 scored, 1 failed" in voted.stderr
    reduced = groundtrace("graph", "critical", "-", stdin=voted.stdout.encode())
    assert "bad: failed" in reduced.stdout


def test_a_failed_reward_is_no_score(server: ModelServer, tmp_path: Path) -> None:
    server.says = lambda model, text, time: "no idea"
    source = written(
        tmp_path, {"id": "r", "response": "<think>t</think>B", "reference": [["a", "p", "b"]]}
    )
    asked = asking(server, tmp_path, "a")
    result = groundtrace("reward", source, *asked, "--format", "jsonl")
    assert result.returncode == 3
    (reward,) = lines(result.stdout)
    assert (reward["status"], reward["process"], reward["reward"]) == ("failed", None, None)
    assert reward["format"] == 1.0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["reward", REWARDS, "--embedding", "bge"], "known are exact, openai"),
        (["reward", REWARDS, "--embedding", "openai"], "--embedding-url"),
        (["reward", REWARDS, "--process-weights", "1,2"], "three numbers"),
        (["reward", REWARDS, "--process-weights", "1,1,1"], "add up to 1"),
        (["reward", REWARDS, "--model", "m"], "--base-url"),
        (["reward", REWARDS, "--guard", "nowhere.lp"], "nowhere.lp"),
        (["graph", "vote", EXTRACTIONS, "--min-votes", "4"], "4 votes are needed, but only 3"),
        (["graph", "critical", GRAPH, "--set", "hub_shar=3"], "did you mean hub_share"),
        (["graph", "critical", GRAPH, "--set", "hub_share=3000"], "outside its range"),
        (["graph", "critical", GRAPH, "--conclusion-by", "model"], "--model"),
        (["graph", "extract", GRAPHS / "rationale.json", "--model", "m"], "--base-url"),
        (["graph", "critical", "nowhere.json"], "nowhere.json"),
        (["graph", "vote", GRAPH], "no extractions"),
        (["reward", GRAPH], "no generated graph"),
        (["reward", REWARDS, "--no-cache", "--refresh"], "--no-cache"),
    ],
)
def test_what_cannot_be_done_says_so(arguments: list[str | Path], words: str) -> None:
    result = groundtrace(*arguments)
    assert result.returncode == 2
    assert words in result.stderr
    assert result.stdout == ""


def test_a_bad_record_does_not_take_the_others_along(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    good = json.dumps(json.loads(REWARDS.read_text())[0])
    source.write_text(f'{{"id": 1, "generated": 3}}\n{good}\nnot json\n{good}\n')
    result = groundtrace("reward", source, "--format", "jsonl")
    assert result.returncode == 2
    assert [one["id"] for one in lines(result.stdout)] == ["thorough"]
    for words in (f"{source}:1: generated", f"{source}:3: not valid JSON", "was used before"):
        assert words in result.stderr
    assert "1 case: 1 scored; 3 could not be used" in result.stderr


# --- rules from strangers


ENDLESS = "{} :- count(N), N < 0.\ncount(1).\ncount(N + 1) :- count(N).\n"


def test_rules_that_ground_for_ever_end_at_the_time_limit(tmp_path: Path) -> None:
    overlay = tmp_path / "endless.lp"
    for head, words in (
        ('backwards("x")', ["graph", "critical", str(GRAPH), "--overlay"]),
        ('forbidden_match("x", "y")', ["reward", str(REWARDS), "--guard"]),
    ):
        overlay.write_text(ENDLESS.format(head))
        result = groundtrace(*words, overlay, "--time-limit", "1")
        assert result.returncode == 2
        assert "ended after 1 seconds" in result.stderr


def test_an_overlay_turns_a_predicate_round(tmp_path: Path) -> None:
    overlay = tmp_path / "own.lp"
    overlay.write_text('backwards("is").\n')
    result = groundtrace("graph", "critical", GRAPH, "--overlay", overlay)
    assert "primary adrenal insufficiency — is → Addison disease" not in result.stdout


# --- killed and run again


def test_a_killed_extraction_goes_on_where_it_was(server: ModelServer, tmp_path: Path) -> None:
    server.delay = 0.05
    source = written(tmp_path, *({"id": f"c{n}", "rationale": f"n{n} > p > m"} for n in range(120)))
    out = tmp_path / "out.jsonl"
    asked = asking(server, tmp_path)
    arguments = ["graph", "extract", str(source), *asked, "--concurrency", "8"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(CACHE)}
    process = subprocess.Popen(
        command([*arguments, "--out", str(out)]), env=environment, stderr=subprocess.DEVNULL
    )
    wait_until(lambda: server.asked.total() >= 100, "the calls did not come")
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=PATIENCE)
    assert not out.exists()
    before = server.asked.total()
    result = groundtrace(*arguments, "--out", out)
    assert result.returncode == 0
    found = lines(out.read_text())
    assert [one["id"] for one in found] == [f"c{n}" for n in range(120)]
    assert all(len(one["extractions"]) == 3 for one in found)
    # What was under way when it was killed is asked again, and nothing else.
    assert server.asked.total() <= 360 + 8
    assert before > 90
