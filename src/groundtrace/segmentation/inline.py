"""Regions within lines: code in backticks, mathematics, links.

Every regular expression here is bounded and every partner of a delimiter is looked up in sorted
positions, so that the time grows with the length of the text, whatever it holds.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from groundtrace.segmentation.places import Line, Region, first_from

DEEPEST = 100
"""White space beside a delimiter that stands alone on its line."""
_STOPS_AFTER_LINK = ".,;:!?'*_"
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
    r"|(?P<mail>(?<=\w)@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8})"
    r"|(?P<link>\[[^\[\]\n]{1,300}\]\([^()\n]{0,500}(?:\([^()\n]{0,200}\)[^()\n]{0,200})?\))"
)


class Token(NamedTuple):
    """A delimiter of code or mathematics, or a whole link."""

    start: int
    end: int
    name: str


class InlineSearch:
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
        block = first_from(self.blocks, region.start)
        return block is not None and block < region.end

    def _region(self, token: Token) -> Region | None:
        """Return the region that a delimiter opens, if it has a partner."""
        start = token.start
        if token.name in {"url", "mail", "link"}:
            return Region(start, self._end_without_stop(token), "link")
        if token.name == "begin" and start in self.environments:
            return Region(start, self.environments[start], "display")
        if token.name == "command" and token.end - 1 in self.braces:
            end = self.braces[token.end - 1] + 1
            return Region(start, end, "math") if self._in_paragraph(start, end) else None
        if token.name == "ticks":
            return self._ticks(token)
        if token.name == "dollars":
            return self._dollars(token)
        return self._brackets(token) if token.name == "open" else None

    def _end_without_stop(self, token: Token) -> int:
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
        found = first_from(self.stands[key], token.end)
        return 0 if found is None else found + len(key)

    def _in_paragraph(self, start: int, end: int) -> bool:
        """Say whether a stretch exists and holds no blank line."""
        blank = first_from(self.blanks, start)
        return end > start and (blank is None or blank >= end)

    def _brackets(self, token: Token) -> Region | None:
        r"""Return the region of ``\[…\]`` or ``\(…\)``."""
        opening = self._key(token)
        end = self._partner(token, "\\]" if opening == "\\[" else "\\)")
        again = first_from(self.stands[opening], token.end)
        if not end or (again is not None and again < end):
            return None
        if opening == "\\[":
            return Region(token.start, end, "display")
        return Region(token.start, end, "math") if self._in_paragraph(token.start, end) else None

    def _ticks(self, token: Token) -> Region | None:
        """Return the region of code in backticks; three of them apart from words are none."""
        start, end = token.start, self._partner(token, self._key(token))
        if not self._in_paragraph(start, end):
            return None
        inside = self.text[token.end : end - (token.end - start)]
        apart = inside[:1].isspace() or inside[-1:].isspace()
        fence = token.end - start >= 3
        return None if fence and apart and "\n" not in inside else Region(start, end, "code")

    def _dollars(self, token: Token) -> Region | None:
        """Return the region of ``$…$`` or ``$$…$$``; sums of money are none."""
        text, start = self.text, token.start
        end = self._partner(token, self._key(token))
        if not end:
            return None
        if token.end - start == 2:
            alone = self._is_alone(start, token.end) and self._is_alone(end - 2, end)
            whole = alone or self._in_paragraph(start, end)
            return Region(start, end, "display") if whole else None
        inside = text[token.end : end - 1]
        tight = not inside[:1].isspace() and not inside[-1:].isspace()
        if not tight or text[end : end + 1].isdigit() or not self._in_paragraph(start, end):
            return None
        return None if _SENTENCE_INSIDE.search(inside) else Region(start, end, "math")

    def _is_alone(self, start: int, end: int) -> bool:
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
