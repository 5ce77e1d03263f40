"""IRIs made from names: a readable part and a hash, never the text itself.

Equal concepts of different cases get one IRI, so that the cases meet there; what was written
stands in labels.
"""

import hashlib
import re
import unicodedata
from functools import lru_cache

from pyoxigraph import NamedNode

from groundtrace.knowledge.rdf.terms import ID
from groundtrace.models.names import normal

LONGEST_SLUG = 40
HASH_DIGITS = 16
"""Hexadecimal: two of a billion names collide with a chance of about 1 in 40."""

_NOT_PLAIN = re.compile(r"[^a-z0-9]+")


def named_iri(kind: str, name: str, version: str = "") -> NamedNode:
    """Return the IRI of something that has a name: a record, a case, a program, a rule file.

    Args:
        kind: Such as "audit" or "labeller".
        name: Any text; of a record its id.
        version: Tells things of one kind and name apart, such as a hash of what made them.
    """
    return NamedNode(f"{ID}{kind}/{_named(name)}{'/' if version else ''}{version}")


@lru_cache(maxsize=200_000)
def concept_iri(text: str) -> NamedNode:
    """Return the IRI of a node of a graph, the same for all its spellings.

    Args:
        text: As it was written.
    """
    return NamedNode(f"{ID}concept/{_named(normal(text))}")


@lru_cache(maxsize=50_000)
def predicate_iri(text: str) -> NamedNode:
    """Return the IRI of a predicate, the same for all its spellings.

    Args:
        text: As it was written.
    """
    return NamedNode(f"{ID}predicate/{_named(normal(text))}")


def part_iri(whole: NamedNode, kind: str, key: object) -> NamedNode:
    """Return the IRI of a part of something.

    Args:
        whole: What it is a part of.
        key: A number, or letters, digits, points and hyphens.
    """
    return NamedNode(f"{whole.value}/{kind}/{key}")


def digest(content: str | bytes) -> str:
    """Return a short hash of some content, in hexadecimal digits."""
    data = content.encode() if isinstance(content, str) else content
    return hashlib.sha256(data).hexdigest()[:HASH_DIGITS]


@lru_cache(maxsize=10_000)
def _named(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text[: 4 * LONGEST_SLUG]).encode("ascii", "ignore")
    slug = _NOT_PLAIN.sub("-", plain.decode().lower()).strip("-")[:LONGEST_SLUG].strip("-")
    return f"{slug}-{digest(text)}" if slug else digest(text)
