"""Support trees and repairs, asked of the rules after the audit is decided.

Both run in the program that decided the audit, grounded one part further, so that they see
the very same atoms. What is best, what is a tree and what is a cure is said in asp/explain;
here the questions are put, one segment at a time.
"""

from collections.abc import Callable
from itertools import count
from typing import NamedTuple

from clingo import Function, Number

from groundtrace.decode import Decisions
from groundtrace.models.trace import Relation
from groundtrace.solve import Program

MAX_REPAIRS = 10
MAX_CONFLICTS = 20_000
"""Bound on each search; a second or so at worst, and never met by a trace of ordinary size."""

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
        program: Grounded and solved.
        decisions: Its decoded answer.
        relations: Of the trace; relation numbers are 1-based positions.
        max_trees: At most this many are listed per segment, from 1.

    Raises:
        RuleError: clingo refuses a rule.

    Source: asp/explain/trees.lp; paper, appendix E.4.
    """
    sinks = sorted(one for one, outcome in decisions.outcome.items() if outcome == "supported")
    # The first N trees never use an option that stands after N others, so no more are passed on.
    options = {segment: decisions.usable(segment)[: max_trees + 1] for segment in sinks}
    program.add_facts(
        Function("_option", [Number(segment), Number(rank), Number(relation)])
        for segment, ranked in options.items()
        for rank, relation in enumerate(ranked, 1)
    )
    program.ground("trees")
    picked = {
        symbol.arguments[0].number: literal for symbol, literal in program.atoms("_picked", 1)
    }
    trees = {}
    for sink in sinks:
        program.assume("_sink", sink, holds=True)

        def read(holds: Callable[[int], bool], sink: int = sink) -> Tree:
            return _tree(sink, options, relations, lambda relation: holds(picked[relation]))

        listed, cut = program.answers(read, max_trees + 1, MAX_CONFLICTS)
        program.assume("_sink", sink, holds=False)
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

    Args:
        program: Grounded and solved.
        decisions: Its decoded answer.

    Raises:
        RuleError: clingo refuses a rule.

    Source: asp/explain/repairs.lp.
    """
    goals = sorted(one for one, outcome in decisions.outcome.items() if outcome == "unsupported")
    program.ground("repairs")
    accept = {
        symbol.arguments[0].number: literal for symbol, literal in program.atoms("_accept", 1)
    }
    goal_literals = {
        symbol.arguments[0].number: literal for symbol, literal in program.atoms("_goal", 1)
    }
    sizes: set[int] = set()
    found = {}
    for goal in goals:
        program.assume("_goal", goal, holds=True)
        found[goal] = _repairs_of(program, goal_literals[goal], accept, sizes)
        program.assume("_goal", goal, holds=False)
    return found


def _repairs_of(program: Program, goal: int, accept: dict[int, int], sizes: set[int]) -> Repairs:
    """Return the repairs of the current goal, growing the size until there are no more."""

    def read(holds: Callable[[int], bool]) -> Repair:
        return tuple(segment for segment, literal in sorted(accept.items()) if holds(literal))

    listed: list[Repair] = []
    for size in count(1):
        more, cut = program.answers(read, 1, MAX_CONFLICTS)
        if cut or not more or len(listed) >= MAX_REPAIRS:
            return Repairs(listed, cut or bool(more))
        if size not in sizes:
            program.ground("repairs_of_size", Number(size))
            sizes.add(size)
        program.assume("_size", size, holds=True)
        # One more than can be listed tells whether more exist.
        same_size, cut = program.answers(read, MAX_REPAIRS + 1 - len(listed), MAX_CONFLICTS)
        program.assume("_size", size, holds=False)
        # Whatever contains a repair is no smallest set any more.
        for repair in same_size:
            program.forbid([goal, *(accept[segment] for segment in repair)])
        listed += same_size
        if cut or len(listed) > MAX_REPAIRS:
            return Repairs(listed[:MAX_REPAIRS], more=True)
    raise AssertionError("unreachable: count() does not end")
