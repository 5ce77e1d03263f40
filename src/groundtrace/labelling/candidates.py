"""Which premise sets are labelled for which segment.

Source: paper, section 3.1; sizes and order as the files' format documents them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Literal, NamedTuple

from groundtrace.errors import InputError
from groundtrace.models.trace import Trace

Mode = Literal["full", "economy", "given"]
MODES: tuple[Mode, ...] = ("full", "economy", "given")


class Candidate(NamedTuple):
    """A relation that may be labelled."""

    target: int
    premises: tuple[int, ...]


@dataclass(frozen=True)
class Candidates:
    """Which relations are candidates.

    Attributes:
        mode: "full" labels all of them; "economy" leaves out what cannot change an outcome;
            "given" labels those that the input lists, whatever their size.
        min_premises: Premises in a set, at least; from 1.
        max_premises: Premises in a set, at most.
        context_premise: Whether leaves may be premises.
    """

    mode: Mode = "full"
    min_premises: int = 1
    max_premises: int = 2
    context_premise: bool = True

    def __post_init__(self) -> None:
        """Check the sizes.

        Raises:
            InputError: they leave no premise set, or the mode is unknown.
        """
        if not 1 <= self.min_premises <= self.max_premises:
            raise InputError(
                "premises in a set: expected 1 <= min_premises <= max_premises, "
                f"got {self.min_premises} and {self.max_premises}"
            )
        if self.mode not in MODES:
            raise InputError(f"candidates: expected full, economy or given, got {self.mode!r}")
        if self.mode == "economy" and self.min_premises > 1:
            raise InputError("economy starts from single premises; the smallest set must be 1")

    def of(self, trace: Trace) -> Iterator[Candidate]:
        """Yield the candidates of a trace, ordered by target, then size, then premises.

        Args:
            trace: Its leaves are no targets.
        """
        if self.mode == "given":
            yield from (Candidate(one.target, one.premises) for one in trace.relations or ())
            return
        for target, pool in self._pools(trace):
            for size in range(self.min_premises, min(self.max_premises, len(pool)) + 1):
                for premises in combinations(pool, size):
                    yield Candidate(target, premises)

    def count(self, trace: Trace) -> int:
        """Return the number of candidates without making them.

        Args:
            trace: Its leaves are no targets.
        """
        if self.mode == "given":
            return len(trace.relations or ())
        return sum(
            comb(len(pool), size)
            for _, pool in self._pools(trace)
            for size in range(self.min_premises, min(self.max_premises, len(pool)) + 1)
        )

    def _pools(self, trace: Trace) -> Iterator[tuple[int, list[int]]]:
        """Yield each target with the segments that may be its premises."""
        leaves = set(trace.leaves)
        pool: list[int] = []
        for index in range(1, len(trace.segments) + 1):
            if index not in leaves:
                yield index, list(pool)
            if self.context_premise or index not in leaves:
                pool.append(index)
