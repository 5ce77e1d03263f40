"""What became of test files, as text, JSON or JUnit XML."""

import re
from collections.abc import Iterator, Sequence
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from pydantic_core import to_json

from groundtrace.phrases import clean, counted
from groundtrace.rules.text.excerpts import plain
from groundtrace.workbench.test.cases import Case, CaseError, Problem
from groundtrace.workbench.test.suites import Suite

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def summary_of(suites: Sequence[Suite]) -> str:
    """Return one line with the counts of a run."""
    cases = sum(len(suite.cases) for suite in suites)
    failed = sum(suite.failed for suite in suites)
    unread = sum(suite.error is not None for suite in suites)
    parts = [f"{counted(cases, 'case')} in {counted(len(suites), 'file')}"]
    parts.append(f"{failed:,} failed" if failed else "all hold" if cases else "none tried")
    if unread:
        parts.append(f"{counted(unread, 'file')} could not be read")
    return f"{parts[0]}: {', '.join(parts[1:])}"


def text_of(suites: Sequence[Suite]) -> Iterator[str]:
    """Yield lines: one per file, then what failed, then the summary."""
    for suite in suites:
        yield f"{plain(suite.file)}: {_counts(suite)}\n"
    for suite in suites:
        if suite.error is not None:
            yield from ("\n", *_error_text(suite.error))
        for case, problems in zip(suite.cases, suite.problems, strict=True):
            if problems:
                yield from ("\n", *_case_text(case, problems))
    yield f"\n{summary_of(suites)}\n"


def _counts(suite: Suite) -> str:
    if suite.error is not None:
        return "cannot be read"
    failed = f"{suite.failed:,} failed" if suite.failed else "all hold"
    return f"{counted(len(suite.cases), 'case')}, {failed}"


def _error_text(error: CaseError) -> Iterator[str]:
    yield f"cannot be read: {plain(error.name)}\n"
    for problem in error.problems:
        yield from _problem_text(problem)


def _case_text(case: Case, problems: Sequence[Problem]) -> Iterator[str]:
    yield f"failed: {plain(case.place)}: {clean(case.title)}\n"
    for problem in problems:
        yield from _problem_text(problem)


def _problem_text(problem: Problem) -> Iterator[str]:
    """Yield the lines of one problem; its excerpt is harmless already."""
    first, *more = problem.text.split("\n")
    yield f"  {plain(problem.place)}: {plain(first)}\n"
    yield from (f"  {plain(line)}\n" for line in more)
    yield from (f"      {line}\n" for line in problem.excerpt)
    if problem.nearest is not None:
        yield f"    {_HOLDS}: {plain(problem.nearest)}\n"


_HOLDS = "holds instead"


def json_of(suites: Sequence[Suite]) -> str:
    """Return the run as one JSON object."""
    fields = {
        "cases": sum(len(suite.cases) for suite in suites),
        "failed": sum(suite.failed for suite in suites),
        "unreadable": sum(suite.error is not None for suite in suites),
        "files": [_file_fields(suite) for suite in suites],
    }
    return f"{to_json(fields, indent=2).decode()}\n"


def _file_fields(suite: Suite) -> dict[str, Any]:
    return {
        "file": _text(suite.file),
        "error": None if suite.error is None else list(map(_fields, suite.error.problems)),
        "cases": [
            {
                "title": case.title,
                "line": case.line,
                "rules": case.rules,
                "holds": not problems,
                "problems": list(map(_fields, problems)),
            }
            for case, problems in zip(suite.cases, suite.problems, strict=True)
        ],
    }


def _fields(problem: Problem) -> dict[str, Any]:
    return {
        "place": _text(problem.place),
        "text": _text(problem.text),
        "nearest": problem.nearest,
        "excerpt": list(problem.excerpt),
    }


def _text(text: str) -> str:
    """Return a text without lone surrogates, which names of files may hold."""
    return text.encode(errors="replace").decode()


def junit_of(suites: Sequence[Suite]) -> str:
    """Return the run as JUnit XML, which CI servers show."""
    tests = sum(len(suite.cases) + (suite.error is not None) for suite in suites)
    failed = sum(suite.failed for suite in suites)
    unread = sum(suite.error is not None for suite in suites)
    root = _element(None, "testsuites", tests=tests, failures=failed, errors=unread)
    for suite in suites:
        wrong = suite.error is not None
        count, errors = len(suite.cases) + wrong, int(wrong)
        part = _element(
            root, "testsuite", name=suite.file, tests=count, failures=suite.failed, errors=errors
        )
        if suite.error is not None:
            inside = _element(part, "testcase", classname=suite.file, name="cannot be read")
            _explain(inside, "error", suite.error.problems)
        for case, problems in zip(suite.cases, suite.problems, strict=True):
            inside = _element(
                part,
                "testcase",
                classname=suite.file,
                name=case.title,
                file=suite.file,
                line=case.line,
            )
            if problems:
                _explain(inside, "failure", problems)
    indent(root)
    return f"<?xml version='1.0' encoding='utf-8'?>\n{tostring(root, encoding='unicode')}\n"


def _explain(inside: Element, kind: str, problems: Sequence[Problem]) -> None:
    lines = "".join(line for problem in problems for line in _problem_text(problem))
    _element(inside, kind, message=plain(problems[0].text)).text = _xml(f"\n{lines}")


def _element(parent: Element | None, name: str, /, **attributes: str | int) -> Element:
    """Return an element below another, its attributes fit for XML."""
    fit = {key: _xml(str(value)) for key, value in attributes.items()}
    return Element(name, fit) if parent is None else SubElement(parent, name, fit)


def _xml(text: str) -> str:
    """Return a text without the characters that XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)
