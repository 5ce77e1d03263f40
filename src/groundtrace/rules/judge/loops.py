"""Find loops through not: rules that hang on their own contrary."""

from collections.abc import Mapping, Sequence
from functools import cache

from groundtrace.rules.program_files import files_of, own_text
from groundtrace.rules.text.anatomy import Rule, read_rules
from groundtrace.rules.text.words import Source
from groundtrace.vocabulary import Program as Kind


@cache
def edges_of_ours(kind: Kind) -> Mapping[str, set[tuple[str, bool]]]:
    """Return what each predicate of ours is made of, and whether through a not.

    Args:
        kind: Which rules of ours.
    """
    edges: dict[str, set[tuple[str, bool]]] = {}
    for name in files_of(kind):
        source = Source(name, own_text(name))
        for statement in source.statements:
            rules = read_rules(source, statement)
            for rule in rules if isinstance(rules, list) else ():
                for head in rule.heads:
                    parts = {(atom.name, atom.sign > 0) for atom in rule.body}
                    edges.setdefault(head.name, set()).update(parts)
    return edges


def loop_through_not(
    rules: Sequence[Rule], ours: Mapping[str, set[tuple[str, bool]]]
) -> tuple[Rule, list[str]] | None:
    """Return a user's rule that hangs on its own contrary, with the predicates on the way.

    Args:
        ours: Predicate to what our rules make it of, each with whether a not stands before it.
    """
    edges: dict[str, set[tuple[str, bool]]] = {name: set(parts) for name, parts in ours.items()}
    for rule in rules:
        for head in rule.heads:
            edges.setdefault(head.name, set()).update(
                (atom.name, atom.sign > 0) for atom in rule.body
            )
    for rule in rules:
        for head in rule.heads:
            for atom in rule.body:
                way = _way(edges, atom.name, head.name, atom.sign > 0)
                if way is not None:
                    return rule, [head.name, *way]
    return None


def _way(
    edges: Mapping[str, set[tuple[str, bool]]], start: str, goal: str, negated: bool
) -> list[str] | None:
    """Return the shortest way from one predicate to another that has a not on it."""
    first = (start, negated)
    before: dict[tuple[str, bool], tuple[str, bool] | None] = {first: None}
    queue = [first]
    for state in queue:
        if state == (goal, True):
            way: list[str] = []
            at: tuple[str, bool] | None = state
            while at is not None:
                way.insert(0, at[0])
                at = before[at]
            return way
        for name, minus in sorted(edges.get(state[0], ())):
            following = (name, state[1] or minus)
            if following not in before:
                before[following] = state
                queue.append(following)
    return None
