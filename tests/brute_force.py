"""Slow, direct reference implementation of the audit semantics (shared/spec/audit.md).

It shares no code with the program, so that tests can compare the two. Everything is computed
by trying all possibilities; keep cases small (about 12 segments, premise sets up to 3).
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations, islice, product
from math import prod

Premises = tuple[int, ...]
Relation = tuple[Premises, int]
Labels = Mapping[Relation, str]
Supports = dict[int, list[Premises]]
Tree = dict[int, Premises]

STRENGTH = {"contradiction": 0, "neutral": 1, "implied": 2, "entailment": 3}
MAX_GENERATED = 1_000


@dataclass(frozen=True)
class Case:
    """Segments 1..n, the leaves, and relations (sorted premises, target) to label or None."""

    segments: int
    leaves: frozenset[int]
    relations: Mapping[Relation, str | None]


@dataclass(frozen=True)
class Options:
    """The constants of the audit and the names of the rules that are switched off."""

    closest_gap_limit: int = 3
    farthest_gap_limit: int = 1000
    span_limit: int = 1000
    weak_cluster: str = "cluster"
    max_depth: int = 100
    max_trees: int = 50
    max_repairs: int = 10
    disabled: frozenset[str] = frozenset()


DEFAULTS = Options()


@dataclass
class Result:
    """Everything the audit says about one case."""

    outcome: dict[int, str]
    unstable: set[int]
    provisional: set[int]
    depth: dict[int, int]
    supports: Supports
    rejected: dict[Relation, frozenset[str]]
    blocked: dict[Relation, list[int]]
    contradicted: set[int]
    trees: dict[int, list[Tree]] = field(default_factory=dict)
    more_trees: dict[int, bool] = field(default_factory=dict)
    breakpoints: dict[int, list[int]] = field(default_factory=dict)
    repairs: dict[int, list[tuple[int, ...]]] = field(default_factory=dict)


def audit(case: Case, options: Options = DEFAULTS) -> Result:
    """Audit one case.

    Args:
        case: The segments, leaves and relations.
        options: Constants and disabled rules.

    Returns:
        Outcomes with every reason behind them.
    """
    labels = {r: label for r, label in case.relations.items() if label is not None}
    contradicted = {j for (_, j), label in labels.items() if label == "contradiction"}
    if "contradiction" in options.disabled:
        contradicted = set()
    rejected = _rejected(labels, options)
    supports = _supports(labels, rejected)
    depth = _ground(case, supports, contradicted, options.max_depth)
    blocked = {(p, j): [x for x in p if x not in depth] for j in supports for p in supports[j]}
    result = Result(
        outcome=_outcomes(case, supports, contradicted, depth),
        unstable={r[1] for r, why in rejected.items() if "degraded" in why},
        provisional=_provisional(case, supports),
        depth=depth,
        supports=supports,
        rejected=rejected,
        blocked=blocked,
        contradicted=contradicted,
    )
    for j, word in result.outcome.items():
        if word == "supported":
            first = _first_trees(j, _usable(case, result), options.max_trees + 1)
            result.trees[j] = first[: options.max_trees]
            result.more_trees[j] = len(first) > options.max_trees
        elif word == "unsupported":
            repairs = _repairs(j, case, result, options.max_depth)
            result.repairs[j] = list(islice(repairs, options.max_repairs))
            result.breakpoints[j] = sorted(_breakpoints(j, result))
    return result


def _candidate(relation: Relation, label: str, options: Options) -> bool:
    premises, target = relation
    if label != "implied" or "locality" in options.disabled:
        return label in ("implied", "entailment")
    return (
        target - max(premises) < options.closest_gap_limit
        and target - min(premises) < options.farthest_gap_limit
        and max(premises) - min(premises) < options.span_limit
    )


def _components(relation: Relation, labels: Labels) -> dict[Relation, str]:
    """The labels of all components; a single premise without a label counts as neutral."""
    premises, target = relation
    found: dict[Relation, str] = {}
    for size in range(1, len(premises)):
        for subset in combinations(premises, size):
            if (subset, target) in labels:
                found[subset, target] = labels[subset, target]
            elif size == 1:
                found[subset, target] = "neutral"
    return found


def _pattern(relation: Relation, labels: Labels) -> str:
    """The first pattern that fits a relation, or "" when none does."""
    if len(relation[0]) < 2:
        return ""
    s = STRENGTH[labels[relation]]
    strengths = [STRENGTH[label] for label in _components(relation, labels).values()]
    hi, lo = max(strengths), min(strengths)
    fits = {
        "contradicted": s == 0 or lo == 0,
        "conjunctive": s >= 2 and s > hi,
        "degraded": hi == 3 and s < 3,
        "redundant": s == 3 and lo == 3,
        "asymmetric": s >= 2 and s == hi and hi > lo,
        "weak_cluster": s == 2 and hi == 2 and lo == 2,
    }
    return next((name for name, fit in fits.items() if fit), "")


def _dropped_by(relation: Relation, labels: Labels, options: Options) -> list[Relation]:
    """The relations that the pattern of this relation drops."""
    pattern = _pattern(relation, labels)
    parts = _components(relation, labels)
    if pattern in options.disabled:
        return []
    if pattern in ("degraded", "redundant"):
        return [relation]
    if pattern == "asymmetric":
        same = [part for part, label in parts.items() if label == labels[relation]]
        return [relation] if any(_candidate(part, parts[part], options) for part in same) else []
    if pattern == "weak_cluster":
        choices = {"cluster": [relation, *parts], "combination": [relation], "keep": []}
        return choices[options.weak_cluster]
    return []


def _rejected(labels: Labels, options: Options) -> dict[Relation, frozenset[str]]:
    reasons: dict[Relation, set[str]] = {r: set() for r in labels}
    for relation, label in labels.items():
        if label in ("neutral", "contradiction"):
            reasons[relation].add(label)
        elif not _candidate(relation, label, options):
            reasons[relation].add("too_far")
        for dropped in _dropped_by(relation, labels, options):
            reasons[dropped].add(_pattern(relation, labels))
    return {r: frozenset(why) for r, why in reasons.items() if why}


def _supports(labels: Labels, rejected: Collection[Relation]) -> Supports:
    """The supports into each segment that has any, in the order of section 7."""
    kept = [r for r in labels if r not in rejected]
    kept.sort(key=lambda r: (-STRENGTH[labels[r]], r[1] - max(r[0]), len(r[0]), r[0]))
    return {j: [p for p, t in kept if t == j] for j in sorted({t for _, t in kept})}


def _ground(
    case: Case, supports: Supports, contradicted: Collection[int], max_depth: int
) -> dict[int, int]:
    """The depth of every grounded segment; premises come first, so one pass is the fixpoint."""
    depth: dict[int, int] = {}
    for j in range(1, case.segments + 1):
        ways = [p for p in supports.get(j, []) if all(x in depth for x in p)]
        depths = [1 + max(depth[x] for x in p) for p in ways]
        if j in case.leaves and j not in contradicted:
            depth[j] = 0
        elif j not in contradicted and depths and min(depths) <= max_depth:
            depth[j] = min(depths)
    return depth


def _outcomes(
    case: Case, supports: Supports, contradicted: Collection[int], depth: Collection[int]
) -> dict[int, str]:
    def outcome(j: int) -> str:
        if j in contradicted:
            return "contradicted"
        if j in depth:
            return "supported"
        return "unsupported" if j in supports else "orphan"

    return {j: outcome(j) for j in range(1, case.segments + 1) if j not in case.leaves}


def _provisional(case: Case, supports: Supports) -> set[int]:
    unlabelled = {j for (_, j), label in case.relations.items() if label is None}
    return {j for j in range(1, case.segments + 1) if unlabelled & _reached(j, supports)}


def _reached(start: int, picks: Mapping[int, list[Premises]]) -> set[int]:
    """The start and every segment reached backwards from it over the given premise sets."""
    reached = {start}
    for j in range(start, 0, -1):
        if j in reached:
            reached.update(*picks.get(j, []))
    return reached


def _usable(case: Case, result: Result) -> Supports:
    """For each grounded non-leaf, its supports whose premises are all grounded, in order."""
    return {
        j: [p for p in result.supports[j] if not result.blocked[p, j]]
        for j in result.depth
        if j not in case.leaves
    }


def _all_trees(sink: int, usable: Supports) -> list[Tree]:
    """Every tree: pick a support for every segment in all ways, keep what the sink needs."""
    order = sorted(_reached(sink, usable) & set(usable), reverse=True)
    trees: dict[tuple[int, ...], Tree] = {}
    for picked in product(*(usable[j] for j in order)):
        picks = dict(zip(order, picked, strict=True))
        needed = _reached(sink, {j: [p] for j, p in picks.items()})
        tree = {j: picks[j] for j in order if j in needed}
        key = tuple(usable[j].index(tree[j]) if j in tree else -1 for j in order)
        trees[key] = tree
    return [trees[key] for key in sorted(trees)]


def _lazy_trees(pending: frozenset[int], tree: Tree, usable: Supports) -> Iterator[Tree]:
    """The same trees, in the same order, one at a time (for cases with very many)."""
    if not pending:
        yield tree
        return
    j = max(pending)
    for p in usable[j]:
        more = (pending - {j}) | (set(p) & set(usable))
        yield from _lazy_trees(more, {**tree, j: p}, usable)


def _first_trees(sink: int, usable: Supports, count: int) -> list[Tree]:
    if prod(len(usable[j]) for j in _reached(sink, usable) & set(usable)) <= MAX_GENERATED:
        return _all_trees(sink, usable)[:count]
    return list(islice(_lazy_trees(frozenset({sink}), {}, usable), count))


def _breakpoints(segment: int, result: Result) -> set[int]:
    ends: set[int] = set()
    for x in {x for p in result.supports[segment] for x in result.blocked[p, segment]}:
        ways = result.supports.get(x, [])
        at_depth_bound = any(not result.blocked[p, x] for p in ways)
        stop = x in result.contradicted or not ways or at_depth_bound
        ends |= {x} if stop else _breakpoints(x, result)
    return ends


def _repairs(segment: int, case: Case, result: Result, depth: int) -> Iterator[tuple[int, ...]]:
    def grounds(extra: tuple[int, ...]) -> bool:
        more = replace(case, leaves=case.leaves.union(extra))
        return segment in _ground(more, result.supports, result.contradicted, depth)

    barred = {segment, *result.depth, *result.contradicted}
    others = [x for x in range(1, case.segments + 1) if x not in barred]
    for size in range(1, len(others) + 1):
        for extra in combinations(others, size):
            if grounds(extra) and not any(map(grounds, combinations(extra, size - 1))):
                yield extra
