"""Where the public inputs lie, if this checkout stands beside them."""

import json
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


def rows(name: str) -> list[dict[str, Any]]:
    """Return the rows of a public input, or skip the test if it is not there."""
    path = SHARED / name
    if not path.is_file():
        pytest.skip(f"{path} is not there")
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]
