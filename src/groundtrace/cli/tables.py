"""Outputs as one table: CSV for spreadsheets, Parquet for programs."""

import io
from collections.abc import Iterable
from typing import IO, Any

from groundtrace.errors import missing_package

FORMATS = ("csv", "parquet")


def write_table(outputs: Iterable[str], format: str, file: IO[str]) -> None:  # noqa: A002
    """Write rows as one table.

    Args:
        outputs: JSON lists of rows, one list per record; consumed whole.
        file: Text file; what is below it takes the bytes.

    Raises:
        ModelError: pandas, or what it needs, is not installed.
    """
    from pydantic_core import from_json

    rows = [row for output in outputs for row in from_json(output)]
    try:
        import pandas

        frame = pandas.DataFrame(rows)
        content: Any
        if format == "csv":
            content = frame.to_csv(index=False).encode()
        else:
            buffer = io.BytesIO()
            frame.to_parquet(buffer, index=False)
            content = buffer.getvalue()
    except ImportError as error:
        raise missing_package("tables need", "tables", error.name or "pyarrow") from None
    below: Any = file
    file.flush()
    below.buffer.write(content)
