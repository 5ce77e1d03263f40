"""Findings, and items that were left out, as RDF: audits, graphs and rewards have them."""

from collections.abc import Iterable

from groundtrace.knowledge.rdf.resources import Writing
from groundtrace.knowledge.rdf.terms import (
    FINDING,
    FINDING_SUBJECT,
    HAS_FINDING,
    HAS_LEFT_OUT,
    KIND,
    LEFT_OUT,
    MESSAGE,
    PLACE,
    SEVERITY,
)
from groundtrace.models.audit import Severity
from groundtrace.models.graph import Malformed


def write_finding(
    owner: Writing, kind: str, severity: Severity, subject: str, message: str
) -> None:
    """Write something odd that a reader should know.

    Args:
        owner: What it was found in.
        kind: As the rules call it.
        subject: What it is about.
    """
    node = owner.part("finding", HAS_FINDING, FINDING)
    node.set(KIND, kind)
    node.set(SEVERITY, severity)
    node.set(FINDING_SUBJECT, subject)
    node.set(MESSAGE, message)


def write_left_out(owner: Writing, malformed: Iterable[Malformed]) -> None:
    """Write which items are no triplets."""
    for item in malformed:
        node = owner.part("left-out", HAS_LEFT_OUT, LEFT_OUT)
        node.set(PLACE, item.place)
        node.set(MESSAGE, item.problem)
