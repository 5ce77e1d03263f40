"""Cut a rule file into words and statements, whatever is wrong with it.

clingo gives up on a statement at its first slip, and on the whole file at a quotation mark that is
not closed. Here nothing is given up: what cannot be read becomes a token of its own.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

DIRECTIVES = frozenset(
    {
        "const", "show", "external", "script", "include", "minimize", "minimise", "maximize",
        "maximise", "program", "defined", "edge", "heuristic", "project", "theory", "true",
        "false", "inf", "sup", "infimum", "supremum", "count", "sum", "min", "max", "end",
    }
)  # fmt: skip
"""What may follow a #."""

_TOKEN = re.compile(
    r"""
      (?P<space>  [ \t\r\n]+ )
    | (?P<block>  %\* )
    | (?P<comment>%[^\n]* )
    | (?P<string> "(?:\\.|[^"\\\n])*" )
    | (?P<open>   "[^\n]* )
    | (?P<remark> //[^\n]* | /\*(?s:.{0,2000}?)\*/ | ```[^\n]* | \#!?(?![A-Za-z])[^\n]* )
    | (?P<directive> \#[A-Za-z]+ )
    | (?P<foreign> [A-Za-z0-9_']{0,60}(?![A-Za-z])[^\W\d_](?:[\w']|[^\x00-\x7f])* )
    | (?P<number> 0[xXbBoO][0-9a-fA-F]+ | 0 | [1-9][0-9]* )
    | (?P<name>   [_']*[a-z][A-Za-z0-9_']* )
    | (?P<variable> [_']*[A-Z][A-Za-z0-9_']* )
    | (?P<anonymous> _+ )
    | (?P<strange> [^\x00-\x7f]+ )
    | (?P<sign>   :-|\.\.|:~|!=|<=|>=|==|<>|\*\*|. )
    """,
    re.VERBOSE | re.DOTALL,
)
LOOKED_AT = 200
"""Characters around a # that tell whether it starts a remark."""

_BLOCK_EDGE = re.compile(r"%\*|\*%")
_REST_OF_LINE = re.compile(r"[^\n]*")
OPERANDS = frozenset({"string", "open", "number", "name", "variable", "anonymous"})
"""Kinds of tokens that two of cannot follow each other."""


class Token(NamedTuple):
    """One word or sign."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """Where the next character stands."""
        return self.start + len(self.text)


class Statement(NamedTuple):
    """What stands before a full stop."""

    tokens: tuple[Token, ...]
    """Without comments, without the full stop."""
    stop: Token | None
    """The full stop; None where the file ended first."""

    @property
    def start(self) -> int:
        """Where it begins."""
        return self.tokens[0].start

    @property
    def end(self) -> int:
        """Where it ends."""
        return max(self.stop.end if self.stop else 0, self.tokens[-1].end)


class Source:
    """The text of a rule file, and what is where in it."""

    def __init__(self, name: str, text: str, content: str | None = None) -> None:
        """Take a text.

        Args:
            name: Of the file, as messages call it.
            content: Of the file, where it is more than the text: a byte order mark before it.
        """
        self.name = name
        self.text = text
        self.content = text if content is None else content
        self._line: tuple[int, str] | None = None
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of a place, both from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return a line without its end.

        Args:
            number: From 1.
        """
        if self._line and self._line[0] == number:
            return self._line[1]
        end = self._starts[number] if number < len(self._starts) else len(self.text)
        # Many faults in one long line share it.
        self._line = (number, self.text[self._starts[number - 1] : end].rstrip("\r\n"))
        return self._line[1]

    def offset_of(self, line: int, column: int) -> int:
        """Return where a line and column of characters are, both from 1."""
        start = self._starts[min(line, len(self._starts)) - 1]
        return min(start + column - 1, len(self.text))

    def offset(self, begin: int, line: int, column: int) -> int:
        """Return where a place of clingo is, which counts columns in bytes.

        Args:
            begin: Where the text that clingo has read begins.
            line: From 1, in that text.
            column: From 1.
        """
        first = bisect_right(self._starts, begin) - 1
        start = begin if line == 1 else self._starts[min(first + line - 1, len(self._starts) - 1)]
        piece = self.text[start : start + column].encode()[: column - 1]
        return min(start + len(piece.decode(errors="ignore")), len(self.text))

    @cached_property
    def tokens(self) -> list[Token]:
        """Every token, comments included, spaces not."""
        return list(_tokens(self.text))

    @property
    def code(self) -> list[Token]:
        """The tokens that are no comments."""
        return [one for one in self.tokens if one.kind not in _SILENT]

    @cached_property
    def statements(self) -> list[Statement]:
        """The statements, also those that are not ended properly."""
        return list(_statements(self.code))


_SILENT = {"comment", "block", "remark", "unclosed"}


def _tokens(text: str) -> Iterator[Token]:
    place = 0
    while match := _TOKEN.match(text, place):
        kind, end = match.lastgroup or "sign", match.end()
        if kind == "block":
            end = _block_end(text, end)
            if end < 0:
                kind, end = "unclosed", len(text)
        elif kind == "directive" and _is_remark(text, match):
            kind, end = "remark", _end_of_line(text, end)
        if kind == "strange":
            kind = "foreign"
        if kind != "space":
            yield Token(kind, text[place:end], place)
        place = end


def _is_remark(text: str, match: re.Match[str]) -> bool:
    """Say whether a # at the beginning of a line starts a remark, as in other languages."""
    before = text[max(match.start() - LOOKED_AT, 0) : match.start()]
    line = before[before.rfind("\n") + 1 :]
    rest = text[match.end() : match.end() + LOOKED_AT].partition("\n")[0]
    return (
        not line.strip() and match[0][1:] not in DIRECTIVES and not re.search(r"[={(:]|/\d", rest)
    )


def _end_of_line(text: str, place: int) -> int:
    match = _REST_OF_LINE.match(text, place)
    return match.end() if match else place


def _block_end(text: str, place: int) -> int:
    """Return where a block comment ends, which may hold others; -1 if it does not."""
    depth = 1
    while depth:
        edge = _BLOCK_EDGE.search(text, place)
        if edge is None:
            return -1
        depth += 1 if edge[0] == "%*" else -1
        place = edge.end()
    return place


def _statements(tokens: list[Token]) -> Iterator[Statement]:
    current: list[Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        place += 1
        if token.text == "." and not _decimal(tokens, place - 1):
            if current and current[0].text in ("#const", ":~", "#external", "#heuristic"):
                place, extra = _brackets(tokens, place)
                current += extra
            yield Statement(tuple(current) or (token,), token)
            current = []
            continue
        current.append(token)
        if token.kind == "open" and token.text.rstrip().endswith("."):
            # The full stop stands inside the text that was never closed.
            yield Statement(tuple(current), token)
            current = []
    if current:
        yield Statement(tuple(current), None)


def _decimal(tokens: list[Token], place: int) -> bool:
    """Say whether a full stop stands between the digits of a number."""
    if not 0 < place < len(tokens) - 1:
        return False
    before, stop, after = tokens[place - 1 : place + 2]
    digits = before.kind == after.kind == "number"
    return digits and before.end == stop.start and stop.end == after.start


def _brackets(tokens: list[Token], place: int) -> tuple[int, list[Token]]:
    """Return what stands in brackets behind a full stop, and where it ends."""
    if place < len(tokens) and tokens[place].text == "[":
        for end in range(place, min(place + 12, len(tokens))):
            if tokens[end].text == "]":
                return end + 1, tokens[place : end + 1]
    return place, []
