"""What became of the records of one run."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from groundtrace.cli.messages import say
from groundtrace.errors import GroundtraceError, InputError, placed
from groundtrace.vocabulary import FLAGS, OUTCOMES

if TYPE_CHECKING:
    from groundtrace.files.reading import Record
    from groundtrace.processes.pool import Reply

Output = TypeVar("Output")


class Tally:
    """Counts what became of the records, and refuses repeated ids."""

    def __init__(self, strict: bool, quiet: bool = False) -> None:
        """Start at nothing.

        Args:
            strict: Whether the first refused record ends the run.
            quiet: Whether refused records are only counted.
        """
        self._strict = strict
        self._quiet = quiet
        # Hashes rather than names: a million traces must not fill the memory.
        self._seen: set[int] = set()
        self.done = 0
        self.refused = 0
        self.exit_code = 0
        self.counts: dict[str, int] = {}

    def refuse(self, place: str, error: GroundtraceError) -> None:
        """Report a record that is left out.

        Args:
            error: What is wrong with it.

        Raises:
            GroundtraceError: the run is strict.
        """
        self.refused += 1
        self.exit_code = max(self.exit_code, error.exit_code)
        if self._strict:
            raise placed(error, place)
        if not self._quiet:
            say(f"groundtrace: {place}: {error}")

    def problem_with_id(self, id: str) -> InputError | None:  # noqa: A002
        """Return what is wrong with an id that came before; otherwise remember it."""
        if hash(id) in self._seen:
            return InputError(f"the id {id!r} was used before; ids must be distinct")
        self._seen.add(hash(id))
        return None

    def records(self, files: Iterable[str]) -> "Generator[Record]":
        """Yield the records of all files; a file that cannot be read is reported.

        Args:
            files: Paths, or "-" for standard input.

        Raises:
            GroundtraceError: the run is strict and a file cannot be read.
        """
        from groundtrace.files.reading import read_records, shown_name

        for file in files:
            try:
                yield from read_records(file)
            except InputError as error:
                self.refuse(shown_name(file), error)

    def usable_replies(self, replies: "Iterable[Reply[Output]]") -> "Iterator[Reply[Output]]":
        """Yield the replies that hold an output; report the others.

        Raises:
            GroundtraceError: the run is strict and a record is refused.
        """
        for reply in replies:
            error = reply.error or (None if reply.id is None else self.problem_with_id(reply.id))
            if error is not None or reply.counts is None:
                self.refuse(reply.record.place, error or InputError("no result"))
                continue
            self.done += 1
            for name, count in reply.counts.items():
                self.counts[name] = self.counts.get(name, 0) + count
            yield reply

    def summarise(
        self,
        told: str = "audited",
        always: Sequence[str] = OUTCOMES,
        more: Sequence[str] = FLAGS,
        missed: str = "could not be audited",
        *,
        even_one: bool = False,
    ) -> None:
        """Print the counts of a run that was more than one record, or not whole.

        Args:
            told: What became of the records.
            more: Counts to print if they are not 0.
            missed: What became of the others.
            even_one: Whether a single record is worth it.
        """
        if self.done + self.refused == 1 and not self.refused and not even_one:
            return
        parts = [f"{self.counts.get(name, 0)} {name}" for name in always]
        parts += [_counted(self.counts[name], name) for name in more if self.counts.get(name)]
        counts = f": {', '.join(parts)}" if parts else ""
        left_out = f"; {self.refused} {missed}" if self.refused else ""
        say(f"{self.done:,} {told}{counts}{left_out}")


def _counted(count: int, name: str) -> str:
    """Return a number with what it counts; nouns are in the plural, as a name of more than one."""
    return f"{count} {_ONE.get(name, name) if count == 1 else name}"


_ONE = {
    "warnings": "warning",
    "items left out": "item left out",
    "changed cases": "changed case",
}
