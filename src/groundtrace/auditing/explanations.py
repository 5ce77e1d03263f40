"""Support trees and repairs, asked of the rules after the audit is decided.

Both run in the program that decided the audit, grounded one part further, so that they see
the very same atoms. What is best, what is a tree and what is a cure is said in asp/explain;
here the questions are put, one segment at a time.
"""

from collections.abc import Callable
from itertools import count
from typing import NamedTuple

from clingo import Function, Number

from groundtrace.auditing.decisions import Decisions
from groundtrace.models.trace import Relation
from groundtrace.rules.solver import Program

MAX_REPAIRS = 10
MAX_CONFLICTS = 20_000
"""Bound on each search; a second or so at worst, and never met by a trace of ordinary size."""

REPAIR_EFFORT = 1_000_000
"""Bound on segments to repair times atoms that each search looks at, a few seconds; segments
beyond it, the highest, are left without repairs."""

Tree = dict[int, int]
"""A support tree: each needed segment that is not a leaf, to the relation picked for it."""

Repair = tuple[int, ...]
"""Segments, ascending, that would ground another if they were accepted as leaves."""


class Trees(NamedTuple):
    """The first support trees of one segment, best first, and whether more exist."""

    listed: list[Tree]
    more: bool


class Repairs(NamedTuple):
    """The first repairs of one segment, smallest first, and whether more may exist."""

    listed: list[Repair]
    more: bool


def support_trees(
    program: Program, decisions: Decisions, relations: list[Relation], max_trees: int
) -> dict[int, Trees]:
    """Return the support trees of each supported segment.

    Args:
        relations: Of the trace; relation numbers are 1-based positions.
        max_trees: At most this many are listed per segment, from 1.

    Raises:
        RuleError: clingo refuses a rule.

    Source: asp/explain/trees.lp; paper, appendix E.4.
    """
    sinks = sorted(one for one, outcome in decisions.outcome.items() if outcome == "supported")
    if not sinks:
        return {}
    # The first N trees never use an option that stands after N others, so no more are passed on.
    options = {segment: decisions.usable(segment)[: max_trees + 1] for segment in sinks}
    program.add_facts(
        Function("_option", [Number(segment), Number(rank), Number(relation)])
        for segment, ranked in options.items()
        for rank, relation in enumerate(ranked, 1)
    )
    program.ground("trees")
    program.add_switches("_sink")
    picked = {
        symbol.arguments[0].number: literal for symbol, literal in program.atoms("_picked", 1)
    }
    trees = {}
    for sink in sinks:

        def read(holds: Callable[[int], bool], sink: int = sink) -> Tree:
            return _tree(sink, options, relations, lambda relation: holds(picked[relation]))

        listed, cut = program.answers(read, {("_sink", sink)}, max_trees + 1, MAX_CONFLICTS)
        trees[sink] = Trees(listed[:max_trees], cut or len(listed) > max_trees)
    return trees


def _tree(
    sink: int,
    options: dict[int, list[int]],
    relations: list[Relation],
    is_picked: Callable[[int], bool],
) -> Tree:
    """Return the tree of one answer set, following the picks from the sink down."""
    tree: Tree = {}
    needed = [sink]
    while needed:
        segment = needed.pop()
        if segment in options and segment not in tree:
            pick = next(relation for relation in options[segment] if is_picked(relation))
            tree[segment] = pick
            needed += relations[pick - 1].premises
    return tree


def repairs(program: Program, decisions: Decisions) -> dict[int, Repairs]:
    """Return the repairs of each unsupported segment.

    Raises:
        RuleError: clingo refuses a rule.

    Source: asp/explain/repairs.lp.
    """
    goals = sorted(one for one, outcome in decisions.outcome.items() if outcome == "unsupported")
    if not goals:
        return {}
    program.ground("repairs")
    program.add_switches("_goal")
    accept = dict(
        sorted(
            (symbol.arguments[0].number, literal) for symbol, literal in program.atoms("_accept", 1)
        )
    )
    goal_literals = {
        symbol.arguments[0].number: literal for symbol, literal in program.atoms("_goal", 1)
    }

    def read(holds: Callable[[int], bool]) -> Repair:
        return tuple(segment for segment, literal in accept.items() if holds(literal))

    def ask(goal: int, limit: int, *size: int) -> tuple[list[Repair], bool]:
        on = {("_goal", goal), *(("_size", one) for one in size)}
        return program.answers(read, on, limit, MAX_CONFLICTS)

    listed: dict[int, list[Repair]] = {goal: [] for goal in goals}
    more: dict[int, bool] = dict.fromkeys(goals, True)
    atoms = sum(1 for _ in program.atoms("_reached", 2))
    goals = goals[: max(REPAIR_EFFORT // max(atoms, 1), 1)]
    # All goals grow together, size by size: changing the program is what takes time.
    for size in count(1):
        for goal in list(goals):
            found, cut = ask(goal, 1)
            more[goal] = cut or bool(found)
            if cut or not found or len(listed[goal]) >= MAX_REPAIRS:
                goals.remove(goal)
        if not goals:
            break
        program.ground("repairs_of_size", Number(size))
        program.add_switches("_size")
        for goal in list(goals):
            # One more than can be listed tells whether more exist.
            found, cut = ask(goal, MAX_REPAIRS + 1 - len(listed[goal]), size)
            listed[goal] += found
            if cut:
                # A larger set might contain one of this size that was not found: it ends here.
                goals.remove(goal)
        # Whatever contains a repair is no smallest set any more.
        program.forbid(
            [goal_literals[goal], *(accept[segment] for segment in repair)]
            for goal in goals
            for repair in listed[goal]
            if len(repair) == size
        )
    return {goal: Repairs(found[:MAX_REPAIRS], more[goal]) for goal, found in listed.items()}
