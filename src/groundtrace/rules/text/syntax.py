"""What the rules of a file read and derive, as clingo's own parser sees them."""

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from clingo.ast import AST, ASTType, Transformer

from groundtrace.rules.clingo_texts import statements_in_file

Signature = tuple[str, int]
"""Name and arity of a predicate."""

_READING = (ASTType.ShowTerm, ASTType.Heuristic, ASTType.Minimize, ASTType.External)


class Statement(NamedTuple):
    """One rule of a file, or another statement that reads atoms."""

    first: int
    """Its first line, from 1."""
    last: int
    column: int
    """Where it starts, in bytes of UTF-8, from 1."""
    is_rule: bool
    derives: frozenset[Signature]
    reads: frozenset[Signature]
    names: frozenset[str]
    """What it gives to rule/1 and disabled/1: the names of rules."""


@cache
def statements_of(path: Path) -> tuple[Statement, ...]:
    """Return the rules of a file, without those of the files that it includes.

    Args:
        path: A file that clingo accepts.
    """
    return tuple(statements_in(statements_in_file(path)))


def derived_by(path: Path) -> frozenset[Signature]:
    """Return the predicates that a file derives.

    Args:
        path: A file that clingo accepts.
    """
    return frozenset[Signature]().union(*(one.derives for one in statements_of(path)))


def read_by(path: Path) -> frozenset[Signature]:
    """Return the predicates that a file reads and does not derive itself.

    Args:
        path: A file that clingo accepts.
    """
    read = frozenset[Signature]().union(*(one.reads for one in statements_of(path)))
    return read - derived_by(path)


def public(signatures: Iterable[Signature]) -> list[Signature]:
    """Return the predicates that are not private, sorted."""
    return sorted(one for one in signatures if not one[0].startswith("_"))


def spelled(signatures: Iterable[Signature]) -> list[str]:
    """Return predicates as name/arity."""
    return [f"{name}/{arity}" for name, arity in signatures]


@cache
def constants_in(path: Path) -> tuple[tuple[str, str, int], ...]:
    """Return the constants that a file defines: name, value and line.

    Args:
        path: A file that clingo accepts.
    """
    return tuple(
        (node.name, str(node.value), node.location.begin.line)
        for node in statements_in_file(path)
        if node.ast_type is ASTType.Definition
    )


def statements_in(nodes: Iterable[AST]) -> Iterator[Statement]:
    """Yield the rules among what clingo's parser gives.

    Args:
        nodes: As parsed, in their order.
    """
    for node in nodes:
        begin = node.location.begin
        first, last, column = begin.line, node.location.end.line, begin.column
        if node.ast_type is ASTType.Rule:
            heads = list(_heads(node.head))
            reading = [*node.body, *_conditions(node.head)]
            derives, reads = _signatures(heads), _signatures(reading)
            yield Statement(first, last, column, True, derives, reads, _names([node]))
        elif node.ast_type in _READING:
            reads = _signatures([node])
            yield Statement(first, last, column, False, frozenset(), reads, frozenset())


class _Atoms(Transformer):
    """Collects the functions that stand as atoms below a node."""

    def __init__(self) -> None:
        self.found: list[AST] = []

    def visit_SymbolicAtom(self, atom: AST) -> AST:  # noqa: N802
        """Note the atom; one with a pool is several."""
        waiting = [atom.symbol]
        while waiting:
            symbol = waiting.pop()
            if symbol.ast_type is ASTType.Pool:
                waiting += symbol.arguments
            elif symbol.ast_type is ASTType.UnaryOperation:
                waiting.append(symbol.argument)
            elif symbol.ast_type is ASTType.Function:
                self.found.append(symbol)
        return atom


def _atoms(nodes: Iterable[AST]) -> list[AST]:
    collector = _Atoms()
    for node in nodes:
        collector.visit(node)
    return collector.found


def _signatures(nodes: Iterable[AST]) -> frozenset[Signature]:
    return frozenset((atom.name, len(atom.arguments)) for atom in _atoms(nodes))


def _names(nodes: Iterable[AST]) -> frozenset[str]:
    return frozenset(
        str(atom.arguments[0])
        for atom in _atoms(nodes)
        if atom.name in ("rule", "disabled") and len(atom.arguments) == 1
    )


def _heads(head: AST) -> Iterator[AST]:
    """Yield what a head derives, without the conditions in it."""
    if head.ast_type in (ASTType.Aggregate, ASTType.Disjunction):
        yield from (element.literal for element in head.elements)
    elif head.ast_type is ASTType.HeadAggregate:
        yield from (element.condition.literal for element in head.elements)
    else:
        yield head


def _conditions(head: AST) -> Iterator[AST]:
    """Yield the conditions in a head."""
    if head.ast_type in (ASTType.Aggregate, ASTType.Disjunction):
        for element in head.elements:
            yield from element.condition
    elif head.ast_type is ASTType.HeadAggregate:
        for element in head.elements:
            yield from element.condition.condition
