"""From whatever stands where triplets should to triplets that can be used.

What is no triplet is left out and reported with its place; the rest is used.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from groundtrace.models.graph import Malformed, Triplet
from groundtrace.normal import normal

LONGEST_NAME = 500
"""Characters of a node or predicate; a longer one is a passage, not a name."""

Key = tuple[str, str, str]
_PARTS = Triplet._fields


class Triplets(NamedTuple):
    """Triplets that can be used, and what was left out."""

    kept: list[Triplet]
    """As they were written, distinct in their compared form, in order."""
    malformed: list[Malformed]


def key_of(triplet: Triplet) -> Key:
    """Return the form in which a triplet is compared.

    Args:
        triplet: As it was written.
    """
    subject, predicate, object_ = triplet
    return normal(subject), normal(predicate), normal(object_)


def triplets_from(items: Iterable[Any], place: str, *, verbatim: bool = False) -> Triplets:
    """Return the triplets among some items: lists of three texts, or objects with three fields.

    Args:
        items: Whatever a file or a model gave.
        place: Where they stand, for the reports.
        verbatim: Whether spellings are compared as they are, and a triplet from a node to itself
            counts: as the published method has it.
    """
    kept: dict[Key, Triplet] = {}
    malformed = []
    for number, item in enumerate(items):
        parts = item if isinstance(item, Triplet) else _parts(item)
        problem = _problem(parts, verbatim)
        if problem is None:
            triplet = Triplet(*parts)
            key = triplet if verbatim else key_of(triplet)
            if key not in kept:
                kept[key] = triplet
                continue
            if verbatim:
                continue
            problem = "the same as an earlier one"
        malformed.append(Malformed(f"{place}[{number}]", problem))
    return Triplets(list(kept.values()), malformed)


def _parts(item: Any) -> Sequence[Any]:
    """Return what an item has for subject, predicate and object; maybe not three."""
    if isinstance(item, Mapping):
        return tuple(item[name] for name in _PARTS if name in item)
    if isinstance(item, Sequence) and not isinstance(item, str | bytes):
        return item
    return ()


def _problem(parts: Sequence[Any], verbatim: bool) -> str | None:
    """Return why these are no triplet."""
    if len(parts) != 3:
        return "expected a list of subject, predicate and object"
    for name, part in zip(_PARTS, parts, strict=True):
        if not isinstance(part, str):
            return f"{name}: expected a text, got {type(part).__name__}"
        if not part.strip():
            return f"{name}: empty"
        if len(part) > LONGEST_NAME:
            return f"{name}: {len(part):,} characters; at most {LONGEST_NAME} make a name"
        if not part.isascii() and _halved(part):
            return f"{name}: holds half of a character"
    if not verbatim and normal(parts[0]) == normal(parts[2]):
        return "subject and object are the same"
    return None


def _halved(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
