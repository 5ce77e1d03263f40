"""Vote on many cases, or reduce them, in child processes that can be ended."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Generic

from groundtrace.cases import case_of
from groundtrace.graphs.conclusion import DEFAULT_THRESHOLD
from groundtrace.graphs.critical import Reducer
from groundtrace.graphs.likeness import Aliases, Comparing
from groundtrace.graphs.voting import DEFAULT_MIN_VOTES, vote
from groundtrace.models.graph import CriticalGraph, EvidenceGraph, GraphCase
from groundtrace.pool import Done, Output, attempted
from groundtrace.reading import Record
from groundtrace.rulebook import rulebook_for


@dataclass(frozen=True)
class Voting(Generic[Output]):
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
    comparing: Comparing = field(default_factory=Comparing)

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
        guards = self.comparing.judge()
        if guards:
            guards.check()

    def do(self, records: list[Record]) -> list[Done[Output]]:
        """Return what becomes of some records.

        Args:
            records: At least one.
        """
        return [attempted(partial(self._done, record)) for record in records]

    def _done(self, record: Record) -> Done[Output]:
        case = case_of(record, GraphCase)
        graph = vote(case, self.min_votes, self._aliases())
        counts = {
            graph.status: 1,
            "warnings": len(graph.warnings),
            "items left out": len(graph.malformed),
        }
        return Done(case.id, counts, self.render(case, graph), None)

    def _aliases(self) -> Aliases | None:
        if self.alias_threshold is None:
            return None
        return _aliases_of(self.comparing, self.alias_threshold)


@dataclass(frozen=True)
class Reducing(Generic[Output]):
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
    comparing: Comparing = field(default_factory=Comparing)

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
        guards = self.comparing.judge()
        if guards:
            guards.check()

    def do(self, records: list[Record]) -> list[Done[Output]]:
        """Return what becomes of some records.

        Args:
            records: At least one.
        """
        return [attempted(partial(self._done, record)) for record in records]

    def _done(self, record: Record) -> Done[Output]:
        case = case_of(record, GraphCase)
        graph = self._reducer().reduce(case)
        counts = {
            graph.status: 1,
            "warnings": len(graph.warnings),
            "items left out": len(graph.malformed),
        }
        return Done(case.id, counts, self.render(case, graph), None)

    def _reducer(self) -> Reducer:
        return _reducer_of(self.overlays, self.constants, self.threshold, self.comparing)


@cache
def _aliases_of(comparing: Comparing, threshold: float) -> Aliases | None:
    return comparing.aliases(threshold)


@cache
def _reducer_of(
    overlays: tuple[str, ...],
    constants: tuple[tuple[str, int | str], ...],
    threshold: float,
    comparing: Comparing,
) -> Reducer:
    book = rulebook_for("graph", overlays, dict(constants))
    return Reducer(book, comparing.likeness(), threshold, comparing.recorded())
