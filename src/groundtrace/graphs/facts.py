"""A graph as facts for the rules, and what they decided."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from clingo import Function, Number, String, Symbol

from groundtrace.auditing.decisions import name_of
from groundtrace.errors import RuleError, SizeError
from groundtrace.graphs.triplets import key_of
from groundtrace.models.graph import Triplet

MOST_STEPS = 30_000_000
"""Bound on links times nodes: the paths that the rules may have to walk. 1.5 million took 1.3 s
and 100 MB (500 nodes, 3,000 triplets in one cycle)."""


class Decided(NamedTuple):
    """What the rules decided, by triplet number from 1."""

    edges: dict[int, tuple[str, str]]
    """Which way reasoning runs along each triplet, in compared form."""
    leading: set[int]
    shortcut: set[int]
    critical: set[int]
    findings: list[tuple[str, str, str]]
    """(severity, kind, subject), sorted."""


def encode(triplets: Sequence[Triplet], conclusion: str | None) -> Iterator[Symbol]:
    """Yield the facts of a graph; triplets are numbered from 1.

    Args:
        triplets: As they were written, distinct in their compared form.
        conclusion: A node in compared form; None for none.

    Raises:
        SizeError: its paths might not fit into memory.

    Source: asp/vocabulary.lp, graphs: input.
    """
    keys = [key_of(triplet) for triplet in triplets]
    nodes = {node for key in keys for node in (key[0], key[2])}
    links = {(key[0], key[2]) for key in keys}
    if len(nodes) * len(links) > MOST_STEPS:
        raise SizeError(
            f"{len(nodes):,} nodes and {len(links):,} links between them: at most "
            f"{MOST_STEPS:,} pairs of a node and a link are walked. Split the graph"
        )
    texts = {text: String(text) for key in keys for text in key}
    for number, key in enumerate(keys, 1):
        yield Function("triplet", [Number(number), *(texts[part] for part in key)])
    if conclusion is not None:
        yield Function("conclusion", [String(conclusion)])


def decode(answer: Sequence[Symbol]) -> Decided:
    """Return what the shown atoms of an answer stand for.

    Args:
        answer: Every shown atom, in any order.

    Raises:
        RuleError: a user's rule derives an atom of a shape that is not documented.

    Source: asp/show.lp.
    """
    decided = Decided({}, set(), set(), set(), [])
    sets = {name: getattr(decided, name) for name in ("leading", "shortcut", "critical")}
    for atom in answer:
        try:
            if atom.name in sets:
                sets[atom.name].add(atom.arguments[0].number)
            elif atom.name == "edge":
                number, node, following = atom.arguments
                decided.edges[number.number] = node.string, following.string
            else:
                kind, severity, subject = atom.arguments
                level = "error" if severity.name == "error" else "warning"
                decided.findings.append((level, name_of(kind), name_of(subject)))
        except (RuntimeError, ValueError) as error:
            raise RuleError(
                f"a rule derives {atom}; expected the shape documented for {atom.name} in "
                "vocabulary.lp"
            ) from error
    decided.findings.sort()
    return decided
