"""How the outputs of several records become one text."""

from collections.abc import Iterable, Iterator
from typing import IO, Any

from groundtrace.cli.messages import say
from groundtrace.files.tables import TABLE_FORMATS, write_table

TABLES_HELP = (
    "csv, xlsx and parquet are tables. In csv, a text that a spreadsheet would take for a formula "
    "gets a ' in front; the others hold it as it is."
)


def write_outputs(outputs: Iterable[str], format: str, file: IO[str]) -> None:  # noqa: A002
    """Write the outputs of several records.

    Args:
        outputs: One per record, in order.
        format: Of TABLE_FORMATS: each output is a JSON list of rows; several of json make a list;
            others stand one after the other.

    Raises:
        InputError: the table does not fit into the format.
        ModelError: a package that tables need is not installed.
    """
    if format in TABLE_FORMATS:
        from pydantic_core import from_json

        below: Any = file
        file.flush()
        rows = (row for output in outputs for row in from_json(output))
        for remark in write_table(rows, format, below.buffer):
            say(f"groundtrace: {remark}")
    else:
        for text in join_outputs(outputs, listed=format == "json"):
            file.write(text)


def join_outputs(outputs: Iterable[str], listed: bool) -> Iterator[str]:
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
