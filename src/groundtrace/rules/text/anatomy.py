"""The parts of a rule: what it derives, what it reads, its variables, and where each stands."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from clingo import SymbolType
from clingo.ast import AST, ASTSequence, ASTType, Sign

from groundtrace.rules.clingo_texts import parse_text
from groundtrace.rules.judge import words_of_meaning, words_of_slips
from groundtrace.rules.judge.fault import Fault, fault
from groundtrace.rules.text.words import Source, Statement


class Atom(NamedTuple):
    """One predicate with its arguments, where it stands in a rule."""

    name: str
    arguments: tuple[AST, ...]
    sign: int
    """0, 1 for not, 2 for not not."""
    offset: int
    classical: bool
    """Whether a minus stands before it."""

    @property
    def key(self) -> tuple[str, int]:
        """Name and number of arguments."""
        return self.name, len(self.arguments)


class Rule(NamedTuple):
    """A statement that clingo can read."""

    source: Source
    statement: Statement
    ast: AST
    heads: tuple[Atom, ...]
    body: tuple[Atom, ...]
    variables: Counter[str]
    parts: tuple[tuple[ASTType, AST], ...]
    """Every part with its type, read once: to ask clingo is slow."""

    @property
    def is_rule(self) -> bool:
        """Whether it is a rule or fact, not a directive."""
        return self.ast.ast_type is ASTType.Rule

    def offset(self, node: AST) -> int:
        """Return where a part begins."""
        begin = node.location.begin
        return self.source.offset(self.statement.start, begin.line, begin.column)


def read_rules(source: Source, statement: Statement) -> "list[Rule] | Fault":
    """Return the rules of one statement, or what is wrong with it.

    Args:
        statement: Without anything that clingo is not to see.
    """
    text = source.text[statement.start : statement.end]
    found: list[AST] = []
    messages = parse_text(text if statement.stop else f"{text}.", found.append)
    if messages:
        return _syntax(source, statement, messages)
    try:
        return [
            _rule(source, statement, node)
            for node in found
            if node.ast_type not in (ASTType.Program, ASTType.Comment)
        ]
    except RecursionError:
        return fault(source, statement.start, words_of_meaning.deep_nesting())


def _syntax(source: Source, statement: Statement, messages: list[str]) -> Fault:
    place, _, text = messages[0].partition(": ")
    # One that is cut inside of a character is followed by others that are cut later.
    begin = place.partition("-")[0]
    text = [one for one in messages if one.startswith(begin)][-1].partition(": ")[2]
    _, _, span = place.partition(":")
    line, _, columns = span.partition(":")
    column = columns.partition("-")[0].partition(":")[0]
    offset = statement.start
    if line.isdigit() and column.isdigit():
        offset = source.offset(statement.start, int(line), int(column))
    offset = min(offset, max(statement.end - 1, 0))
    return fault(source, offset, words_of_slips.syntax(" ".join(text.split())))


def _rule(source: Source, statement: Statement, node: AST) -> Rule:
    parts = tuple((one.ast_type, one) for one in walk(node))
    rule = Rule(source, statement, node, (), (), Counter(), parts)
    if node.ast_type is not ASTType.Rule:
        return rule
    heads = tuple(_head_atoms(rule, node.head))
    derived = {atom.offset for atom in heads}
    literals = [one for kind, one in parts if kind is ASTType.Literal]
    read = (
        [atom for one in literals for atom in atoms_in(rule, one) if atom.offset not in derived]
        if len(literals) > len(heads)
        else []
    )
    names = Counter(str(one.name) for kind, one in parts if kind is ASTType.Variable)
    return rule._replace(heads=heads, body=tuple(read), variables=names)


def walk(node: AST) -> Iterator[AST]:
    """Yield a part and all parts in it."""
    yield node
    for key in node.child_keys:
        child = getattr(node, key)
        if isinstance(child, AST):
            yield from walk(child)
        elif isinstance(child, ASTSequence):
            for one in child:
                yield from walk(one)


def _head_atoms(rule: Rule, head: AST) -> Iterator[Atom]:
    if head.ast_type is ASTType.Literal:
        yield from atoms_in(rule, head)
    elif head.ast_type in (ASTType.Aggregate, ASTType.Disjunction):
        for element in head.elements:
            yield from atoms_in(rule, element.literal)
    elif head.ast_type is ASTType.HeadAggregate:
        for element in head.elements:
            yield from atoms_in(rule, element.condition.literal)


def atoms_in(rule: Rule, literal: AST) -> Iterator[Atom]:
    """Yield the predicate of a literal, if it has one; several if there is a pool."""
    if literal.atom.ast_type is not ASTType.SymbolicAtom:
        return
    term, classical = literal.atom.symbol, False
    while term.ast_type is ASTType.UnaryOperation:
        term, classical = term.argument, True
    sign = {Sign.NoSign: 0, Sign.Negation: 1}.get(literal.sign, 2)
    for one in term.arguments if term.ast_type is ASTType.Pool else [term]:
        if one.ast_type is ASTType.Function:
            yield Atom(one.name, tuple(one.arguments), sign, rule.offset(one), classical)


def choices_of(term: AST) -> Iterator[AST]:
    """Yield what a term can be: itself, or each of those between semicolons."""
    if term.ast_type is ASTType.Pool:
        for one in term.arguments:
            yield from choices_of(one)
    else:
        yield term


def name_of(term: AST) -> str | None:
    """Return the name that a term is, if it is one."""
    if term.ast_type is ASTType.Function and not term.arguments:
        return str(term.name)
    if term.ast_type is ASTType.SymbolicTerm and term.symbol.type is SymbolType.Function:
        return None if term.symbol.arguments else str(term.symbol.name)
    return None


def text_of(term: AST) -> str | None:
    """Return the text that a term is, if it is one."""
    if term.ast_type is ASTType.SymbolicTerm and term.symbol.type is SymbolType.String:
        return str(term.symbol.string)
    return None


def number_of(term: AST) -> int | None:
    """Return the number that a term is, if it is one."""
    if term.ast_type is ASTType.SymbolicTerm and term.symbol.type is SymbolType.Number:
        return int(term.symbol.number)
    if term.ast_type is ASTType.UnaryOperation and term.operator_type == 0:
        inner = number_of(term.argument)
        return None if inner is None else -inner
    return None
