"""Units: how people write them, and their values in base units (pint, UCUM codes by ucumvert)."""

from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple


class Scale(NamedTuple):
    """How a unit is converted to the base unit of its dimension."""

    dimension: str
    factor: float
    offset: float


@lru_cache(maxsize=1)
def codes() -> dict[str, str]:
    """Return the code of each known writing of a unit, in compared form.

    Source: units.tsv, after the Unified Code for Units of Measure.
    """
    found = {}
    for line in files("groundtrace.graphs").joinpath("units.tsv").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            code, writings = line.split("\t")
            for writing in writings.split():
                found[writing.replace("_", " ")] = code
    return found


@lru_cache(maxsize=1)
def _registry() -> Any:
    # Half a second: only for texts that hold a unit.
    from ucumvert import PintUcumRegistry

    return PintUcumRegistry()


@lru_cache(maxsize=10_000)
def scale(code: str) -> Scale | None:
    """Return how a unit is converted, or None where the code means nothing.

    Args:
        code: UCUM, or of units.tsv: a text that begins with ! is a dimension of its own.
    """
    if "!" in code:
        return Scale(code.replace("!", ""), 1.0, 0.0)
    if code == "1":
        return Scale("number", 1.0, 0.0)
    registry = _registry()
    try:
        unit = registry.from_ucum(code).units
        zero = float(registry.Quantity(0.0, unit).to_base_units().magnitude)
        one = float(registry.Quantity(1.0, unit).to_base_units().magnitude)
    # The two libraries raise errors of many kinds, all of which mean that the code is unknown.
    except Exception:
        return None
    # Per cent has no dimension, and yet "5" does not mean "5 %".
    dimension = code if unit.dimensionless else str(unit.dimensionality)
    return Scale(dimension, one - zero, zero)
