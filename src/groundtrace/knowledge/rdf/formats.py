"""RDF as files: which formats there are, how they are written and read."""

from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, Final

from pyoxigraph import Quad, RdfFormat, parse, serialize

from groundtrace.errors import InputError
from groundtrace.knowledge.rdf.terms import PREFIXES

FORMATS: Final[dict[str, RdfFormat]] = {
    "trig": RdfFormat.TRIG,
    "nq": RdfFormat.N_QUADS,
    "ttl": RdfFormat.TURTLE,
    "jsonld": RdfFormat.JSON_LD,
    "nt": RdfFormat.N_TRIPLES,
    "rdf": RdfFormat.RDF_XML,
}
"""By the ending of a file's name."""

LARGEST_FILE = 2 * 1024**3
"""Bytes of RDF that are read into memory."""


def format_of(path: str | Path) -> RdfFormat | None:
    """Return the RDF format that a file's name asks for, if it does."""
    return FORMATS.get(Path(path).suffix.removeprefix(".").lower())


def write_quads(quads: Iterable[Quad], output: IO[bytes], format: RdfFormat) -> None:  # noqa: A002
    """Write statements; the same bytes for the same statements in the same order.

    Args:
        quads: Of any graphs; consumed as they are written.
        format: One that cannot hold graphs gets the statements of all of them.
    """
    statements: Iterable[Any] = quads
    if not format.supports_datasets:
        statements = (quad.triple for quad in quads)
    sorted_: Any = _SortedHeader(output)
    serialize(statements, sorted_, format, prefixes=PREFIXES)


class _SortedHeader:
    """A file whose first lines, which declare prefixes, come out in one order."""

    def __init__(self, output: IO[bytes]) -> None:
        self._output = output
        self._head: bytes | None = b""

    def write(self, content: bytes) -> int:
        if self._head is None:
            self._output.write(content)
        else:
            self._head += bytes(content)
            lines = self._head.splitlines(keepends=True)
            if lines and not b"@prefix".startswith(lines[-1][:7]) and lines[-1][:7] != b"@prefix":
                self._end_head()
        return len(content)

    def flush(self) -> None:
        if self._head is not None:
            self._end_head()
        self._output.flush()

    def _end_head(self) -> None:
        """Write the lines that were held back."""
        lines = (self._head or b"").splitlines(keepends=True)
        declared = [line for line in lines if line.startswith(b"@prefix")]
        self._output.write(b"".join(sorted(declared) + lines[len(declared) :]))
        self._head = None


def read_quads(path: str | Path) -> Iterator[Quad]:
    """Yield the statements of a file of RDF; nothing that it names is fetched.

    Args:
        path: Its ending names the format.

    Raises:
        InputError: it cannot be read, or is not valid.
    """
    format_ = format_of(path)
    if format_ is None:
        known = ", ".join(f".{name}" for name in FORMATS)
        raise InputError(f"{path}: expected a file of RDF ({known})")
    try:
        if Path(path).stat().st_size > LARGEST_FILE:
            raise InputError(f"{path}: larger than {LARGEST_FILE:,} bytes; use a store")
        with Path(path).open("rb") as file:
            if file.read(len(BOM_UTF8)) != BOM_UTF8:
                file.seek(0)
            if format_ == RdfFormat.RDF_XML:
                _refuse_entities(file)
            yield from parse(file, format_)
    except MemoryError:
        raise InputError(f"{path}: holds a text of more than 16 MiB, or too much") from None
    except (SyntaxError, ValueError) as error:
        raise InputError(f"{path}: not valid {format_.name}: {reason_of(error)}") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None


def _refuse_entities(file: IO[bytes]) -> None:
    """Refuse XML that defines entities: a few lines of them make a text without end.

    Raises:
        ValueError: it does.
    """
    start = file.tell()
    before = b""
    while piece := file.read(1 << 20):
        if b"<!ENTITY" in before + piece:
            raise ValueError("entities (<!ENTITY) are not read")
        before = piece[-len("<!ENTITY") :]
    file.seek(start)


def reason_of(error: Exception) -> str:
    """Return what an RDF parser says, with the line that it names."""
    line = getattr(error, "lineno", None)
    message = getattr(error, "msg", None) or str(error)
    return f"line {line}: {message}" if line and f"{line}:" not in message else message
