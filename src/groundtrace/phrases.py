"""Pieces of messages: cleaned and quoted texts, numbers with their nouns, the nearest known name.

Texts come from strangers, so they are cleaned of whatever could command a terminal or turn a
line around.
"""

import difflib
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache

QUOTE_LENGTH = 60


def clean(text: str) -> str:
    """Return a text on one line without control, format or private-use characters."""
    kept = "".join(
        one for one in text if one.isspace() or unicodedata.category(one) not in _UNPRINTABLE
    )
    return " ".join(kept.split())


_UNPRINTABLE = frozenset({"Cc", "Cf", "Co", "Cs"})


def counted(count: int, thing: str) -> str:
    """Return a number with its noun.

    Args:
        count: From 0.
        thing: What is counted, one of it.
    """
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def quote(text: str, length: int = QUOTE_LENGTH) -> str:
    """Return the beginning of a text in quotation marks.

    Args:
        length: Characters to show at most, from 2.
    """
    # Cleaning a 100 kB segment for 60 characters would be wasteful.
    short = clean(text[: 20 * length])
    if len(short) > length:
        cut = short[: length - 1]
        space = cut.rfind(" ")
        short = (cut[:space] if space > length // 2 else cut).rstrip(" ,;:") + "…"
    return f"“{short}”"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that a name is most like, if one is much like it."""
    return _nearest(name, tuple(known))


@lru_cache(maxsize=10_000)
def _nearest(name: str, known: tuple[str, ...]) -> str | None:
    small = {one.lower(): one for one in known if one != name}
    plain = name.strip("_'").lower()
    if plain in small:
        return small[plain]
    found = difflib.get_close_matches(plain, small, n=1, cutoff=0.72)
    return small[found[0]] if found else None


def finding_sentence(sentences: Mapping[str, str], kind: str, subject: str) -> str:
    """Return a finding as a sentence; one of a user's own is its kind with its subject.

    Args:
        sentences: Kind to sentence, which may hold {subject}.
    """
    known = sentences.get(kind)
    return known.replace("{subject}", subject) if known else f"{kind}: {subject}"
