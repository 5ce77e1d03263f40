"""Runs HermiT, an OWL 2 reasoner in Java that comes with owlready2.

It is called directly. owlready2 would load the statements itself, lose individuals on the way,
and have HermiT classify everything besides, which takes several times as long.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from groundtrace.errors import InputError, ModelError, missing_package

_NOTHING = "http://www.w3.org/2002/07/owl#Nothing"
_QUICK = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
"""Most runs last a second or two: what makes Java quicker later would only delay them."""

_TOO_LARGE = ("OutOfMemoryError", "StackOverflowError", "object heap", "maximum heap")


class NoJavaError(Exception):
    """There is no Java."""


class GaveUpError(Exception):
    """There is no time or memory left; the message says what to do."""


class InconsistentError(Exception):
    """The axioms contradict each other."""


class Hermit:
    """HermiT, until the time is over."""

    def __init__(self, time_limit: float, memory: int) -> None:
        """Find Java and HermiT; the time starts now.

        Args:
            time_limit: Seconds for all runs together.
            memory: MiB that Java may use for objects.

        Raises:
            NoJavaError: there is no Java.
            ModelError: owlready2 is not installed.
        """
        java = shutil.which("java")
        if java is None:
            raise NoJavaError
        self._time_limit = time_limit
        self._end = time.monotonic() + time_limit
        self._memory = memory
        self._command = [java, f"-Xmx{memory}M", "-XX:+ExitOnOutOfMemoryError", *_QUICK]
        self._command += ["-Dfile.encoding=UTF-8", "-cp", _class_path()]
        self._command += ["org.semanticweb.HermiT.cli.CommandLine", "--no-prefixes"]
        self._command += ["--ignoreUnsupportedDatatypes"]

    def unsatisfiable(self, axioms: bytes) -> tuple[str, ...]:
        """Return the classes that nothing can belong to, sorted.

        Raises:
            InconsistentError: they contradict each other.
            GaveUpError: there is no time or memory left.
            InputError: HermiT refuses them.
        """
        status, output = self.run([axioms], "--consistency", "--unsatisfiable")
        if status:
            raise InconsistentError
        lines = output.partition("Classes equivalent to")[2].splitlines()[1:]
        classes = {line.strip() for line in lines if line.startswith("\t")}
        return tuple(sorted(classes - {_NOTHING}))

    def consistent(self, several: Sequence[bytes]) -> int:
        """Return how many sets of axioms are consistent before the first that is not.

        Raises:
            GaveUpError: there is no time or memory left.
            InputError: HermiT refuses one of them.
        """
        return self.run(several, "--consistency")[1].count(" is satisfiable.")

    def run(self, several: Sequence[bytes], *actions: str) -> tuple[int, str]:
        """Return what HermiT says of sets of axioms, up to the first that is not consistent.

        Args:
            actions: Options of its command line.

        Returns:
            Its exit status, 0 if all are consistent, and what it printed.

        Raises:
            GaveUpError: there is no time or memory left.
            InputError: HermiT refuses one of them.
            NoJavaError: what is called java is none.
        """
        with tempfile.TemporaryDirectory(prefix="groundtrace-") as folder:
            files = [Path(folder) / f"{place}.nt" for place in range(len(several))]
            for file, axioms in zip(files, several, strict=True):
                file.write_bytes(axioms)
            command = [*self._command, *actions, *(file.as_uri() for file in files)]
            try:
                status, output = _ended(command, self._end - time.monotonic())
            except subprocess.TimeoutExpired:
                raise GaveUpError(
                    f"gave up after {self._time_limit:g} seconds: judge fewer records at once, or "
                    "allow more time"
                ) from None
        if status == 0 or "InconsistentOntologyException" in output:
            return status, output
        if status < 0 or any(words in output for words in _TOO_LARGE):
            raise GaveUpError(
                f"gave up: more than {self._memory} MiB of memory are needed, or the reasoner was "
                "killed; judge fewer records at once, or allow more memory"
            )
        if "Unable to locate a Java Runtime" in output:
            raise NoJavaError
        raise InputError(f"the reasoner cannot use this RDF: {_complaint(output)}")


def _class_path() -> str:
    """Return where Java finds HermiT.

    Raises:
        ModelError: owlready2 is not installed.
    """
    spec = find_spec("owlready2")
    if spec is None or not spec.submodule_search_locations:
        raise missing_package("the consistency check needs", "owl", "owlready2")
    folder = Path(spec.submodule_search_locations[0]) / "hermit"
    jar = folder / "HermiT.jar"
    if not jar.is_file():
        raise ModelError(f"{jar} is missing: install another version of owlready2")
    return os.pathsep.join(map(str, (folder, jar)))


def _ended(command: Sequence[str], seconds: float) -> tuple[int, str]:
    """Run a command to its end, or end it and all that it started when the time is over.

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
            with suppress(OSError, AttributeError):  # It just ended, or Windows has no groups.
                os.killpg(process.pid, signal.SIGKILL)
            process.kill()
            raise
        return process.returncode, output


def _complaint(output: str) -> str:
    """Return the line in which HermiT says what is wrong."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    told = [line for line in lines if "Exception" in line or "problem" in line.lower()]
    return (told or lines or ["it said nothing"])[0][:300]
