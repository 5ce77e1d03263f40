"""Try the cases of test files: solve each with our rules and its overlays, and judge the answer.

The facts of a case are rules text from a stranger, as overlays are: they are refused what overlays
are refused, and may derive input and extension points, but nothing that our rules decide.
"""

import hashlib
import itertools
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from clingo import Symbol
from pydantic import TypeAdapter

from groundtrace.errors import Complaint, RuleError
from groundtrace.files.reading import Record
from groundtrace.processes.pool import Done, OneByOne
from groundtrace.rules.judge.dictionary import dictionary, own_heads
from groundtrace.rules.judge.forbidden import Bounds, refusals
from groundtrace.rules.judge.static import read
from groundtrace.rules.rulebook import Rulebook, rulebook_for
from groundtrace.rules.solver import Program as Solving
from groundtrace.rules.text.excerpts import Place, excerpt
from groundtrace.rules.text.syntax import Signature, derived_by
from groundtrace.rules.text.words import Source
from groundtrace.vocabulary import INPUT_PREDICATES, Program
from groundtrace.workbench.test.cases import (
    Case,
    Expectation,
    Problem,
    excerpt_at,
    known_predicates,
    unknown_predicate,
)
from groundtrace.workbench.test.expectations import closest, fits, read_atom, spell

MOST_CONFLICTS = 2**31 - 1
"""The search of a case is ended by its time limit only."""

DIFFERENCES_SHOWN = 6

Answer = dict[Signature, list[Symbol]]
"""The atoms that hold, by predicate."""

_CASE = TypeAdapter(Case)


def record_of(case: Case) -> Record:
    """Return a case as a record, which can be sent to a child process."""
    return Record(case.place, case.title, _CASE.dump_json(case))


@dataclass(frozen=True)
class Trying(OneByOne[tuple[Problem, ...]]):
    """Tries cases, as work for child processes.

    Attributes:
        folder: Where the programs of cases may be written for a moment; whoever made it removes
            it, since a child that is ended cannot.
        overlays: The user's rule files that are used for every case.
        programs: Whose rules the cases try.
    """

    folder: str
    overlays: tuple[str, ...] = ()
    programs: tuple[Program, ...] = ()

    @property
    def untrusted(self) -> bool:
        """Whether a user's rules must be tried first: for all cases at once, not for each."""
        return bool(self.overlays)

    def prepare(self) -> None:
        """Say what makes every case impossible.

        Raises:
            RuleError: an overlay is refused.
        """
        for program in self.programs:
            rulebook_for(program, self.overlays)

    def check(self) -> None:
        """Try whether the overlays end at all, without a case; their slips show in the cases.

        Raises:
            RuleError: inside only.
        """
        for program in self.programs:
            try:
                Solving(rulebook_for(program, self.overlays), ()).ground()
            except RuleError:
                continue

    def done(self, record: Record) -> Done[tuple[Problem, ...]]:
        """Try one case.

        Raises:
            TypeError: the record holds no case.
        """
        if not isinstance(record.content, bytes):
            raise TypeError(record.place)
        case = _CASE.validate_json(record.content)
        return Done(None, {}, problems_of(case, Path(self.folder)), None)


def problems_of(case: Case, folder: Path) -> tuple[Problem, ...]:
    """Return what is wrong with a case; nothing if it holds.

    Args:
        folder: Where its program may be written for a moment.

    Raises:
        MemoryError: its ground rules do not fit into the memory of this process.
    """
    with _program_file(case, folder) as path:
        try:
            answers = _answers(case, path)
        except RuleError as error:
            return tuple(_complaints(case, path, error))
    if not answers:
        text = (
            "no answer set, where exactly one is expected: a constraint or a loop through "
            "negation rules every answer out"
        )
        return (Problem(case.place, text),)
    if len(answers) > 1:
        first, second = (frozenset(_all(answer)) for answer in answers)
        either = sorted(first ^ second)[:DIFFERENCES_SHOWN]
        text = (
            "more than one answer set, where exactly one is expected; in one of them only: "
            f"{spell(either)}"
        )
        return (Problem(case.place, text),)
    return (*_slips(case, answers[0]), *_unmet(case, answers[0]))


@contextmanager
def _program_file(case: Case, folder: Path) -> Iterator[Path]:
    """Give a file that holds the program of a case, each line at its place."""
    handle, name = tempfile.mkstemp(dir=folder, suffix=".lp")
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
        file.write(case.padded)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _all(answer: Answer) -> Iterator[Symbol]:
    return itertools.chain.from_iterable(answer.values())


def _answers(case: Case, path: Path) -> list[Answer]:
    """Return all atoms, hidden ones too, of at most two answer sets.

    Raises:
        RuleError: clingo or we refuse the case or an overlay.
    """
    rules = rulebook_for(case.rules, case.overlays, case.settings)
    # Before clingo loads it: a script in it would run.
    reading = read(Source(case.file, case.padded), dictionary(case.rules))
    if refused := refusals(reading, _bounds(case.rules)):
        raise RuleError("the case is refused", refused)
    program = Solving(_with_case(rules, path), ())
    program.ground()
    grounded = {one: list(program.atoms(*one)) for one in _signatures(case, path)}
    found, _ = program.answers(
        lambda holds: {
            signature: [symbol for symbol, literal in atoms if holds(literal)]
            for signature, atoms in grounded.items()
        },
        on=(),
        limit=2,
        conflicts=MOST_CONFLICTS,
    )
    return found


def _with_case(rules: Rulebook, path: Path) -> Rulebook:
    """Return rules with the program of a case as one more file."""
    given = f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"
    overlays = (*rules.overlays, path)
    return replace(rules, overlays=overlays, hashes={**rules.hashes, str(path): given})


def _signatures(case: Case, path: Path) -> frozenset[Signature]:
    files = [path, *map(Path, case.overlays)]
    return own_heads(case.rules).union(*(derived_by(one) for one in files))


def _bounds(program: Program) -> Bounds:
    """Return what a case may and may not say."""
    known = dictionary(program)
    may = {**INPUT_PREDICATES[program], **known.extension_points}
    return Bounds(may, known.ours, known.words)


def _complaints(case: Case, path: Path, error: RuleError) -> Iterator[Problem]:
    """Yield what clingo or we say about a case, at the place that it has in its file."""
    for one in error.complaints or (Complaint("", error.summary),):
        place = one.place.replace(str(path), case.file) or case.place
        text = one.text.replace(str(path), case.file)
        yield Problem(place, text, None, excerpt_at(place, case))


def _slips(case: Case, answer: Answer) -> Iterator[Problem]:
    """Yield public predicates that no rule knows: a misspelt fact would do nothing."""
    known = known_predicates(case)
    for name, arity in sorted(signature for signature, atoms in answer.items() if atoms):
        if not name.startswith("_") and (name, arity) not in known:
            helper = f"; if it is the case's own helper, call it _{name}"
            yield Problem(case.place, unknown_predicate((name, arity), known) + helper)


def _unmet(case: Case, answer: Answer) -> Iterator[Problem]:
    for expectation in case.expectations:
        yield from _unmet_by(case, expectation, answer)


def _unmet_by(case: Case, expectation: Expectation, answer: Answer) -> Iterator[Problem]:
    """Yield what one comment of a case expects and is not so."""
    wanted = [read_atom(word) for word in expectation.atoms]
    same = {one: sorted(answer.get((one.name, len(one.arguments)), [])) for one in wanted}
    hits = {one: [atom for atom in same[one] if fits(one, atom)] for one in wanted}
    missing = [one for one, found in hits.items() if not found]
    place = f"{case.file}:{expectation.line}"
    shown = excerpt(case.padded.split("\n"), Place(case.file, expectation.line, None))
    if expectation.kind == "none":
        for one, found in hits.items():
            if found:
                yield Problem(place, f"forbidden: {spell([one])}", spell(found), shown)
    elif expectation.kind == "all":
        for one in missing:
            near = spell(closest(one, same[one] or [*_all(answer)]))
            yield Problem(place, f"missing: {spell([one])}", near, shown)
    elif len(missing) == len(hits):
        alike = (closest(one, same[one] or [*_all(answer)]) for one in missing)
        near = spell(dict.fromkeys(itertools.chain.from_iterable(alike)))
        yield Problem(place, f"missing, any of: {spell(missing)}", near, shown)
