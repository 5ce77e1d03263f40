"""Read test files: their cases, and what is wrong with one that cannot be read."""

import re
from dataclasses import replace
from pathlib import Path

from groundtrace.errors import InputError, RuleError
from groundtrace.phrases import nearest
from groundtrace.rules.rulebook import CONSTANT_SPELLINGS, rulebook_for
from groundtrace.rules.text.excerpts import plain
from groundtrace.vocabulary import PROGRAMS, Program
from groundtrace.workbench.test.cases import (
    HEADING,
    Added,
    Case,
    CaseError,
    Expectation,
    Problem,
    excerpt_at,
    known_predicates,
    unknown_predicate,
)
from groundtrace.workbench.test.expectations import EXPECTATIONS, NotAnAtom, read_atom, split_words

OF_FILES = ("rules", "overlay", "set")
OF_CASES = (*EXPECTATIONS, "set", "overlay")
TITLES = ("purpose", "source", "reads", "derives", "note")
"""What a header may say for readers alone."""

_REMARK = re.compile(r"%\s*(?P<key>[A-Za-z]+):(?P<text>.*)")
_ASTRAY = re.compile(r"%\s*(all|any|none|set|overlay):")


def read_cases(file: str, text: str, added: Added | None = None) -> list[Case]:
    """Return the cases of a test file.

    Args:
        file: Its path; overlays are sought beside it.
        text: Its content, lines ending in a line feed.
        added: Overlays and constants for every case.

    Raises:
        CaseError: the file or one of its cases cannot be read.
    """
    header, *parts = re.split(rf"^(?={re.escape(HEADING)})", text, flags=re.MULTILINE)
    start = _read_header(file, header)
    if not parts:
        raise _error(file, 1, f"holds no case: a case starts with a line '{HEADING} what it shows'")
    cases, line = [], 1 + header.count("\n")
    for part in parts:
        cases.append(_read_case(replace(start, line=line, program=part)))
        line += part.count("\n")
    titles: set[str] = set()
    for case in cases:
        if case.title in titles:
            raise _error(file, case.line, f"title used more than once: {case.title}")
        titles.add(case.title)
    added = added or Added()
    return [_usable_case(_add_options(case, added)) for case in cases]


def _error(name: str, line: int, text: str, shown: str | None = None) -> CaseError:
    """Return what is wrong at a line of a file, for a file or "file::title" of a case."""
    place = f"{name.partition('::')[0]}:{line}"
    return CaseError(name, [Problem(place, text, None, () if shown is None else (plain(shown),))])


def _overlay_error(name: str, line: int, what: str, error: RuleError) -> CaseError:
    """Return what is wrong with an overlay, at the line that asks for it and in the overlay."""
    place = f"{name.partition('::')[0]}:{line}"
    first = Problem(place, f"{what}: {error.summary}")
    inside = (Problem(one.place, one.text, None, excerpt_at(one.place)) for one in error.complaints)
    return CaseError(name, [first, *inside])


def _rules_of(file: str) -> Program:
    """Return the rules that a file's folder is named after."""
    folder = Path(file).absolute().parent.name
    return next((one for one in PROGRAMS if one == folder), "audit")


def _read_header(file: str, header: str) -> Case:
    """Return what the header says, as the beginning of every case.

    Raises:
        CaseError: it cannot be read.
    """
    if not re.match(r"%# \S.*\n% Purpose: \S", header):
        text = "must start with a line '%# Title' and a line '% Purpose: ...'"
        raise _error(file, 1, text)
    case = Case(file, 1, "", "", _rules_of(file))
    for number, line in enumerate(header.split("\n"), 1):
        if line.strip() and not line.startswith("%"):
            raise _error(file, number, f"stands before the first case: {line.strip()}")
        remark = _REMARK.fullmatch(line.strip())
        if remark is None or remark["key"].lower() in TITLES:
            continue
        key, value = remark["key"], remark["text"].strip()
        if key == "rules" and value:
            case = replace(case, rules=_program(file, number, value))
        elif key in OF_FILES and value:
            case = _add_comment(case, key, value, number)
        elif key in OF_FILES:
            raise _error(file, number, f"nothing follows '{key}:'", line)
        elif key.lower() in EXPECTATIONS:
            raise _error(file, number, f"stands before the first case: {line.strip()}")
        elif wanted := nearest(key.lower(), OF_FILES):
            raise _error(file, number, f"there is no '{key}:'; did you mean '{wanted}:'?", line)
    return case


def _program(file: str, line: int, value: str) -> Program:
    """Return the program of a name.

    Raises:
        CaseError: there is none.
    """
    for program in PROGRAMS:
        if program == value:
            return program
    raise _error(file, line, f"'rules:' is one of {', '.join(PROGRAMS)}, not {value!r}")


def _read_case(start: Case) -> Case:
    """Return a case with what its comments say.

    Raises:
        CaseError: a comment cannot be read.
    """
    heading, *lines = start.program.split("\n")
    case = replace(start, title=heading.removeprefix(HEADING).strip())
    for number, line in enumerate(lines, start.line + 1):
        remark = _REMARK.fullmatch(line.strip())
        if remark is None:
            if _ASTRAY.search(line):
                raise _error(str(case), number, "must stand on a line of its own", line)
            continue
        key, value = remark["key"], remark["text"].strip()
        if key not in OF_CASES:
            if key[0].isupper() and key.lower() not in OF_CASES:
                continue  # A remark for readers, such as "Source: ...".
            known = ", ".join(OF_CASES)
            raise _error(str(case), number, f"'{key}:' is none of {known}", line)
        if not value:
            raise _error(str(case), number, f"nothing follows '{key}:'", line)
        case = _add_comment(case, key, value, number)
    if not case.title:
        raise _error(str(case), case.line, "the case has no title: say what it shows", heading)
    return case


def _add_comment(case: Case, key: str, value: str, line: int) -> Case:
    """Return a case with what one comment adds.

    Raises:
        CaseError: the comment cannot be read.
    """
    if key == "overlay":
        path = str(Path(case.file).parent / value)
        try:
            rulebook_for(case.rules, [*case.overlays, path])
        except RuleError as error:
            raise _overlay_error(str(case), line, f"overlay {value}", error) from None
        return replace(case, overlays=(*case.overlays, path))
    words = split_words(value)
    if key == "set":
        settings = dict(case.settings)
        for word in words:
            name, equals, given = word.partition("=")
            if not (name and equals and given):
                raise _error(str(case), line, f"'set:' needs name=value, not {word}")
            settings[CONSTANT_SPELLINGS.get(name, name)] = given
        return replace(case, settings=settings)
    expectation = Expectation(key, line, tuple(words))
    return replace(case, expectations=(*case.expectations, expectation))


def _add_options(case: Case, added: Added) -> Case:
    """Return a case with what the command line adds; its constants win.

    Raises:
        CaseError: an added overlay cannot be used with the rules of the case.
    """
    overlays = dict.fromkeys((*case.overlays, *added.overlays))
    try:
        known = rulebook_for(case.rules, overlays).constants
    except RuleError as error:
        raise _overlay_error(str(case), case.line, "--overlay", error) from None
    settings = dict(case.settings)
    for name, value in added.settings:
        if (own := CONSTANT_SPELLINGS.get(name, name)) in known:
            settings[own] = value
    return replace(case, overlays=tuple(overlays), settings=settings)


def _usable_case(case: Case) -> Case:
    """Return a case that can be tried.

    Raises:
        CaseError: an atom or constant in it does not exist, or it expects nothing.
    """
    try:
        rulebook_for(case.rules, case.overlays, case.settings)
    except InputError as error:
        raise _error(str(case), case.line, str(error)) from None
    if not case.expectations:
        text = "expects nothing, and would always hold; add a line such as '% all: support(7,2)'"
        raise _error(str(case), case.line, text)
    known = known_predicates(case)
    for expectation in case.expectations:
        for word in expectation.atoms:
            try:
                atom = read_atom(word)
            except NotAnAtom as error:
                raise _error(str(case), expectation.line, str(error)) from None
            if (atom.name, len(atom.arguments)) not in known:
                text = unknown_predicate((atom.name, len(atom.arguments)), known)
                raise _error(str(case), expectation.line, f"{text}: {word}")
    return case
