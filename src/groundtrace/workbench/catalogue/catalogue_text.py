"""The catalogue of rules as text and JSON."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import singledispatch
from typing import Any

from pydantic_core import to_json

from groundtrace.rules.text.excerpts import plain
from groundtrace.vocabulary import PROGRAMS
from groundtrace.workbench.catalogue.catalogue import Catalogue
from groundtrace.workbench.catalogue.entries import (
    Constant,
    Found,
    NamedRule,
    OwnFile,
    Predicate,
    RuleFile,
)

_KINDS = {NamedRule: "rule", RuleFile: "file", Predicate: "predicate", Constant: "constant"}
_COMMON = ("vocabulary.lp", "constants.lp", "show.lp")
"""Files without stages, listed once."""


def list_text(catalogue: Catalogue, own: Sequence[OwnFile], width: int) -> Iterator[str]:
    """Yield everything as lines of text."""
    yield f"The rule files are in {plain(str(catalogue.directory))}\n"
    files = {file.name: file for file in catalogue.files}
    yield "\n== Words, constants, output\n"
    for name in _COMMON:
        yield from _file_lines(files[name], width)
    for program in PROGRAMS:
        entry = files[f"{program}.lp"]
        yield f"\n== {entry.header.title} ({entry.name})\n"
        for name in catalogue.files_of(program)[1:]:
            if name not in _COMMON:
                yield from _file_lines(files[name], width)
    yield "\n== Named rules\n"
    for rule in catalogue.rules:
        yield f"\n{rule.name}   {rule.file}:{rule.line}\n"
        yield from _lines_of("    ", rule.sentence, width)
        yield f"    {_switch(rule)}\n"
    yield "\n== Constants\n"
    for constant in catalogue.constants:
        yield from _constant_lines(constant, width)
    for one in own:
        yield from _own_lines(one, width)
    yield "\nMore about each: groundtrace rules show NAME\n"


def _switch(rule: NamedRule) -> str:
    return f"switched off by: {rule.switch}" if rule.switch else "cannot be switched off"


def _lines_of(indent: str, text: str, width: int, more: str | None = None) -> Iterator[str]:
    """Yield a text in lines that fit."""
    lines = textwrap.wrap(
        plain(text),
        max(width, 40),
        initial_indent=indent,
        subsequent_indent=indent if more is None else more,
        break_on_hyphens=False,
    )
    yield from (f"{line}\n" for line in lines)


def _field(name: str, words: Sequence[str] | str, width: int) -> Iterator[str]:
    """Yield a field with its name, if there is anything to say."""
    text = words if isinstance(words, str) else ", ".join(words)
    if text:
        yield from _lines_of(f"    {name:<9}", text, width, " " * 13)


def _file_lines(file: RuleFile, width: int) -> Iterator[str]:
    yield from ("\n", f"{plain(file.name)}   {plain(file.header.title)}".rstrip() + "\n")
    yield from _lines_of("    ", file.header.purpose, width)
    yield from _field("reads:", file.reads, width)
    yield from _field("derives:", file.derives, width)
    yield from _field("source:", "" if file.header.source == "none" else file.header.source, width)


def _constant_lines(constant: Constant, width: int) -> Iterator[str]:
    unit = "" if constant.unit == "none" else f" {constant.unit}"
    yield f"\n{constant.name} = {constant.value}{unit}   {constant.file}:{constant.line}\n"
    yield from _lines_of("    ", constant.comment, width)
    yield from _field("range:", constant.range, width)
    yield from _field("source:", constant.source, width)


def _own_lines(own: OwnFile, width: int) -> Iterator[str]:
    file = own.file
    yield f"\n== Your file {plain(file.name)}\n"
    yield from _file_lines(file, width)
    for name, value, line in own.constants:
        yield f"    {name} = {plain(value)}   line {line}\n"
    for line, derives, reads in own.rules:
        text = f"line {line}: {', '.join(derives) or 'a constraint'}"
        yield from _lines_of("    ", f"{text} from {', '.join(reads)}" if reads else text, width)


def list_json(catalogue: Catalogue, own: Sequence[OwnFile]) -> str:
    """Return everything as one JSON object."""
    fields = {
        "directory": str(catalogue.directory),
        "programs": {program: catalogue.files_of(program) for program in PROGRAMS},
        "files": [_file_fields(file) for file in catalogue.files],
        "rules": [asdict(rule) | {"rules": _lines_with_numbers(rule)} for rule in catalogue.rules],
        "constants": [asdict(constant) for constant in catalogue.constants],
        "overlays": [_own_fields(one) for one in own],
    }
    return f"{to_json(fields, indent=2).decode()}\n"


def _file_fields(file: RuleFile) -> dict[str, Any]:
    fields = asdict(file)
    header = file.header
    del fields["header"]
    return fields | {"title": header.title, "purpose": header.purpose, "source": header.source}


def _own_fields(own: OwnFile) -> dict[str, Any]:
    constants = [
        {"name": name, "value": value, "line": line} for name, value, line in own.constants
    ]
    rules = [{"line": line, "derives": heads, "reads": read} for line, heads, read in own.rules]
    return _file_fields(own.file) | {"constants": constants, "rules": rules}


def _lines_with_numbers(rule: NamedRule) -> list[dict[str, Any]]:
    return [{"line": number, "text": text} for number, text in rule.rules]


def show_json(found: Sequence[Found]) -> str:
    """Return what has one name as a JSON list."""
    fields = [{"kind": _KINDS[type(one)], **_found_fields(one)} for one in found]
    return f"{to_json(fields, indent=2).decode()}\n"


def _found_fields(one: Found) -> dict[str, Any]:
    if isinstance(one, NamedRule):
        return asdict(one) | {"rules": _lines_with_numbers(one)}
    return _file_fields(one) if isinstance(one, RuleFile) else asdict(one)


def show_text(catalogue: Catalogue, found: Sequence[Found], width: int) -> Iterator[str]:
    """Yield what has one name as lines of text."""
    for place, one in enumerate(found):
        if place:
            yield "\n"
        yield from _text_of(one, catalogue, width)


@singledispatch
def _text_of(one: Found, catalogue: Catalogue, width: int) -> Iterator[str]:
    """Yield one thing as lines of text.

    Raises:
        NotImplementedError: it is no kind of thing that a catalogue holds.
    """
    raise NotImplementedError(type(one))


@_text_of.register
def _(one: NamedRule, catalogue: Catalogue, width: int) -> Iterator[str]:
    yield f"rule {one.name}   {one.file}:{one.line}\n"
    yield from _lines_of("    ", one.comment, width)
    yield from _field("reads:", one.reads, width)
    yield from _field("derives:", one.derives, width)
    yield from _field("source:", one.source, width)
    yield f"    {_switch(one)}\n\n"
    yield from _numbered_lines(one.file, one.rules)


def _numbered_lines(file: str, lines: Sequence[tuple[int, str]]) -> Iterator[str]:
    before = lines[0][0] if lines else 0
    for number, text in lines:
        if number > before + 1:
            yield "\n"
        yield f"{file}:{number}:  {text}\n"
        before = number


@_text_of.register
def _(one: RuleFile, catalogue: Catalogue, width: int) -> Iterator[str]:
    yield f"file {one.name}   {one.header.title}\n"
    yield f"    {plain(str(catalogue.directory / one.name))}\n"
    yield from _lines_of("    ", one.header.purpose, width)
    yield from _field("rules of:", [f" {program}" for program in one.programs], width)
    yield from _field("reads:", one.reads, width)
    yield from _field("derives:", one.derives, width)
    yield from _field("source:", one.header.source, width)
    names = [f"{rule.name} (line {rule.line})" for rule in catalogue.rules if rule.file == one.name]
    yield from _field("named:", names, width)


@_text_of.register
def _(one: Predicate, catalogue: Catalogue, width: int) -> Iterator[str]:
    place = f"   {one.file}:{one.line}" if one.file else ""
    yield f"predicate {one.name}/{one.arity}{place}\n"
    said = f"{one.written}: {one.text}" if one.file else one.text
    yield from _lines_of("    ", said, width)
    yield from _field("section:", one.section, width)
    if one.extension:
        yield from _lines_of("    ", f"EXTENSION POINT: {one.extension}", width)
    elif one.file:
        yield "    no extension point: a rule file of your own may read it, but not derive it\n"
    yield from _places("derived by", one.derived_by, "the program or a rule file of your own")
    yield from _places("read by", one.read_by, "no rule of ours")


def _places(what: str, places: Mapping[str, Sequence[int]], otherwise: str) -> Iterator[str]:
    yield f"    {what}{':' if places else f' {otherwise}'}\n"
    for file, lines in places.items():
        numbers = ", ".join(map(str, lines))
        yield f"        {file}: {'line' if len(lines) == 1 else 'lines'} {numbers}\n"


@_text_of.register
def _(one: Constant, catalogue: Catalogue, width: int) -> Iterator[str]:
    yield f"constant {one.name} = {one.value}   {one.file}:{one.line}\n"
    yield from _lines_of("    ", one.comment, width)
    yield from _field("unit:", one.unit, width)
    yield from _field("range:", one.range, width)
    yield from _field("source:", one.source, width)
    yield from _field("rules of:", [f" {program}" for program in one.programs], width)
    yield f"    to change: --set {one.name}=VALUE, or in a rule file of your own\n"
    yield f"               #const {one.name} = VALUE. [override]\n"
