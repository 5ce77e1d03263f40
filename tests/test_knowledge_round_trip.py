"""Record to RDF to record is the identity: every kind, every format, every store; any texts."""

import io
import json
import os
import re
import subprocess
import sys
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import rdflib
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from pydantic_core import from_json
from pyoxigraph import (
    BlankNode,
    DefaultGraph,
    Literal,
    NamedNode,
    Quad,
    Store,
    Triple,
    parse,
)

import groundtrace
from groundtrace.errors import InputError
from groundtrace.files.reading import Record, read_records
from groundtrace.graphs.critical import critical_graph
from groundtrace.graphs.matching import TextMatching
from groundtrace.knowledge.rdf import terms
from groundtrace.knowledge.rdf.export import Exporting
from groundtrace.knowledge.rdf.formats import (
    FORMATS,
    read_quads,
    write_quads,
)
from groundtrace.knowledge.rdf.iris import concept_iri, predicate_iri
from groundtrace.knowledge.rdf.record_reading import records_in, records_of
from groundtrace.knowledge.rdf.records import (
    AnyRecord,
    draft_of,
    quads_of,
    record_from,
    record_json,
    record_of,
)
from groundtrace.knowledge.rdf.terms import GT, ID, INDIVIDUALS
from groundtrace.knowledge.store import (
    current_generation,
    opened_for_reading,
    opened_for_writing,
)
from groundtrace.knowledge.store_writer import Writer
from groundtrace.models.graph import CriticalGraph, EvidenceGraph, GraphCase
from groundtrace.models.names import normal
from groundtrace.models.trace import Trace
from groundtrace.rewards.rewarder import Rewarder
from groundtrace.rewards.settings import RewardSettings
from tests.command import DATA
from tests.command import groundtrace as run
from tests.real_data import rows
from tests.record_strategies import (
    SPELLINGS,
    edited_records,
    records,
    texts,
)

DATASETS = [name for name, format_ in FORMATS.items() if format_.supports_datasets]
PLAIN_IRI = re.compile(r"[A-Za-z0-9:/#._-]+")
TYPE = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")


def gt(name: str) -> NamedNode:
    return NamedNode(GT + name)


def written(quads: Iterable[Quad], ending: str) -> bytes:
    output = io.BytesIO()
    write_quads(quads, output, FORMATS[ending])
    return output.getvalue()


def read(content: bytes, ending: str) -> list[AnyRecord]:
    return list(records_of(parse(content, FORMATS[ending])))


def spelled(record: AnyRecord) -> str:
    """Return a record so that 1, 1.0 and true are three things."""
    return json.dumps(record.model_dump(), sort_keys=True)


def assert_same(found: Sequence[AnyRecord], expected: Sequence[AnyRecord]) -> None:
    """Compare records; they come back in the order of their IRIs."""
    by_iri = sorted(expected, key=lambda one: draft_of(one).iri.value)
    assert [type(one) for one in found] == [type(one) for one in by_iri]
    assert [spelled(one) for one in found] == [spelled(one) for one in by_iri]


def distinct(some: Iterable[AnyRecord]) -> list[AnyRecord]:
    """Return records without those that would replace an earlier one."""
    return list({draft_of(one).iri.value: one for one in some}.values())


def all_quads(some: Iterable[AnyRecord]) -> list[Quad]:
    return [quad for one in some for quad in quads_of(one)]


def put(writer: Writer, record: AnyRecord) -> None:
    content = record_json(record).encode()
    output = Exporting().done(Record("here", "name", content)).output
    assert output is not None
    writer.put(*output)


# Random records.


@given(records(), st.sampled_from(sorted(FORMATS)))
@settings(max_examples=300)
def test_a_record_survives_every_format(record: AnyRecord, ending: str) -> None:
    quads = quads_of(record)
    assert_same(list(records_of(quads)), [record])
    content = written(quads, ending)
    assert_same(read(content, ending), [record])
    assert written(quads_of(read(content, ending)[0]), ending) == content


@given(edited_records())
@settings(max_examples=250)
def test_a_record_that_was_edited_by_hand_survives(record: AnyRecord) -> None:
    assert_same(list(records_of(quads_of(record))), [record])


@given(records())
@settings(max_examples=200)
def test_a_record_survives_json(record: AnyRecord) -> None:
    assert_same([record_from(from_json(record_json(record)))], [record])


@given(st.lists(records(), max_size=4).map(distinct), st.sampled_from(DATASETS))
@settings(max_examples=60)
def test_many_records_survive_in_one_file_and_in_memory(some: list[AnyRecord], ending: str) -> None:
    assert_same(read(written(all_quads(some), ending), ending), some)
    store = Store()
    store.extend(all_quads(some))
    assert_same(list(records_in(store)), some)


@given(st.lists(st.lists(records(), max_size=3), min_size=1, max_size=2))
@settings(max_examples=12)
def test_records_survive_on_disk_and_the_last_of_an_iri_wins(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[AnyRecord]]
) -> None:
    folder = tmp_path_factory.mktemp("kb")
    for batch in batches:
        with opened_for_writing(folder) as writer:
            for record in batch:
                put(writer, record)
    kept = distinct(record for batch in batches for record in batch)
    store = opened_for_reading(current_generation(folder))
    assert_same(list(records_in(store)), kept)
    # A file has some fields of the user's own in another order, which means the same.
    as_in_files = [record_from(from_json(record_json(one))) for one in kept]
    assert set(store) == set(all_quads(as_in_files))


def rounded(value: Any) -> Any:
    """Return a value whose numbers have seven digits: rdflib's TriG has no more."""
    if isinstance(value, dict):
        return {name: rounded(one) for name, one in value.items()}
    if isinstance(value, list):
        return [rounded(one) for one in value]
    return float(f"{value:e}") if isinstance(value, float) else value


@given(records(), st.sampled_from(["nq", "trig", "jsonld"]))
@settings(max_examples=40)
@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")
def test_a_record_survives_rdflib(record: AnyRecord, ending: str) -> None:
    dataset = rdflib.Dataset()
    names = {"nq": "nquads", "trig": "trig", "jsonld": "json-ld"}
    dataset.parse(data=written(quads_of(record), "nq").decode(), format="nquads")
    content = dataset.serialize(format=names[ending])
    (found,) = read(content.encode(), ending)
    if ending == "nq":
        assert found.model_dump() == record.model_dump()
    else:
        expected, given_ = json.loads(spelled(record)), json.loads(spelled(found))
        assert rounded(given_) == rounded(expected)


def test_an_audit_with_two_entries_of_a_segment_is_refused() -> None:
    audit = groundtrace.audit(TRACE)
    audit.segments.append(audit.segments[0])
    with pytest.raises(InputError, match="segments: there are several entries of segment 2"):
        quads_of(audit)


# Real records.


FILES = [
    *(DATA / f"{name}.json" for name in ("algebra", "clinical", "lease")),
    *(DATA / "graphs" / f"{name}.json" for name in ("extractions", "graph")),
]


@cache
def shipped() -> list[AnyRecord]:
    """Return all shipped data, and what the commands make of it."""
    found: list[AnyRecord] = []
    for file in (*FILES, DATA / "graphs/rationale.json"):
        given_ = [record_of(record) for record in read_records(str(file))]
        found += given_
        found += [groundtrace.audit(one) for one in given_ if isinstance(one, Trace)]
        cases = [one for one in given_ if isinstance(one, GraphCase)]
        found += [groundtrace.vote(one) for one in cases if one.extractions]
        found += [
            critical_graph(one, comparing=TextMatching(embedding=None))
            for one in cases
            if one.triplets
        ]
    exact = RewardSettings(embedding=groundtrace.EmbeddingSettings("exact"))
    found += Rewarder(exact).score(json.loads((DATA / "graphs/rewards.json").read_text()))
    # Cases of one id and kind replace each other.
    for number, record in enumerate(found):
        record.id = f"{record.id} {number}"
    return found


def published() -> list[AnyRecord]:
    """Return the published rows and their critical graphs."""
    cases = [GraphCase.model_validate(row) for row in rows("medceg_example.jsonl")]
    return [
        *cases,
        *(critical_graph(case, comparing=TextMatching(embedding=None)) for case in cases),
    ]


def extracted() -> list[AnyRecord]:
    """Return three extractors' triplets by abstract as cases, and what votes make of them."""
    by_abstract: dict[str, dict[str, list[list[str]]]] = defaultdict(dict)
    for model in ("gpt4", "gpt35", "textmining"):
        for row in rows(f"tau_{model}.jsonl"):
            triplets = by_abstract[str(row["PubMedID"])].setdefault(model, [])
            triplets.append([str(row[name]) for name in ("Subject", "Relation", "Object")])
    cases = [
        GraphCase.model_validate(
            {
                "id": abstract,
                "extractions": [
                    {"model": model, "triplets": triplets} for model, triplets in found.items()
                ],
            }
        )
        for abstract, found in by_abstract.items()
    ]
    return [*cases, *(groundtrace.vote(case, min_votes=1) for case in cases)]


REAL: list[Callable[[], list[AnyRecord]]] = [shipped, published, extracted]


def test_shipped_data_are_of_all_kinds() -> None:
    kinds = {type(one).__name__ for one in shipped()}
    assert kinds == {"Trace", "Audit", "GraphCase", "EvidenceGraph", "CriticalGraph", "Reward"}


@pytest.mark.parametrize("made", REAL)
@pytest.mark.parametrize("ending", sorted(FORMATS))
def test_real_records_survive_every_format(
    made: Callable[[], list[AnyRecord]], ending: str
) -> None:
    some = made()
    assert len(some) >= 10
    if ending in DATASETS:
        assert_same(read(written(all_quads(some), ending), ending), some)
    for record in some:
        assert_same(read(written(quads_of(record), ending), ending), [record])
        assert_same([record_from(from_json(record_json(record)))], [record])


@pytest.mark.parametrize("made", REAL)
@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")
def test_real_records_survive_every_store(
    made: Callable[[], list[AnyRecord]], tmp_path: Path
) -> None:
    some = made()
    with opened_for_writing(tmp_path / "kb") as writer:
        for record in some:
            put(writer, record)
    store = opened_for_reading(current_generation(tmp_path / "kb"))
    assert_same(list(records_in(store)), some)
    dataset = rdflib.Dataset()
    dataset.parse(data=written(all_quads(some[:12]), "nq").decode(), format="nquads")
    content = dataset.serialize(format="nquads")
    assert_same(read(content.encode(), "nq"), some[:12])


# What the RDF looks like.


@given(records())
@settings(max_examples=150)
def test_no_blank_nodes_and_no_text_in_iris(record: AnyRecord) -> None:
    for quad in quads_of(record):
        for term in (quad.subject, quad.predicate, quad.object, quad.graph_name):
            assert not isinstance(term, BlankNode | Triple)
            if isinstance(term, NamedNode):
                assert PLAIN_IRI.fullmatch(term.value), term
                assert len(term.value) < 300


@given(records())
@settings(max_examples=100)
def test_the_catalogue_says_kind_id_case_and_run_of_every_record(record: AnyRecord) -> None:
    quads = quads_of(record)
    iri = draft_of(record).iri
    said = {(one.predicate, one.object) for one in quads if one.graph_name == iri}
    catalogued = {
        (one.predicate, one.object)
        for one in quads
        if one.graph_name == DefaultGraph() and one.subject == iri
    }
    assert catalogued <= said
    identifier = NamedNode("http://purl.org/dc/terms/identifier")
    assert (identifier, Literal(record.id)) in catalogued
    assert {TYPE, gt("about")} <= {predicate for predicate, _ in catalogued}


@given(texts(), texts())
@settings(max_examples=300)
def test_concepts_share_an_iri_if_they_are_compared_as_equal(one: str, other: str) -> None:
    assert concept_iri(one) == concept_iri(normal(one))
    assert predicate_iri(one) == predicate_iri(normal(one))
    assert (concept_iri(one) == concept_iri(other)) == (normal(one) == normal(other))
    assert concept_iri(one).value.startswith(f"{ID}concept/")


def test_equal_concepts_of_different_cases_meet() -> None:
    some = [
        GraphCase(id=f"case {number}", triplets=[["fever", "suggests", spelling]])
        for number, spelling in enumerate(SPELLINGS)
    ]
    store = Store()
    store.extend(all_quads(some))
    found: Any = store.query(
        f"SELECT ?concept (COUNT(DISTINCT ?g) AS ?cases) (COUNT(DISTINCT ?label) AS ?labels) "
        f"WHERE {{ GRAPH ?g {{ ?t <{GT}object> ?concept . "
        f"?concept <http://www.w3.org/2000/01/rdf-schema#label> ?label }} }} GROUP BY ?concept"
    )
    assert [(row["cases"].value, row["labels"].value) for row in found] == [("3", "3")]


def pairs(quads: Iterable[Quad], predicate: NamedNode) -> set[tuple[Any, Any]]:
    return {(one.subject, one.object) for one in quads if one.predicate == predicate}


@given(records())
@settings(max_examples=150)
def test_every_direct_edge_has_its_triplet_and_every_triplet_its_edge(record: AnyRecord) -> None:
    if not isinstance(record, GraphCase | EvidenceGraph | CriticalGraph):
        return
    iri = draft_of(record).iri
    quads = [one for one in quads_of(record) if one.graph_name == iri]
    parts: dict[Any, list[Any]] = {}
    for name in ("subject", "predicate", "object"):
        for triplet, part in pairs(quads, gt(name)):
            parts.setdefault(triplet, []).append(part)
    members = {tuple(parts[one]) for _, one in pairs(quads, gt("hasTriplet"))}
    direct = {
        (one.subject, one.predicate, one.object)
        for one in quads
        if one.predicate.value.startswith(f"{ID}predicate/")
    }
    assert direct == members
    turned = set(map(normal, record.backwards)) if isinstance(record, CriticalGraph) else set()
    backwards = {predicate_iri(one) for one in turned}

    def ways(triplets: Iterable[Any]) -> set[tuple[Any, Any]]:
        return {(o, s) if p in backwards else (s, o) for s, p, o in triplets}

    critical = {tuple(parts[one]) for _, one in pairs(quads, gt("criticalTriplet"))}
    assert pairs(quads, gt("leadsTo")) == ways(members)
    assert pairs(quads, gt("criticallyLeadsTo")) == ways(critical)
    ends = [one for _, one in pairs(quads, gt("conclusion"))]
    distances = {one: int(value.value) for one, value in pairs(quads, gt("distance"))}
    assert distances == (steps_to(ends[0], ways(critical)) if ends else {})


def steps_to(conclusion: Any, ways: set[tuple[Any, Any]]) -> dict[Any, int]:
    """Return the least number of steps to the conclusion, of all from which there is a way."""
    steps, waiting = {conclusion: 0}, deque([conclusion])
    while waiting:
        reached = waiting.popleft()
        for start in {one for one, end in ways if end == reached} - steps.keys():
            steps[start] = steps[reached] + 1
            waiting.append(start)
    return steps


WRITE_ALL = """
import sys
from pathlib import Path
from groundtrace.knowledge.rdf.formats import FORMATS, write_quads
from groundtrace.knowledge.rdf.records import quads_of, record_of
from groundtrace.files.reading import read_records
records = [record_of(one) for one in read_records(sys.argv[1])]
for ending, format_ in FORMATS.items():
    for number, record in enumerate(records):
        with Path(sys.argv[2], f"{number}.{ending}").open("wb") as file:
            write_quads(quads_of(record), file, format_)
"""


def test_two_processes_write_the_same_bytes(tmp_path: Path) -> None:
    made = tmp_path / "made.jsonl"
    made.write_text("".join(f"{record_json(one)}\n" for one in shipped()), encoding="utf-8")
    outputs = []
    for seed in ("0", "4711"):
        folder = tmp_path / seed
        folder.mkdir()
        command = [sys.executable, "-c", WRITE_ALL, str(made), str(folder)]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": seed})
        outputs.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert outputs[0] == outputs[1]
    assert len(outputs[0]) == len(shipped()) * len(FORMATS)


@pytest.mark.parametrize("ending", ["trig", "jsonld"])
def test_the_command_writes_the_same_bytes_with_any_number_of_processes(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs = []
    for jobs in ("1", "2"):
        monkeypatch.setenv("PYTHONHASHSEED", jobs)
        out = tmp_path / f"{jobs}.{ending}"
        assert run("export", *FILES, "--out", out, "--jobs", jobs).returncode == 0
        outputs.append(out.read_bytes())
    assert outputs[0] == outputs[1]
    expected = [record_of(record) for file in FILES for record in read_records(str(file))]
    assert_same(list(records_of(read_quads(out))), expected)


# Damage.


def damaged(record: AnyRecord, change: Callable[[Quad], list[Quad]]) -> list[Quad]:
    """Return a record's statements, each replaced by some; at least one is changed."""
    before = quads_of(record)
    after = [other for quad in before for other in change(quad)]
    assert after != before
    return after


def with_object(name: str, *values: NamedNode | Literal) -> Callable[[Quad], list[Quad]]:
    """Return a change of the first subject with a property of ours: other objects."""
    done: list[Any] = []

    def change(quad: Quad) -> list[Quad]:
        if quad.predicate != gt(name) or quad.subject not in (done or [quad.subject]):
            return [quad]
        if done:
            return []
        done.append(quad.subject)
        return [Quad(quad.subject, quad.predicate, one, quad.graph_name) for one in values]

    return change


def twice(property_: NamedNode, value: NamedNode | Literal) -> Callable[[Quad], list[Quad]]:
    def change(quad: Quad) -> list[Quad]:
        other = Quad(quad.subject, quad.predicate, value, quad.graph_name)
        return [quad, other] if quad.predicate == property_ else [quad]

    return change


TRACE = Trace.model_validate(
    {
        "id": "t",
        "segments": [{"text": "a", "own": 1}, {"text": "b", "tags": ["y", "x"]}, "c"],
        "relations": [{"premises": [1], "target": 2, "label": "entailment", "probability": 0.5}],
    }
)
JSON = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON")
DISAGREE = "/trace/t-.*>: its triples and its gt:record disagree: "
DAMAGE: dict[str, tuple[Callable[[Quad], list[Quad]], str]] = {
    "a statement less": (with_object("target"), "1 missing, such as <.*/relation/1-2> <.*#target>"),
    "a statement more": (
        twice(gt("target"), NamedNode("urn:a/segment/2")),
        "1 too many, such as <.*/relation/1-2> <.*#target> <urn:a/segment/2>",
    ),
    "another label": (
        with_object("label", INDIVIDUALS["neutral"]),
        "1 too many, 1 missing, such as <.*/relation/1-2> <.*#label> <.*#neutral>",
    ),
    "another text": (with_object("text", Literal("A")), '/segment/1> <.*#text> "A"'),
    "a text in a language": (with_object("text", Literal("a", language="en")), '"a"@en'),
    "another number": (with_object("probability", Literal(0.50001)), '#probability> "0.50001"'),
    "a number as text": (with_object("probability", Literal("0.5")), '#probability> "0.5"'),
    "a number that is none": (
        with_object("index", Literal("one", datatype=terms.INTEGER)),
        '#index> "one"',
    ),
    "a blank node": (
        with_object("premise", BlankNode("b")),  # type: ignore[arg-type]
        "#premise> _:b",
    ),
    "a tag that is a statement": (
        with_object("tag", Triple(gt("a"), gt("b"), gt("c"))),  # type: ignore[arg-type]
        "/segment/2> <.*#tag>",
    ),
    "a segment less": (
        lambda quad: [] if str(quad.object).endswith("/segment/2>") else [quad],
        "2 missing",
    ),
    "another identifier in the catalogue": (
        lambda quad: (
            [Quad(quad.subject, quad.predicate, Literal("u"))]
            if quad.predicate == terms.IDENTIFIER and quad.graph_name == DefaultGraph()
            else [quad]
        ),
        '1 too many, 1 missing, such as <.*> <.*identifier> "u"',
    ),
    "no entry in the catalogue": (
        lambda quad: [quad] if quad.graph_name != DefaultGraph() else [],
        "3 missing",
    ),
    "another class": (
        lambda quad: (
            [Quad(quad.subject, TYPE, gt("Thing"), quad.graph_name)]
            if quad.object == gt("Trace")
            else [quad]
        ),
        "1 too many, 1 missing",
    ),
}
LITERAL_DAMAGE: dict[str, tuple[list[Any], str]] = {
    "no literal": ([], "expected one literal that holds the record"),
    "two of them": ([Literal("{}"), Literal("[]")], "expected one literal"),
    "no literal but a resource": ([gt("x")], "expected one literal"),
    "broken JSON": ([Literal('{"id": {')], "not valid JSON: EOF"),
    "JSON that is no object": ([Literal("[1]")], "expected a JSON object"),
    "no JSON": ([Literal('{"id": "t", "segments": ["a"], "x": NaN}')], "not valid JSON"),
    "another kind of thing": ([Literal('{"id": "t"}')], "expected a trace, an audit"),
    "a faulty record": ([Literal('{"id": "t", "segments": 3}')], "segments: "),
    "another record": (
        [Literal('{"id": "u", "segments": ["a"]}')],
        "holds another record, <.*/trace/u-",
    ),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_an_edited_statement_is_not_lost_without_a_word(name: str) -> None:
    change, message = DAMAGE[name]
    with pytest.raises(InputError, match=DISAGREE + ".*" + message):
        list(records_of(damaged(TRACE, change)))


@pytest.mark.parametrize("name", LITERAL_DAMAGE)
def test_a_damaged_literal_is_told(name: str) -> None:
    values, message = LITERAL_DAMAGE[name]
    with pytest.raises(InputError, match=f"/trace/t-.*> gt:record: {message}"):
        list(records_of(damaged(TRACE, with_object("record", *values))))


def test_an_edited_record_is_not_believed_either() -> None:
    (literal,) = (one.object for one in quads_of(TRACE) if one.predicate == terms.RECORD)
    assert isinstance(literal, Literal)
    edited = Literal(literal.value.replace("entailment", "neutral"), datatype=terms.JSON)
    with pytest.raises(InputError, match=f"{DISAGREE}1 too many, 1 missing"):
        list(records_of(damaged(TRACE, with_object("record", edited))))


def test_an_edited_run_is_told() -> None:
    audit = groundtrace.audit(TRACE)
    quads = damaged(audit, twice(gt("maxTrees"), Literal(77)))
    with pytest.raises(InputError, match=r'disagree: 1 too many, such as .*#maxTrees> "77"'):
        list(records_of(quads))


@pytest.mark.parametrize("name", ["version", "hash", "path", "maxTrees"])
def test_a_run_without_one_of_its_statements_is_told(name: str) -> None:
    quads = quads_of(groundtrace.audit(TRACE))
    said = [one for one in quads if one.predicate == gt(name)]
    assert said
    for gone in said:
        with pytest.raises(InputError, match="disagree: 1 missing, such as"):
            list(records_of(one for one in quads if one != gone))


def test_a_record_whose_graph_is_gone_is_told() -> None:
    quads = all_quads([TRACE, groundtrace.audit(TRACE)])
    iri = draft_of(TRACE).iri
    with pytest.raises(InputError, match=r"/trace/t-.*gt:record: expected one literal"):
        list(records_of(one for one in quads if one.graph_name != iri))


def test_a_turtle_file_in_which_a_statement_was_edited_is_told() -> None:
    content = written(quads_of(TRACE), "ttl")
    assert read(content, "ttl") == [TRACE]
    with pytest.raises(InputError, match="disagree: 1 too many, 1 missing"):
        read(content.replace(b'gt:probability "0.5"', b'gt:probability "0.6"'), "ttl")
    with pytest.raises(InputError, match="disagree: 1 too many"):
        read(content + b"<urn:a> <urn:b> <urn:c> .", "ttl")


def test_graphs_of_others_are_passed_over() -> None:
    other = Quad(gt("a"), gt("b"), gt("c"), NamedNode("urn:others"))
    assert list(records_of([*quads_of(TRACE), other])) == [TRACE]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_a_number_that_json_cannot_hold_is_refused_with_its_place(number: float) -> None:
    trace = Trace.model_validate({"id": "t", "segments": [{"text": "NaN", "own": [1, number]}]})
    for write in (record_json, quads_of):
        with pytest.raises(InputError, match=rf"^segments\.0\.own\.1: is {number}, which JSON"):
            write(trace)


ODD_TERMS: list[Any] = [
    Literal("x"),
    Literal(-1),
    Literal("9" * 5_000),
    Literal("[]", datatype=JSON),
    Literal('{"meta": 1, "critical": 3, "tree": [], "rejected": [[9]], "tags": {}}', datatype=JSON),
    Literal('{"leaves": "x", "premises": 5, "segments": [9], "judged": 4}', datatype=JSON),
    NamedNode("urn:x"),
    NamedNode("urn:x/segment/99"),
    NamedNode(f"urn:x/segment/{'9' * 5_000}"),
    gt("entailment"),
    gt("scored"),
    gt("Reward"),
    gt("Audit"),
    BlankNode("b"),
    Triple(gt("a"), gt("b"), gt("c")),
]


@given(records(), st.data())
@settings(max_examples=300)
def test_whatever_is_damaged_nothing_but_an_input_error_comes_of_it(
    record: AnyRecord, data: st.DataObject
) -> None:
    quads = quads_of(record)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(quads) - 1))
        old = quads[place]
        new = Quad(
            old.subject, old.predicate, data.draw(st.sampled_from(ODD_TERMS)), old.graph_name
        )
        change = data.draw(st.sampled_from(["lost", "other", "another"]))
        quads[place : place + 1] = {"lost": [], "other": [new], "another": [old, new]}[change]
        if not quads:
            return
    try:
        found = list(records_of(quads))
    except InputError as error:
        assert re.match(r"<\S+>", str(error)), error
    else:
        assert all(record_from(from_json(record_json(one))) for one in found)


# By the letter, and as a whole.


def test_a_case_as_trig() -> None:
    case = GraphCase(
        id="flu",
        triplets=[["Fever", "suggests", "flu"], ["“fever”", "is", "common"]],
        conclusion="flu",
    )
    text = written(quads_of(case), "trig").decode()
    body = "".join(line for line in text.splitlines(True) if not line.startswith("@prefix"))
    assert body.replace("\t", " ").replace(ID, "") == GOLDEN


GOLDEN = """\
<graph/flu-92f75a33d5898073/given> dcterms:identifier "flu" ;
 a gt:GivenGraph ;
 gt:about <case/flu-92f75a33d5898073> .
<graph/flu-92f75a33d5898073/given> {
 <case/flu-92f75a33d5898073> a gt:Case .
 concept:common-92a5dc04bd6f9fb8 a gt:Concept ;
  rdfs:label "common" ;
  skos:prefLabel "common" .
 concept:fever-1e44a1c45388c81c a gt:Concept ;
  rdfs:label "Fever" ;
  skos:altLabel "“fever”" ;
  skos:prefLabel "fever" ;
  predicate:is-fa51fd49abf67705 concept:common-92a5dc04bd6f9fb8 ;
  predicate:suggests-4446d5cc70147c28 concept:flu-92f75a33d5898073 ;
  gt:leadsTo concept:common-92a5dc04bd6f9fb8 , concept:flu-92f75a33d5898073 .
 concept:flu-92f75a33d5898073 a gt:Concept ;
  rdfs:label "flu" ;
  skos:prefLabel "flu" ;
  gt:distance 0 .
 <graph/flu-92f75a33d5898073/given/triplet/1> a gt:Triplet ;
  gt:number 1 ;
  gt:object concept:flu-92f75a33d5898073 ;
  gt:predicate predicate:suggests-4446d5cc70147c28 ;
  gt:subject concept:fever-1e44a1c45388c81c .
 <graph/flu-92f75a33d5898073/given/triplet/2> a gt:Triplet ;
  gt:number 2 ;
  gt:object concept:common-92a5dc04bd6f9fb8 ;
  gt:predicate predicate:is-fa51fd49abf67705 ;
  gt:subject concept:fever-1e44a1c45388c81c ;
  gt:subjectText "“fever”" .
 <graph/flu-92f75a33d5898073/given> dcterms:identifier "flu" ;
  a gt:GivenGraph ;
  gt:about <case/flu-92f75a33d5898073> ;
  gt:conclusion concept:flu-92f75a33d5898073 ;
  gt:hasTriplet <graph/flu-92f75a33d5898073/given/triplet/1> , <graph/flu-92f75a33d5898073/given/\
triplet/2> ;
  gt:record "{\\"conclusion\\":\\"flu\\",\\"id\\":\\"flu\\",\\"triplets\\":[[\\"Fever\\",\
\\"suggests\\",\\"flu\\"],[\\"“fever”\\",\\"is\\",\\"common\\"]]}"^^rdf:JSON .
 predicate:is-fa51fd49abf67705 a gt:Predicate ;
  rdfs:label "is" ;
  skos:prefLabel "is" .
 predicate:suggests-4446d5cc70147c28 a gt:Predicate ;
  rdfs:label "suggests" ;
  skos:prefLabel "suggests" .
}
"""


def chain(length: int) -> AnyRecord:
    """Return the audit of a trace whose tree is too deep to be written out."""
    relations = [
        {"premises": [index], "target": index + 1, "label": "entailment"}
        for index in range(1, length)
    ]
    trace = {"segments": ["s"] * length, "relations": relations}
    return groundtrace.audit(trace, constants={"max_depth": length})


def many_repairs() -> AnyRecord:
    """Return the audit of a trace that may be mended in too many ways to list."""
    relations = [{"premises": [index], "target": 14, "label": "implied"} for index in range(2, 14)]
    trace = {"segments": ["s"] * 14, "relations": relations}
    return groundtrace.audit(trace, constants={"closest_gap_limit": 20})


def test_audits_whose_trees_or_repairs_are_cut_short_survive() -> None:
    some = [chain(106), many_repairs()]
    assert_same(read(written(all_quads(some), "nq"), "nq"), some)
    assert {"cut", "moreRepairs"} <= words(some)


def words(some: Iterable[AnyRecord]) -> set[str]:
    """Return the terms of ours that some records use."""
    text = written(all_quads(some), "nq").decode()
    return set(re.findall(rf"<{re.escape(GT)}(\w+)>", text))


def test_random_records_use_every_word_of_ours() -> None:
    found: set[str] = set()

    @settings(max_examples=500, phases=[Phase.generate])
    @given(records())
    def look(record: AnyRecord) -> None:
        found.update(words([record]))

    look()
    ours = {one.value for one in vars(terms).values() if isinstance(one, NamedNode)}
    ours |= {one.value for one in INDIVIDUALS.values()}
    expected = {one.removeprefix(GT) for one in ours if one.startswith(GT)}
    assert expected - found <= {"cut", "moreRepairs"}
