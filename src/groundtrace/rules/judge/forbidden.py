"""Read rules text of strangers, and refuse what no user's rules may say.

Clingo sees a text only when nothing in it could run a script or read another file.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from clingo.ast import AST, ASTType

from groundtrace.errors import Complaint
from groundtrace.phrases import counted
from groundtrace.rules.clingo_texts import column_in_characters, complaint_of, parse_text
from groundtrace.rules.judge import words_of_meaning
from groundtrace.rules.judge.static import Reading
from groundtrace.rules.text.syntax import Statement, statements_in
from groundtrace.rules.text.words import Source

_STATEMENTS = (ASTType.Rule, ASTType.Definition, ASTType.Program, ASTType.Comment, ASTType.Defined)


class Bounds(NamedTuple):
    """What a text may and may not say in one kind of program."""

    may: Mapping[str, int]
    """Predicates of ours that it may derive, with their arity."""
    ours: Collection[str] = ()
    """Predicates that our rules or the program decide."""
    words: Collection[str] = ()
    """What no constant may be called: clingo puts its value wherever the name is written."""


def refusals(reading: Reading, bounds: Bounds) -> tuple[Complaint, ...]:
    """Return what is wrong with a text; if nothing is, clingo may load the file.

    Args:
        reading: Of the text.
        bounds: Of the program that it is for.
    """
    source = reading.source
    if source.name == "-":
        # Clingo would load something else than what was judged.
        return (Complaint("-", "this name means standard input; rename the file"),)
    # In this order: clingo must not even parse as a whole a text that is refused.
    slips = (one.complaint() for one in reading.faults if one.severity == "error")
    return tuple(slips) or tuple(_rules(source, bounds))


def _rules(source: Source, bounds: Bounds) -> Iterator[Complaint]:
    """Yield what clingo cannot parse, or what derives something that is ours to decide."""
    nodes: list[AST] = []
    if messages := parse_text(source.text, nodes.append):
        for message in messages:
            one = complaint_of(message, source.text)
            yield replace(one, place=one.place.replace("<string>", source.name, 1))
        return
    for node in nodes:
        begin = node.location.begin
        place = f"{source.name}:{begin.line}:"
        place += str(column_in_characters(source.line(begin.line), begin.column))
        if node.ast_type not in _STATEMENTS or begin.filename != "<string>":
            # Nothing should get here past the slips above; if it does, it stops here.
            yield Complaint(place, "not a plain rule")
            return
        if node.ast_type is ASTType.Definition and node.name in bounds.words:
            reason = words_of_meaning.constant_shadows(node.name, None).text
            yield Complaint(place, reason)
        for statement in statements_in([node]):
            for reason in _heads(statement, bounds):
                yield Complaint(place, reason)


def _heads(statement: Statement, bounds: Bounds) -> Iterator[str]:
    """Yield why a rule may not derive what it derives."""
    for name, arity in sorted(statement.derives):
        if bounds.may.get(name) == arity or name not in {*bounds.ours, *bounds.may}:
            continue
        if name in bounds.may:
            yield f"{name} takes {counted(bounds.may[name], 'argument')}, not {arity}"
        else:
            allowed = ", ".join(f"{one}/{count}" for one, count in bounds.may.items())
            yield (
                f"{name} is decided by groundtrace's own rules; what may be derived is "
                f"{allowed}, and predicates of one's own"
            )
