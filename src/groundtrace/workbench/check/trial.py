"""Try a user's rules on samples, in a child process: what only shows when they are run.

First every variable must be bound; then the rules are run on small inputs, and on one of 500
segments. A rule that makes the program run for ever is found by trying the first rules, and the
first half of these, and so on.
"""

import hashlib
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from groundtrace.auditing.decisions import name_of
from groundtrace.auditing.reasons import finding_message
from groundtrace.errors import AnswersError, Complaint, RuleError
from groundtrace.files.reading import Record
from groundtrace.graphs.findings import graph_finding_message
from groundtrace.processes.pool import Done, OneByOne
from groundtrace.rules.rulebook import Rulebook, rulebook_for
from groundtrace.rules.solver import Program
from groundtrace.vocabulary import Program as Kind
from groundtrace.workbench.check import samples

NO_PART = "checked_only"
"""A part that no rule belongs to: grounding it checks the rules and makes nothing."""


@dataclass(frozen=True)
class Job:
    """One trial of rules.

    Attributes:
        kind: Which rules of ours they go with.
        name: Of the file.
        text: What can be read of it.
        others: Texts of the files that are used together with it.
        settings: Constants from outside, in clingo's syntax.
        texts: That the rules name, in quotes.
        whole: Whether the file is free of errors, so that it can be run.
    """

    kind: Kind
    name: str
    text: str
    others: tuple[str, ...]
    settings: Mapping[str, str]
    texts: tuple[str, ...]
    whole: bool


@dataclass(frozen=True)
class Outcome:
    """What a trial shows.

    Attributes:
        complaints: Messages of clingo about the file, placed in it.
        answers: Fewest and most answers on any sample: 1 and 1, where all is well.
        findings: Errors that our rules report on a sample: kind and message.
    """

    complaints: tuple[Complaint, ...] = ()
    answers: tuple[int, int] = (1, 1)
    findings: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Trial(OneByOne[Outcome]):
    """Trials, as work for child processes.

    Attributes:
        jobs: What is tried; a record names one by its place.
    """

    jobs: tuple[Job, ...]

    def done(self, record: Record) -> Done[Outcome]:
        """Try the rules of one job.

        Args:
            record: Its name is the place of the job.
        """
        return Done(record.name, None, tried(self.jobs[int(record.name)]), None)


def tried(job: Job) -> Outcome:
    """Return what a trial shows, made in this process."""
    with tempfile.TemporaryDirectory() as folder:
        book = _book(job, Path(folder))
        complaints = _complaints_without_facts(book)
        if complaints or not job.whole:
            return Outcome(tuple(_complaints_about(complaints, book.overlays[0], job.name)))
        return _run(job, book)


def _book(job: Job, folder: Path) -> Rulebook:
    """Return a rulebook of the texts of a job."""
    paths, hashes = [], {}
    for number, text in enumerate((job.text, *job.others)):
        path = folder / f"{number}.lp"
        path.write_bytes(text.encode())
        paths.append(path)
        hashes[str(path)] = f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
    own = rulebook_for(job.kind)
    return replace(
        own, overlays=tuple(paths), hashes={**own.hashes, **hashes}, settings=job.settings
    )


def _complaints_without_facts(book: Rulebook) -> tuple[Complaint, ...]:
    try:
        Program(book, ()).ground(NO_PART)
    except RuleError as error:
        # Where nothing is made, everything is undefined.
        return tuple(one for one in error.complaints if one.kind != "undefined")
    return ()


def _run(job: Job, book: Rulebook) -> Outcome:
    fewest, most = 1, 1
    findings: dict[str, str] = {}
    for facts in samples.samples(job.kind, job.texts):
        program = Program(book, facts)
        try:
            program.ground()
            answer = program.only_answer()
        except AnswersError as error:
            fewest, most = min(fewest, error.count), max(most, error.count)
            continue
        except RuleError as error:
            placed = _complaints_about(error.complaints, book.overlays[0], job.name)
            return Outcome(tuple(placed), (fewest, most))
        tell = finding_message if job.kind == "audit" else graph_finding_message
        for atom in answer:
            if atom.name == "finding" and str(atom.arguments[1]) == "error":
                kind, subject = name_of(atom.arguments[0]), name_of(atom.arguments[2])
                findings.setdefault(kind, tell(kind, subject))
    return Outcome((), (fewest, most), tuple(findings.items()))


def _complaints_about(
    complaints: tuple[Complaint, ...], path: Path, name: str
) -> Iterator[Complaint]:
    """Yield the complaints about a file under its own name."""
    for one in complaints:
        if one.place.startswith(f"{path}:"):
            text = re.sub(re.escape(str(path)), lambda match: name, one.text)
            yield replace(one, place=one.place.removeprefix(f"{path}:"), text=text)
        elif not one.place:
            yield one
