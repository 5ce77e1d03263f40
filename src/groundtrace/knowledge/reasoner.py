"""Whether some RDF can be true together with the ontology, as the OWL 2 reasoner HermiT sees it.

HermiT is a Java program that comes with owlready2. It is called directly: owlready2 would load the
statements itself and lose individuals on the way, and has HermiT classify everything besides,
which takes several times as long.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path

from pyoxigraph import Quad, Triple

from groundtrace.errors import InputError, ModelError, missing_package
from groundtrace.knowledge.axioms import Axioms, axioms_of, ntriples, short

DEFAULT_TIME_LIMIT = 60.0
DEFAULT_MEMORY = 2000

NO_JAVA = (
    "no Java found, and the reasoner HermiT is a Java program: install a Java runtime, such as "
    "the package default-jre-headless, so that the command java is on the PATH"
)
_SHOWN = 5

Facts = Mapping[str, list[Triple]]


class Verdict(StrEnum):
    """What became of a check: its result, or why there is none."""

    CONSISTENT = "consistent"
    INCONSISTENT = "inconsistent"
    NO_JAVA = "no Java"
    GAVE_UP = "gave up"


@dataclass(frozen=True)
class Judgement:
    """What a reasoner says of some RDF."""

    verdict: Verdict
    message: str
    """For people: what is wrong, or what to do."""
    individuals: tuple[str, ...] = ()
    """IRIs of what cannot be as it is said to be; taken together where there are several."""
    classes: tuple[str, ...] = ()
    """IRIs of classes that nothing can belong to."""


class _GaveUpError(Exception):
    """There is no time or memory left."""


class _InconsistentError(Exception):
    """The statements contradict each other."""


def judge(
    statements: Iterable[Quad | Triple],
    *,
    time_limit: float = DEFAULT_TIME_LIMIT,
    memory: int = DEFAULT_MEMORY,
) -> Judgement:
    """Say whether some RDF can be true together with the ontology; graphs are merged.

    What is missing is no contradiction: it may only be unknown. Names are unique.

    Args:
        statements: Any number; none to judge the ontology itself.
        time_limit: Seconds for all of it, the search for individuals included.
        memory: MiB that Java may use for objects.

    Raises:
        InputError: a limit is not positive, or the RDF is not OWL 2 DL.
        ModelError: owlready2 is not installed.
    """
    if not time_limit > 0 or memory < 1:
        raise InputError(
            f"expected time_limit > 0 and memory >= 1, got {time_limit:g} and {memory}"
        )
    java = shutil.which("java")
    if java is None:
        return Judgement(Verdict.NO_JAVA, NO_JAVA)
    reasoner = _Reasoner(java, time_limit, memory)
    axioms = axioms_of(statements)
    if axioms.faults:
        found = tuple(dict.fromkeys(fault.individual for fault in axioms.faults))
        told = [f"{short(fault.individual)}: {fault.problem}" for fault in axioms.faults]
        return Judgement(Verdict.INCONSISTENT, f"inconsistent: {_listed(told, '; ')}", found)
    try:
        return _judged(reasoner, axioms)
    except _GaveUpError as error:
        return Judgement(Verdict.GAVE_UP, str(error))
    except FileNotFoundError:
        return Judgement(Verdict.NO_JAVA, NO_JAVA)


def _judged(reasoner: "_Reasoner", axioms: Axioms) -> Judgement:
    """Return the judgement on axioms that OWL can express."""
    try:
        classes = reasoner.unsatisfiable(axioms)
    except _InconsistentError:
        return _located(reasoner, axioms)
    if classes:
        told = _listed([short(one) for one in classes])
        return Judgement(
            Verdict.INCONSISTENT,
            f"inconsistent: nothing can belong to {told}",
            classes=classes,
        )
    count = len(axioms.facts)
    return Judgement(
        Verdict.CONSISTENT,
        f"consistent: what is said of {count} individuals contradicts nothing in the ontology",
    )


def _located(reasoner: "_Reasoner", axioms: Axioms) -> Judgement:
    """Return the judgement on axioms that contradict each other, with as few individuals as can be.

    Individuals are added until there is a contradiction: the last one has a part in it. This is
    repeated with it and those before it.
    """
    found: list[str] = []
    waiting = list(axioms.facts)
    try:
        while waiting:
            count = _least(reasoner, axioms, found, waiting)
            if count == 0:
                break
            found.append(waiting[count - 1])
            del waiting[count - 1 :]
    except _GaveUpError:
        return Judgement(
            Verdict.INCONSISTENT,
            "inconsistent: the statements contradict each other; the time or memory did not "
            "suffice to find out which",
            tuple(found),
        )
    if not found:
        return Judgement(Verdict.INCONSISTENT, "inconsistent: the classes contradict each other")
    told = _listed([short(one) for one in found])
    together = "together " if len(found) > 1 else ""
    return Judgement(
        Verdict.INCONSISTENT,
        f"inconsistent: what is said of {told} {together}contradicts the ontology",
        tuple(found),
    )


def _least(
    reasoner: "_Reasoner", axioms: Axioms, found: Sequence[str], waiting: Sequence[str]
) -> int:
    """Return how many of the individuals that wait must be added for a contradiction.

    All of them together are known to suffice.
    """

    def contradictory(count: int) -> bool:
        names = [*found, *waiting[:count]]
        return reasoner.contradictory(axioms, {name: axioms.facts[name] for name in names})

    if contradictory(0):
        return 0
    low, high = 0, 1
    while high < len(waiting) and not contradictory(high):
        low, high = high, 2 * high
    high = min(high, len(waiting))
    while high - low > 1:
        middle = (low + high) // 2
        if contradictory(middle):
            high = middle
        else:
            low = middle
    return high


class _Reasoner:
    """Runs HermiT until the time is over."""

    def __init__(self, java: str, time_limit: float, memory: int) -> None:
        """Find HermiT.

        Raises:
            ModelError: owlready2 is not installed.
        """
        self._time_limit = time_limit
        self._memory = memory
        self._end = time.monotonic() + time_limit
        self._command = [
            java,
            f"-Xmx{memory}M",
            "-XX:+ExitOnOutOfMemoryError",
            # Most runs last a second or two: what makes Java quick later would only delay them.
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dfile.encoding=UTF-8",
            "-cp",
            hermit(),
            "org.semanticweb.HermiT.cli.CommandLine",
            "--no-prefixes",
            "--ignoreUnsupportedDatatypes",
        ]

    def unsatisfiable(self, axioms: Axioms) -> tuple[str, ...]:
        """Return the classes that nothing can belong to, sorted.

        Raises:
            _InconsistentError: the axioms contradict each other.
            _GaveUpError: there is no time or memory left.
        """
        output = self._run(axioms, axioms.facts, "--consistency", "--unsatisfiable")
        lines = output.partition("Classes equivalent to")[2].splitlines()[1:]
        return tuple(sorted(line.strip() for line in lines if line.startswith("\t")))

    def contradictory(self, axioms: Axioms, facts: Facts) -> bool:
        """Say whether facts of some individuals contradict the schema or each other.

        Raises:
            _GaveUpError: there is no time or memory left.
        """
        try:
            self._run(axioms, facts, "--consistency")
        except _InconsistentError:
            return True
        return False

    def _run(self, axioms: Axioms, facts: Facts, *actions: str) -> str:
        """Return what HermiT says.

        Raises:
            _InconsistentError: the axioms contradict each other.
            _GaveUpError: there is no time or memory left.
            InputError: HermiT refuses the axioms.
        """
        with tempfile.TemporaryDirectory(prefix="groundtrace-") as folder:
            file = Path(folder) / "axioms.nt"
            file.write_bytes(ntriples(axioms.schema, facts))
            left = self._end - time.monotonic()
            try:
                status, output = _ended([*self._command, *actions, file.as_uri()], left)
            except subprocess.TimeoutExpired:
                raise _GaveUpError(
                    f"gave up after {self._time_limit:g} seconds: judge fewer records at once, or "
                    "allow more time"
                ) from None
        if status == 0:
            return output
        if "InconsistentOntologyException" in output:
            raise _InconsistentError
        if status < 0 or "OutOfMemoryError" in output or "object heap" in output:
            raise _GaveUpError(
                f"gave up: more than {self._memory} MiB of memory are needed, or the reasoner was "
                "killed; judge fewer records at once, or allow more memory"
            )
        if "Unable to locate a Java Runtime" in output:
            raise FileNotFoundError("java")
        raise InputError(f"the reasoner cannot use this RDF: {_complaint(output)}")


def hermit() -> str:
    """Return the class path of HermiT.

    Raises:
        ModelError: owlready2 is not installed.
    """
    spec = find_spec("owlready2")
    if spec is None or not spec.submodule_search_locations:
        raise missing_package("the consistency check needs", "owl", "owlready2")
    folder = Path(spec.submodule_search_locations[0]) / "hermit"
    jar = folder / "HermiT.jar"
    if not jar.is_file():
        raise ModelError(f"{jar} is missing: reinstall owlready2, or another version of it")
    return os.pathsep.join(map(str, (folder, jar)))


def _ended(command: Sequence[str], seconds: float) -> tuple[int, str]:
    """Run a command to its end, or end it and all that it started.

    Returns:
        Its exit status, and what it printed.
    """
    with subprocess.Popen(  # noqa: S603 - no shell, and the program is Java.
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=max(seconds, 0))
        except BaseException:
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            process.kill()
            raise
        return process.returncode, output


def _complaint(output: str) -> str:
    """Return the line in which HermiT says what is wrong."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    told = [line for line in lines if "Exception" in line or "problem" in line.lower()]
    return (told or lines or ["it said nothing"])[0][:300]


def _listed(items: Sequence[str], joint: str = ", ") -> str:
    more = len(items) - _SHOWN
    return joint.join(items[:_SHOWN]) + (f"{joint}and {more} more" if more > 0 else "")
