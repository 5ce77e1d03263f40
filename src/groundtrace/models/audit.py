"""The audit of one trace, as it goes out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Required

from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from groundtrace.models.trace import Annotations
from groundtrace.vocabulary import FLAGS, OUTCOMES, Label, Outcome

Severity = Literal["error", "warning"]


class TreeNode(TypedDict, total=False):
    """One segment of a support tree, with the support picked for it.

    A leaf of the trace has ``leaf``. A segment whose support stands elsewhere in the same
    output (earlier in this tree, or under that segment's own entry) has ``repeated``, so that
    shared parts are not written again and again.
    """

    segment: Required[int]
    leaf: bool
    repeated: bool
    premises: list[int]
    label: Label
    children: list["TreeNode"]


@dataclass(slots=True)
class Support:
    """A relation that survived selection."""

    premises: tuple[int, ...]
    """Segment numbers, ascending."""
    label: Label
    """entailment or implied."""
    blocked_by: list[int]
    """The premises that are not grounded, ascending; empty if this support can ground."""


@dataclass(slots=True)
class Rejected:
    """A labelled relation that is not support."""

    premises: tuple[int, ...]
    """Segment numbers, ascending."""
    label: Label
    """As the labeller gave it."""
    reasons: list[str]
    """Every reason why it is not support; at least one."""


@dataclass(slots=True)
class Unlabelled:
    """A relation that the labeller could not label."""

    premises: tuple[int, ...]
    """Segment numbers, ascending."""
    error: str | None
    """What the labeller said, if anything."""


class SegmentAudit(BaseModel):
    """What the audit found about one segment that is not a leaf."""

    index: int
    """From 1."""
    outcome: Outcome
    """supported counts as 1 in binary evaluation, the others as 0."""
    grounded: bool
    """Whether it stands on the leaves."""
    unstable: bool
    """Strong support weakened when premises were combined, or a user's rule said so."""
    provisional: bool
    """A relation that could not be labelled may change the outcome."""
    depth: int | None
    """Least number of steps from the leaves, from 1; None if not grounded."""
    supports: list[Support]
    """In the order in which they are tried."""
    rejected: list[Rejected]
    """By size, then premises."""
    unlabelled: list[Unlabelled]
    """By size, then premises."""
    contradicted_by: list[tuple[int, ...]]
    """Premise sets that contradict it."""
    vetoes: list[str]
    """Reasons of users' rules why it may not be grounded."""
    tree: TreeNode | None
    """The best support tree; None unless supported."""
    trees: int
    """How many support trees were listed, 0 to max_trees."""
    more_trees: bool
    """Whether more exist."""
    breakpoints: list[int]
    """Where the failing branches of an unsupported segment end, ascending."""
    repairs: list[tuple[int, ...]]
    """Smallest sets of segments that would ground it if accepted as leaves, at most 10."""
    more_repairs: bool
    """Whether more exist, or the search for them was cut short."""
    characters: int = 0
    """Of the segment's text: how much there is to read."""
    gold: Annotations = Field(default_factory=list)
    """What people say of the segment; left out when nobody does."""
    meta: dict[str, Any]
    """The segment's unknown fields."""
    notes: list[str]
    """Sentences from users' rules."""
    explanation: str
    """One or two sentences, with the rule that decided."""


class Summary(BaseModel):
    """Counts over the segments of one trace."""

    segments: int
    """Segments that have an outcome: all but the leaves."""
    supported: int
    unsupported: int
    orphan: int
    contradicted: int
    unstable: int
    provisional: int
    unlabelled_relations: int
    warnings: int
    """Findings; see there."""

    @classmethod
    def of(
        cls, segments: Sequence[SegmentAudit], unlabelled_relations: int, warnings: int
    ) -> "Summary":
        """Return the counts over some segments.

        Args:
            unlabelled_relations: Relations without a label, those into leaves included.
        """
        return cls(
            segments=len(segments),
            unlabelled_relations=unlabelled_relations,
            warnings=warnings,
            **{name: sum(1 for one in segments if one.outcome == name) for name in OUTCOMES},
            **{name: sum(1 for one in segments if getattr(one, name)) for name in FLAGS},
        )


class Finding(BaseModel):
    """Something odd about the input or a user's rule that did not stop the audit."""

    kind: str
    severity: Severity
    subject: str
    message: str


class Provenance(BaseModel):
    """What is needed to make the same audit again."""

    version: str
    """Of groundtrace."""
    rules: dict[str, str]
    """Rule file to "sha256:…" of its content."""
    constants: dict[str, int | str]
    """Every constant of the rule files, with the value used."""
    overlays: list[str]
    """Users' rule files, in the order given; their hashes stand under rules."""
    max_trees: int
    """The bound on listed trees."""
    labeller: str
    """Where the labels came from."""


class Audit(BaseModel):
    """The audit of one trace."""

    id: str
    segments: list[SegmentAudit]
    """Ascending, without the leaves."""
    leaves: list[int]
    """Segments accepted from the start, those that users' rules accept included."""
    findings: list[Finding]
    summary: Summary
    provenance: Provenance
    meta: dict[str, Any] = Field(default_factory=dict)
    """The trace's unknown fields; left out when there are none."""

    def to_json(self) -> str:
        """Return the audit as one line of JSON, the same bytes for the same audit."""
        return self.model_dump_json(exclude=None if self.meta else {"meta"})

    def segment(self, index: int) -> SegmentAudit:
        """Return the entry of one segment.

        Args:
            index: Its number, from 1.

        Raises:
            KeyError: there is no such segment, or it is a leaf.
        """
        for entry in self.segments:
            if entry.index == index:
                return entry
        raise KeyError(index)
