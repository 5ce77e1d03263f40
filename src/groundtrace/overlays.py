"""Judge a user's rule file before it becomes part of a program.

Overlays come from strangers. They may hold rules and constants, nothing else: no scripts, no
files from elsewhere, no directives that change how the program runs. And they may decide only
what the vocabulary leaves to users: a rule of theirs that derived, say, ``support`` would undo
ours without a word.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from clingo import MessageCode
from clingo.ast import AST, ASTType, parse_files

from groundtrace.errors import Complaint, RuleError
from groundtrace.rule_text import bare, complaint_of, heads_in
from groundtrace.vocabulary import EXTENSION_POINTS
from groundtrace.workbench.dictionary import dictionary
from groundtrace.workbench.fault import Fault
from groundtrace.workbench.files import read_source
from groundtrace.workbench.reading_rules import refusals

STATEMENT_CHARACTERS = 5_000
"""clingo reads nested terms by recursion and crashes on very deep ones."""

LARGEST_NUMBER = 2**31 - 1

_REFUSED = re.compile(
    r"""\#(?:include|script|external|program|show|minimi[sz]e|maximi[sz]e|heuristic
            |project|edge|theory)\b | :~""",
    re.VERBOSE,
)
_CONSTANT = re.compile(r"#const\s+([a-z_][A-Za-z0-9_]*)")
_NUMBER = re.compile(r"(?<![A-Za-z0-9_])[0-9]{10,}")
_FULL_STOP = re.compile(r"(?<!\.)\.(?!\.)")
_STATEMENTS = (ASTType.Rule, ASTType.Definition, ASTType.Program, ASTType.Comment, ASTType.Defined)


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
    source = read_source(path)
    if isinstance(source, Fault):
        raise RuleError(f"rule file {path} is refused", (source.complaint(),))
    program = next(one for one, points in EXTENSION_POINTS.items() if points == terms[0])
    told = [one.complaint() for one in refusals(source, dictionary(program))]
    # Nothing should get past these words; what follows is strict where they only explain.
    complaints = (
        told
        or list(_refused_words(path, source.text, terms.words))
        or list(_refused_rules(path, terms))
    )
    if complaints:
        raise RuleError(f"rule file {path} is refused", tuple(complaints))
    return source.text


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
        for name, arity, place in heads_in(statement):
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
