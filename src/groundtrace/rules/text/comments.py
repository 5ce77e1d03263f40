"""What the comments of our rule files say: headers, named rules, constants and the vocabulary."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

_HEADER_LINE = re.compile(r"% (?P<key>[A-Z][a-z]+):\s+(?P<text>\S.*)")
_NAMED_RULE = re.compile(r"% rule (?P<name>[a-z]\w*): (?P<text>\S.*)")
_SECTION = re.compile(r"% -{3,} (?P<title>.+)")
_ENTRY = re.compile(r"% (?P<name>[a-z]\w*)\((?P<arguments>[^()]*)\): (?P<text>\S.*)")
_EXTENSION = re.compile(r"\s*EXTENSION POINT: (?P<how>[^.]*)\.")
_FIELDS = re.compile(r"% unit: (?P<unit>.*?)   range: (?P<range>.*?)   source: (?P<source>.*)")
_SENTENCE = re.compile(r".*?[.](?= |$)")


class Header(NamedTuple):
    """The comment at the top of a file; empty texts where it says nothing."""

    title: str
    purpose: str
    reads: str
    derives: str
    source: str


class NamedComment(NamedTuple):
    """A comment that gives a group of rules its name."""

    name: str
    line: int
    text: str
    last: int
    """The last line of the group: another comment, or the end of the file, follows."""

    @property
    def sentence(self) -> str:
        """Its first sentence."""
        match = _SENTENCE.match(self.text)
        return match[0] if match else self.text


class Entry(NamedTuple):
    """A predicate as vocabulary.lp documents it."""

    name: str
    arguments: tuple[str, ...]
    line: int
    text: str
    section: str
    extension: str | None
    """How users may extend it, such as "derive more"; None if they may not."""

    @property
    def shown(self) -> str:
        """The predicate with its arguments."""
        return f"{self.name}({', '.join(self.arguments)})"


class ConstantComment(NamedTuple):
    """What stands above a constant."""

    text: str
    unit: str
    range: str
    source: str


def header_of(lines: Sequence[str]) -> Header:
    """Return the header of a file."""
    fields: dict[str, str] = {}
    title = key = ""
    for line in lines:
        if match := _HEADER_LINE.fullmatch(line):
            key = match["key"].lower()
            fields[key] = match["text"]
        elif line.startswith("%# ") and not title:
            title = line.removeprefix("%# ").strip()
        elif key and line.startswith("%  "):
            fields[key] += " " + line.removeprefix("%").strip()
        else:
            break
    texts = (fields.get(one, "") for one in ("purpose", "reads", "derives", "source"))
    return Header(title, *texts)


def named_comments(lines: Sequence[str]) -> Iterator[NamedComment]:
    """Yield the comments of a file that name rules."""
    for number, line in enumerate(lines, 1):
        if match := _NAMED_RULE.fullmatch(line):
            code = _next(lines, number, comment=False)
            end = _next(lines, code, comment=True)
            more = (one.removeprefix("%").strip() for one in lines[number:code])
            text = " ".join([match["text"], *more]).strip()
            yield NamedComment(match["name"], number, text, end)


def _next(lines: Sequence[str], start: int, *, comment: bool) -> int:
    """Return how many lines come before the next one that is, or is not, a comment."""
    for place in range(start, len(lines)):
        if lines[place].startswith("%") is comment and lines[place].strip():
            return place
    return len(lines)


def entries_of(lines: Sequence[str]) -> Iterator[Entry]:
    """Yield the predicates that vocabulary.lp documents."""
    section = ""
    for number, line in enumerate(lines, 1):
        if title := _SECTION.fullmatch(line):
            section = title["title"]
        elif match := _ENTRY.fullmatch(line):
            text = " ".join([match["text"], *_following_lines(lines, number)])
            extension = _EXTENSION.search(text)
            arguments = tuple(one.strip() for one in match["arguments"].split(","))
            yield Entry(
                match["name"],
                arguments,
                number,
                " ".join(_EXTENSION.sub("", text).split()),
                section,
                extension["how"] if extension else None,
            )


def _following_lines(lines: Sequence[str], start: int) -> Iterator[str]:
    for line in lines[start:]:
        if not line.startswith("% ") or _ENTRY.fullmatch(line):
            return
        yield line.removeprefix("%").strip()


def constant_comments(
    lines: Sequence[str], places: Mapping[str, int]
) -> dict[str, ConstantComment]:
    """Return what stands above each constant.

    Args:
        places: Name of a constant to its line.
    """
    return {name: _constant_comment(lines, line) for name, line in places.items()}


def _constant_comment(lines: Sequence[str], line: int) -> ConstantComment:
    above: list[str] = []
    for text in reversed(lines[: line - 1]):
        if not text.startswith("% "):
            break
        above.insert(0, text)
    fields = _FIELDS.fullmatch(above[-1]) if above else None
    said = above[:-1] if fields else above
    text = " ".join(one.removeprefix("%").strip() for one in said)
    if fields is None:
        return ConstantComment(text, "", "", "")
    return ConstantComment(text, fields["unit"], fields["range"], fields["source"])
