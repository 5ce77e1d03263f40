"""``groundtrace query``, as a process."""

import csv
import json
import os
import resource
import subprocess
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest

from groundtrace.knowledge.ask.questions import our_questions
from groundtrace.knowledge.rdf.records import AnyRecord, record_json
from tests.command import DATA, ROOT, command, groundtrace
from tests.question_bases import XSD, audited, trace
from tests.test_questions import LEANING

ASK = "ASK { ?trace gt:domain 'clinical' }"
EDGES = "CONSTRUCT { ?a gt:leadsTo ?b } WHERE { GRAPH ?g { ?a gt:leadsTo ?b } }"
CLINICAL = DATA / "clinical.json"
GRAPH = DATA / "graphs" / "graph.json"


@pytest.fixture(scope="module")
def bases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Give the same records as a file, as RDF and on disk, as arguments."""
    folder = tmp_path_factory.mktemp("bases")
    records: list[AnyRecord] = [
        LEANING,
        audited(LEANING),
        audited(trace("u", 2, _1to2="entailment")),
    ]
    made = folder / "records.jsonl"
    made.write_text("".join(f"{record_json(one)}\n" for one in records), encoding="utf-8")
    assert groundtrace("export", made, "--out", folder / "kb.trig").returncode == 0
    assert groundtrace("export", made, "--store", folder / "kb").returncode == 0
    return {
        "records": [str(made)],
        "trig": [str(folder / "kb.trig")],
        "store": ["--store", str(folder / "kb")],
    }


@pytest.mark.parametrize("base", ["records", "trig", "store"])
def test_a_question_is_asked_by_name(base: str, bases: dict[str, list[str]]) -> None:
    result = groundtrace("query", "orphans-leaned-on", *bases[base])
    assert result.returncode == 0
    assert result.stdout.splitlines() == ["id  orphan  leaning", "t        2        2", "1 row"]
    assert result.stderr == ""
    result = groundtrace(
        "query", "why-supported", "--param", "id=u", "--param", "segment=2", *bases[base]
    )
    assert result.stdout.splitlines()[1].split() == ["u", "2", "2", "entailment", "1", "true"]


def test_questions_are_listed_and_shown(tmp_path: Path) -> None:
    listed = groundtrace("query", "--list").stdout
    for question in our_questions():
        answers = question.answers[0].upper() + question.answers[1:]
        assert f"\n{question.name}\n  {question.title}. {answers}\n" in f"\n{listed}"
        for one in question.parameters:
            assert f"  --param {one.name}=… ({one.sort}) {one.about}\n" in listed
    path = ROOT / "ontology" / "queries" / "ancestors.rq"
    assert groundtrace("query", "--show", "ancestors").stdout == path.read_text(encoding="utf-8")
    result = groundtrace("query", "--show", "ancestor", "--out", tmp_path / "x")
    assert result.returncode == 2
    assert result.stderr == (
        "groundtrace: there is no question 'ancestor'; did you mean ancestors?\n"
    )


def test_a_question_of_ones_own_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "own.rq"
    path.write_text(
        "\ufeff# Title: Texts\n# Parameter: number (number): a segment\n"
        "SELECT ?text {\n  VALUES ?number { UNDEF }\n"
        "  GRAPH ?g { ?s gt:index ?number ; gt:text ?text } }",
        encoding="utf-8",
    )
    texts = [one["text"] for one in json.loads(CLINICAL.read_text())["segments"]]
    result = groundtrace("query", "--file", path, CLINICAL, "--format", "csv")
    assert sorted(row[0] for row in csv.reader(result.stdout.splitlines()[1:])) == sorted(texts)
    arguments = ("query", "--file", path, "--param", "number=3", CLINICAL, "--format", "json")
    (row,) = json.loads(groundtrace(*arguments).stdout)["results"]["bindings"]
    assert row["text"]["value"] == texts[2]


def test_the_answer_to_ask_is_a_word() -> None:
    for query, word in ((ASK, "yes\n"), (ASK.replace("clinical", "legal"), "no\n")):
        result = groundtrace("query", "--text", query, CLINICAL)
        assert (result.returncode, result.stdout) == (0, word)


@pytest.mark.parametrize("format_", ["csv", "tsv", "json", "xml"])
def test_rows_are_written_in_the_formats_of_sparql(format_: str, tmp_path: Path) -> None:
    query = (
        "SELECT ?iri ?text ?number ?none { VALUES (?iri ?text ?number ?none) "
        "{ (gt:Audit 'a, \"b\"\\nΩ\u2011' 7 UNDEF) (gt:Trace '' -1 UNDEF) } }"
    )
    path = tmp_path / f"rows.{format_}"
    assert groundtrace("query", "--text", query, CLINICAL, "--out", path).returncode == 0
    gt = "https://w3id.org/groundtrace/ontology#"
    if format_ == "csv":
        with path.open(newline="", encoding="utf-8") as file:
            assert list(csv.reader(file)) == [
                ["iri", "text", "number", "none"],
                [f"{gt}Audit", 'a, "b"\nΩ\u2011', "7", ""],
                [f"{gt}Trace", "", "-1", ""],
            ]
        return
    kinds = {
        "tsv": ox.QueryResultsFormat.TSV,
        "json": ox.QueryResultsFormat.JSON,
        "xml": ox.QueryResultsFormat.XML,
    }
    found: Any = ox.parse_query_results(path.read_bytes(), kinds[format_])
    integer = ox.NamedNode(f"{XSD}integer")
    assert [tuple(row) for row in found] == [
        (
            ox.NamedNode(f"{gt}Audit"),
            ox.Literal('a, "b"\nΩ\u2011'),
            ox.Literal("7", datatype=integer),
            None,
        ),
        (ox.NamedNode(f"{gt}Trace"), ox.Literal(""), ox.Literal("-1", datatype=integer), None),
    ]


@pytest.mark.parametrize(
    ("format_", "kind"),
    [
        ("ttl", ox.RdfFormat.TURTLE),
        ("nt", ox.RdfFormat.N_TRIPLES),
        ("rdf", ox.RdfFormat.RDF_XML),
        ("jsonld", ox.RdfFormat.JSON_LD),
    ],
)
def test_triples_are_written_in_the_formats_of_rdf(format_: str, kind: ox.RdfFormat) -> None:
    result = groundtrace("query", "--text", EDGES, GRAPH, "--format", format_)
    assert result.returncode == 0
    found = {quad.triple for quad in ox.parse(result.stdout.encode(), kind)}
    pairs = {(one["subject"], one["object"]) for one in json.loads(GRAPH.read_text())["triplets"]}
    assert len(found) == len(pairs)


def test_triples_are_written_for_people() -> None:
    result = groundtrace("query", "--text", EDGES, GRAPH)
    assert all(line.startswith("concept:") for line in result.stdout.splitlines())
    assert " gt:leadsTo concept:" in result.stdout


@pytest.mark.parametrize(
    ("query", "format_", "message"),
    [
        ("SELECT ?s { ?s ?p ?o }", "ttl", "--format ttl: the query makes rows"),
        (EDGES, "csv", "--format csv: the query makes triples: ttl, nt, rdf or jsonld"),
    ],
)
def test_a_format_that_does_not_suit_is_refused(query: str, format_: str, message: str) -> None:
    result = groundtrace("query", "--text", query, GRAPH, "--format", format_)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == f"groundtrace: {message}\n"


def test_a_limit_says_that_there_is_more() -> None:
    result = groundtrace("query", "--text", "SELECT ?s { ?s ?p ?o }", CLINICAL, "--limit", "2")
    assert result.returncode == 0
    assert result.stdout.endswith("2 rows\n")
    assert result.stderr == "groundtrace: only the first 2 rows; there are more (--limit)\n"
    query = "SELECT ?s { ?s gt:domain ?d }"
    assert groundtrace("query", "--text", query, CLINICAL, "--limit", "1").stderr == ""


WRONG: dict[str, tuple[list[str], str]] = {
    "nothing": ([], "expected a question's name (--list), --text SPARQL or --file FILE.rq"),
    "an unknown question": (
        ["orphan-leaned-on", "x.json"],
        "there is no question 'orphan-leaned-on'; did you mean orphans-leaned-on?",
    ),
    "no source": (
        ["ancestors"],
        "expected files, --store DIR or --endpoint URL: exactly one of them",
    ),
    "two sources": (
        ["ancestors", str(CLINICAL), "--endpoint", "http://127.0.0.1:1/"],
        "expected files, --store DIR or --endpoint URL: exactly one of them",
    ),
    "two queries": (
        ["--text", ASK, "--file", "own.rq", str(CLINICAL)],
        "--text and --file: expected one of them",
    ),
    "a parameter of a text": (
        ["--text", ASK, "--param", "id=x", str(CLINICAL)],
        "--param goes with a named question or a file, not with --text",
    ),
    "a parameter without a value": (
        ["ancestors", "--param", "id", str(CLINICAL)],
        "--param: expected NAME=VALUE, got 'id'",
    ),
    "a missing file": (["ancestors", "nowhere.json"], "nowhere.json: cannot be read: No such"),
    "a missing store": (
        ["ancestors", "--store", "nowhere"],
        "nowhere holds no knowledge base; make one with groundtrace export FILE --store",
    ),
    "a raw record": (
        ["ancestors", str(CLINICAL), str(DATA / "raw.json")],
        f"{DATA / 'raw.json'}: a raw response: run groundtrace segment, label or audit first",
    ),
    "an unknown prefix": (
        ["--text", "SELECT * {\n  ?s foo:bar ?o }", str(CLINICAL)],
        "the query cannot be read at line 2, column 13:\n    ?s foo:bar ?o }\n",
    ),
    "no SPARQL": (
        ["--text", "SELECT * WHERE ?s", str(CLINICAL)],
        "the query cannot be read at line 1, column 16:\n  SELECT * WHERE ?s\n                 ^",
    ),
    "no folder for the output": (
        ["--text", ASK, str(CLINICAL), "--out", "nowhere/x.csv"],
        "cannot write nowhere/x.csv: No such file or directory",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_done_is_told(name: str, tmp_path: Path) -> None:
    arguments, message = WRONG[name]
    result = groundtrace("query", *arguments, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith(f"groundtrace: {message}")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "x", "context": "a", "response": "b"}', "a raw response: run groundtrace segment"),
        ('{"id": "x", "colour": "blue"}', "expected a trace, an audit, a case with triplets"),
        ("{", "not valid JSON"),
    ],
)
def test_a_record_that_is_none_is_told_with_file_and_line(
    line: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "mixed.jsonl"
    path.write_text(f"{record_json(LEANING)}\n\n{line}\n", encoding="utf-8")
    result = groundtrace("query", "ancestors", path)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith(f"groundtrace: {path}:3: {message}")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfeS\x00", "not valid UTF-8"),
        (b"", "the query is empty"),
        (b"SELECT\0* { }", "the query cannot be read at line 1, column 7"),
        (b"x" * 10_000_000, "the query has 10,000,000 characters; at most 100,000"),
    ],
)
def test_a_file_that_is_no_query_is_told(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "own.rq"
    path.write_bytes(content)
    result = groundtrace("query", "--file", path, CLINICAL)
    assert (result.returncode, result.stdout) == (2, "")
    assert message in result.stderr


def test_a_parameter_that_is_no_text_is_told() -> None:
    arguments = [os.fsencode(one) for one in command(["query", "ancestors", CLINICAL])]
    result = subprocess.run([*arguments, b"--param", b"id=\xff"], capture_output=True)
    assert result.returncode == 2
    assert b"ancestors: parameter id: expected Unicode text" in result.stderr


def test_memory_is_bounded() -> None:
    """What is stored in memory grows no further than what the process may have."""
    product = " ".join(f"GRAPH ?g{n} {{ ?s{n} ?p{n} ?o{n} }}" for n in range(4))
    query = f"SELECT * {{ {product} }} ORDER BY ?o3 ?o2 ?o1"
    result = subprocess.run(
        command(["query", "--text", query, CLINICAL, "--time-limit", "60"]),
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (3 * 2**29, 3 * 2**29)),
    )
    assert result.returncode == 2
    assert "of memory" in result.stderr


def test_time_is_bounded() -> None:
    paths = " ".join(f"?a{n} (!gt:none|!^gt:none)* ?b{n} ." for n in range(4))
    query = f"SELECT (COUNT(*) AS ?n) {{ GRAPH ?g {{ {paths} }} }}"
    result = groundtrace("query", "--text", query, CLINICAL, "--time-limit", "0.5")
    assert (result.returncode, result.stdout) == (2, "")
    message = "ended after 0.5 seconds; ask for less, or allow more time (--time-limit)"
    assert result.stderr == f"groundtrace: {message}\n"
