"""Find what may be right and is only bounded when rules are run: it is warned of, not refused.

A negation loop that the samples do not reach, conditions and aggregates that are tried too often,
and arithmetic on constants that goes beyond the numbers that clingo can hold. How often conditions
are tried is estimated as databases do it: the product of the sizes, divided by the number of values
for each time that a variable stands there again.
"""

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import prod

from clingo.ast import AST, ASTType, BinaryOperator

from groundtrace.rules.judge import words_of_costs as words
from groundtrace.rules.judge import words_of_meaning
from groundtrace.rules.judge.dictionary import Dictionary
from groundtrace.rules.judge.fault import Fault, fault
from groundtrace.rules.judge.loops import loop_through_not
from groundtrace.rules.judge.reach import (
    EQUAL,
    MANY,
    MOST_MADE,
    MOST_RULES,
    MOST_TRIED,
    RELATIONS,
    SEGMENTS,
    comparisons,
    positive,
    variables,
)
from groundtrace.rules.rule_text import LARGEST_NUMBER
from groundtrace.rules.text.anatomy import Atom, Rule, atoms_in, name_of, number_of

ROUNDS = 6
"""Rules on top of rules, of which the sizes are followed."""

_OPERATIONS: Mapping[BinaryOperator, Callable[[int, int], int]] = {
    BinaryOperator.Plus: operator.add,
    BinaryOperator.Minus: operator.sub,
    BinaryOperator.Multiplication: operator.mul,
}
"""Operators that make numbers larger."""

_LARGEST_POWER = 64

Key = tuple[str, int]


def cost_warnings(
    rules: Sequence[Rule], known: Dictionary, others: Sequence[Rule] = ()
) -> Iterator[Fault]:
    """Yield what is only bounded when the rules of one file are run.

    Args:
        known: What can be said.
        others: Rules of files that are used together with it.
    """
    together = [one for one in (*rules, *others) if one.is_rule]
    if len(together) > MOST_RULES:
        return
    own = [one for one in rules if one.is_rule]
    # A loop over rules of ours mostly goes from one segment to another, and ends.
    if found := loop_through_not(own, {}):
        rule, way = found
        yield fault(rule.source, rule.statement.start, words.hidden_choice(way), "warning")
    constants = _constants((*rules, *others))
    for rule in rules:
        yield from _overflows(rule, constants)
    sizes = _sizes(together, known, constants)
    for rule in own:
        yield from _costly(rule, sizes, known, constants)


def _constants(rules: Iterable[Rule]) -> dict[str, int]:
    """Return the values of the constants that are numbers, as far as they can be computed."""
    found: dict[str, int] = {}
    for rule in rules:
        if rule.ast.ast_type is ASTType.Definition:
            value = _value(rule.ast.value, found)
            if value is not None:
                found[str(rule.ast.name)] = value
    return found


def _value(term: AST, constants: Mapping[str, int]) -> int | None:
    """Return the number that a term without variables is, however large."""
    number = number_of(term)
    if number is not None:
        return number
    if name := name_of(term):
        return constants.get(name)
    if term.ast_type is ASTType.UnaryOperation and term.operator_type == 0:
        inner = _value(term.argument, constants)
        return None if inner is None else -inner
    if term.ast_type is not ASTType.BinaryOperation:
        return None
    left, right = _value(term.left, constants), _value(term.right, constants)
    if left is None or right is None:
        return None
    if term.operator_type == BinaryOperator.Power:
        return left**right if 0 <= right <= _LARGEST_POWER else None
    operation = _OPERATIONS.get(term.operator_type)
    return operation(left, right) if operation else None


def _overflows(rule: Rule, constants: Mapping[str, int]) -> Iterator[Fault]:
    """Yield the arithmetic that leaves the numbers which clingo can hold; the innermost only."""
    for kind, one in rule.parts:
        if kind is not ASTType.BinaryOperation:
            continue
        value = _value(one, constants)
        parts = (_value(one.left, constants), _value(one.right, constants))
        if value is None or abs(value) <= LARGEST_NUMBER:
            continue
        if all(part is not None and abs(part) <= LARGEST_NUMBER for part in parts):
            said = words.wrapped_number(str(one), LARGEST_NUMBER)
            yield fault(rule.source, rule.offset(one), said, "warning")


def _sizes(
    rules: Sequence[Rule], known: Dictionary, constants: Mapping[str, int]
) -> Mapping[Key, int]:
    """Return how many atoms each predicate of the user's own may have on 500 segments."""
    sizes: dict[Key, int] = {}
    for _ in range(ROUNDS):
        new: Counter[Key] = Counter()
        for rule in rules:
            tried = _times_tried(rule, positive(rule), sizes, known) * prod(
                _widths(rule, constants)
            )
            # What follows from itself, as all that is reached over any number of steps, mostly
            # adds little to what it starts from.
            turning = {atom.key for atom in positive(rule)}
            for head in (one for one in rule.heads if one.key not in turning):
                names = variables(*head.arguments)
                most = prod(_values(rule, name, known) for name in names) or 1
                wide = prod(_widths(rule, constants))
                new[head.key] += min(tried, most * wide)
        if new == sizes:
            break
        sizes = dict(new)
    return sizes


def _widths(rule: Rule, constants: Mapping[str, int]) -> Iterator[int]:
    for kind, one in rule.parts:
        if kind is ASTType.Interval:
            low, high = _value(one.left, constants), _value(one.right, constants)
            if low is not None and high is not None:
                yield max(high - low + 1, 1)


def _values(rule: Rule, name: str, known: Dictionary) -> int:
    """Return how many values a variable can have."""
    for atom in (*rule.heads, *rule.body):
        entry = known.entries.get(atom.name)
        for term, argument in zip(atom.arguments, entry.arguments if entry else (), strict=False):
            if argument == "Relation" and str(term) == name:
                return RELATIONS
    return SEGMENTS


def _times_tried(
    rule: Rule, atoms: Sequence[Atom], sizes: Mapping[Key, int], known: Dictionary
) -> int:
    """Return about how often conditions hold together."""
    count = 1
    seen: Counter[str] = Counter()
    for atom in atoms:
        ours = RELATIONS if atom.name in MANY else SEGMENTS
        count *= sizes.get(atom.key, ours) if atom.name not in known.entries else ours
        seen.update(variables(*atom.arguments))
    for name, times in seen.items():
        count //= _values(rule, name, known) ** (times - 1)
    for one in comparisons(rule):
        names = variables(one.term, *(guard.term for guard in one.guards))
        if any(guard.comparison == EQUAL for guard in one.guards) and names <= {*seen}:
            count //= SEGMENTS
    return max(count, 1)


def _costly(
    rule: Rule, sizes: Mapping[Key, int], known: Dictionary, constants: Mapping[str, int]
) -> Iterator[Fault]:
    made = prod(_widths(rule, constants))
    if made > MOST_MADE:
        yield fault(rule.source, rule.statement.start, words_of_meaning.wide_range(made), "warning")
        return
    atoms = positive(rule)
    tried = _times_tried(rule, atoms, sizes, known)
    if tried > MOST_TRIED:
        said = words.large_product(tried)
        yield fault(rule.source, rule.statement.start, said, "warning")
        return
    for part in rule.ast.body:
        for inside in _elements(part):
            more = [one for literal in inside for one in atoms_in(rule, literal) if not one.sign]
            tried = _times_tried(rule, [*atoms, *more], sizes, known)
            if tried > MOST_TRIED:
                said = words.large_aggregate(tried)
                yield fault(rule.source, rule.offset(part), said, "warning")


def _elements(part: AST) -> Iterator[Sequence[AST]]:
    """Yield the conditions of each element of an aggregate or conditional literal."""
    if part.ast_type is ASTType.ConditionalLiteral:
        yield part.condition
    elif part.ast_type is ASTType.Literal and part.atom.ast_type is ASTType.BodyAggregate:
        yield from (element.condition for element in part.atom.elements)
    elif part.ast_type is ASTType.Literal and part.atom.ast_type is ASTType.Aggregate:
        yield from ((one.literal, *one.condition) for one in part.atom.elements)
