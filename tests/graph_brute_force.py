"""Critical graphs and rewards by other means: sets, walks and loops, straight from the definitions.

Nothing here knows the rules or the code that is tested.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

Edge = tuple[str, str, str]
"""Subject, predicate, object."""


class Expected(NamedTuple):
    leading: set[int]
    shortcut: set[int]
    critical: set[int]


def walk_from(start: str, steps: Mapping[str, set[str]]) -> set[str]:
    """Return what one or more steps reach."""
    seen: set[str] = set()
    waiting = list(steps.get(start, ()))
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting += steps.get(node, ())
    return seen


def critical(edges: Sequence[Edge], conclusion: str, backwards: Iterable[str] = ()) -> Expected:
    """Return places of triplets, by the definition: a jump over a third component is dropped."""
    turned = set(backwards)
    ways = [(o, s) if p in turned else (s, o) for s, p, o in edges]
    steps: dict[str, set[str]] = {}
    for start, end in ways:
        steps.setdefault(start, set()).add(end)
    nodes = {node for way in ways for node in way}
    reach = {node: walk_from(node, steps) for node in nodes}

    def together(one: str, other: str) -> bool:
        return one == other or (other in reach[one] and one in reach[other])

    leading = {
        place
        for place, (_, end) in enumerate(ways)
        if end == conclusion or conclusion in reach.get(end, set())
    }
    shortcut = set()
    for place in leading:
        start, end = ways[place]
        if together(start, end):
            continue
        if any(
            third in reach[start]
            and end in reach[third]
            and not together(third, start)
            and not together(third, end)
            for third in nodes
        ):
            shortcut.add(place)
    return Expected(leading, shortcut, leading - shortcut)


class Scores(NamedTuple):
    node: float
    structure: float
    chain: float
    max_chain: float
    precision: float


def scores(
    generated: Sequence[Edge],
    reference: Sequence[Edge],
    alike: Mapping[tuple[str, str], float],
    entity: float,
    relation: float,
    *,
    published: bool = False,
    converses: Collection[tuple[str, str]] = (),
) -> Scores:
    """Return the scores of the formulas; ``alike`` holds (generated text, reference text).

    Where one of two predicates runs backwards, and they do not match as they stand, its triplet
    is looked at as if it were written the other way round: ``converses`` holds (backward, plain).

    In the published program a text that is a predicate anywhere in the reference takes the
    threshold of predicates wherever it stands.
    """
    mine, theirs = set(generated), set(reference)
    predicates = {p for _, p, _ in theirs}

    def least(text: str) -> float:
        return relation if published and text in predicates else entity

    nodes = {end for s, _, o in mine for end in (s, o)}
    wanted = {end for s, _, o in theirs for end in (s, o)}
    coverage = sum(
        max((alike[node, target] for node in nodes), default=0.0) for target in wanted
    ) / len(wanted)
    recalled, telling = set(), set()
    for (s, p, o), (gs, gp, go) in product(theirs, mine):
        if alike[gs, s] >= least(s) and alike[go, o] >= least(o) and alike[gp, p] >= relation:
            recalled.add((s, p, o))
            telling.add((gs, gp, go))
        if alike[gp, p] >= relation:
            continue
        mine_turned = [plain for backward, plain in converses if backward == gp]
        theirs_turned = [plain for backward, plain in converses if backward == p]
        if mine_turned and not theirs_turned:
            rewritten = [((go, plain, gs), (s, p, o)) for plain in mine_turned]
        elif theirs_turned and not mine_turned:
            rewritten = [((gs, gp, go), (o, plain, s)) for plain in theirs_turned]
        else:
            continue
        for one, other in rewritten:
            if (
                alike[one[0], other[0]] >= entity
                and alike[one[1], other[1]] >= relation
                and alike[one[2], other[2]] >= entity
            ):
                recalled.add((s, p, o))
                telling.add((gs, gp, go))
    return Scores(
        coverage,
        len(recalled) / len(theirs),
        largest_piece(recalled) / len(theirs),
        largest_piece(theirs) / len(theirs),
        len(telling) / len(mine) if mine else 0.0,
    )


def largest_piece(triplets: Iterable[Edge]) -> int:
    """Return how many triplets hang together, by merging sets of nodes."""
    pieces: list[tuple[set[str], int]] = []
    for s, _, o in triplets:
        ends, count = {s, o}, 1
        apart = []
        for nodes, size in pieces:
            if nodes & ends:
                ends, count = ends | nodes, count + size
            else:
                apart.append((nodes, size))
        pieces = [*apart, (ends, count)]
    return max((size for _, size in pieces), default=0)
