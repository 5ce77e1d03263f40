"""From a trace to facts, as clingo symbols.

Nothing here is program text, so no segment, tag or name can break or extend a rule. Segment
texts are not encoded at all: the rules see numbers, labels and tags.

clingo's own interface is used rather than clorm's typed predicates: for the 85,000 facts of
80 fully labelled segments clorm takes half as long again (benchmarks/facts.py), and it drops
atoms it does not know without a word unless told not to.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from clingo import Function, Number, String, Symbol

from groundtrace.errors import SizeError
from groundtrace.models.trace import Relation, Trace
from groundtrace.vocabulary import LABELS

MAX_SEGMENTS = 10_000
"""Solver priorities in asp/explain hold one value per segment, in 16 bits."""

MAX_BYTES = 2_000_000_000
"""Bound on the memory that one trace may need once grounded, as estimated below."""

# Measured with 80 segments and all pairs labelled (benchmarks/README.md): a neutral relation
# costs its facts, any other is compared with its parts.
BYTES_PER_NEUTRAL = 1_500
BYTES_PER_TELLING = 11_000
BYTES_PER_COMPARISON = 400

UNLABELLED = "unlabelled"


def encode(trace: Trace) -> Iterator[Symbol]:
    """Yield the facts of a trace; relation numbers are 1-based positions in ``relations``.

    Args:
        trace: With sorted, distinct relations, as the model leaves it.

    Raises:
        SizeError: grounding it would exceed the bounds above.

    Source: asp/vocabulary.lp, input; asp/encoding.lp.
    """
    _check_size(trace)
    number = [Number(value) for value in range(len(trace.segments) + 1)]
    leaves = set(trace.leaves)
    for index, segment in enumerate(trace.segments, 1):
        yield Function("segment", [number[index]])
        if index in leaves:
            yield Function("leaf", [number[index]])
        for tag in segment.tags:
            yield Function("tag", [number[index], String(tag)])
    names = {label: Function(label) for label in (*LABELS, UNLABELLED)}
    sets: dict[tuple[int, ...], Symbol] = {}
    for place, relation in enumerate(trace.relations or (), 1):
        premises = relation.premises
        name = sets.get(premises)
        if name is None:
            name = sets[premises] = Number(len(sets) + 1)
            for premise in premises:
                yield Function("_member", [name, number[premise]])
        label = names[relation.label or UNLABELLED]
        yield Function("_given", [Number(place), number[relation.target], label, name])


def _check_size(trace: Trace) -> None:
    """Refuse a trace that would ground to more than this machine should hold.

    Raises:
        SizeError: with the figures.
    """
    if len(trace.segments) > MAX_SEGMENTS:
        raise SizeError(
            f"{len(trace.segments):,} segments; at most {MAX_SEGMENTS:,} fit into one audit"
        )
    relations = trace.relations or []
    neutral = sum(1 for relation in relations if relation.label == "neutral")
    comparisons = _comparisons(relations)
    estimate = (
        neutral * BYTES_PER_NEUTRAL
        + (len(relations) - neutral) * BYTES_PER_TELLING
        + comparisons * BYTES_PER_COMPARISON
    )
    if estimate > MAX_BYTES:
        raise SizeError(
            f"{len(relations):,} relations, {len(relations) - neutral:,} of them not neutral, and "
            f"{comparisons:,} comparisons between larger premise sets would need about "
            f"{estimate / 1e9:.1f} GB; at most {MAX_BYTES / 1e9:.1f} GB are used for one trace. "
            "Label fewer or smaller premise sets, or split the trace"
        )


def _comparisons(relations: list[Relation]) -> int:
    """Return how many candidate parts the rules look at inside sets of three and more.

    Each larger set is compared with every set for the same target that starts with two of its
    premises. Counting stops soon after the bound is passed.

    Source: asp/audit/3_patterns.lp, _component/2.
    """
    larger = [relation for relation in relations if len(relation.premises) > 2]
    starts: Counter[tuple[int, int, int]] = Counter()
    if larger:
        starts.update(
            (relation.target, relation.premises[0], relation.premises[1])
            for relation in relations
            if len(relation.premises) > 1
        )
    total = 0
    for relation in larger:
        size = len(relation.premises)
        total += size**3 // 6
        if total * BYTES_PER_COMPARISON > MAX_BYTES:
            break
        total += size * sum(
            starts[relation.target, first, second]
            for first, second in combinations(relation.premises, 2)
        )
    return total
