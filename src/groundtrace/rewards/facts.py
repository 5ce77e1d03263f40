"""Graphs that are to be compared, as facts for the rules."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from clingo import Function, Number, Symbol

from groundtrace.graphs.triplets import Key
from groundtrace.rewards.likeness_tables import Group


class _Numbers:
    """clingo's numbers, each made once."""

    def __init__(self) -> None:
        self._known: list[Symbol] = []

    def __getitem__(self, number: int) -> Symbol:
        while len(self._known) <= number:
            self._known.append(Number(len(self._known)))
        return self._known[number]


_ENTITY, _RELATION = Function("entity"), Function("relation")


class Said(NamedTuple):
    """A group with what its graphs say that may recall something."""

    group: Group
    telling: dict[int, tuple[int, int, int]]
    """Triplet of the group to the rows of its parts."""
    sets: dict[tuple[int, ...], list[int]]
    """Such triplets, ascending, to the graphs that hold just these of them."""


def said_by(group: Group) -> Said:
    """Return what the graphs of a group say that may recall something.

    A triplet with a part that is like nothing in the reference cannot; most are such. Graphs
    that do not differ otherwise recall the same.

    Args:
        group: Whose matches the guards have judged.
    """
    entities = {row for row, _ in group.entities.alike()}
    relations = {row for row, _ in group.relations.alike()}
    relations |= {row for row, converse in group.turned_rows if converse in relations}
    telling: dict[int, tuple[int, int, int]] = {}
    known: dict[Key, int] = {}
    for number, key in enumerate(group.triplets):
        first, second = group.entities.row_of[key[0]], group.entities.row_of[key[2]]
        between = group.relations.row_of[key[1]]
        if first in entities and second in entities and between in relations:
            telling[number] = first, between, second
            known[key] = number
    sets: dict[tuple[int, ...], list[int]] = {}
    for place, graph in enumerate(group.graphs):
        held = tuple(sorted(known[key] for key in graph if key in known))
        sets.setdefault(held, []).append(place)
    return Said(group, telling, sets)


def encode(groups: Sequence[Said]) -> Iterator[Symbol]:
    """Yield the facts of all groups; different groups number different texts and triplets.

    Cases are numbered through all sets of all groups, in order; the triplets of a group go on
    from those of the groups before it.

    Args:
        groups: Each with one reference.

    Source: asp/vocabulary.lp, rewards: input.
    """
    # Of this call alone: a list that threads share would be filled in the wrong order.
    numbers = _Numbers()
    texts = triplets = cases = 0
    for reference, said in enumerate(groups):
        starts = _Starts.of(said.group, texts)
        yield from _reference(said.group, starts, reference, numbers)
        yield from _similar(said.group, starts, numbers)
        for number, (first, between, second) in said.telling.items():
            yield Function(
                "generated",
                [
                    numbers[triplets + number],
                    numbers[starts.entities + first],
                    numbers[starts.relations + between],
                    numbers[starts.entities + second],
                ],
            )
        for case, held in enumerate(said.sets, cases):
            yield Function("case", [numbers[case], numbers[reference]])
            for number in held:
                yield Function("said", [numbers[case], numbers[triplets + number]])
        texts, cases = starts.end, cases + len(said.sets)
        triplets += len(said.group.triplets)


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


def _reference(
    group: Group, starts: _Starts, reference: int, numbers: _Numbers
) -> Iterator[Symbol]:
    for place, (subject, predicate, object_) in enumerate(group.reference):
        yield Function(
            "reference",
            [
                numbers[reference],
                numbers[place],
                numbers[starts.nodes + subject],
                numbers[starts.links + predicate],
                numbers[starts.nodes + object_],
            ],
        )


def _similar(group: Group, starts: _Starts, numbers: _Numbers) -> Iterator[Symbol]:
    for row, column in group.entities.alike():
        pair = [numbers[starts.entities + row], numbers[starts.nodes + column]]
        yield Function("similar", [_ENTITY, *pair])
    for row, column in group.relations.alike():
        pair = [numbers[starts.relations + row], numbers[starts.links + column]]
        yield Function("similar", [_RELATION, *pair])
    for start, turned in (
        (starts.relations, group.turned_rows),
        (starts.links, group.turned_columns),
    ):
        for place, converse in turned:
            yield Function("turned", [numbers[start + place], numbers[start + converse]])
