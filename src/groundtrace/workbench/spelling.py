"""Which known name a misspelt one is like."""

import difflib
from collections.abc import Iterable
from functools import lru_cache


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that a name is most like, if one is much like it.

    Args:
        name: As written.
        known: Names.
    """
    return _nearest(name, tuple(known))


@lru_cache(maxsize=10_000)
def _nearest(name: str, known: tuple[str, ...]) -> str | None:
    small = {one.lower(): one for one in known if one != name}
    plain = name.strip("_'").lower()
    if plain in small:
        return small[plain]
    found = difflib.get_close_matches(plain, small, n=1, cutoff=0.72)
    return small[found[0]] if found else None
