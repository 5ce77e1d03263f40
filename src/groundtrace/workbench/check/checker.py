"""Find what is wrong in rule files, and say so in words, with the place and the cure.

A file is read as far as it can be read; slips of the pen, what the rules mean, and what happens
when they are run are judged in this order, and all of it is told at once.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

from groundtrace.errors import LimitError, MemoryLimitError, RuleError, TimeLimitError
from groundtrace.files.reading import Record
from groundtrace.processes.pool import run
from groundtrace.rules.judge import words_of_trial as words
from groundtrace.rules.judge.costs import cost_warnings
from groundtrace.rules.judge.dictionary import Dictionary, dictionary
from groundtrace.rules.judge.fault import Fault, fault, file_fault
from groundtrace.rules.judge.static import Reading, judged, read
from groundtrace.rules.rulebook import rulebook_for
from groundtrace.rules.text.anatomy import Rule
from groundtrace.rules.text.sources import read_source
from groundtrace.rules.text.words import Source
from groundtrace.vocabulary import Program
from groundtrace.workbench.check.program_of_file import recognise
from groundtrace.workbench.check.trial import Job, Outcome, Trial, tried
from groundtrace.workbench.check.trial_faults import outcome_faults

SHORT_TRIAL = 4.0
"""Seconds of one trial of fewer rules, to find the one that does not end."""


@dataclass(frozen=True)
class Checked:
    """What the check of one file shows.

    Attributes:
        path: Of the file.
        program: The rules of ours that it was judged with.
        assumed: Whether nothing in it says that it goes with these.
        faults: In the order of their places.
        derives: Predicates that it derives, as "name/arity".
        reads: Predicates that it reads.
    """

    path: str
    program: Program
    assumed: bool
    faults: tuple[Fault, ...]
    derives: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()

    @property
    def errors(self) -> int:
        """How many faults keep the file from being used."""
        return sum(1 for one in self.faults if one.severity == "error")


class _Opened(NamedTuple):
    path: str
    program: Program
    assumed: bool
    reading: Reading
    known: Dictionary


def check_files(
    paths: Sequence[str],
    program: Program | None = None,
    settings: Mapping[str, int | str] | None = None,
    time_limit: float = 20.0,
) -> list[Checked]:
    """Return what is wrong in some rule files, in their order.

    Each file is judged by itself, with those of the others that derive what it reads.

    Args:
        program: The rules of ours that they go with; None to tell it from what they say.
        time_limit: Seconds that the rules of one file may run on a sample.

    Raises:
        InputError: a constant is unknown or has no value that can be used.
        LimitError: no child process can be started.
    """
    opened: list[_Opened | Checked] = [_open(path, program) for path in paths]
    files = [one for one in opened if isinstance(one, _Opened)]
    found = {id(one): _static(one, files) for one in files}
    jobs = [_job(one, files, found[id(one)], settings or {}) for one in files]
    outcomes = _outcomes(jobs, time_limit)
    for one, job, outcome in zip(files, jobs, outcomes, strict=True):
        found[id(one)] += _dynamic(one, job, outcome, time_limit)
    return [one if isinstance(one, Checked) else _result(one, found[id(one)]) for one in opened]


def check_text(
    name: str, text: str, program: Program | None = None, trial: bool = False
) -> Checked:
    """Return what is wrong in a text that is trusted to end.

    Args:
        name: Of the file, for messages.
        program: The rules of ours that it goes with; None to tell it from what it says.
        trial: Whether its rules are run too, in this process and without a limit.
    """
    one = _read_text(name, Source(name, text), program)
    found = _static(one, [one])
    if trial:
        outcome = tried(_job(one, [one], found, {}))
        found += outcome_faults(one.reading, one.known, outcome)
    return _result(one, found)


def _open(path: str, program: Program | None) -> "_Opened | Checked":
    source = read_source(path)
    if path.endswith(".test.lp") and not isinstance(source, Fault):
        source = file_fault(path, words.cases_file())
    if isinstance(source, Fault):
        return Checked(path, program or "audit", program is None, (source,))
    return _read_text(path, source, program)


def _read_text(path: str, source: Source, program: Program | None) -> _Opened:
    recognised = program or recognise(source)
    known = dictionary(recognised or "audit")
    return _Opened(path, recognised or "audit", recognised is None, read(source, known), known)


def _others(one: _Opened, files: Iterable[_Opened]) -> list[_Opened]:
    """Return the other files that derive what a file reads, and what these read in turn."""
    chosen = [one]
    for current in chosen:
        read_here = {atom.key for rule in current.reading.rules for atom in rule.body}
        for other in files:
            heads = {atom.key for rule in other.reading.rules for atom in rule.heads}
            public = {key for key in heads if key[0] in one.known.entries}
            if (
                other not in chosen
                and other.program == one.program
                and read_here & (heads - public)
            ):
                chosen.append(other)
    return chosen[1:]


def _static(one: _Opened, files: Sequence[_Opened]) -> list[Fault]:
    others = [rule for other in _others(one, files) for rule in other.reading.rules]
    readers = [
        rule
        for other in files
        if other is not one and other.program == one.program
        for rule in other.reading.rules
    ]
    found = judged(one.reading, one.known, [*others, *readers])
    with suppress(RecursionError):  # That is told already.
        found += cost_warnings(one.reading.rules, one.known, others)
    return found


def _job(
    one: _Opened,
    files: Sequence[_Opened],
    faults: Sequence[Fault],
    settings: Mapping[str, int | str],
) -> Job:
    whole = not any(fault.severity == "error" for fault in faults)
    values: Mapping[str, str] = {}
    others = _others(one, files)
    if whole and settings:
        paths = [one.path, *(other.path for other in others)]
        with suppress(RuleError):  # Another file is faulty; that is told with it.
            values = rulebook_for(one.program, paths, settings).settings
    texts = tuple(token.text[1:-1] for token in one.reading.source.tokens if token.kind == "string")
    return Job(
        one.program,
        one.path,
        one.reading.text,
        tuple(other.reading.text for other in others),
        values,
        texts,
        whole,
    )


def _outcomes(jobs: Sequence[Job], time_limit: float) -> list[Outcome | Exception]:
    """Return what trials show, made in child processes.

    Raises:
        LimitError: no child process can be started.
    """
    if not jobs:
        return []
    records = [Record(job.name, str(place), b"") for place, job in enumerate(jobs)]
    replies = run(iter(records), Trial(tuple(jobs)), 1, time_limit)
    return [reply.output if reply.output is not None else reply.error or LimitError("")
            for reply in replies]  # fmt: skip


def _dynamic(
    one: _Opened, job: Job, outcome: Outcome | Exception, time_limit: float
) -> list[Fault]:
    if isinstance(outcome, Outcome):
        return list(outcome_faults(one.reading, one.known, outcome))
    if not isinstance(outcome, TimeLimitError | MemoryLimitError):
        return [file_fault(one.path, words.clingo_says(str(outcome)))]
    rule = _culprit(one, job, min(SHORT_TRIAL, time_limit))
    slow = isinstance(outcome, TimeLimitError)
    said = words.too_slow(time_limit) if slow else words.too_large(rule is not None)
    if rule is None:
        return [file_fault(one.path, said)]
    return [fault(rule.source, rule.statement.start, said)]


def _culprit(one: _Opened, job: Job, seconds: float) -> Rule | None:
    """Return the rule with which the rules of a file do not end any more."""
    # Facts first: a rule that reads is to blame rather than what it reads.
    rules = sorted(
        (rule for rule in one.reading.rules if rule.is_rule), key=lambda one: bool(one.body)
    )
    low, high = 0, len(rules)
    while high - low > 1:
        middle = (low + high) // 2
        left_out = {id(rule) for rule in rules[middle:]}
        kept = tuple(rule for rule in one.reading.rules if id(rule) not in left_out)
        shorter = Reading(one.reading.source, kept, ())
        outcome = _outcomes([replace(job, text=shorter.text)], seconds)[0]
        if isinstance(outcome, Outcome):
            low = middle
        else:
            high = middle
    return rules[high - 1] if rules else None


def _result(one: _Opened, faults: Sequence[Fault]) -> Checked:
    unsafe = {item.line for item in faults if item.kind == "unsafe"}
    kept = {
        (item.line, item.column): item
        # The first of a place is told, but no warning hides an error.
        for item in sorted([*reversed(faults)], key=lambda item: item.severity == "error")
        # That a variable occurs once is said better by what it lacks.
        if item.kind != "near_variable" or item.line not in unsafe
    }
    rules = one.reading.rules
    derives = sorted(
        {f"{atom.name}/{len(atom.arguments)}" for rule in rules for atom in rule.heads}
    )
    reads = sorted({f"{atom.name}/{len(atom.arguments)}" for rule in rules for atom in rule.body})
    ordered = tuple(kept[place] for place in sorted(kept))
    return Checked(one.path, one.program, one.assumed, ordered, tuple(derives), tuple(reads))
