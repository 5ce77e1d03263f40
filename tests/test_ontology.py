"""The ontology: it says what the code writes, in OWL 2 DL, and a reasoner agrees."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pyoxigraph
import pytest
import rdflib
from hypothesis import given, settings
from pyoxigraph import Literal, NamedNode, Quad, Triple
from rdflib import OWL, RDF, RDFS, XSD
from rdflib.collection import Collection

import groundtrace
from groundtrace.errors import InputError, ModelError
from groundtrace.graphs.critical import critical_graph
from groundtrace.graphs.voting import vote
from groundtrace.knowledge.ontology_files import ontology_directory
from groundtrace.knowledge.rdf import terms
from groundtrace.knowledge.rdf.records import KINDS, AnyRecord, quads_of, record_from
from groundtrace.knowledge.reason import axioms, hermit
from groundtrace.knowledge.reason.axioms import axioms_of, ntriples
from groundtrace.knowledge.reason.hermit import Hermit
from groundtrace.knowledge.reason.reasoner import Judgement, Verdict, judge
from groundtrace.models.audit import Finding
from groundtrace.models.graph import Dropped, FoundBy
from groundtrace.models.reward import JudgedBy
from groundtrace.vocabulary import LABELS, OUTCOMES, STATUSES, Gold
from tests.command import DATA, ROOT
from tests.record_strategies import records
from tests.waiting import runs, wait_until

TTL = ROOT / "ontology" / "groundtrace.ttl"
ADDED = {
    *("Record", "EvidenceGraph", "Run", "Label", "Outcome", "Status"),
    *("SupportedSegment", "UnsupportedSegment", "OrphanSegment", "ContradictedSegment"),
}
"""Classes that no record is written with: they follow."""

ODD_NAMES = (
    *('"quoted"', "it's", "a b\tc\nd", "<angle> & {brace}", "back\\slash\\", "\\u0041 \\n"),
    *("αιμοσφαιρίνη", "C\u2011reactive protein", "e\u0301", "👩‍⚕️", "\x01\x7f\ufffe", "x" * 10_000),
    *("<https://example.org/a b>", "@en", "^^xsd:integer", "…", "12"),
)

EDGE = (terms.CONCEPT, terms.CONCEPT, terms.PREDICATE)
"""Classes of subject, object and predicate of a direct edge."""

Said = tuple[str, str, Any]

needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java")


@cache
def ontology() -> rdflib.Graph:
    return rdflib.Graph().parse(TTL)


def gt(name: str) -> rdflib.URIRef:
    return rdflib.URIRef(terms.GT + name)


def declared(kind: rdflib.URIRef) -> set[str]:
    found = ontology().subjects(RDF.type, kind)
    return {str(one) for one in found if isinstance(one, rdflib.URIRef)}


PROPERTY_KINDS = (OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty)
OURS = sorted(
    one
    for kind in (OWL.Class, *PROPERTY_KINDS, OWL.NamedIndividual)
    for one in declared(kind)
    if one.startswith(terms.GT)
)


def test_two_parsers_read_the_same() -> None:
    read = {quad.triple for quad in pyoxigraph.parse(path=str(TTL))}
    assert len(read) == len(ontology()) == len(axioms.ontology())


def test_terms_are_those_of_the_code() -> None:
    spelled = {one.value for one in vars(terms).values() if isinstance(one, NamedNode)}
    spelled |= {one.value for one in terms.INDIVIDUALS.values()}
    ours = {one for one in spelled if one.startswith(terms.GT)}
    assert set(OURS) - {terms.GT + name for name in ADDED} == ours
    assert len(OURS) == len(set(OURS))


@pytest.mark.parametrize("term", OURS, ids=lambda term: term.removeprefix(terms.GT))
def test_every_term_is_documented(term: str) -> None:
    one = rdflib.URIRef(term)
    (label,) = map(str, ontology().objects(one, RDFS.label))
    (comment,) = map(str, ontology().objects(one, RDFS.comment))
    (source,) = map(str, ontology().objects(one, rdflib.DCTERMS.source))
    assert re.fullmatch(r"[a-z][a-z0-9 ]*", label)
    assert comment.endswith(".")
    for file in re.findall(r"asp/[\w/]+\.lp", source):
        assert (ROOT / file).is_file()
    assert re.match(
        r"asp/|groundtrace, |(Kohli et al\.|MedCEG paper), (section|appendix|ta)", source
    )


def test_borrowed_terms_are_declared_with_a_comment() -> None:
    spelled = {one.value for one in vars(terms).values() if isinstance(one, NamedNode)}
    built_in = (str(RDF), str(RDFS), str(XSD), str(OWL))
    for term in spelled:
        if not term.startswith((terms.GT, *built_in)):
            assert list(ontology().objects(rdflib.URIRef(term), RDFS.comment)), term


def test_the_head() -> None:
    head = rdflib.URIRef(terms.GT.rstrip("#"))
    said = dict(ontology().predicate_objects(head))
    assert str(said[OWL.versionInfo]) == groundtrace.__version__
    assert {rdflib.DCTERMS.title, rdflib.DCTERMS.description} <= said.keys()
    assert str(said[rdflib.DCTERMS.license]).endswith("/Apache-2.0")
    assert OWL.imports not in said


def members(node: Any) -> list[str]:
    return [str(one) for one in Collection(ontology(), ontology().value(node, OWL.oneOf))]


@pytest.mark.parametrize(
    ("name", "words"), [("Label", LABELS), ("Outcome", OUTCOMES), ("Status", STATUSES)]
)
def test_closed_lists_of_individuals(name: str, words: tuple[str, ...]) -> None:
    listed = members(ontology().value(gt(name), OWL.equivalentClass))
    assert listed == [terms.GT + word for word in words]
    different = [
        {str(one) for one in Collection(ontology(), items)}
        for items in ontology().objects(None, OWL.distinctMembers)
    ]
    assert set(listed) in different


@pytest.mark.parametrize(
    ("name", "type_"),
    [
        ("gold", Gold),
        ("foundBy", FoundBy),
        ("accuracyBy", JudgedBy),
        ("severity", Finding.model_fields["severity"].annotation),
        ("droppedFor", Dropped.model_fields["reason"].annotation),
    ],
)
def test_closed_lists_of_words(name: str, type_: object) -> None:
    assert set(members(ontology().value(gt(name), RDFS.range))) == set(get_args(type_))


def test_the_page_is_up_to_date() -> None:
    page = (ROOT / "docs" / "ontology.md").read_text(encoding="utf-8")
    command = [sys.executable, "docs/make_ontology_page.py"]
    assert " ".join(["python", *command[1:]]) in page
    made = subprocess.run(command, capture_output=True, check=True, cwd=ROOT).stdout
    assert made == page.encode()
    anchors = re.findall(r'<a id="([^"]+)"', page)
    assert len({one.lower() for one in anchors}) == len(anchors) == len(OURS)
    assert set(re.findall(r"\]\(#([^)]+)\)", page)) <= set(anchors)


@cache
def shipped() -> tuple[AnyRecord, ...]:
    """Return the shipped data as records of every kind."""
    found: list[AnyRecord] = []
    for name in ("algebra", "clinical", "lease"):
        fields = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
        found += [record_from(fields), groundtrace.audit(fields)]
    graphs = {
        name: json.loads((DATA / "graphs" / f"{name}.json").read_text(encoding="utf-8"))
        for name in ("rationale", "extractions", "graph", "rewards")
    }
    found += [record_from(graphs[name]) for name in ("rationale", "extractions", "graph")]
    found += [vote(graphs["extractions"]), critical_graph(graphs["graph"])]
    found += [groundtrace.reward(case) for case in graphs["rewards"]]
    return tuple(found)


def shipped_quads() -> list[Quad]:
    return [quad for record in shipped() for quad in quads_of(record)]


class Shapes:
    """What the ontology says of classes and properties, for a check without a reasoner."""

    def __init__(self) -> None:
        self.classes = declared(OWL.Class)
        self.links, self.data, self.silent = map(declared, PROPERTY_KINDS)
        self.silent |= {str(RDF.type), str(RDFS.label)}
        self.functional = declared(OWL.FunctionalProperty)
        self.disjoint = [
            {str(one) for one in Collection(ontology(), items)}
            for items in ontology().objects(None, OWL.members)
        ]
        self.own = {
            one: {str(kind) for kind in ontology().objects(rdflib.URIRef(one), RDF.type)}
            for one in declared(OWL.NamedIndividual)
        }
        self._above: dict[str, set[str]] = {}
        self._known: dict[tuple[str, rdflib.URIRef], frozenset[str]] = {}

    def above(self, kind: str) -> set[str]:
        """Return a class and those that it is a part of."""
        if kind not in self._above:
            found = ontology().transitive_objects(rdflib.URIRef(kind), RDFS.subClassOf)
            self._above[kind] = {str(one) for one in found}
        return self._above[kind]

    def allowed(self, property_: str, side: rdflib.URIRef) -> frozenset[str]:
        """Return what a domain or range allows; nothing if it says nothing."""
        if (property_, side) not in self._known:
            above = ontology().transitive_objects(rdflib.URIRef(property_), RDFS.subPropertyOf)
            nodes = [ontology().value(one, side) for one in above]
            node = next((one for one in nodes if one is not None), None)
            items = ontology().value(node, OWL.unionOf) or ontology().value(node, OWL.oneOf)
            several = Collection(ontology(), items) if items else [node] if node else []
            self._known[property_, side] = frozenset(map(str, several))
        return self._known[property_, side]

    def violations(self, statements: Iterable[Triple]) -> list[str]:
        """Return what some RDF says against the ontology."""
        said = {_plain(one) for one in statements}
        return [*self._of_classes(said), *self._of_counts(said), *self._of_ends(said)]

    def _types(self, said: Iterable[Said]) -> dict[str, set[str]]:
        types = defaultdict(set, self.own)
        for subject, name, value in said:
            if name == str(RDF.type):
                types[subject] = types[subject] | self.above(value.value)
        return types

    def _of_classes(self, said: Iterable[Said]) -> Iterator[str]:
        for subject, kinds in self._types(said).items():
            if any(len(kinds & some) > 1 for some in self.disjoint):
                yield f"{subject} is {kinds}"
        for _, name, value in said:
            if name == str(RDF.type) and value.value not in self.classes:
                yield f"{value} is no class"

    def _of_counts(self, said: Iterable[Said]) -> Iterator[str]:
        for (subject, name), count in Counter((one[0], one[1]) for one in said).items():
            if count > 1 and name in self.functional:
                yield f"{subject} has {count} values of {name}"

    def _of_ends(self, said: Iterable[Said]) -> Iterator[str]:
        types = self._types(said)
        # A segment has no class in an audit that stands alone: it follows.
        follows: dict[str, frozenset[str]] = {}

        def fits(one: str, wanted: frozenset[str]) -> bool:
            if types.get(one) or not wanted:
                return not wanted or bool(types[one] & wanted)
            follows[one] = follows.get(one, wanted) & wanted
            return bool(follows[one])

        for subject, name, value in said:
            if name.startswith(f"{terms.ID}predicate/"):
                edge = [types[subject], types[value.value], types[name]]
                right = edge == [self.above(kind.value) for kind in EDGE]
            elif name in self.silent:
                right = name == str(RDF.type) or isinstance(value, Literal)
            else:
                right = fits(subject, self.allowed(name, RDFS.domain))
                wanted = self.allowed(name, RDFS.range)
                if name in self.data:
                    known = {value.value, value.datatype.value}
                    right = right and bool((wanted or {str(XSD.string)}) & known)
                else:
                    right = right and name in self.links and fits(value.value, wanted)
            if not right:
                yield f"{subject} {name} {value}: {types.get(subject)}"


def _plain(one: Triple) -> Said:
    subject: Any = one.subject
    return subject.value, one.predicate.value, one.object


@cache
def shapes() -> Shapes:
    return Shapes()


def test_shipped_data_keep_to_the_ontology() -> None:
    quads = shipped_quads()
    assert shapes().violations(quad.triple for quad in quads) == []
    kinds = {quad.object for quad in quads if quad.predicate == terms.TYPE}
    assert {kind.iri for kind in KINDS} <= kinds


@settings(max_examples=200)
@given(records())
def test_any_record_keeps_to_the_ontology(record: AnyRecord) -> None:
    assert shapes().violations(quad.triple for quad in quads_of(record)) == []


def test_the_check_finds_what_is_wrong() -> None:
    audit = NamedNode(f"{terms.ID}audit/x")
    wrong = [
        Triple(audit, terms.TYPE, terms.AUDIT),
        Triple(audit, terms.TYPE, terms.REWARD),
        Triple(audit, terms.VOTES, Literal(1)),
        Triple(audit, NamedNode(f"{terms.GT}unheardOf"), Literal(1)),
        Triple(audit, terms.UNLABELLED_RELATIONS, Literal("1")),
        Triple(audit, terms.ACCEPTED_LEAF, audit),
        Triple(audit, terms.QUESTION, Literal("a")),
        Triple(audit, terms.QUESTION, Literal("b")),
    ]
    assert len(shapes().violations(wrong)) == 6


def odd_case() -> list[Quad]:
    triplets = [[name, 'is near\\"', ODD_NAMES[place - 1]] for place, name in enumerate(ODD_NAMES)]
    return quads_of(record_from({"id": 'odd <"\\> case', "triplets": triplets}))


def individuals(statements: Iterable[Quad]) -> set[str]:
    said = (_plain(one.triple) for one in statements)
    return {subject for subject, name, _ in said if name == terms.TYPE.value}


def test_owlready2_loads_it(tmp_path: Path) -> None:
    owlready2 = pytest.importorskip("owlready2")
    quads = shipped_quads() + odd_case()
    read = axioms_of(quads)
    file = tmp_path / "axioms.nt"
    file.write_bytes(ntriples(read, read.facts))
    world = owlready2.World()
    loaded = world.get_ontology(file.as_uri()).load()
    for found, kind, more in (
        (loaded.classes(), OWL.Class, set()),
        (loaded.object_properties(), OWL.ObjectProperty, set()),
        (loaded.data_properties(), OWL.DatatypeProperty, {"urn:groundtrace:name"}),
    ):
        assert {one.iri for one in found} == declared(kind) | more
    arrived = {one.iri for kind in loaded.classes() for one in kind.instances()}
    assert individuals(quads) <= arrived


@needs_java
def test_every_individual_arrives_at_the_reasoner() -> None:
    quads = odd_case()
    assert len([one for one in quads if one.object == terms.CONCEPT]) == len(ODD_NAMES)
    read = axioms_of(quads)
    _, output = Hermit(300, 2000).run([ntriples(read, read.facts)], "--classifyIs")
    found = set(re.findall(r"^Type\( <([^>]+)>", output, re.MULTILINE))
    assert individuals(quads) <= found


@needs_java
def test_the_ontology_is_consistent() -> None:
    assert judge([], time_limit=300) == Judgement(
        Verdict.CONSISTENT, "consistent: the ontology by itself, no contradiction"
    )


@needs_java
def test_shipped_data_are_consistent() -> None:
    judgement = judge(shipped_quads(), time_limit=300)
    assert judgement.verdict is Verdict.CONSISTENT, judgement
    assert re.fullmatch(r"consistent: \d{3} individuals, and no contradiction", judgement.message)


TRACE = NamedNode(f"{terms.ID}trace/t")
ENTRY = NamedNode(f"{terms.ID}audit/t/x/segment/2")
OTHER = NamedNode(f"{terms.ID}audit/t/x/segment/3")


@cache
def small() -> tuple[Quad, ...]:
    fields = {"id": "s", "segments": ["c", "r"], "relations": []}
    return tuple(quads_of(record_from(fields)) + quads_of(groundtrace.audit(fields)))


@needs_java
@pytest.mark.parametrize(
    ("wrong", "culprits"),
    [
        pytest.param(
            [
                Triple(ENTRY, terms.OUTCOME, terms.INDIVIDUALS["orphan"]),
                Triple(ENTRY, terms.OUTCOME, terms.INDIVIDUALS["supported"]),
            ],
            {ENTRY.value},
            id="two outcomes",
        ),
        pytest.param(
            [Triple(ENTRY, terms.OUTCOME, NamedNode(f"{terms.GT}probable"))],
            {ENTRY.value},
            id="an outcome that is unheard of",
        ),
        pytest.param(
            [Triple(TRACE, terms.TYPE, terms.TRACE), Triple(TRACE, terms.TYPE, terms.REWARD)],
            {TRACE.value},
            id="a trace that is a reward",
        ),
        pytest.param(
            [
                Triple(ENTRY, terms.OUTCOME, terms.INDIVIDUALS["supported"]),
                Triple(ENTRY, terms.GROUNDED, Literal(False)),
            ],
            {ENTRY.value},
            id="supported and not grounded",
        ),
        pytest.param(
            [Triple(ENTRY, terms.OF_SEGMENT, TRACE), Triple(OTHER, terms.HAS_TREE, TRACE)],
            {ENTRY.value, OTHER.value},
            id="a segment that is a support tree",
        ),
    ],
)
def test_what_cannot_be_true_is_inconsistent(wrong: list[Triple], culprits: set[str]) -> None:
    judgement = judge([*small(), *wrong], time_limit=300)
    assert judgement.verdict is Verdict.INCONSISTENT, judgement
    assert set(judgement.individuals) == culprits
    assert all(culprit in judgement.message for culprit in culprits)


@needs_java
def test_a_class_that_nothing_can_belong_to() -> None:
    odd = NamedNode("https://example.org/ότι#Odd")
    below = NamedNode(str(RDFS.subClassOf))
    schema = [
        Triple(odd, terms.TYPE, NamedNode(str(OWL.Class))),
        Triple(odd, below, terms.TRACE),
        Triple(odd, below, terms.REWARD),
    ]
    judgement = judge(schema, time_limit=300)
    assert (judgement.verdict, judgement.classes) == (Verdict.INCONSISTENT, (odd.value,))


@needs_java
@pytest.mark.parametrize(
    ("property_", "value", "told"),
    [
        (terms.OUTCOME, Literal("supported"), "gt:outcome has the plain value 'supported'"),
        (terms.DEPTH, ENTRY, "gt:depth leads to a resource"),
        (terms.DEPTH, Literal("two", datatype=terms.INTEGER), "'two' is no xsd:integer"),
    ],
)
def test_what_owl_cannot_express(property_: NamedNode, value: Any, told: str) -> None:
    judgement = judge([Triple(ENTRY, property_, value)])
    assert (judgement.verdict, judgement.individuals) == (Verdict.INCONSISTENT, (ENTRY.value,))
    assert told in judgement.message


def test_what_says_nothing_or_goes_out_does_not_reach_the_reasoner() -> None:
    silent = [
        Triple(TRACE, NamedNode(str(OWL.imports)), NamedNode("http://127.0.0.1:9/")),
        Triple(TRACE, terms.TYPE, NamedNode(str(OWL.Ontology))),
        Triple(TRACE, terms.RECORD, Literal("{}", datatype=terms.JSON)),
        Triple(TRACE, NamedNode(f"{terms.ID}predicate/p"), TRACE),
    ]
    assert axioms_of(silent) == axioms_of([])
    assert axioms_of([]).facts == {}


def test_no_java(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    judgement = judge([])
    assert judgement.verdict is Verdict.NO_JAVA
    assert "install a Java runtime" in judgement.message


@needs_java
def test_too_little_time_or_memory() -> None:
    judgement = judge([], time_limit=0.05)
    assert judgement.verdict is Verdict.GAVE_UP
    assert "after 0.05 seconds" in judgement.message
    judgement = judge([], memory=1)
    assert judgement.verdict is Verdict.GAVE_UP
    assert "more than 1 MiB" in judgement.message


@pytest.fixture
def fake_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    pytest.importorskip("owlready2")
    if sys.platform == "win32":
        pytest.skip("a shell script stands for Java")
    monkeypatch.setenv("PATH", str(tmp_path))
    path = tmp_path / "java"
    path.touch(0o755)
    return path


@pytest.mark.parametrize(
    ("script", "verdict"),
    [
        ("echo Terminating due to java.lang.OutOfMemoryError; exit 3", Verdict.GAVE_UP),
        ("kill -9 $$", Verdict.GAVE_UP),
        ("echo Unable to locate a Java Runtime. >&2; exit 1", Verdict.NO_JAVA),
    ],
)
def test_how_java_can_fail(fake_java: Path, script: str, verdict: Verdict) -> None:
    fake_java.write_text(f"#!/bin/sh\n{script}\n")
    assert judge([]).verdict is verdict


def test_rdf_that_the_reasoner_refuses(fake_java: Path) -> None:
    fake_java.write_text("#!/bin/sh\necho 'IllegalArgumentException: odd chain' >&2; exit 1\n")
    with pytest.raises(InputError, match="odd chain"):
        judge([])


@pytest.mark.skipif(not Path("/proc/self/stat").is_file(), reason="there is no /proc")
def test_a_time_limit_ends_java_and_what_it_started(fake_java: Path) -> None:
    pids = fake_java.with_name("pids")
    fake_java.write_text(f"#!/bin/sh\n/bin/sleep 60 &\necho $$ $! > {pids}\nwait\n")
    assert judge([], time_limit=1).verdict is Verdict.GAVE_UP
    wait_until(lambda: not any(map(runs, pids.read_text().split())))


def test_a_package_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: os.sep + name)
    monkeypatch.setattr(hermit, "find_spec", lambda name: None)
    with pytest.raises(ModelError, match=r"groundtrace\[owl\]"):
        judge([])


@pytest.mark.parametrize("limits", [{"time_limit": 0.0}, {"time_limit": -1.0}, {"memory": 0}])
def test_odd_limits(limits: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="expected time_limit > 0"):
        judge([], **limits)


def test_the_folder_is_found() -> None:
    assert ontology_directory() == ROOT / "ontology"
