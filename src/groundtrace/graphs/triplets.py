"""From whatever stands where triplets should to triplets that can be used.

What is no triplet is left out and reported with its place; the rest is used.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from groundtrace.models.graph import Malformed, Triplet
from groundtrace.models.names import normal, points_only
from groundtrace.phrases import quote

LONGEST_NAME = 300
"""Characters of a node or predicate; a longer one is a passage, not a name."""

Key = tuple[str, str, str]
_PARTS = Triplet._fields
_NO_TRIPLET = Triplet("", "", "")


class Triplets(NamedTuple):
    """Triplets that can be used, and what was left out."""

    kept: list[Triplet]
    """As they were written, distinct in their compared form, in order."""
    keys: list[Key]
    """Their compared forms."""
    malformed: list[Malformed]


class _Judged(NamedTuple):
    triplet: Triplet
    key: Key
    problem: str | None
    """Why it cannot be used."""


MOST_REMEMBERED = 200_000
_remembered: dict[tuple[Any, ...], _Judged] = {}
"""Graphs of one case share most of their triplets."""


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
        triplet, key, problem = _judge(item, verbatim)
        if problem is None and key not in kept:
            kept[key] = triplet
        elif problem is not None:
            malformed.append(Malformed(f"{place}[{number}]", problem))
        else:
            malformed.append(Malformed(f"{place}[{number}]", "the same as an earlier one"))
    return Triplets(list(kept.values()), list(kept), malformed)


def _parts(item: Any) -> Sequence[Any]:
    """Return what an item has for subject, predicate and object; maybe not three."""
    if isinstance(item, Mapping):
        return tuple(item[name] for name in _PARTS if name in item)
    if isinstance(item, Sequence) and not isinstance(item, str | bytes):
        return item
    return ()


def _problem_with_parts(parts: Sequence[Any]) -> str | None:
    """Return why these are no three texts."""
    if len(parts) != 3:
        return "expected a list of subject, predicate and object"
    for name, part in zip(_PARTS, parts, strict=True):
        if not isinstance(part, str):
            return f"{name}: expected a text, got {type(part).__name__}"
    return None


def _judge(item: Any, verbatim: bool) -> _Judged:
    """Return an item as a triplet, and whether it can be used."""
    parts = item if isinstance(item, list | tuple) else _parts(item)
    known = (*parts, verbatim)
    try:
        found = _remembered.get(known)
    except TypeError:  # Something in it cannot be looked up; it is no text.
        found = None
    if found is None:
        found = _judge_anew(parts, verbatim)
        if len(_remembered) >= MOST_REMEMBERED:
            _remembered.clear()
        if found.problem is None:
            _remembered[known] = found
    return found


def _judge_anew(parts: Sequence[Any], verbatim: bool) -> _Judged:
    problem = _problem_with_parts(parts)
    if problem is not None:
        return _Judged(_NO_TRIPLET, _NO_TRIPLET, problem)
    triplet = Triplet(*parts)
    problem = _problem_with_texts(triplet)
    if verbatim or problem is not None:
        return _Judged(triplet, triplet, problem)
    key = key_of(triplet)
    if not all(key):
        return _Judged(triplet, key, "a name of nothing that can be seen")
    if max(map(len, key)) > LONGEST_NAME:
        return _Judged(triplet, key, f"a name of more than {LONGEST_NAME} characters")
    for name, part in zip(_PARTS[::2], triplet[::2], strict=True):
        if points_only(part):
            return _Judged(triplet, key, f"{name}: {quote(part)} alone names nothing")
    return _Judged(triplet, key, "subject and object are the same" if key[0] == key[2] else None)


def _problem_with_texts(triplet: Triplet) -> str | None:
    """Return why three texts are no triplet."""
    for name, part in zip(_PARTS, triplet, strict=True):
        if not part.strip():
            return f"{name}: empty"
        if len(part) > LONGEST_NAME:
            return f"{name}: {len(part):,} characters; at most {LONGEST_NAME} make a name"
        if not part.isascii() and _halved(part):
            return f"{name}: holds half of a character"
    return None


def _halved(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
