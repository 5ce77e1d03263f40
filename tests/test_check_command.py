"""``groundtrace check``, as a process."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import RdfFormat, serialize

from groundtrace.knowledge.checking import chosen_checks
from groundtrace.knowledge.rdf.records import record_json
from tests.check_damages import AUDIT, CRITICAL, Graph
from tests.command import DATA, groundtrace
from tests.loopback import listening
from tests.question_bases import critical

pytestmark = pytest.mark.slow

ALL = chosen_checks([], [])
GRAPH = DATA / "graphs" / "graph.json"
HEAD = "# Title: A check of my own\n# Answers: something.\n"
ENDLESS = " ".join(f"GRAPH ?g{n} {{ ?s{n} ?p{n} ?o{n} }}" for n in range(4))
OWN = {
    "named": 'SELECT ("warning" AS ?severity) (?s AS ?subject) ("named" AS ?message) '
    '{ GRAPH ?g { ?s rdfs:label "patient" } }',
    "endless": f"SELECT ?severity ?subject ?message (COUNT(*) AS ?n) {{ {ENDLESS} }} "
    "GROUP BY ?severity ?subject ?message",
    "unnamed": "SELECT ?s ?message { ?s ?p ?message }",
    "broken": "SELECT ?severity ?subject ?message { ?s ?p }",
    "service": "SELECT ?severity ?subject ?message "
    "{ SERVICE <URL> { ?severity ?subject ?message } }",
}


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """Give RDF with two errors, one that its record tells of, and two warnings."""
    graph = Graph(AUDIT).change("/segment/2", "gt:outcome", "gt:orphan")
    ring = Graph(critical("y", "c", "a p b", "b p a", "b p c"))
    path = tmp_path / "damaged.nq"
    path.write_bytes(serialize([*graph.quads, *ring.quads], format=RdfFormat.N_QUADS) or b"")
    return path


def written(folder: Path, *names: str, url: str = "") -> Path:
    """Write some checks of one's own, and return their folder."""
    folder.mkdir()
    for name in names:
        (folder / f"{name}.rq").write_text(HEAD + OWN[name].replace("URL", url), encoding="utf-8")
    return folder


def counted(said: str) -> list[int]:
    """Return the numbers of the last line: checks, errors, warnings, and checks that failed."""
    return [int(number) for number in re.findall(r"[0-9]+", said.splitlines()[-1])]


def test_sound_records_are_told_to_be_sound(tmp_path: Path) -> None:
    assert groundtrace("export", GRAPH, "--store", tmp_path / "kb").returncode == 0
    count = len(ALL)
    for source in ([str(GRAPH)], ["--store", str(tmp_path / "kb")]):
        result = groundtrace("check", *source)
        assert (result.returncode, result.stdout) == (0, "")
        assert counted(result.stderr) == [count, 0, 0]


def test_errors_are_told_with_their_place(damaged: Path) -> None:
    result = groundtrace("check", damaged)
    assert result.returncode == 1
    assert counted(result.stderr) == [len(ALL), 3, 2]
    lines = result.stdout.splitlines()
    assert "error: An orphan with a support (orphan-with-support)" in lines
    assert "warning: A cycle among critical triplets (critical-cycle)" in lines
    place = Graph(AUDIT).iri.value.rpartition("/id/")[2]
    assert f"  {place} segment/2: an orphan has a support" in lines
    start = f"  {place}: its triples and its gt:record disagree: 1 too many, 1 missing, such as <"
    assert any(line.startswith(start) for line in lines)


def test_warnings_alone_are_no_failure(damaged: Path) -> None:
    only = ("--only", "critical-cycle", "--only", "several-components", "--only", "critical-cycle")
    result = groundtrace("check", damaged, *only)
    assert result.returncode == 0
    assert counted(result.stderr) == [2, 0, 2]
    assert result.stdout.startswith("warning: A cycle among critical triplets (critical-cycle)\n")


def test_violations_are_written_as_json(damaged: Path, tmp_path: Path) -> None:
    whole = groundtrace("check", damaged, "--format", "json")
    assert whole.returncode == 1
    found = json.loads(whole.stdout)
    assert [one["name"] for one in found["checks"]] == [check.name for check in ALL]
    assert all(one["error"] is None and one["more"] is False for one in found["checks"])
    assert len(found["violations"]) == sum(one["violations"] for one in found["checks"]) == 5
    lines = tmp_path / "found.jsonl"
    assert groundtrace("check", damaged, "--out", lines).returncode == 1
    one_by_one: list[Any] = [json.loads(line) for line in lines.read_text().splitlines()]
    assert one_by_one == found["violations"]
    (orphan,) = (one for one in one_by_one if one["check"] == "orphan-with-support")
    graph = Graph(AUDIT).iri.value
    assert orphan == {
        "check": "orphan-with-support",
        "severity": "error",
        "graph": graph,
        "subject": f"{graph}/segment/2",
        "message": "an orphan has a support",
    }


def test_a_limit_says_that_there_is_more(damaged: Path) -> None:
    result = groundtrace("check", damaged, "--only", "critical-cycle", "--limit", "1")
    assert result.returncode == 0
    more = "groundtrace: check critical-cycle finds more than was fetched (--limit)\n"
    assert result.stderr.startswith(more)
    assert counted(result.stderr) == [1, 0, 1]


def test_many_violations_are_counted(tmp_path: Path) -> None:
    triplets = [f"a{number} p a{number + 1}" for number in range(24)]
    path = tmp_path / "ring.jsonl"
    ring = critical("ring", "a24", *triplets, "a24 p a0")
    path.write_text(record_json(ring), encoding="utf-8")
    lines = groundtrace("check", path, "--only", "critical-cycle").stdout.splitlines()
    assert len(lines) == 22
    assert lines[-1] == "  and 5 more"


def test_checks_are_listed() -> None:
    listed = groundtrace("check", "--list")
    expected = [f"{one.name}\n  {one.title}. {one.answers}\n" for one in ALL]
    assert (listed.returncode, listed.stdout) == (0, "".join(expected))
    one = groundtrace("check", "--list", "--only", "votes-below").stdout
    assert one.splitlines()[0] == "votes-below"
    assert len(one.splitlines()) == 2


def test_checks_of_ones_own_take_the_place_of_ours(tmp_path: Path) -> None:
    folder = written(tmp_path / "own", "named")
    result = groundtrace("check", GRAPH, "--checks", folder)
    assert (result.returncode, counted(result.stderr)) == (0, [1, 0, 1])
    assert result.stdout.startswith("warning: A check of my own (named)\n  concept:patient-")
    both = groundtrace(
        "check", GRAPH, "--checks", folder, "--only", "named", "--only", "one-outcome"
    )
    assert counted(both.stderr) == [2, 0, 1]


def test_checks_that_cannot_be_run_cost_no_other(tmp_path: Path) -> None:
    with listening() as listener:
        folder = written(tmp_path / "own", *OWN, url=listener.url)
        result = groundtrace("check", GRAPH, "--checks", folder, "--time-limit", "1")
        assert listener.connections == 0
    assert result.returncode == 2
    assert result.stdout.startswith("warning: A check of my own (named)\n")
    told = {
        "broken": "the query cannot be read at line 3, column 38:",
        "endless": "ended after 1 seconds; ask for less, or allow more time (--time-limit)",
        "service": "the query is refused: SERVICE asks another server",
        "unnamed": f"{folder / 'unnamed.rq'}: a check must select ?severity, ?subject",
    }
    for name, message in told.items():
        assert f"groundtrace: check {name}: {message}" in result.stderr
    assert counted(result.stderr) == [5, 0, 1, 4]
    assert result.stderr.endswith(" could not be run\n")


def test_a_check_of_ones_own_is_not_trusted_for_its_name(tmp_path: Path) -> None:
    with listening() as listener:
        folder = written(tmp_path / "own", "service", url=listener.url)
        (folder / "service.rq").rename(folder / "one-outcome.rq")
        result = groundtrace("check", GRAPH, "--checks", folder, "--only", "one-outcome")
        assert listener.connections == 0
    assert result.returncode == 2
    assert "check one-outcome: the query is refused: SERVICE" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--only", "critical-cycles", "x.nq"], "did you mean critical-cycle?"),
        (["--checks", "nowhere", "x.nq"], "nowhere: expected a folder with files of SPARQL (.rq)"),
        ([], "expected files, --store DIR or --endpoint URL: exactly one of them"),
        (["missing.nq"], "missing.nq: cannot be read: No such file"),
        ([str(DATA / "raw.json")], "raw.json: a raw response: run groundtrace segment"),
    ],
)
def test_what_cannot_be_done_is_told(arguments: list[str], message: str, tmp_path: Path) -> None:
    result = groundtrace("check", *arguments, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert message in result.stderr


def test_a_graph_from_elsewhere_is_checked(tmp_path: Path) -> None:
    """RDF that nobody exported is looked at like any other."""
    path = tmp_path / "other.trig"
    content = (
        b"@prefix gt: <https://w3id.org/groundtrace/ontology#> . <urn:g> { <urn:a> a gt:Triplet }"
    )
    path.write_bytes(content)
    result = groundtrace("check", path)
    assert result.returncode == 1
    assert "<urn:g>: a graph that the catalogue does not list" in result.stdout
    whole = tmp_path / "whole.nq"
    whole.write_bytes(serialize(Graph(CRITICAL).quads, format=RdfFormat.N_QUADS) or b"")
    assert groundtrace("check", whole).returncode == 0
