"""Graphs that are to be compared, as facts for the rules."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from clingo import Function, Number, Symbol

from groundtrace.rewards.tables import Group


class _Numbers:
    """clingo's numbers, each made once."""

    def __init__(self) -> None:
        self._known: list[Symbol] = []

    def __getitem__(self, number: int) -> Symbol:
        while len(self._known) <= number:
            self._known.append(Number(len(self._known)))
        return self._known[number]


_NUMBERS = _Numbers()


def encode(groups: Sequence[Group]) -> Iterator[Symbol]:
    """Yield the facts of all groups. Texts are numbers, different ones in different groups.

    Source: asp/vocabulary.lp, rewards: input.
    """
    offset = 0
    for reference, group in enumerate(groups):
        starts = _Starts.of(group, offset)
        offset = starts.end
        number = _NUMBERS[reference]
        for place, (subject, predicate, object_) in enumerate(group.reference):
            yield Function(
                "reference",
                [
                    number,
                    _NUMBERS[place],
                    _NUMBERS[starts.nodes + subject],
                    _NUMBERS[starts.links + predicate],
                    _NUMBERS[starts.nodes + object_],
                ],
            )
        entities, relations = group.entities.alike(), group.relations.alike()
        for row, column in entities:
            pair = [_NUMBERS[starts.entities + row], _NUMBERS[starts.nodes + column]]
            yield Function("similar", [_ENTITY, *pair])
        for row, column in relations:
            pair = [_NUMBERS[starts.relations + row], _NUMBERS[starts.links + column]]
            yield Function("similar", [_RELATION, *pair])
        for place, _ in group.cases:
            yield Function("case", [_NUMBERS[place], number])
        yield from _generated(
            group, starts, {row for row, _ in entities}, {row for row, _ in relations}
        )


def _generated(
    group: Group, starts: "_Starts", entities: set[int], relations: set[int]
) -> Iterator[Symbol]:
    """Yield the generated triplets.

    One with a part that is like nothing in the reference cannot recall anything, and is left out.
    """
    for case, keys in group.cases:
        for place, (subject, predicate, object_) in enumerate(keys):
            first, second = group.entity_rows[subject], group.entity_rows[object_]
            between = group.relation_rows[predicate]
            if first in entities and second in entities and between in relations:
                yield Function(
                    "generated",
                    [
                        _NUMBERS[case],
                        _NUMBERS[place],
                        _NUMBERS[starts.entities + first],
                        _NUMBERS[starts.relations + between],
                        _NUMBERS[starts.entities + second],
                    ],
                )


class _Starts(NamedTuple):
    """Where the numbers of a group's texts begin."""

    entities: int
    """Generated nodes."""
    relations: int
    """Generated predicates."""
    nodes: int
    """Of the reference."""
    links: int
    """Predicates of the reference."""
    end: int

    @classmethod
    def of(cls, group: Group, start: int) -> "_Starts":
        sizes = [
            len(group.entities.rows),
            len(group.relations.rows),
            len(group.entities.columns),
            len(group.relations.columns),
        ]
        return cls(*accumulate(sizes, initial=start))


_ENTITY, _RELATION = Function("entity"), Function("relation")
