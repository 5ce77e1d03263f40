"""Checks: questions whose every row is a violation of what must hold in a knowledge base."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from groundtrace.errors import InputError, LimitError
from groundtrace.knowledge.ask.answering import DEFAULT_ROW_LIMIT, Answer, Request
from groundtrace.knowledge.ask.asker import Asker
from groundtrace.knowledge.ask.questions import Question, question_named, questions_in
from groundtrace.knowledge.ontology_files import ontology_directory
from groundtrace.knowledge.record_check import RECORD_CHECK, mismatches

Severity = Literal["error", "warning"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
EXPECTED = ("severity", "subject", "message")
"""What a check selects; and, if it can, the graph."""


class Violation(NamedTuple):
    """Something that must not be, found by a check."""

    check: str
    """Its name."""
    severity: Severity
    graph: str | None
    """The record concerned, by its IRI."""
    subject: str
    """What it is about."""
    message: str
    """One sentence."""


class Checked(NamedTuple):
    """What became of one check."""

    check: Question
    violations: list[Violation]
    more: bool
    """Whether there are more violations than were fetched."""
    error: InputError | LimitError | None
    """Why it could not be run to its end."""


def our_checks() -> tuple[Question, ...]:
    """Return the checks in SPARQL that come with groundtrace, by name."""
    return questions_in(ontology_directory() / "checks")


def chosen_checks(names: Sequence[str], folders: Sequence[Path]) -> list[Question]:
    """Return the checks that are to be run.

    Args:
        names: Of some of them; all if there are none.
        folders: Of users' own checks; ours are left out if there are any, unless they are named.

    Raises:
        InputError: there is no check of a name, or a folder cannot be read.
    """
    own = [check for folder in folders for check in questions_in(folder)]
    if not names:
        return own or [*our_checks(), RECORD_CHECK]
    known = [*own, *our_checks(), RECORD_CHECK]
    return [question_named(name, known, thing="check") for name in dict.fromkeys(names)]


def run_checks(
    asker: Asker,
    checks: Iterable[Question],
    time_limit: float,
    most_rows: int = DEFAULT_ROW_LIMIT,
) -> Iterator[Checked]:
    """Yield what becomes of each check, in their order; one that fails costs no other.

    Args:
        asker: Of the knowledge base.
        time_limit: Seconds that each may take.
        most_rows: Violations of one check that are fetched.

    Raises:
        ModelError: an endpoint could not be reached or used.
    """
    ours = set(our_checks())
    for check in checks:
        if check is RECORD_CHECK:
            yield _check_records(asker, time_limit, most_rows)
            continue
        request = Request(check.query, check in ours, most_rows)
        try:
            answer = asker.ask(request, time_limit)
            yield Checked(check, _violations(check, answer), answer.more, None)
        except (InputError, LimitError) as error:
            yield Checked(check, [], False, error)


def _check_records(asker: Asker, time_limit: float, most_rows: int) -> Checked:
    """Return what becomes of the check that compares triples with their records."""
    found: list[Violation] = []
    try:
        for iri, message in islice(mismatches(asker, time_limit), most_rows + 1):
            found.append(Violation(RECORD_CHECK.name, "error", iri, iri, message))
    except (InputError, LimitError) as error:
        return Checked(RECORD_CHECK, [], False, error)
    return Checked(RECORD_CHECK, found[:most_rows], len(found) > most_rows, None)


def _violations(check: Question, answer: Answer) -> list[Violation]:
    """Return the rows of a check as violations.

    Raises:
        InputError: it selects something else.
    """
    if missing := [f"?{name}" for name in EXPECTED if name not in answer.variables]:
        raise InputError(f"{check.path}: a check must select {', '.join(missing)}")
    found = []
    for row in answer.rows:
        named = dict(zip(answer.variables, row, strict=True))
        graph = named.get("graph")
        severity = next((one for one in SEVERITIES if one == _text(named["severity"])), None)
        if severity is None:
            raise InputError(
                f"{check.path}: ?severity must be error or warning, "
                f"got {_text(named['severity'])[:40]!r}"
            )
        found.append(
            Violation(
                check.name,
                severity,
                None if graph is None else _text(graph),
                _text(named["subject"]),
                _text(named["message"]),
            )
        )
    return found


def _text(term: Any) -> str:
    return "" if term is None else str(getattr(term, "value", term))
