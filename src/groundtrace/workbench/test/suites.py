"""Find test files, read them, and try all of their cases in child processes."""

import itertools
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from groundtrace.errors import BugError, InputError, RuleError
from groundtrace.phrases import nearest
from groundtrace.processes.pool import Reply, run
from groundtrace.rules.judge.fault import Fault
from groundtrace.rules.program_files import rules_directory
from groundtrace.rules.rulebook import CONSTANT_SPELLINGS, rulebook_for
from groundtrace.rules.text.sources import read_source
from groundtrace.vocabulary import PROGRAMS
from groundtrace.workbench.test.case_reading import read_cases
from groundtrace.workbench.test.cases import Added, Case, CaseError, Problem
from groundtrace.workbench.test.runner import Trying, record_of

PATTERN = "*.test.lp"


@dataclass
class Suite:
    """One test file: its cases, or why it cannot be read."""

    file: str
    cases: list[Case] = field(default_factory=list)
    error: CaseError | None = None
    problems: list[tuple[Problem, ...]] = field(default_factory=list)
    """What is wrong with each case that was tried, in order; nothing if it holds."""

    @property
    def failed(self) -> int:
        """How many cases do not hold."""
        return sum(map(bool, self.problems))


def own_cases() -> Path:
    """Return the folder of the cases that come with our rules."""
    return rules_directory() / "tests"


def files_in(paths: Sequence[str | Path]) -> list[Path]:
    """Return the test files that paths name, each once.

    Args:
        paths: Files, or folders in which every file ``*.test.lp`` counts, however deep.

    Raises:
        InputError: a path does not exist, or a folder holds no test file.
    """
    found: dict[Path, None] = {}
    for path in map(Path, paths):
        if path.is_dir():
            inside = sorted(one for one in path.rglob(PATTERN) if not one.is_dir())
            if not inside:
                raise InputError(f"the folder {path} holds no test file ({PATTERN})")
            found |= dict.fromkeys(inside)
        elif path.exists():
            found[path] = None
        else:
            raise InputError(f"there is no file or folder {path}")
    return list(found)


def read_suite(path: Path, added: Added | None = None) -> Suite:
    """Return a test file with its cases, or with why it cannot be read.

    Args:
        added: Overlays and constants for every case.
    """
    source = read_source(path, plain=False)
    if isinstance(source, Fault):
        problem = Problem(source.place, source.text)
        return Suite(str(path), error=CaseError(str(path), [problem]))
    try:
        return Suite(str(path), read_cases(str(path), source.text.replace("\r\n", "\n"), added))
    except CaseError as error:
        return Suite(str(path), error=error)


def check_added(added: Added) -> None:
    """Make sure that what the command line adds can be used with some rules.

    A constant of the audit says nothing about graphs, so cases of graphs do without it; and what an
    overlay for audits may call its helpers may be the name of something in graphs.

    Args:
        added: Overlays and constants for every case.

    Raises:
        InputError: a constant exists nowhere.
        RuleError: an overlay is refused by every kind of rules.
    """
    known: list[str] = []
    refused: list[RuleError] = []
    for program in PROGRAMS:
        try:
            known += rulebook_for(program, added.overlays).constants
        except RuleError as error:
            refused.append(error)
    if len(refused) == len(PROGRAMS):
        raise refused[0]
    for name, _ in added.settings:
        if CONSTANT_SPELLINGS.get(name, name) not in known:
            wanted = nearest(name, known)
            listed = ", ".join(dict.fromkeys(known))
            hint = f"did you mean {wanted}?" if wanted else f"known are {listed}"
            raise InputError(f"there is no constant {name!r}; {hint}")


def tried(
    suites: Sequence[Suite], added: Added, jobs: int, time_limit: float
) -> Iterator[Reply[tuple[Problem, ...]]]:
    """Try the cases of all test files, note in each suite what is wrong, and yield the replies.

    Args:
        suites: As read; those that could not be read are left out.
        added: What was added to every case.
        jobs: Child processes, from 1.
        time_limit: Seconds that one case may take.

    Raises:
        LimitError: the added overlays do not end even without a case, or no child can start.
        InputError: jobs or time_limit cannot be used.
        BugError: a case met a fault of ours.
    """
    owners = [suite for suite in suites for _ in suite.cases]
    programs = tuple(dict.fromkeys(case.rules for suite in suites for case in suite.cases))
    cases = itertools.chain.from_iterable(suite.cases for suite in suites)
    if not owners:
        return
    with tempfile.TemporaryDirectory(prefix="groundtrace-") as folder:
        work = Trying(folder, added.overlays, programs)
        replies: Iterable[Reply[tuple[Problem, ...]]] = run(
            map(record_of, cases), work, jobs, time_limit
        )
        for suite, reply in zip(owners, replies, strict=True):
            if isinstance(reply.error, BugError):
                raise reply.error
            suite.problems.append(_problems(reply))
            yield reply


def _problems(reply: Reply[tuple[Problem, ...]]) -> tuple[Problem, ...]:
    """Return what is wrong with a case that was tried, or could not be tried to the end."""
    if reply.error is not None:
        return (Problem(reply.record.place, str(reply.error)),)
    return reply.output or ()
