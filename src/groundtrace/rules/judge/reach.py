"""Find rules that never fire, never end, or are tried too many times; and loops through not."""

from collections.abc import Iterator, Mapping, Sequence
from math import prod

from clingo.ast import AST, ASTType

from groundtrace.rules.judge import words_of_meaning as words
from groundtrace.rules.judge.dictionary import Dictionary
from groundtrace.rules.judge.fault import Fault, fault
from groundtrace.rules.text.anatomy import Atom, Rule, number_of, walk

MOST_TRIED = 20_000_000
MOST_RULES = 1_000
"""Files with more rules are not searched for these faults: it would take too long."""

MOST_MADE = 1_000_000
SEGMENTS = 500
RELATIONS = 3_000
EQUAL, UNEQUAL = 5, 4
"""clingo's numbers for the comparisons = and !=."""

Parts = Mapping[tuple[str, int], set[tuple[str, int]]]

MANY = frozenset(
    {
        "relation", "premise", "support", "rejected", "drop", "candidate", "pattern",
        "strength",
    }
)  # fmt: skip
_SHRINKING = frozenset({6, 7})
"""Operators: / and \\ do not make ever more numbers."""


def growth_faults(
    rules: Sequence[Rule], known: Dictionary, others: Sequence[Rule] = ()
) -> Iterator[Fault]:
    """Yield the rules that never fire, never end, or are tried too many times.

    Args:
        known: What can be said.
        others: Rules of files that are used together with it.
    """
    together = [one for one in (*rules, *others) if one.is_rule]
    if len(together) > MOST_RULES:
        return
    own = {atom.key for rule in together for atom in rule.heads}
    founded = _predicates_that_can_hold(together, own, known)
    parts = _made_of(together)
    sizes = _sizes(together)
    told: set[tuple[str, int]] = set()
    for rule in rules:
        if not rule.is_rule:
            continue
        unfounded = _condition_without_source(rule, founded, own, known)
        if unfounded:
            if unfounded.key in told:
                continue
            told.add(unfounded.key)
            said = words.without_source(*unfounded.key)
            yield fault(rule.source, unfounded.offset, said)
            continue
        for head in rule.heads:
            if _never_ends(rule, head, parts):
                yield fault(rule.source, head.offset, words.never_ends(*head.key))
        yield from _many(rule, sizes)


def positive(rule: Rule) -> list[Atom]:
    """Return the conditions that stand alone in the body, without not."""
    if not rule.body:
        return []
    starts = {
        rule.offset(part): part
        for part in rule.ast.body
        if part.ast_type is ASTType.Literal and part.atom.ast_type is ASTType.SymbolicAtom
    }
    return [atom for atom in rule.body if atom.sign == 0 and atom.offset in starts]


def _predicates_that_can_hold(
    rules: Sequence[Rule], own: set[tuple[str, int]], known: Dictionary
) -> set[tuple[str, int]]:
    """Return the predicates of the user's own that can hold at all."""
    found: set[tuple[str, int]] = set()
    waiting = [(rule.heads, [one.key for one in positive(rule)]) for rule in rules]
    changed = True
    while changed:
        changed = False
        for heads, conditions in waiting:
            if all(key in found or key not in own or key[0] in known.entries
                   for key in conditions):  # fmt: skip
                new = {atom.key for atom in heads} - found
                found |= new
                changed = changed or bool(new)
    return found


def _condition_without_source(
    rule: Rule, founded: set[tuple[str, int]], own: set[tuple[str, int]], known: Dictionary
) -> Atom | None:
    for atom in positive(rule):
        if atom.key in own and atom.key not in founded and atom.name not in known.entries:
            return atom
    return None


def _made_of(rules: Sequence[Rule]) -> Parts:
    """Return what each predicate is made of by one of the user's rules."""
    found: dict[tuple[str, int], set[tuple[str, int]]] = {}
    for rule in rules:
        for head in rule.heads:
            found.setdefault(head.key, set()).update(atom.key for atom in positive(rule))
    return found


def _leads_back(parts: Parts, start: tuple[str, int], goal: tuple[str, int]) -> bool:
    """Say whether a predicate is made of another, over any number of rules."""
    seen = {start}
    queue = [start]
    for key in queue:
        if key == goal:
            return True
        new = set(parts.get(key, ())) - seen
        seen |= new
        queue += sorted(new)
    return False


def variables(*nodes: AST) -> set[str]:
    """Return the variables in some parts."""
    return {
        str(one.name)
        for node in nodes
        for one in walk(node)
        if one.ast_type is ASTType.Variable and one.name != "_"
    }


def comparisons(rule: Rule) -> list[AST]:
    """Return the comparisons that stand in the body."""
    return [
        part.atom
        for part in rule.ast.body
        if part.ast_type is ASTType.Literal and part.atom.ast_type is ASTType.Comparison
    ]


def _never_ends(rule: Rule, head: Atom, parts: Parts) -> bool:
    atoms = positive(rule)
    computes = any(kind is ASTType.BinaryOperation for kind, _ in rule.parts)
    if not atoms or not (computes or any(_growing(term) for term in head.arguments)):
        return False
    circle = [one for one in atoms if _leads_back(parts, one.key, head.key)]
    if not circle:
        return False
    others = variables(*(term for one in atoms if one not in circle for term in one.arguments))
    turning = variables(*(term for one in circle for term in one.arguments))
    growing = set().union(*(_growing(term) for term in head.arguments))
    bounds: set[str] = set()
    for one in comparisons(rule):
        left, guard = one.term, one.guards[0]
        assigns = len(one.guards) == 1 and guard.comparison == EQUAL
        pairs = ((left, guard.term), (guard.term, left)) if assigns else ()
        made = next(
            ((to, source) for to, source in pairs
             if to.ast_type is ASTType.Variable and str(to.name) not in turning | others), None,
        )  # fmt: skip
        if made is None and guard.comparison != UNEQUAL:
            bounds |= variables(left, *(other.term for other in one.guards))
        elif made is not None and str(made[0].name) in variables(*head.arguments):
            growing |= _growing(made[1])
    growing &= turning
    return bool(growing) and not (bounds | others) & (growing | variables(*head.arguments))


def _growing(term: AST) -> set[str]:
    """Return the variables out of which a term makes something larger."""
    if term.ast_type is ASTType.BinaryOperation:
        return variables(term) if term.operator_type not in _SHRINKING else set()
    if term.ast_type is ASTType.Function and term.arguments:
        return variables(term)
    return set()


def _sizes(rules: Sequence[Rule]) -> Mapping[str, int]:
    """Return how many atoms a predicate of the user's own may have on 500 segments."""
    facts: dict[str, int] = {}
    for rule in rules:
        for head in rule.heads:
            grows = SEGMENTS if rule.variables else 1
            facts[head.name] = min(facts.get(head.name, 0) + grows, RELATIONS)
    return facts


def _many(rule: Rule, sizes: Mapping[str, int]) -> Iterator[Fault]:
    made = prod(_widths(rule))
    if made > MOST_MADE:
        yield fault(rule.source, rule.statement.start, words.wide_range(made))
        return
    parts = _parts(rule)
    count = prod(max(_size(atom, sizes) for atom in part) for part in parts)
    if len(parts) > 1 and count > MOST_TRIED:
        shown = [_atom_text(rule, part[0]) for part in parts]
        yield fault(rule.source, parts[1][0].offset, words.cross_product(shown, count))


def _widths(rule: Rule) -> Iterator[int]:
    for kind, one in rule.parts:
        if kind is ASTType.Interval:
            low, high = number_of(one.left), number_of(one.right)
            if low is not None and high is not None:
                yield max(high - low + 1, 1)
        elif kind is ASTType.Pool:
            yield max(len(one.arguments), 1)


def _size(atom: Atom, sizes: Mapping[str, int]) -> int:
    if atom.name in sizes and atom.name not in MANY:
        return sizes[atom.name]
    return RELATIONS if atom.name in MANY else SEGMENTS


def _atom_text(rule: Rule, atom: Atom) -> str:
    names = sorted(variables(*atom.arguments))
    return f"{atom.name}({', '.join(names)})"


def _parts(rule: Rule) -> list[list[Atom]]:
    """Return the conditions in groups that share no variable."""
    groups: list[tuple[set[str], list[Atom]]] = []
    equal = [
        variables(one.term, *(guard.term for guard in one.guards))
        for one in comparisons(rule)
        if any(guard.comparison == EQUAL for guard in one.guards)
    ]
    links: list[tuple[set[str], list[Atom]]] = [(names, []) for names in equal]
    links += [(variables(*atom.arguments), [atom]) for atom in positive(rule)]
    for names, atoms in links:
        touching = [group for group in groups if group[0] & names]
        groups = [group for group in groups if not group[0] & names]
        merged = (
            names.union(*(group[0] for group in touching)),
            [*(one for group in touching for one in group[1]), *atoms],
        )
        groups.append(merged)
    return [atoms for names, atoms in groups if atoms and names]
