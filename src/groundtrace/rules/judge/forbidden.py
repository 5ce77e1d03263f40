"""Read rules text of strangers, and refuse what no user's rules may say.

Clingo sees a text only when nothing in it could run a script or read another file.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from clingo import MessageCode
from clingo.ast import AST, ASTType, parse_files

from groundtrace.errors import Complaint, InputError
from groundtrace.rules.rule_text import LARGEST_NUMBER, STATEMENT_CHARACTERS, bare, complaint_of
from groundtrace.rules.text.syntax import statements_in

MAX_BYTES = 1_000_000

_CONSTANTS = ("true", "false", "inf", "infimum", "sup", "supremum")
_AGGREGATES = ("count", "sum", "min", "max")
_ALLOWED = frozenset(("const", "defined", *_CONSTANTS, *_AGGREGATES))
"""What may follow a #."""
_SIGN = re.compile(r"#\s*([a-z]*)|:~")
_CONSTANT = re.compile(r"#\s*const\s+([a-z_][A-Za-z0-9_]*)")
_NUMBER = re.compile(r"(?<![A-Za-z0-9_])(?:0[xob])?[0-9A-Fa-f]{8,}")
_FULL_STOP = re.compile(r"(?<!\.)\.(?!\.)")
_STATEMENTS = (ASTType.Rule, ASTType.Definition, ASTType.Program, ASTType.Comment, ASTType.Defined)


class Bounds(NamedTuple):
    """What a text may and may not say in one kind of program."""

    may: Mapping[str, int]
    """Predicates of ours that it may derive, with their arity."""
    ours: Collection[str] = ()
    """Predicates that our rules or the program decide."""
    words: Collection[str] = ()
    """What no constant may be called: clingo puts its value wherever the name is written."""


class UnreadableError(InputError):
    """A file that is no plain text.

    Attributes:
        place: The file, perhaps with a line.
        text: What is wrong.
    """

    def __init__(self, place: str, text: str) -> None:
        """Join the place and the text.

        Args:
            place: The file, perhaps with a line.
        """
        self.place = place
        self.text = text
        super().__init__(f"{place}: {text}")

    def __reduce__(self) -> tuple[type["UnreadableError"], tuple[str, str]]:
        """Keep both arguments when the error crosses a process border."""
        return type(self), (self.place, self.text)


def text_of(path: Path) -> str:
    """Return the text of a file, its lines ending in a line feed.

    Args:
        path: The file; a byte order mark at its start is left out.

    Raises:
        UnreadableError: it cannot be read, is too large, or is no plain UTF-8 text.
    """
    try:
        if path.exists() and not path.is_file():
            # A pipe could be read only once, and keep us waiting for ever.
            raise UnreadableError(str(path), "is no ordinary file")
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as failure:
        raise UnreadableError(str(path), f"cannot be read: {failure.strerror}") from None
    if len(content) > MAX_BYTES:
        raise UnreadableError(str(path), f"is larger than {MAX_BYTES:,} bytes")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as failure:
        line = content[: failure.start].count(b"\n") + 1
        raise UnreadableError(f"{path}:{line}", "is not UTF-8 text") from None
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise UnreadableError(f"{path}:{line}", "holds the character U+0000; is it a rule file?")
    return text.replace("\r\n", "\n")


def refusals(path: Path, text: str, bounds: Bounds) -> tuple[Complaint, ...]:
    """Return what is wrong with a text; if nothing is, clingo may load the file.

    Args:
        path: The file that holds it.
        bounds: Of the program that it is for.
    """
    if str(path) == "-":
        # Clingo would load something else than what was judged.
        return (Complaint("-", "this name means standard input; rename the file"),)
    # In this order: clingo must not even parse a text that is refused.
    return tuple(_words(path, text, bounds)) or tuple(_rules(path, bounds))


def _words(path: Path, text: str, bounds: Bounds) -> Iterator[Complaint]:
    """Yield what is refused as it is written."""
    code = bare(text)

    def complaint(offset: int, reason: str) -> Complaint:
        before = text[:offset].rpartition("\n")
        line, column = text.count("\n", 0, offset) + 1, len(before[2].encode()) + 1
        return Complaint(f"{path}:{line}:{column}", reason)

    for match in _SIGN.finditer(code):
        if match[1] is None or match[1] not in _ALLOWED:
            word = "".join(match[0].split())
            yield complaint(match.start(), f"{word} is not allowed here: write rules and #const")
    for match in _CONSTANT.finditer(code):
        if match[1] in bounds.words:
            reason = f"a constant named {match[1]} would change that word in every rule; rename it"
            yield complaint(match.start(), reason)
    for match in _NUMBER.finditer(code):
        if _value(match[0]) > LARGEST_NUMBER:
            yield complaint(match.start(), f"numbers end at {LARGEST_NUMBER}, got {match[0][:20]}")
    start = 0
    for end in [*(match.end() for match in _FULL_STOP.finditer(code)), len(code)]:
        if len(code[start:end].strip()) > STATEMENT_CHARACTERS:
            begin = start + len(code[start:end]) - len(code[start:end].lstrip())
            reason = f"a rule is longer than {STATEMENT_CHARACTERS:,} characters"
            yield complaint(begin, reason)
        start = end


def _value(digits: str) -> int:
    """Return a number as clingo reads it; 0 for what is none, which clingo refuses itself."""
    try:
        return int(digits[:40], 0 if digits[1:2] in "xob" and digits[1:2] else 10)
    except ValueError:
        return 0


def _rules(path: Path, bounds: Bounds) -> Iterator[Complaint]:
    """Yield what clingo cannot parse, or what derives something that is ours to decide."""
    messages: list[Complaint] = []
    nodes: list[AST] = []

    def note(code: MessageCode, message: str) -> None:
        messages.append(complaint_of(message))

    try:
        parse_files([str(path)], nodes.append, logger=note)
    except RuntimeError as error:
        yield from messages or [Complaint(str(path), str(error))]
        return
    for node in nodes:
        begin = node.location.begin
        if node.ast_type not in _STATEMENTS or begin.filename not in (str(path), "<string>"):
            # Nothing should get here past the words above; if it does, it stops here.
            yield Complaint(f"{begin.filename}:{begin.line}:{begin.column}", "not a plain rule")
            return
    yield from _heads(path, nodes, bounds)


def _heads(path: Path, nodes: Iterable[AST], bounds: Bounds) -> Iterator[Complaint]:
    """Yield the rules that derive what is ours to decide."""
    for statement in statements_in(nodes):
        for name, arity in sorted(statement.derives):
            if bounds.may.get(name) == arity or name not in {*bounds.ours, *bounds.may}:
                continue
            if name in bounds.may:
                reason = f"{name} takes {bounds.may[name]} arguments, not {arity}"
            else:
                allowed = ", ".join(f"{one}/{count}" for one, count in bounds.may.items())
                reason = (
                    f"{name} is decided by groundtrace's own rules; what may be derived is "
                    f"{allowed}, and predicates of one's own"
                )
            yield Complaint(f"{path}:{statement.first}:{statement.column}", reason)
