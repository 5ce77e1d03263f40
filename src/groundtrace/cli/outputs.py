"""How the outputs of several records become one text."""

from collections.abc import Iterable, Iterator
from typing import IO

from groundtrace.cli.tables import FORMATS, write_table


def write_outputs(outputs: Iterable[str], format: str, file: IO[str]) -> None:  # noqa: A002
    """Write the outputs of several records.

    Args:
        outputs: One per record, in order.
        format: csv and parquet make a table, several of json a list; others stand one after the
            other.

    Raises:
        ModelError: a package that tables need is not installed.
    """
    if format in FORMATS:
        write_table(outputs, format, file)
    else:
        for text in joined(outputs, listed=format == "json"):
            file.write(text)


def joined(outputs: Iterable[str], listed: bool) -> Iterator[str]:
    """Yield the pieces of the whole output, ready to be written one after the other.

    Args:
        outputs: One per record, in order.
        listed: Whether several make a JSON list, where one alone stands for itself; otherwise
            each ends in a line break.
    """
    if not listed:
        for output in outputs:
            yield f"{output}\n"
        return
    previous, count = None, 0
    for count, output in enumerate(outputs, 1):
        if previous is not None:
            yield f"{'[' if count == 2 else ','}\n{previous}"
        previous = output
    if count == 1:
        yield f"{previous}\n"
    else:
        yield "[]\n" if previous is None else f",\n{previous}\n]\n"
