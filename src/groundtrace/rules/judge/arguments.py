"""Find arguments that can never fit: names for numbers, texts without quotes, unknown labels."""

from collections.abc import Iterator

from clingo.ast import AST, ASTType

from groundtrace.phrases import nearest
from groundtrace.rules.judge import words_of_meaning as words
from groundtrace.rules.judge.dictionary import (
    NUMBER_ARGUMENTS,
    TEXT_ARGUMENTS,
    Dictionary,
)
from groundtrace.rules.judge.fault import Fault, Said, fault
from groundtrace.rules.text.anatomy import Atom, Rule, choices_of, name_of, number_of, text_of

SHORTEST_NAME = 5
"""Letters from which a variable in the place of a text looks like the text itself."""

_FREE = frozenset({("note", "Text"), ("guards", "Text")})
_VARIABLES = {"Segment": "Segment", "Relation": "Relation", "Target": "Segment"}


def argument_faults(rule: Rule, known: Dictionary, constants: frozenset[str]) -> Iterator[Fault]:
    """Yield the arguments of one rule that can never fit.

    Args:
        known: What can be said.
        constants: Names that stand for values.
    """
    kinds: dict[str, str] = {}
    for atom in (*rule.heads, *rule.body):
        entry = known.entries.get(atom.name)
        if entry is None or len(entry.arguments) != len(atom.arguments):
            continue
        for place, argument in enumerate(entry.arguments):
            for term in choices_of(atom.arguments[place]):
                if term.ast_type is ASTType.Variable and term.name != "_":
                    kinds.setdefault(term.name, argument)
                said = _misfit(rule, atom, place, argument, term, known, constants)
                if said:
                    yield _at(rule, term, said)
    for variable, term in _comparisons(rule):
        argument = kinds.get(variable, "")
        said = _value(term, argument, "", known, constants) if argument else None
        if said:
            yield _at(rule, term, said)


def _at(rule: Rule, term: AST, said: Said) -> Fault:
    severity = "warning" if said.kind == "capital_text" else "error"
    return fault(rule.source, rule.offset(term), said, severity)  # type: ignore[arg-type]


def _misfit(
    rule: Rule,
    atom: Atom,
    place: int,
    argument: str,
    term: AST,
    known: Dictionary,
    constants: frozenset[str],
) -> Said | None:
    """Return what is wrong with one argument."""
    if term.ast_type is ASTType.Variable:
        return _variable(rule, atom.name, argument, term.name, known)
    text = text_of(term)
    if text is not None and argument in NUMBER_ARGUMENTS:
        others = [one for at, one in enumerate(atom.arguments) if at != place]
        swapped = any(one.ast_type is ASTType.Variable or number_of(one) is not None
                      for one in others)  # fmt: skip
        return words.text_for_number(f'"{text}"', argument, swapped)
    said = _value(term, argument, atom.name, known, constants)
    if said and said.kind == "name_for_number" and not rule.ast.body:
        return words.name_for_number(str(term), argument, None)
    return said


def _variable(
    rule: Rule, predicate: str, argument: str, name: str, known: Dictionary
) -> Said | None:
    small = name.strip("_'").lower()
    if rule.variables[name] > 1 or name == "_":
        return None
    if small in known.values.get(argument, ()):
        return words.capital_name(name, small)
    plain = {argument.lower(), *(one.lower() for one in TEXT_ARGUMENTS)}
    texts = argument in TEXT_ARGUMENTS and predicate != "note"
    if (
        texts
        and len(name) >= SHORTEST_NAME
        and not any(nearest(small, [one]) or small.startswith(one) or small == one for one in plain)
    ):
        return words.capital_text(name)
    return None


def _value(
    term: AST, argument: str, predicate: str, known: Dictionary, constants: frozenset[str]
) -> Said | None:
    """Return what is wrong with a value that is no variable."""
    name, text, number = name_of(term), text_of(term), number_of(term)
    if name in constants:
        return None
    if argument in NUMBER_ARGUMENTS:
        if name is not None:
            return words.name_for_number(name, argument, name[:1].upper() + name[1:])
        if text is not None:
            return words.text_for_number(f'"{text}"', argument, swapped=False)
    elif argument in TEXT_ARGUMENTS and predicate != "note":
        if name is not None or (number is not None and argument == "Tag"):
            return words.name_for_text(name if name is not None else str(number), argument)
    elif argument in known.values:
        allowed = known.values[argument]
        if text is not None:
            return words.text_for_name(text, argument, allowed)
        if name is not None and name not in allowed:
            return words.unknown_name(name, argument, allowed, _near_value(name, allowed))
    return None


def _near_value(name: str, allowed: tuple[str, ...]) -> str | None:
    from groundtrace.vocabulary import LABEL_SPELLINGS

    spelled = LABEL_SPELLINGS.get(name)
    return spelled if spelled in allowed else nearest(name, allowed)


def _comparisons(rule: Rule) -> Iterator[tuple[str, AST]]:
    """Yield the variables that are set equal or unequal to a value, with the value."""
    for part in rule.ast.body if rule.is_rule else ():
        if part.ast_type is not ASTType.Literal or part.atom.ast_type is not ASTType.Comparison:
            continue
        comparison = part.atom
        left, guards = comparison.term, comparison.guards
        if len(guards) == 1 and guards[0].comparison in (4, 5):
            for one, other in ((left, guards[0].term), (guards[0].term, left)):
                if one.ast_type is ASTType.Variable:
                    for value in choices_of(other):
                        if value.ast_type is not ASTType.Variable:
                            yield one.name, value
