"""Generated graphs compared with their references, many at once.

Numbers are made here, from similarities; what is recalled, and what hangs together, the rules
decide. Equal pairs are compared once, and a reference is looked at once for all that are
compared with it.

Source: MedCEG paper, section 4.1 and appendix C.3; asp/reward.lp.
"""

from collections.abc import Iterable, Mapping, Sequence

from groundtrace.models.graph import Triplet
from groundtrace.rewards.facts import encode
from groundtrace.rewards.tables import Cell, Comparison, GraphPair, Group, Matching
from groundtrace.rulebook import Rulebook, rulebook_for
from groundtrace.solve import Program

AT_ONCE = 256
"""Pairs in one program: bounds memory."""


class Comparer:
    """Compares pair after pair in the same way. For any number of threads."""

    def __init__(self, matching: Matching) -> None:
        """Take what decides.

        Args:
            matching: When parts match.
        """
        self.matching = matching
        self._rulebook: Rulebook = rulebook_for("reward")

    def compare(self, pairs: Sequence[GraphPair]) -> list[Comparison]:
        """Return what came of each pair.

        Args:
            pairs: Any number.

        Raises:
            ModelError: the embedding cannot be used.
            RuleError: a user's guard rule is faulty.
        """
        distinct = list(dict.fromkeys(pairs))
        found: dict[GraphPair, Comparison] = {}
        for start in range(0, len(distinct), AT_ONCE):
            some = distinct[start : start + AT_ONCE]
            found.update(zip(some, self._compared(some), strict=True))
        return [found[pair] for pair in pairs]

    def _compared(self, pairs: Sequence[GraphPair]) -> list[Comparison]:
        by_reference: dict[tuple[Triplet, ...], list[int]] = {}
        for place, pair in enumerate(pairs):
            by_reference.setdefault(pair.reference, []).append(place)
        groups = [
            Group(reference, [(place, pairs[place].generated) for place in places], self.matching)
            for reference, places in by_reference.items()
        ]
        self._guard([(group, group.alike()) for group in groups])
        waiting = groups
        while waiting := [group for group in waiting if group.cover()]:
            self._guard([(group, group.unsettled) for group in waiting])
        found = {place: one for group in groups for place, one in group.comparisons.items()}
        self._recall(groups, found)
        return [found[place] for place in range(len(pairs))]

    def _guard(self, asked: "Sequence[tuple[Group, Iterable[Cell]]]") -> None:
        """Forbid the matches that the guards forbid, among some cells of each group."""
        guards = self.matching.guards
        if guards is None:
            return
        texts = [(cell, group.texts(cell)) for group, cells in asked for cell in cells]
        unmatched = guards.unmatched(pair for _, pair in texts)
        for cell, pair in texts:
            cell.table.judge(cell.row, cell.column, pair in unmatched)

    def _recall(self, groups: "Sequence[Group]", found: Mapping[int, Comparison]) -> None:
        """Let the rules decide what is recalled."""
        program = Program(self._rulebook, encode(groups))
        program.ground()
        longest: dict[int, int] = {}
        for atom in program.only_answer():
            numbers = [argument.number for argument in atom.arguments]
            if atom.name == "recalls":
                case, generated, triplet = numbers
                found[case].recalled.setdefault(triplet, []).append(generated)
            elif atom.name == "longest_chain":
                longest[numbers[0]] = numbers[1]
            else:
                setattr(found[numbers[0]], atom.name, numbers[1])
        for place, group in enumerate(groups):
            for one in group.comparisons.values():
                one.longest_chain = longest[place]
                for recalling in one.recalled.values():
                    recalling.sort()
