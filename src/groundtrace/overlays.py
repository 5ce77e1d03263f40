"""Judge a user's rule file before it becomes part of a program.

Overlays come from strangers. They may hold rules and constants, nothing else: no scripts, no
files from elsewhere, no directives that change how the program runs. And they may decide only
what the vocabulary leaves to users: a rule of theirs that derived, say, ``support`` would undo
ours without a word.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from clingo import MessageCode
from clingo.ast import AST, ASTType, parse_files

from groundtrace.errors import Complaint, RuleError

MAX_BYTES = 1_000_000

STATEMENT_CHARACTERS = 5_000
"""clingo reads nested terms by recursion and crashes on very deep ones."""

LARGEST_NUMBER = 2**31 - 1

_HIDDEN = re.compile(r'%\*|%[^\n]*|"(?:\\.|[^"\\\n])*"')
_COMMENT_EDGE = re.compile(r"%\*|\*%")
_REFUSED = re.compile(
    r"""\#(?:include|script|external|program|show|minimi[sz]e|maximi[sz]e|heuristic
            |project|edge|theory)\b | :~""",
    re.VERBOSE,
)
_CONSTANT = re.compile(r"#const\s+([a-z_][A-Za-z0-9_]*)")
_WORD = re.compile(r"(?<![A-Za-z0-9_])_*[a-z][A-Za-z0-9_]*")
_NUMBER = re.compile(r"(?<![A-Za-z0-9_])[0-9]{10,}")
_FULL_STOP = re.compile(r"(?<!\.)\.(?!\.)")
_STATEMENTS = (ASTType.Rule, ASTType.Definition, ASTType.Program, ASTType.Comment, ASTType.Defined)
_MESSAGE = re.compile(
    r"(?P<place>.*?:\d+:\d+)(?:-[\d:]+)?: (?:error|warning|info): (?P<text>.*)", re.DOTALL
)
_INTERNAL = re.compile(r";?\[#inc_base\]|#P\d+|#X\d+")


class Terms(NamedTuple):
    """What a rule file may and may not say in one kind of program."""

    extension_points: Mapping[str, int]
    """Predicates of ours that it may derive, with their arity."""
    ours: frozenset[str]
    """Predicates that our rules or the program decide."""
    words: frozenset[str]
    """What no constant may be called, since our rules use the word: clingo puts the value of a
    constant wherever its name is written."""


def read_overlay(path: Path, terms: Terms) -> str:
    """Return the text of a user's rule file that is fit to be loaded.

    Args:
        path: The file.
        terms: Of the program that it is for.

    Raises:
        RuleError: it cannot be read, is no UTF-8 text, or holds something that is not allowed;
            with one complaint per place.
    """
    text = _text_of(path)
    complaints = list(_refused_words(path, text, terms.words)) or list(_refused_rules(path, terms))
    if complaints:
        raise RuleError(f"rule file {path} is refused", tuple(complaints))
    return text


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
    return frozenset(name for statement in statements for name, _, _ in _heads(statement))


def complaint_of(message: str) -> Complaint:
    """Return a message of clingo as a complaint, without its inner names.

    Args:
        message: As clingo gives it to its logger.
    """
    match = _MESSAGE.match(message.strip())
    place, text = (match["place"], match["text"]) if match else ("", message)
    text = " ".join(_INTERNAL.sub("", text).split())
    if text.startswith("unsafe variables in:"):
        text += " (each variable must stand in the body, outside of any 'not')"
    return Complaint(place, text)


def _text_of(path: Path) -> str:
    """Return the text of a file.

    Raises:
        RuleError: it cannot be read, is too large, or is no plain UTF-8 text.
    """
    try:
        if path.exists() and not path.is_file():
            # A pipe could be read only once, and keep us waiting for ever.
            raise RuleError(f"rule file {path} is no ordinary file")
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise RuleError(f"cannot read rule file {path}: {error.strerror}") from None
    if len(content) > MAX_BYTES:
        raise RuleError(f"rule file {path} is larger than {MAX_BYTES:,} bytes")
    if content.startswith(b"\xef\xbb\xbf"):
        raise RuleError(f"{path}:1:1: the file starts with a byte order mark; save it without one")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise RuleError(f"{path}:{line}: the file is not UTF-8 text") from None
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise RuleError(f"{path}:{line}: the file holds the character U+0000; is it a rule file?")
    return text


def _refused_words(path: Path, text: str, words: frozenset[str]) -> Iterator[Complaint]:
    """Yield a complaint per thing that is not allowed; clingo has not seen the file yet."""
    code = bare(text)

    def complaint(offset: int, reason: str) -> Complaint:
        before = text[:offset]
        line, column = before.count("\n") + 1, offset - before.rfind("\n")
        return Complaint(f"{path}:{line}:{column}", reason)

    for match in _REFUSED.finditer(code):
        yield complaint(match.start(), f"{match[0]} is not allowed in a user's rule file")
    for match in _CONSTANT.finditer(code):
        if match[1] in words:
            reason = f"a constant named {match[1]} would change that word in every rule; rename it"
            yield complaint(match.start(), reason)
    for match in _NUMBER.finditer(code):
        if len(match[0]) > 10 or int(match[0]) > LARGEST_NUMBER:
            yield complaint(match.start(), f"numbers end at {LARGEST_NUMBER}, got {match[0][:20]}")
    start = 0
    for end in [*(match.end() for match in _FULL_STOP.finditer(code)), len(code)]:
        if len(code[start:end].strip()) > STATEMENT_CHARACTERS:
            reason = f"a rule is longer than {STATEMENT_CHARACTERS:,} characters"
            yield complaint(start, reason)
        start = end


def _refused_rules(path: Path, terms: Terms) -> Iterator[Complaint]:
    """Yield a complaint per syntax error, or per rule that derives what is ours to decide."""
    statements: list[AST] = []
    messages: list[Complaint] = []

    def note(code: MessageCode, message: str) -> None:
        messages.append(complaint_of(message))

    try:
        parse_files([str(path)], statements.append, logger=note)
    except RuntimeError as error:
        yield from messages or [Complaint(str(path), str(error))]
        return
    for statement in statements:
        begin = statement.location.begin
        if statement.ast_type not in _STATEMENTS or begin.filename not in (str(path), "<string>"):
            # Nothing should get here past the words above; if it does, it stops here.
            yield Complaint(f"{begin.filename}:{begin.line}:{begin.column}", "not a plain rule")
        for name, arity, place in _heads(statement):
            points = terms.extension_points
            if points.get(name) == arity or name not in terms.ours | {*points}:
                continue
            if name in points:
                reason = f"{name} takes {points[name]} arguments, not {arity}"
            else:
                allowed = ", ".join(f"{one}/{count}" for one, count in points.items())
                reason = (
                    f"{name} is decided by groundtrace's own rules; a user's rule may derive "
                    f"{allowed}, and predicates of its own"
                )
            yield Complaint(place, reason)


def _heads(statement: AST) -> Iterator[tuple[str, int, str]]:
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
