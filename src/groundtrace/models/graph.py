"""Evidence graphs: triplets as they come in, voted and reduced as they go out.

Source: the files' format; MedCEG paper, section 3.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from groundtrace.models.trace import Text
from groundtrace.vocabulary import Status

FoundBy = Literal["given", "exact", "embedding", "model"]
Reason = Literal["not_leading", "shortcut"]


class Triplet(NamedTuple):
    """One statement: subject, predicate, object; written as a list of three texts."""

    subject: str
    predicate: str
    object: str


class Malformed(NamedTuple):
    """An item that is no triplet, and was left out."""

    place: str
    """Such as "triplets[3]"."""
    problem: str
    """What is wrong with it, and what was expected."""


class _Record(BaseModel):
    """A record that keeps fields it does not know and gives them out again."""

    model_config = ConfigDict(extra="allow")

    @property
    def meta(self) -> dict[str, Any]:
        """The fields that groundtrace does not know, by name."""
        return self.model_extra or {}


def number_as_text(value: object) -> object:
    """Return a whole number as text, and anything else as it is: ids and answers may be numbers."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Name = Annotated[Text, BeforeValidator(number_as_text)]


class Extraction(_Record):
    """What one model found in a rationale."""

    model: Name
    """Who; extractions of one model count once, however many there are."""
    triplets: list[Any] | None = None
    """Items that should be triplets; None if the extraction failed."""
    filled: list[Any] | None = None
    """More of them, which the rationale takes for granted and does not say."""
    error: Text | None = None
    """Why it failed."""
    complaints: list[Malformed] = Field(default_factory=list)
    """What was left out when the model's answer was read."""


class GraphCase(_Record):
    """One case: what an evidence graph is made from, or the graph itself."""

    id: Name = "case"
    """Names the case in every output; distinct within one run."""
    question: Text | None = None
    """What was asked; options of a multiple choice may stand in it, a line each."""
    answer: Annotated[Text | None, BeforeValidator(number_as_text)] = None
    """The right answer: a text, or the letter of an option."""
    options: dict[str, Text] | None = None
    """Letter to text."""
    rationale: Text | None = None
    """The reasoning that triplets are extracted from."""
    extractions: list[Extraction] | None = None
    """One per model and run."""
    triplets: list[Any] | None = None
    """Items that should be triplets."""
    conclusion: Text | None = None
    """The node that the graph argues for, if it is known."""
    conclusion_by: FoundBy | None = None
    """How it was found, if somebody said."""
    unfound: Text | None = None
    """What somebody said who looked for it and found none."""
    status: Status | None = None
    """failed: the votes could not be counted."""
    error: Text | None = None
    """Why not."""

    @model_validator(mode="before")
    @classmethod
    def _published_row(cls, value: object) -> object:
        """Read a row of the MedCEG data as it is, and a conclusion as it was written."""
        if not isinstance(value, Mapping):
            return value
        fields = dict(value)
        graph = fields.get("graph")
        if isinstance(graph, Mapping) and "triplets" not in fields:
            fields["triplets"] = graph.get("triplets")
            fields.setdefault("rationale", fields.get("reasoning_content"))
            if "index" in fields:
                fields.setdefault("id", fields["index"])
        conclusion = fields.get("conclusion")
        if isinstance(conclusion, Mapping):
            fields["conclusion"] = conclusion.get("node")
            fields.setdefault("conclusion_by", conclusion.get("found_by"))
        return fields

    @model_validator(mode="after")
    def _holds_something(self) -> Self:
        if self.triplets is None and self.extractions is None and self.rationale is None:
            raise PydanticCustomError(
                "empty_case", "no triplets, extractions or rationale: expected one of them"
            )
        return self

    def written(self) -> dict[str, Any]:
        """Return the fields as they are written: what is not known is left out, all else kept."""
        own = self.model_dump(exclude_none=True, exclude=set(self.meta))
        return {**own, **self.meta}


class VotedTriplet(BaseModel):
    """A triplet and who gave it."""

    subject: str
    predicate: str
    object: str
    votes: int
    """Distinct models that gave it, from 1."""
    models: list[str]
    """Their names, in the order of the extractions."""
    filled: bool = False
    """Whether no model found it in the rationale, but only between its lines."""


class Merged(BaseModel):
    """Two spellings of one thing, taken for each other while voting."""

    kept: str
    """The spelling that is used."""
    dropped: str
    """The spelling that it replaces."""
    similarity: float
    """Cosine of their embeddings, in -1..1."""


class GraphWarning(BaseModel):
    """Something that a reader of the graph should know."""

    kind: str
    """As in asp/graph/5_findings.lp, a user's own, or missing_extraction."""
    subject: str
    """What it is about."""
    message: str
    """One sentence."""


class EvidenceGraph(BaseModel):
    """What the votes made of a case's extractions."""

    id: str
    status: Status = "scored"
    """failed: too few extractions could be used."""
    error: str | None = None
    """Why it failed."""
    triplets: list[VotedTriplet] = Field(default_factory=list)
    """With enough votes, in the order in which they were first given."""
    outvoted: list[VotedTriplet] = Field(default_factory=list)
    """With too few votes, likewise."""
    merged: list[Merged] = Field(default_factory=list)
    """Spellings taken for one thing because their embeddings are alike."""
    malformed: list[Malformed] = Field(default_factory=list)
    """Items that were left out."""
    warnings: list[GraphWarning] = Field(default_factory=list)
    provenance: dict[str, Any] = Field(default_factory=dict)
    """Version, and how many votes were needed."""
    meta: dict[str, Any] = Field(default_factory=dict)
    """Every other field of the case, to be written beside these."""


class Conclusion(BaseModel):
    """The node that a graph argues for, and how it was found."""

    node: str
    """As it is spelled in the graph."""
    found_by: FoundBy
    similarity: float | None = None
    """To the answer, where embeddings were compared; in -1..1."""


class Near(NamedTuple):
    """A node that might have been meant."""

    node: str
    similarity: float


class Dropped(BaseModel):
    """A triplet of the evidence graph that is not critical."""

    triplet: Triplet
    reason: Reason
    path: list[Triplet] | None = None
    """For a shortcut: critical triplets that go from its one end to the other."""


class CriticalGraph(BaseModel):
    """An evidence graph reduced to what leads to its conclusion."""

    id: str
    status: Status = "scored"
    """unscorable: there is no triplet, or no conclusion."""
    error: str | None = None
    """Why it could not be reduced."""
    conclusion: Conclusion | None = None
    nearest: list[Near] = Field(default_factory=list)
    """Without a conclusion: the three nodes most like the answer."""
    critical: list[Triplet] = Field(default_factory=list)
    """As they were written, in their order."""
    dropped: list[Dropped] = Field(default_factory=list)
    """The others, in their order."""
    malformed: list[Malformed] = Field(default_factory=list)
    """Items that were left out."""
    warnings: list[GraphWarning] = Field(default_factory=list)
    backwards: list[str] = Field(default_factory=list)
    """Predicates along which reasoning runs from object to subject, sorted."""
    provenance: dict[str, Any] = Field(default_factory=dict)
    """Version, rule files by hash, constants, overlays."""
    meta: dict[str, Any] = Field(default_factory=dict)
    """Every other field of the case, to be written beside these."""
