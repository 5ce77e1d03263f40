"""The critical evidence graph of a case: facts in, rules decide, a record out.

Source: MedCEG paper, section 3 and appendix B.3; asp/graph.lp.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from groundtrace.errors import BugError, RuleError
from groundtrace.graphs.cases import case_from
from groundtrace.graphs.conclusion import (
    DEFAULT_THRESHOLD,
    Likeness,
    find_conclusion,
)
from groundtrace.graphs.facts import Decided, decode, encode
from groundtrace.graphs.findings import graph_finding_message
from groundtrace.graphs.matching import TextMatching
from groundtrace.graphs.triplets import triplets_from
from groundtrace.models.graph import (
    Conclusion,
    CriticalGraph,
    Dropped,
    GraphCase,
    GraphWarning,
    Triplet,
)
from groundtrace.models.names import normal
from groundtrace.rules.rulebook import Rulebook, rulebook_for
from groundtrace.rules.solver import Program
from groundtrace.version import __version__

DECIDED_HERE = {"conclusion_by", "unfound", *CriticalGraph.model_fields} - {"meta"}
FINDINGS_WITHOUT_A_CASE = ("constant_out_of_range", "unknown_rule", "expected_text")


class Reducer:
    """Reduces one graph after another with the same rules."""

    def __init__(
        self,
        rulebook: Rulebook,
        likeness: Likeness | None = None,
        threshold: float = DEFAULT_THRESHOLD,
        recorded: Mapping[str, Any] | None = None,
    ) -> None:
        """Take the rules.

        Args:
            rulebook: Of the program "graph".
            likeness: Compares an answer with nodes; None to take an equal node only.
            threshold: Least cosine of a conclusion, in -1..1.
            recorded: What compares, for the record.
        """
        self._recorded = {"threshold": threshold, **(recorded or {})}
        self._rulebook = rulebook
        self._likeness = likeness
        self._threshold = threshold

    def check(self) -> None:
        """Try the rules on an empty graph: what fails there fails on every graph.

        Raises:
            RuleError: an overlay is faulty, or a constant is out of its range.
        """
        decided, _ = self._decide([], None)
        _warnings([one for one in decided.findings if one[1] in FINDINGS_WITHOUT_A_CASE], {})

    def reduce(self, case: GraphCase) -> CriticalGraph:
        """Return the critical evidence graph of a case.

        Raises:
            RuleError: an overlay is faulty for this graph.
            SizeError: the graph is too large to be reduced in bounded memory.
        """
        given = triplets_from(case.triplets or (), "triplets")
        graph = CriticalGraph(id=case.id, malformed=given.malformed, meta=_rest_of(case))
        if case.status == "failed":
            graph.status, graph.error = "failed", case.error or "the graph could not be made"
            return graph
        if not given.kept:
            graph.status, graph.error = "unscorable", _without_triplets(case)
            return graph
        found = find_conclusion(case, given.kept, self._likeness, self._threshold)
        graph.conclusion = found.conclusion
        graph.nearest = found.nearest
        if found.conclusion is None:
            graph.status, graph.error = "unscorable", found.error
            return graph
        self._fill(graph, given.kept, found.conclusion)
        return graph

    def _fill(
        self, graph: CriticalGraph, triplets: Sequence[Triplet], conclusion: Conclusion
    ) -> None:
        decided, program = self._decide(triplets, normal(conclusion.node))
        paths = _Paths(decided)
        for number, triplet in enumerate(triplets, 1):
            if number in decided.critical:
                graph.critical.append(triplet)
            elif number in decided.shortcut:
                path = [triplets[step - 1] for step in paths.instead_of(number)]
                graph.dropped.append(Dropped(triplet=triplet, reason="shortcut", path=path))
            elif number not in decided.leading:
                graph.dropped.append(Dropped(triplet=triplet, reason="not_leading"))
            else:
                raise BugError(f"triplet {number} is neither critical nor dropped for a reason")
        spelled = {normal(one): one for triplet in triplets for one in (triplet[0], triplet[2])}
        graph.warnings = _warnings(decided.findings, spelled)
        turned = {
            triplet.predicate
            for number, triplet in enumerate(triplets, 1)
            if decided.edges[number][0] != normal(triplet.subject)
        }
        graph.backwards = sorted(turned)
        graph.provenance = self._provenance(program)

    def _decide(
        self, triplets: Sequence[Triplet], conclusion: str | None
    ) -> tuple[Decided, Program]:
        """Return what the rules make of a graph."""
        program = Program(self._rulebook, encode(triplets, conclusion))
        program.ground()
        return decode(program.only_answer()), program

    def _provenance(self, program: Program) -> dict[str, Any]:
        book = self._rulebook
        return {
            "version": __version__,
            "rules": dict(book.hashes),
            "constants": {name: program.constant(name) for name in book.constants},
            "overlays": [str(path) for path in book.overlays],
            "conclusion": self._recorded,
        }


def critical_graph(
    case: GraphCase | Mapping[str, Any],
    *,
    overlays: Iterable[str | Path] = (),
    constants: Mapping[str, int | str] | None = None,
    threshold: float = DEFAULT_THRESHOLD,
    comparing: TextMatching | None = None,
) -> CriticalGraph:
    """Return the critical evidence graph of one case, made in this process.

    Args:
        case: With triplets, and a conclusion or an answer; a mapping is read like a JSON object.
        overlays: Paths of rule files of your own, loaded after ours.
        constants: Constant name to value, as in asp/constants.lp.
        threshold: Least cosine of a conclusion, in -1..1.
        comparing: What compares an answer with nodes; the embedded default if None.

    Raises:
        InputError: the case cannot be used, or a constant is unknown.
        ModelError: the embedding cannot be used.
        RuleError: an overlay is faulty, or leaves no answer or several.
        SizeError: the graph is too large to be reduced in bounded memory.

    Source: MedCEG paper, section 3 and appendix B.3; asp/graph.lp.
    """
    rulebook = rulebook_for("graph", overlays, constants)
    chosen = comparing or TextMatching()
    reducer = Reducer(rulebook, chosen.likeness(), threshold, chosen.recorded())
    return reducer.reduce(case_from(case, GraphCase))


def _without_triplets(case: GraphCase) -> str:
    if case.triplets is None and case.extractions is not None:
        return "the extractions have not been voted on yet (groundtrace graph vote)"
    if case.triplets is None:
        return "no triplets were extracted yet (groundtrace graph extract)"
    return "the graph has no triplets"


def _rest_of(case: GraphCase) -> dict[str, Any]:
    """Return the fields of a case that stay as they are; a published row keeps its own."""
    derived = {"triplets", "rationale"} if "graph" in (case.model_extra or {}) else set()
    return {
        name: value for name, value in case.written().items() if name not in DECIDED_HERE | derived
    }


def _warnings(
    findings: Iterable[tuple[str, str, str]], spelled: Mapping[str, str]
) -> list[GraphWarning]:
    """Return the warnings of the rules.

    Raises:
        RuleError: a finding is an error.
    """
    told = [
        (
            severity,
            GraphWarning(
                kind=kind,
                subject=spelled.get(subject, subject),
                message=graph_finding_message(kind, spelled.get(subject, subject)),
            ),
        )
        for severity, kind, subject in findings
    ]
    errors = [warning.message for severity, warning in told if severity == "error"]
    if errors:
        raise RuleError(f"the rules report an error: {'; '.join(errors)}")
    return [warning for _, warning in told]


class _Paths:
    """Shortest paths through the critical triplets."""

    def __init__(self, decided: Decided) -> None:
        self._edges = decided.edges
        self._leaving: dict[str, list[int]] = defaultdict(list)
        for number in sorted(decided.critical):
            self._leaving[decided.edges[number][0]].append(number)
        self._from: dict[str, dict[str, int]] = {}

    def instead_of(self, shortcut: int) -> list[int]:
        """Return the triplets of a path between the ends of a shortcut, in order."""
        start, end = self._edges[shortcut]
        if start not in self._from:
            self._from[start] = self._arrivals(start)
        arrivals, path = self._from[start], []
        node = end
        while node != start:
            if node not in arrivals:
                raise BugError(f"nothing replaces shortcut {shortcut}")
            path.append(arrivals[node])
            node = self._edges[arrivals[node]][0]
        return path[::-1]

    def _arrivals(self, start: str) -> dict[str, int]:
        """Return for each node that can be reached the triplet by which it was reached first."""
        arrivals: dict[str, int] = {}
        waiting = deque([start])
        while waiting:
            for number in self._leaving.get(waiting.popleft(), ()):
                node = self._edges[number][1]
                if node != start and node not in arrivals:
                    arrivals[node] = number
                    waiting.append(node)
        return arrivals
