"""Regions of a text that no cut may enter: code, mathematics, tables, links.

Every regular expression here is bounded and every partner of a delimiter is looked up in sorted
positions, so that the time grows with the length of the text, whatever it holds.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

Kind = Literal["fence", "open fence", "table", "display", "code", "math", "link", "heading"]
BLOCKS: frozenset[Kind] = frozenset({"fence", "open fence", "table", "display"})
"""Kinds that stand on lines of their own."""

LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"


class Line(NamedTuple):
    """A line of a text, without its line end."""

    start: int
    end: int


class Region(NamedTuple):
    """A stretch of text that stays whole."""

    start: int
    end: int
    kind: Kind


class Token(NamedTuple):
    """A delimiter of code or mathematics, or a whole link."""

    start: int
    end: int
    name: str


LONGEST_FENCE = 20
"""Longer rows of backticks or tildes count as this long."""
DEEPEST = 100
"""White space beside a delimiter that stands alone on its line."""
_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(?:(`{3,})[^`]*|(~{3,}).*)")
_BARE_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})[ \t]*")
_STOPS_AFTER_LINK = ".,;:!?'*_"
_DELIMITER_CELL = re.compile(r":?-+:?")
_SENTENCE_INSIDE = re.compile(r"[.!?]\s+[A-Z][a-z]")
_TOKEN = re.compile(
    r"(?P<escape>\\[^a-zA-Z\[\]()])"
    r"|(?P<begin>\\begin\{[^{}\n]{1,40}\})"
    r"|(?P<end>\\end\{[^{}\n]{1,40}\})"
    r"|(?P<command>\\[a-zA-Z]{1,30}\{)"
    r"|(?P<open>\\[\[(])"
    r"|(?P<close>\\[\])])"
    r"|(?P<ticks>`+)"
    r"|(?P<dollars>\${1,2})"
    r"|(?P<url>(?:https?://|www\.)[!#-;=?-_a-z~]+)"
    r"|(?P<link>\[[^\[\]\n]{1,300}\]\([^()\n]{0,500}(?:\([^()\n]{0,200}\)[^()\n]{0,200})?\))"
)


def lines_of(text: str) -> list[Line]:
    """Return the lines of a text in order; any of LINE_ENDS, and CR LF, ends a line."""
    lines = []
    start = 0
    for piece in text.splitlines(keepends=True):
        lines.append(Line(start, start + len(piece.rstrip(LINE_ENDS))))
        start += len(piece)
    return lines


def protected(text: str, lines: Sequence[Line]) -> list[Region]:
    """Return the regions of a text in order, none overlapping another.

    Args:
        lines: Its lines, from :func:`lines_of`.
    """
    blocks = list(_fences(text, lines))
    blocks = sorted([*blocks, *_tables(text, lines, blocks)])
    return sorted([*blocks, *_Inline(text, lines, blocks).regions()])


def _fences(text: str, lines: Sequence[Line]) -> Iterator[Region]:
    """Yield code fences; one that is never closed ends before the next blank line."""
    contents = [text[line.start : line.end] for line in lines]
    closers: dict[tuple[str, int], list[int]] = defaultdict(list)
    for number, content in enumerate(contents):
        if bare := _BARE_FENCE.fullmatch(content):
            closers[bare[1][0], min(len(bare[1]), LONGEST_FENCE)].append(number)
    after = 0
    blank = len(lines)
    blanks = [0] * len(lines)
    for number in range(len(lines) - 1, -1, -1):
        blank = number if not contents[number].strip() else blank
        blanks[number] = blank
    for number, content in enumerate(contents):
        opener = _FENCE.fullmatch(content) if number >= after else None
        if opener is None:
            continue
        marker = opener[1] or opener[2]
        start = lines[number].start + content.index(marker)
        lengths = range(min(len(marker), LONGEST_FENCE), LONGEST_FENCE + 1)
        found = (_next(closers[marker[0], length], number + 1) for length in lengths)
        last = min((line for line in found if line is not None), default=None)
        if last is None:
            after = blanks[number]
            yield Region(start, lines[after - 1].end, "open fence")
        else:
            after = last + 1
            yield Region(start, lines[last].end, "fence")


def _tables(text: str, lines: Sequence[Line], taken: Sequence[Region]) -> Iterator[Region]:
    """Yield tables: a row, a row of dashes and more rows, or two and more rows between bars."""
    rows: list[int] = []
    fences = iter(taken)
    fence = next(fences, None)
    for number, line in enumerate(lines):
        while fence is not None and fence.end < line.start:
            fence = next(fences, None)
        inside = fence is not None and fence.start <= line.end
        if not inside and "|" in (content := text[line.start : line.end]) and content.strip():
            rows.append(number)
            continue
        yield from _table(text, lines, rows)
        rows = []
    yield from _table(text, lines, rows)


def _table(text: str, lines: Sequence[Line], rows: Sequence[int]) -> Iterator[Region]:
    """Yield the table in a run of consecutive lines with bars, if there is one."""
    contents = [text[lines[row].start : lines[row].end].strip() for row in rows]
    first = next((place for place, row in enumerate(contents[1:]) if _is_delimiter(row)), None)
    if first is None:
        barred = [row.startswith("|") and row.endswith("|") and len(row) > 1 for row in contents]
        first = 0 if len(rows) > 1 and all(barred) else None
    if first is not None:
        start, end = lines[rows[first]].start, lines[rows[-1]].end
        yield Region(start + _indent(text, start, end), end, "table")


def _is_delimiter(row: str) -> bool:
    """Say whether a table's row consists of dashes."""
    cells = row.strip("|").split("|")
    return "|" in row and all(_DELIMITER_CELL.fullmatch(cell.strip()) for cell in cells)


def _indent(text: str, start: int, end: int) -> int:
    """Return how many white characters a line starts with."""
    return end - start - len(text[start:end].lstrip())


def _next(positions: Sequence[int], at_least: int) -> int | None:
    """Return the first of some sorted positions that is not before a place."""
    place = bisect_left(positions, at_least)
    return positions[place] if place < len(positions) else None


class _Inline:
    """The search for regions between the blocks, from left to right as Markdown reads."""

    def __init__(self, text: str, lines: Sequence[Line], blocks: Sequence[Region]) -> None:
        """Collect the delimiters and where each kind of them stands."""
        self.text = text
        self.lines = lines
        self.blanks = [one.start for one in lines if not text[one.start : one.end].strip()]
        self.tokens = list(_tokens(text, blocks))
        self.stands: dict[str, list[int]] = defaultdict(list)
        for token in self.tokens:
            self.stands[self._key(token)].append(token.start)
        self.environments = _environments(text, self.tokens)
        self.braces = _braces(text, self.tokens)
        self.blocks = [block.start for block in blocks]

    def _key(self, token: Token) -> str:
        """Return what a delimiter's partner is looked up by."""
        named = token.name in {"ticks", "dollars", "open", "close"}
        return self.text[token.start : token.end] if named else token.name

    def regions(self) -> Iterator[Region]:
        """Yield the regions in order."""
        done = 0
        for token in self.tokens:
            if token.start < done:
                continue
            region = self._region(token)
            if region is not None and not self._crosses_block(region):
                done = region.end
                yield region

    def _crosses_block(self, region: Region) -> bool:
        """Say whether a fence or table starts inside a region."""
        block = _next(self.blocks, region.start)
        return block is not None and block < region.end

    def _region(self, token: Token) -> Region | None:
        """Return the region that a delimiter opens, if it has a partner."""
        start = token.start
        if token.name in {"url", "link"}:
            return Region(start, self._without_stop(token), "link")
        if token.name == "begin" and start in self.environments:
            return Region(start, self.environments[start], "display")
        if token.name == "command" and token.end - 1 in self.braces:
            end = self.braces[token.end - 1] + 1
            return Region(start, end, "math") if self._in_paragraph(start, end) else None
        if token.name == "ticks":
            end = self._partner(token, self._key(token))
            return Region(start, end, "code") if self._in_paragraph(start, end) else None
        if token.name == "dollars":
            return self._dollars(token)
        return self._brackets(token) if token.name == "open" else None

    def _without_stop(self, token: Token) -> int:
        """Return the end of a link, without the punctuation of the sentence around it."""
        if token.name == "link":
            return token.end
        link = self.text[token.start : token.end].rstrip(_STOPS_AFTER_LINK)
        if "(" not in link and "[" not in link:
            link = link.rstrip(_STOPS_AFTER_LINK + ")]")
        elif link.endswith(")") and link.count(")") > link.count("("):
            link = link[:-1].rstrip(_STOPS_AFTER_LINK)
        return token.start + len(link)

    def _partner(self, token: Token, key: str) -> int:
        """Return where the next delimiter of a kind ends, or 0 if there is none."""
        found = _next(self.stands[key], token.end)
        return 0 if found is None else found + len(key)

    def _in_paragraph(self, start: int, end: int) -> bool:
        """Say whether a stretch exists and holds no blank line."""
        blank = _next(self.blanks, start)
        return end > start and (blank is None or blank >= end)

    def _brackets(self, token: Token) -> Region | None:
        r"""Return the region of ``\[…\]`` or ``\(…\)``."""
        opening = self._key(token)
        end = self._partner(token, "\\]" if opening == "\\[" else "\\)")
        again = _next(self.stands[opening], token.end)
        if not end or (again is not None and again < end):
            return None
        if opening == "\\[":
            return Region(token.start, end, "display")
        return Region(token.start, end, "math") if self._in_paragraph(token.start, end) else None

    def _dollars(self, token: Token) -> Region | None:
        """Return the region of ``$…$`` or ``$$…$$``; sums of money are none."""
        text, start = self.text, token.start
        end = self._partner(token, self._key(token))
        if not end:
            return None
        if token.end - start == 2:
            alone = self._alone(start, token.end) and self._alone(end - 2, end)
            whole = alone or self._in_paragraph(start, end)
            return Region(start, end, "display") if whole else None
        inside = text[token.end : end - 1]
        tight = not inside[:1].isspace() and not inside[-1:].isspace()
        if not tight or text[end : end + 1].isdigit() or not self._in_paragraph(start, end):
            return None
        return None if _SENTENCE_INSIDE.search(inside) else Region(start, end, "math")

    def _alone(self, start: int, end: int) -> bool:
        """Say whether nothing else stands on the line of a delimiter."""
        line = self.lines[bisect_right(self.lines, start, key=lambda one: one.start) - 1]
        if start - line.start > DEEPEST or line.end - end > DEEPEST:
            return False
        return not (self.text[line.start : start] + self.text[end : line.end]).strip()


def _tokens(text: str, blocks: Iterable[Region]) -> Iterator[Token]:
    """Yield the delimiters outside fences and tables."""
    start = 0
    for end, resume in [*((block.start, block.end) for block in blocks), (len(text), len(text))]:
        for match in _TOKEN.finditer(text, start, end):
            if match.lastgroup != "escape":
                yield Token(match.start(), match.end(), match.lastgroup or "")
        start = resume


def _environments(text: str, tokens: Iterable[Token]) -> dict[int, int]:
    r"""Return where each ``\begin{…}`` that has a partner starts, with the end of its partner."""
    pending: dict[str, list[int]] = defaultdict(list)
    found = {}
    for token in tokens:
        if token.name == "begin":
            pending[text[token.start + 6 : token.end]].append(token.start)
        elif token.name == "end" and pending[text[token.start + 4 : token.end]]:
            found[pending[text[token.start + 4 : token.end]].pop()] = token.end
    return found


def _braces(text: str, tokens: Iterable[Token]) -> dict[int, int]:
    """Return where the brace after each command stands, with the brace that closes it."""
    wanted = {token.end - 1 for token in tokens if token.name == "command"}
    found: dict[int, int] = {}
    pending: list[int] = []
    for match in re.finditer(r"\\[^a-zA-Z]|[{}]", text) if wanted else ():
        if match[0] == "{":
            pending.append(match.start())
        elif match[0] == "}" and pending and (opening := pending.pop()) in wanted:
            found[opening] = match.start()
    return found


def region_at(regions: Sequence[Region], position: int) -> Region | None:
    """Return the region with text on both sides of a position, if there is one."""
    place = bisect_right(regions, position, key=lambda region: region.start) - 1
    if place >= 0 and regions[place].start < position < regions[place].end:
        return regions[place]
    return None
