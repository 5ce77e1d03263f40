"""Sound records, and what can be broken in their RDF: for every check what it must find."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import pyoxigraph as ox

from groundtrace.knowledge.rdf.iris import concept_iri, predicate_iri
from groundtrace.knowledge.rdf.records import AnyRecord, draft_of, quads_of
from groundtrace.knowledge.rdf.terms import ID, PREFIXES
from groundtrace.knowledge.rdf.traces import segment_iri, trace_iri
from tests.question_bases import audited, critical, reward, trace, voted

Named = str | ox.NamedNode
"""A part of the record such as "/segment/2", "gt:…" and the like, or an IRI."""

AUDIT = audited(
    trace(
        "t",
        7,
        _1to2="entailment",
        _1_2to3="implied",
        _2to4="contradiction",
        _4to5="entailment",
        _1to7="neutral",
    )
)
"""2 and 3 are supported, 4 is contradicted, 5 unsupported, 6 and 7 are orphans."""

CRITICAL = critical("x", "d", "a p b", "b p c", "c p d", "a q c", "d p e")
"""A chain of three, a shortcut, and a triplet that leads nowhere."""

VOTED = voted("x", 2, m=["a p b", "b p c"], n=["A p b"])
SCORED = reward("x", process=0.5, format=1.0, accuracy=0.0, reward=0.3, provenance={"version": "1"})


class Graph:
    """The RDF of one record, to be broken."""

    def __init__(self, record: AnyRecord) -> None:
        draft = draft_of(record)
        self.quads = quads_of(record)
        self.iri = draft.iri
        self.run = draft.run.iri if draft.run else None

    def node(self, name: Named) -> ox.NamedNode:
        if isinstance(name, ox.NamedNode):
            return name
        prefix, colon, rest = name.partition(":")
        return ox.NamedNode(PREFIXES[prefix] + rest if colon else self.iri.value + name)

    def term(self, value: Named | ox.Literal) -> ox.NamedNode | ox.Literal:
        return value if isinstance(value, ox.Literal) else self.node(value)

    def matches(
        self, subject: Named | None, property_: Named | None, value: Named | ox.Literal | None
    ) -> list[ox.Quad]:
        """Return statements, in the graph and in the catalogue; there is at least one."""
        wanted = (
            None if subject is None else self.node(subject),
            None if property_ is None else self.node(property_),
            None if value is None else self.term(value),
        )
        found = [
            quad
            for quad in self.quads
            if all(one in (None, term) for one, term in zip(wanted, quad.triple, strict=True))
        ]
        assert found, wanted
        return found

    def lose(
        self,
        subject: Named | None,
        property_: Named | None = None,
        value: Named | ox.Literal | None = None,
    ) -> "Graph":
        """Take away what is said."""
        lost = set(self.matches(subject, property_, value))
        self.quads = [quad for quad in self.quads if quad not in lost]
        return self

    def say(self, subject: Named, property_: Named, value: Named | ox.Literal) -> "Graph":
        """Say something more in the graph."""
        self.quads.append(
            ox.Quad(self.node(subject), self.node(property_), self.term(value), self.iri)
        )
        return self

    def change(self, subject: Named, property_: Named, value: Named | ox.Literal) -> "Graph":
        """Say another value, where one was said."""
        changed = [
            ox.Quad(quad.subject, quad.predicate, self.term(value), quad.graph_name)
            for quad in self.matches(subject, property_, None)
        ]
        self.lose(subject, property_)
        self.quads += changed
        return self

    def only_in(self, *, catalogue: bool) -> "Graph":
        """Keep the catalogue, or all else."""
        self.quads = [
            quad for quad in self.quads if isinstance(quad.graph_name, ox.DefaultGraph) == catalogue
        ]
        return self


A, B, C, D, E = map(concept_iri, "abcde")
P, Q = predicate_iri("p"), predicate_iri("q")


def place(number: int) -> ox.NamedNode:
    """Return a segment of the trace."""
    return segment_iri(trace_iri("t"), number)


class Damage(NamedTuple):
    """Something broken.

    Attributes:
        check: That must find it.
        graph: As it is then.
        subjects: What the check must name, and nothing else.
    """

    check: str
    graph: Graph
    subjects: Sequence[Named]

    @property
    def found(self) -> set[str]:
        return {str(self.graph.node(one)) for one in self.subjects}


def audit_damages() -> Iterator[Damage]:
    def broken() -> Graph:
        return Graph(AUDIT)

    check = "contradiction-mismatch"
    by = "/relation/2-4"
    yield Damage(check, broken().change(by, "gt:label", "gt:neutral"), ["/segment/4"])
    yield Damage(check, broken().change(by, "gt:target", place(5)), ["/segment/4"])
    check = "grounded-mismatch"
    no, yes = ox.Literal(False), ox.Literal(True)
    yield Damage(check, broken().change("/segment/2", "gt:grounded", no), ["/segment/2"])
    yield Damage(check, broken().lose("/segment/3", "gt:depth"), ["/segment/3"])
    yield Damage(check, broken().change("/segment/6", "gt:grounded", yes), ["/segment/6"])
    graph = broken().say("/relation/4-5", "gt:blockedBy", place(1))
    yield Damage(check, graph, ["/relation/4-5"])
    graph = broken().say("/relation/1.2-3", "gt:blockedBy", place(2))
    yield Damage(check, graph, ["/relation/1.2-3"])
    check = "one-outcome"
    yield Damage(check, broken().lose("/segment/2", "gt:outcome"), ["/segment/2"])
    yield Damage(check, broken().say("/segment/2", "gt:outcome", "gt:orphan"), ["/segment/2"])
    yield Damage(check, broken().change("/segment/6", "gt:segment", place(7)), [place(7)])
    yield Damage(check, broken().lose("", "gt:leaf"), [place(1)])
    check = "orphan-with-support"
    yield Damage(check, broken().change("/segment/2", "gt:outcome", "gt:orphan"), ["/segment/2"])
    graph = broken().say("/relation/1-7", "rdf:type", "gt:Support")
    yield Damage(check, graph, ["/segment/7"])
    check = "unsupported-without-support"
    graph = broken().lose("/relation/4-5", "rdf:type", "gt:Support")
    yield Damage(check, graph, ["/segment/5"])
    graph = broken().change("/segment/6", "gt:outcome", "gt:unsupported")
    yield Damage(check, graph, ["/segment/6"])
    check = "support-not-labelled"
    for value in ("gt:neutral", "gt:contradiction"):
        graph = broken().change("/relation/1-2", "gt:label", value)
        yield Damage(check, graph, ["/relation/1-2"])
    yield Damage(check, broken().lose("/relation/4-5", "gt:label"), ["/relation/4-5"])
    graph = broken().say("/relation/1-2", "gt:rejectedFor", ox.Literal("too_far"))
    yield Damage(check, graph, ["/relation/1-2"])
    check = "supported-without-tree"
    yield Damage(check, broken().lose("/segment/2", "gt:hasTree"), ["/segment/2"])
    yield Damage(
        check, broken().lose("/segment/3/tree/1", "gt:uses", "/relation/1-2"), ["/segment/3"]
    )
    graph = broken().lose("/segment/3/tree/1", "gt:uses", "/relation/1.2-3")
    yield Damage(check, graph, ["/segment/3"])
    check = "premise-order"
    graph = broken().say("/relation/1-2", "gt:premise", place(3))
    yield Damage(check, graph, ["/relation/1-2"])
    graph = broken().change("/relation/4-5", "gt:premise", place(5))
    yield Damage(check, graph, ["/relation/4-5"])
    given = Graph(trace("t", 3, _1_2to3="neutral")).change(place(3), "gt:index", ox.Literal(2))
    yield Damage(check, given, ["/relation/1.2-3"])


def graph_damages() -> Iterator[Damage]:
    def broken() -> Graph:
        return Graph(CRITICAL)

    check = "critical-and-dropped"
    reason = ox.Literal("shortcut")
    yield Damage(check, broken().say("/triplet/1", "gt:droppedFor", reason), ["/triplet/1"])
    yield Damage(check, broken().lose("/triplet/4", "gt:droppedFor"), ["/triplet/4"])
    check = "critical-cycle"
    yield Damage(check, broken().say(D, "gt:criticallyLeadsTo", B), [B, C, D])
    yield Damage(check, broken().say(A, "gt:criticallyLeadsTo", A), [A])
    check = "critical-outside"
    graph = broken().lose("", "gt:hasTriplet", "/triplet/2")
    yield Damage(check, graph, ["/triplet/2"])
    check = "critical-unreaching"
    yield Damage(check, broken().lose(B, "gt:criticallyLeadsTo"), [A, B])
    yield Damage(check, broken().change("", "gt:conclusion", C), [D])
    yield Damage(check, broken().say("", "gt:criticalTriplet", "/triplet/5"), [E])
    check = "edge-without-triplet"
    yield Damage(check, broken().lose(A, P), ["/triplet/1"])
    yield Damage(check, broken().say(D, P, A), [D])
    yield Damage(check, broken().lose("", "gt:criticalTriplet", "/triplet/2"), [B])
    yield Damage(check, broken().say(A, "gt:criticallyLeadsTo", D), [A])
    check = "several-components"
    graph = broken().lose(B, "gt:criticallyLeadsTo")
    found = [C, D] if min(A.value, B.value) < min(C.value, D.value) else [A, B]
    yield Damage(check, graph, found)
    check = "shortcut-left"
    yield Damage(check, broken().say(A, "gt:criticallyLeadsTo", C), [A])
    yield Damage(check, broken().say(A, "gt:criticallyLeadsTo", D), [A])


def vote_damages() -> Iterator[Damage]:
    def broken() -> Graph:
        return Graph(VOTED)

    one, two, three = map(ox.Literal, (1, 2, 3))
    check = "votes-below"
    graph = broken()
    assert graph.run is not None
    yield Damage(check, graph.change(graph.run, "gt:minVotes", three), ["/triplet/1"])
    yield Damage(check, broken().change("/triplet/1", "gt:votes", one), ["/triplet/1"])
    yield Damage(check, broken().change("/triplet/4", "gt:votes", two), ["/triplet/4"])
    check = "votes-miscounted"
    yield Damage(check, broken().change("/triplet/4", "gt:votes", two), ["/triplet/4"])
    graph = broken().lose("/triplet/1", "gt:votedBy", "/extractor/2")
    yield Damage(check, graph, ["/triplet/1"])
    yield Damage(check, broken().lose("/triplet/4", "gt:votedBy"), ["/triplet/4"])


def score_damages() -> Iterator[Damage]:
    def broken() -> Graph:
        return Graph(SCORED)

    check = "score-out-of-range"
    for name, score in (("process", 1.5), ("nodeCoverage", -0.1), ("reward", 1.001), ("f1", 1.25)):
        graph = broken().say("", f"gt:{name}", ox.Literal(score))
        yield Damage(check, graph, [""])
    yield Damage(check, broken().lose("", "gt:process"), [""])
    for status in ("gt:failed", "gt:unscorable"):
        yield Damage(check, broken().change("", "gt:status", status), [""])


def common_damages() -> Iterator[Damage]:
    check = "dangling-reference"
    yield Damage(check, Graph(CRITICAL).lose(E), [E])
    yield Damage(check, Graph(CRITICAL).lose(Q), [Q])
    yield Damage(check, Graph(CRITICAL).lose("/triplet/3"), ["/triplet/3"])
    yield Damage(check, Graph(AUDIT).lose(place(4)), [place(4)])
    graph = Graph(AUDIT)
    assert graph.run is not None
    yield Damage(check, graph.lose(graph.run), [graph.run])
    software = ox.NamedNode(f"{ID}software/none")
    graph = Graph(VOTED)
    assert graph.run is not None
    yield Damage(check, graph.change(graph.run, "prov:wasAssociatedWith", software), [software])
    check = "graph-not-catalogued"
    every: list[AnyRecord] = [AUDIT, CRITICAL, VOTED, SCORED]
    for record in (*every, trace("t", 2)):
        yield Damage(check, Graph(record).only_in(catalogue=True), [""])
        yield Damage(check, Graph(record).only_in(catalogue=False), [""])
    check = "no-provenance"
    for record in every:
        yield Damage(check, Graph(record).lose("", "prov:wasGeneratedBy"), [""])
        yield Damage(check, Graph(record).lose(None, "gt:version"), [""])
        yield Damage(check, Graph(record).lose(None, "prov:wasAssociatedWith"), [""])
    check = "not-enumerated"
    graph = Graph(AUDIT).change("/relation/1-7", "gt:label", "gt:perhaps")
    yield Damage(check, graph, ["/relation/1-7"])
    yield Damage(
        check, Graph(AUDIT).change("/segment/6", "gt:outcome", "gt:scored"), ["/segment/6"]
    )
    yield Damage(check, Graph(CRITICAL).change("", "gt:status", "gt:orphan"), [""])
    graph = Graph(trace("t", 2, _1to2="neutral"))
    yield Damage(
        check,
        graph.change("/relation/1-2", "gt:label", ox.Literal("neutral")),
        ["/relation/1-2"],
    )


def damages() -> list[Damage]:
    """Return everything that is broken here."""
    makers: list[Callable[[], Iterator[Damage]]] = [
        audit_damages,
        graph_damages,
        vote_damages,
        score_damages,
        common_damages,
    ]
    return [one for make in makers for one in make()]
