"""What rule files say, as far as their text tells: names, constants, heads, clingo's messages."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from clingo.ast import AST, ASTType, parse_files

from groundtrace.errors import Complaint
from groundtrace.vocabulary import EXTENSION_POINTS, INPUT_PREDICATES, SHOWN_PREDICATES
from groundtrace.workbench import words_of_trial
from groundtrace.workbench.spelling import nearest

_HIDDEN = re.compile(r'%\*|%[^\n]*|"(?:\\.|[^"\\\n])*"')
_COMMENT_EDGE = re.compile(r"%\*|\*%")
_CONSTANT = re.compile(r"#const\s+([a-z_][A-Za-z0-9_]*)")
_WORD = re.compile(r"(?<![A-Za-z0-9_])_*[a-z][A-Za-z0-9_]*")
_MESSAGE = re.compile(
    r"(?P<place>.*?:\d+:\d+)(?:-[\d:]+)?: (?:error|warning|info): (?P<text>.*)", re.DOTALL
)
_INTERNAL = re.compile(r";?\[#inc_base\]|#P\d+|#X\d+")
_UNSAFE = re.compile(r"^(.*?:\d+:\d+)(?:-[\d:]+)?: note: '(.+)' is unsafe$", re.MULTILINE)
_PUBLIC = frozenset[str]().union(
    *INPUT_PREDICATES.values(), *EXTENSION_POINTS.values(), *SHOWN_PREDICATES.values()
)


def bare(text: str) -> str:
    """Return a rule file with its comments and strings blanked out, every place unchanged.

    Block comments nest, as they do for clingo.

    Args:
        text: Of the file.
    """
    parts, place = [], 0
    while match := _HIDDEN.search(text, place):
        end = match.end()
        if match[0] == "%*":
            depth = 1
            while depth and (edge := _COMMENT_EDGE.search(text, end)):
                depth += 1 if edge[0] == "%*" else -1
                end = edge.end()
            end = len(text) if depth else end
        parts.append(text[place : match.start()])
        parts.append(re.sub(r"[^\n]", " ", text[match.start() : end]))
        place = end
    return "".join([*parts, text[place:]])


def constants_of(text: str) -> list[str]:
    """Return the names of the constants that a rule file defines.

    Args:
        text: Of the file.
    """
    return _CONSTANT.findall(bare(text))


def words_of(text: str) -> set[str]:
    """Return the names that a rule file writes, but for the constants that it defines.

    Args:
        text: Of the file.
    """
    return set(_WORD.findall(bare(text))) - set(constants_of(text))


@cache
def heads_of(*paths: Path) -> frozenset[str]:
    """Return the predicates that rule files derive.

    Args:
        paths: Rule files that clingo accepts.
    """
    statements: list[AST] = []
    parse_files([str(path) for path in paths], statements.append)
    return frozenset(name for statement in statements for name, _, _ in heads_in(statement))


def complaint_of(message: str) -> Complaint:
    """Return a message of clingo as a complaint, in words and without its inner names.

    Args:
        message: As clingo gives it to its logger.
    """
    match = _MESSAGE.match(message.strip())
    place, text = (match["place"], match["text"]) if match else ("", message)
    kind, _, about = (" ".join(part.split()) for part in text.partition(":\n"))
    about = _INTERNAL.sub("", about)
    unsafe = _UNSAFE.findall(text)
    if unsafe:
        # clingo names them by the alphabet.
        unsafe.sort(key=lambda found: [int(one) for one in found[0].split(":")[-2:]])
        names = list(dict.fromkeys(name for _, name in unsafe))
        return Complaint(unsafe[0][0], words_of_trial.unsafe(names, None).text)
    if kind == "atom does not occur in any rule head":
        near = nearest(about.partition("(")[0], _PUBLIC)
        return Complaint(place, words_of_trial.undefined_atom(about, near))
    if kind == "operation undefined":
        return Complaint(place, words_of_trial.operation_undefined(about).text)
    return Complaint(place, f"{kind}: {about}" if about else kind)


def heads_in(statement: AST) -> Iterator[tuple[str, int, str]]:
    """Yield name, arity and place of each predicate that a statement can derive."""
    if statement.ast_type is not ASTType.Rule:
        return
    for literal in _literals(statement.head):
        symbol = literal.atom
        if symbol.ast_type is not ASTType.SymbolicAtom:
            continue
        term = symbol.symbol
        while term.ast_type is ASTType.UnaryOperation:
            term = term.argument
        for function in term.arguments if term.ast_type is ASTType.Pool else [term]:
            if function.ast_type is ASTType.Function:
                begin = function.location.begin
                place = f"{begin.filename}:{begin.line}:{begin.column}"
                yield function.name, len(function.arguments), place


def _literals(head: AST) -> Iterator[AST]:
    """Yield the literals of a head: one, or those of a choice, a disjunction or an aggregate."""
    if head.ast_type is ASTType.Literal:
        yield head
    elif head.ast_type in (ASTType.Aggregate, ASTType.Disjunction):
        for element in head.elements:
            yield element.literal
    elif head.ast_type is ASTType.HeadAggregate:
        for element in head.elements:
            yield element.condition.literal
