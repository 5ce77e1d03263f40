"""Generated graphs compared with their references, many at once.

Numbers are made here, from similarities; what is recalled, and what hangs together, the rules
decide. Equal pairs are compared once, and a reference is looked at once for all that are
compared with it.

Source: MedCEG paper, section 4.1 and appendix C.3; asp/reward.lp.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from groundtrace.graphs.triplets import Key
from groundtrace.rewards.facts import Said, encode, said_by
from groundtrace.rewards.likeness_tables import (
    Cell,
    Comparison,
    Coverage,
    GraphPair,
    Group,
    Matching,
)
from groundtrace.rules.rulebook import Rulebook, rulebook_for
from groundtrace.rules.solver import Program

AT_ONCE = 256
"""Pairs in one program: bounds memory."""

TRIPLETS_AT_ONCE = 30_000
"""Generated triplets in one program, unless one graph has more."""


@dataclass
class _Decided:
    """What the rules say of one set of triplets."""

    recalls: list[tuple[int, int]] = field(default_factory=list)
    """Generated triplet, numbered through all groups, and triplet of the reference."""
    flipped: set[tuple[int, int]] = field(default_factory=set)
    """Those that match with the ends of one exchanged."""
    recalled_count: int = 0
    telling_count: int = 0
    chain: int = 0


class Comparer:
    """Compares pair after pair in the same way. For any number of threads."""

    def __init__(self, matching: Matching) -> None:
        """Take what decides."""
        self.matching = matching
        self._rulebook: Rulebook = rulebook_for("reward")

    def compare(self, pairs: Sequence[GraphPair]) -> list[Comparison]:
        """Return what came of each pair.

        Raises:
            ModelError: the embedding cannot be used.
            RuleError: a user's guard rule is faulty.
        """
        found: dict[GraphPair, Comparison] = {}
        some: list[GraphPair] = []
        size = 0
        for pair in dict.fromkeys(pairs):
            # What hangs together in a reference is found pair by pair of its nodes.
            weight = len(pair.generated) + len(pair.reference) ** 2 // 30
            if some and (len(some) >= AT_ONCE or size + weight > TRIPLETS_AT_ONCE):
                found.update(zip(some, self._compared(some), strict=True))
                some, size = [], 0
            some.append(pair)
            size += weight
        found.update(zip(some, self._compared(some), strict=True))
        return [found[pair] for pair in pairs]

    def _compared(self, pairs: Sequence[GraphPair]) -> list[Comparison]:
        by_reference: dict[tuple[Key, ...], list[int]] = {}
        for place, pair in enumerate(pairs):
            by_reference.setdefault(pair.reference, []).append(place)
        groups = [
            Group(reference, [pairs[place].generated for place in places], self.matching)
            for reference, places in by_reference.items()
        ]
        self._guard([cell for group in groups for cell in group.alike()])
        coverages = [Coverage(group) for group in groups]
        while cells := [cell for one in coverages for cell in one.unsettled()]:
            self._guard(cells)
        compared = [coverage.comparisons() for coverage in coverages]
        self._recall([said_by(group) for group in groups], compared)
        found: dict[int, Comparison] = {}
        for places, ones in zip(by_reference.values(), compared, strict=True):
            found.update(zip(places, ones, strict=True))
        return [found[place] for place in range(len(pairs))]

    def _guard(self, cells: Sequence[Cell]) -> None:
        """Forbid the matches that the guards forbid, among some cells."""
        guards = self.matching.guards
        if guards is None or not cells:
            return
        texts = [cell.texts for cell in cells]
        unmatched = guards.unmatched(texts)
        for cell, pair in zip(cells, texts, strict=True):
            cell.table.judge(cell.row, cell.column, pair in unmatched)

    def _recall(self, groups: Sequence[Said], compared: Sequence[Sequence[Comparison]]) -> None:
        """Let the rules decide what is recalled."""
        program = Program(self._rulebook, encode(groups))
        program.ground()
        longest: dict[int, int] = {}
        decided = [_Decided() for said in groups for _ in said.sets]
        for atom in program.only_answer():
            name = atom.name
            first, second, *more = (argument.number for argument in atom.arguments)
            if name == "recalls":
                decided[first].recalls.append((second, more[0]))
            elif name == "flipped":
                decided[first].flipped.add((second, more[0]))
            elif name == "longest_chain":
                longest[first] = second
            else:
                setattr(decided[first], name, second)
        case = triplets = 0
        for reference, (said, ones) in enumerate(zip(groups, compared, strict=True)):
            for places in said.sets.values():
                for place in places:
                    _take(ones[place], decided[case], said.group.graphs[place], said, triplets)
                    ones[place].longest_chain = longest[reference]
                case += 1
            triplets += len(said.group.triplets)


def _take(one: Comparison, decided: _Decided, graph: Sequence[Key], said: Said, start: int) -> None:
    """Put what was decided on a set of triplets into what is known of one graph."""
    one.recalled_count = decided.recalled_count
    one.telling_count = decided.telling_count
    one.chain = decided.chain
    if decided.recalls:
        places = {key: place for place, key in enumerate(graph)}
        for generated, triplet in sorted(decided.recalls):
            place = places[said.group.triplets[generated - start]]
            one.recalled.setdefault(triplet, []).append(place)
            if (generated, triplet) in decided.flipped:
                one.flipped.add((triplet, place))
        for recalling in one.recalled.values():
            recalling.sort()
