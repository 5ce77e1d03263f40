"""Find what is wrong with rules that clingo can read: what they derive, read and never do."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from clingo.ast import ASTType

from groundtrace.phrases import nearest
from groundtrace.rules.judge import words_of_meaning as words
from groundtrace.rules.judge import words_of_slips
from groundtrace.rules.judge.arguments import argument_faults
from groundtrace.rules.judge.dictionary import NUMBER_ARGUMENTS, Dictionary
from groundtrace.rules.judge.fault import Fault, fault
from groundtrace.rules.judge.reach import growth_faults
from groundtrace.rules.text.anatomy import Atom, Rule, number_of, text_of
from groundtrace.rules.text.lookalikes import EMPTY, name_of_sign
from groundtrace.vocabulary import EXTENSION_POINTS

Keys = Mapping[str, frozenset[int]]
"""Predicates of the user's own, with their numbers of arguments."""


def meaning_faults(
    rules: Sequence[Rule], known: Dictionary, others: Sequence[Rule] = ()
) -> Iterator[Fault]:
    """Yield what is wrong with the rules of one file.

    Args:
        known: What can be said.
        others: Rules of files that are used together with it.
    """
    derived = _keys_of_heads((*rules, *others))
    read = _keys(atom for rule in (*rules, *others) for atom in rule.body)
    own = frozenset(
        str(rule.ast.name) for rule in (*rules, *others) if rule.ast.ast_type is ASTType.Definition
    )
    constants = own | {*known.constants}
    for rule in rules:
        if not rule.is_rule:
            yield from _plain(rule)
            continue
        yield from _unseen_signs(rule)
        yield from _calls(rule)
        yield from _heads(rule, known, read)
        yield from _bodies(rule, known, derived)
        yield from argument_faults(rule, known, constants)
        yield from _choices(rule)
        yield from _variables(rule, known)
    yield from _duplicates(rules)
    yield from _constants(rules, known)
    yield from growth_faults(rules, known, others)


def _keys_of_heads(rules: Sequence[Rule]) -> Keys:
    """Return what some rules derive, or declare with #defined."""
    found = {
        name: set(counts)
        for name, counts in _keys(atom for rule in rules for atom in rule.heads).items()
    }
    for rule in rules:
        if rule.ast.ast_type is ASTType.Defined:
            found.setdefault(str(rule.ast.name), set()).add(int(rule.ast.arity))
    return {name: frozenset(counts) for name, counts in found.items()}


def _keys(atoms: Iterable[Atom]) -> Keys:
    found: dict[str, set[int]] = {}
    for atom in atoms:
        found.setdefault(atom.name, set()).add(len(atom.arguments))
    return {name: frozenset(counts) for name, counts in found.items()}


def _plain(rule: Rule) -> Iterator[Fault]:
    if rule.ast.ast_type not in (ASTType.Definition, ASTType.Defined):
        yield fault(rule.source, rule.statement.start, words.not_a_rule())


def _calls(rule: Rule) -> Iterator[Fault]:
    for kind, node in rule.parts:
        if kind is ASTType.Function and node.external:
            yield fault(rule.source, rule.offset(node), words.script_call())
        elif kind is ASTType.TheoryAtom:
            yield fault(rule.source, rule.offset(node), words.not_a_rule())


def _unseen_signs(rule: Rule) -> Iterator[Fault]:
    for token in rule.statement.tokens:
        if token.kind == "string":
            for at, sign in enumerate(token.text):
                if sign in EMPTY:
                    said = words_of_slips.unseen_in_text(name_of_sign(sign))
                    yield fault(rule.source, token.start + at, said, "warning")


def _heads(rule: Rule, known: Dictionary, read: Keys) -> Iterator[Fault]:
    points = known.extension_points
    for atom in rule.heads:
        count = len(atom.arguments)
        if atom.sign:
            shown = known.entries[atom.name].shown if atom.name in known.entries else atom.name
            yield fault(rule.source, atom.offset, words.negated_head(shown))
        elif points.get(atom.name, -1) == count:
            continue
        elif atom.name in points:
            shown = known.entries[atom.name].shown
            said = words.wrong_arity(atom.name, count, points[atom.name], shown)
            yield fault(rule.source, atom.offset, said)
        elif atom.name in known.ours:
            yield fault(rule.source, atom.offset, words.decided_by_us(atom.name, points))
        elif atom.name in known.elsewhere:
            home = known.elsewhere[atom.name]
            extends = EXTENSION_POINTS[home].get(atom.name) == count
            said = words.of_another_program(atom.name, home, known.program, extends=extends)
            yield fault(rule.source, atom.offset, said)
        elif count not in read.get(atom.name, ()):
            yield _unread(rule, atom, known, read)


def _unread(rule: Rule, atom: Atom, known: Dictionary, read: Keys) -> Fault:
    count = len(atom.arguments)
    if atom.name in read:
        said = words.own_arity(atom.name, [count], sorted(read[atom.name]))
        return fault(rule.source, atom.offset, said)
    if near := nearest(atom.name, known.extension_points):
        said = words.misspelt_head(atom.name, count, known.entries[near].shown)
        return fault(rule.source, atom.offset, said)
    return fault(rule.source, atom.offset, words.unread_head(atom.name, count), "warning")


def _bodies(rule: Rule, known: Dictionary, derived: Keys) -> Iterator[Fault]:
    for atom in rule.body:
        count, source = len(atom.arguments), rule.source
        entry = known.entries.get(atom.name)
        if atom.classical and entry:
            yield fault(source, max(atom.offset - 1, 0), words_of_slips.not_sign("-"))
        if atom.sign == 2:
            yield fault(source, atom.offset, words.double_not(), "warning")
        if entry is not None:
            if len(entry.arguments) != count:
                said = words.wrong_arity(atom.name, count, len(entry.arguments), entry.shown)
                yield fault(source, atom.offset, said)
        elif atom.name in known.private:
            yield fault(source, atom.offset, words.private(atom.name))
        elif count in derived.get(atom.name, ()) or atom.name in known.ours:
            continue
        elif atom.name in derived:
            said = words.own_arity(atom.name, sorted(derived[atom.name]), [count])
            yield fault(source, atom.offset, said)
        elif atom.name in known.elsewhere:
            said = words.of_another_program(atom.name, known.elsewhere[atom.name], known.program)
            yield fault(source, atom.offset, said)
        else:
            near = known.near(atom.name, derived)
            shown = known.entries[near].shown if near in known.entries and near else near
            said = words.unknown_predicate(atom.name, count, shown)
            yield fault(source, atom.offset, said)


def _choices(rule: Rule) -> Iterator[Fault]:
    head = rule.ast.head
    if head.ast_type in (ASTType.Aggregate, ASTType.HeadAggregate):
        yield fault(rule.source, rule.offset(head), words.choice())
    elif head.ast_type is ASTType.Disjunction:
        yield fault(rule.source, rule.offset(head), words.either_or())


def _variables(rule: Rule, known: Dictionary) -> Iterator[Fault]:
    """Yield the variables that occur once and are much like another."""
    if len(rule.variables) < 2:
        return
    groups = _groups(rule, known)
    for kind, node in rule.parts:
        if kind is not ASTType.Variable or rule.variables[node.name] > 1:
            continue
        for other in rule.variables:
            if other not in (node.name, "_") and _alike(node.name, other, groups):
                said = words.near_variable(node.name, other)
                yield fault(rule.source, rule.offset(node), said, "warning")
                break


def _groups(rule: Rule, known: Dictionary) -> dict[str, str]:
    """Return for each variable whether it is a segment or a relation, as far as is known."""
    found = {}
    for atom in (*rule.heads, *rule.body):
        entry = known.entries.get(atom.name)
        if entry and len(entry.arguments) == len(atom.arguments):
            for argument, term in zip(entry.arguments, atom.arguments, strict=True):
                if term.ast_type is ASTType.Variable and argument in NUMBER_ARGUMENTS:
                    segment = argument in ("Segment", "Target", "Premise", "Break")
                    found[str(term.name)] = "Segment" if segment else argument
    return found


def _alike(name: str, other: str, groups: Mapping[str, str]) -> bool:
    if name.rstrip("0123456789'") == other.rstrip("0123456789'"):
        return name.lower() == other.lower()
    one, two = name.lower(), other.lower()
    if one == two or (min(len(one), len(two)) > 4 and nearest(one, [two]) is not None):
        return True
    same = name in groups and groups[name] == groups.get(other)
    return same and (one.startswith(two) or two.startswith(one))


def _duplicates(rules: Sequence[Rule]) -> Iterator[Fault]:
    seen: dict[str, int] = {}
    for rule in rules:
        if rule.is_rule:
            line, _ = rule.source.place(rule.statement.start)
            first = seen.setdefault(str(rule.ast), line)
            if first != line:
                said = words.duplicate(first)
                yield fault(rule.source, rule.statement.start, said, "warning")


def _constants(rules: Sequence[Rule], known: Dictionary) -> Iterator[Fault]:
    used = {text for rule in rules for text in _names(rule)}
    seen: dict[str, int] = {}
    for rule in rules:
        if rule.ast.ast_type is not ASTType.Definition:
            continue
        name, value = str(rule.ast.name), rule.ast.value
        start = rule.statement.start
        line, _ = rule.source.place(start)
        if name in known.words:
            near = nearest(name, known.constants)
            yield fault(rule.source, start, words.constant_shadows(name, near))
        elif name in seen:
            yield fault(rule.source, start, words.constant_twice(name, seen[name]))
        elif name in known.constants:
            yield from _set_constant(rule, name, known.constants[name])
        elif name not in used and (near := nearest(name, known.constants)):
            yield fault(rule.source, start, words.unknown_constant(name, near))
        seen.setdefault(name, line)
        text = text_of(value)
        if text is not None and name in known.constants:
            said = words.out_of_range(name, f'"{text}"', known.constants[name])
            yield fault(rule.source, start, said)


def _names(rule: Rule) -> Iterator[str]:
    defines = rule.ast.ast_type is ASTType.Definition
    for place, token in enumerate(rule.statement.tokens):
        if token.kind == "name" and not (defines and place == 1):
            yield token.text


def _set_constant(rule: Rule, name: str, allowed: str) -> Iterator[Fault]:
    start = rule.statement.start
    shown = str(rule.ast.value)
    if rule.ast.is_default:
        yield fault(rule.source, start, words.needs_override(name, shown))
    number = number_of(rule.ast.value)
    low, dots, high = allowed.partition("..")
    if dots:
        fits = number is None or int(low) <= number <= int(high)
        fits = fits and (number is not None or not shown.isidentifier())
    else:
        fits = shown in allowed.split(", ")
    if not fits:
        yield fault(rule.source, start, words.out_of_range(name, shown, allowed))
