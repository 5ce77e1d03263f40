"""Vote on many cases, or reduce them, in child processes that can be ended."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from groundtrace.files.reading import Record
from groundtrace.graphs.cases import case_of
from groundtrace.graphs.conclusion import DEFAULT_THRESHOLD
from groundtrace.graphs.critical import Reducer
from groundtrace.graphs.matching import Aliases, TextMatching
from groundtrace.graphs.voting import DEFAULT_MIN_VOTES, vote
from groundtrace.models.graph import CriticalGraph, EvidenceGraph, GraphCase
from groundtrace.processes.pool import Done, OneByOne, Output
from groundtrace.rules.rulebook import rulebook_for


@dataclass(frozen=True)
class Voting(OneByOne[Output]):
    """Votes on the extractions of cases, as work for child processes.

    Attributes:
        render: Makes the output of one case, in the child process; must be picklable.
        min_votes: Distinct models that must have given a triplet, from 1.
        alias_threshold: Least cosine of two spellings of one thing; None merges none.
        comparing: What compares texts.
    """

    render: Callable[[GraphCase, EvidenceGraph], Output]
    min_votes: int = DEFAULT_MIN_VOTES
    alias_threshold: float | None = None
    comparing: TextMatching = field(default_factory=TextMatching)

    @property
    def untrusted(self) -> bool:
        """Whether a user's rules must be tried first."""
        return bool(self.comparing.overlays)

    def prepare(self) -> None:
        """Say what makes every vote impossible.

        Raises:
            InputError: a setting cannot be used.
            ModelError: a package that is needed is not installed.
            RuleError: an overlay is faulty.
        """
        self._aliases()

    def check(self) -> None:
        """Try the guard rules without a case.

        Raises:
            RuleError: they are faulty.
        """
        self.comparing.check()

    def done(self, record: Record) -> Done[Output]:
        """Vote on the extractions of one record.

        Raises:
            InputError: the record is no case, or cannot be voted on.
            ModelError: the embedding cannot be used.
            RuleError: a guard rule is faulty for it.
        """
        case = case_of(record, GraphCase)
        graph = vote(case, self.min_votes, self._aliases())
        return Done(case.id, _counts(graph), self.render(case, graph), None)

    def _aliases(self) -> Aliases | None:
        if self.alias_threshold is None:
            return None
        return _aliases_of(self.comparing, self.alias_threshold)


@dataclass(frozen=True)
class Reducing(OneByOne[Output]):
    """Reduces cases to their critical evidence graphs, as work for child processes.

    Attributes:
        render: Makes the output of one case, in the child process; must be picklable.
        overlays: Paths of users' rule files for graphs, in order.
        constants: (name, value) pairs.
        threshold: Least cosine of a conclusion, in -1..1.
        comparing: What compares an answer with nodes.
    """

    render: Callable[[GraphCase, CriticalGraph], Output]
    overlays: tuple[str, ...] = ()
    constants: tuple[tuple[str, int | str], ...] = ()
    threshold: float = DEFAULT_THRESHOLD
    comparing: TextMatching = field(default_factory=TextMatching)

    @property
    def untrusted(self) -> bool:
        """Whether a user's rules or constants must be tried first."""
        return bool(self.overlays or self.constants or self.comparing.overlays)

    def prepare(self) -> None:
        """Say what makes every reduction impossible.

        Raises:
            InputError: a setting cannot be used.
            ModelError: a package that is needed is not installed.
            RuleError: an overlay is faulty.
        """
        self._reducer()

    def check(self) -> None:
        """Try the rules without a case.

        Raises:
            RuleError: they are faulty.
        """
        self._reducer().check()
        self.comparing.check()

    def done(self, record: Record) -> Done[Output]:
        """Reduce the graph of one record.

        Raises:
            InputError: the record is no case.
            ModelError: the embedding cannot be used.
            RuleError: a rule is faulty for it.
            SizeError: the graph is too large to be reduced in bounded memory.
        """
        case = case_of(record, GraphCase)
        graph = self._reducer().reduce(case)
        return Done(case.id, _counts(graph), self.render(case, graph), None)

    def _reducer(self) -> Reducer:
        return _reducer_of(self.overlays, self.constants, self.threshold, self.comparing)


def _counts(graph: EvidenceGraph | CriticalGraph) -> dict[str, int]:
    return {
        graph.status: 1,
        "warnings": len(graph.warnings),
        "items left out": len(graph.malformed),
    }


@cache
def _aliases_of(comparing: TextMatching, threshold: float) -> Aliases | None:
    return comparing.aliases(threshold)


@cache
def _reducer_of(
    overlays: tuple[str, ...],
    constants: tuple[tuple[str, int | str], ...],
    threshold: float,
    comparing: TextMatching,
) -> Reducer:
    book = rulebook_for("graph", overlays, dict(constants))
    return Reducer(book, comparing.likeness(), threshold, comparing.recorded())
