"""Rewards: a response or a generated graph as it comes in, scores as they go out.

Source: the files' format; MedCEG paper, section 4.1.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from groundtrace.models.graph import Malformed, Name, Triplet, number_as_text
from groundtrace.models.trace import Text
from groundtrace.vocabulary import Status

ResponseStyle = Literal["think", "headings"]
JudgedBy = Literal["option", "equality", "mathematics", "judge"]


class RewardCase(BaseModel):
    """What is to be scored, and what it is compared with."""

    model_config = ConfigDict(extra="allow")

    id: Name = "case"
    """Names the case in every output; distinct within one run."""
    generated: list[Any] | None = None
    """Items that should be triplets of the model's reasoning; None to extract them."""
    response: Text | None = None
    """The model's whole answer, thinking included."""
    reference: Any = None
    """Items that should be triplets of the critical evidence graph."""
    question: Text | None = None
    """What was asked; options of a multiple choice may stand in it, a line each."""
    answer: Annotated[Text | None, BeforeValidator(number_as_text)] = None
    """The right answer: a text, or the letter of an option."""
    options: dict[str, Text] | None = None
    """Letter to text."""
    style: ResponseStyle | None = None
    """How thinking and answer must be told apart; None takes either."""
    accuracy: Annotated[float, Field(ge=0, le=1)] | None = None
    """If somebody has judged the answer already."""
    failure: Text | None = None
    """Why what was to be found out beforehand is missing."""

    @model_validator(mode="before")
    @classmethod
    def _published_row(cls, value: object) -> object:
        """Read the reference of a MedCEG row, or of a reduced graph, where it stands."""
        if not isinstance(value, Mapping) or "reference" in value:
            return value
        fields = dict(value)
        graph = fields.get("graph")
        if "critical" in fields:
            fields["reference"] = fields["critical"]
        elif isinstance(graph, Mapping):
            fields["reference"] = graph.get("core_reasoning_subgraph")
            if "index" in fields:
                fields.setdefault("id", fields["index"])
        return fields


class Match(NamedTuple):
    """A triplet of the reference and the generated triplet that recalls it best."""

    reference: Triplet
    generated: Triplet
    similarity: tuple[float, float, float]
    """Of subjects, predicates and objects, in -1..1; if flipped, of those that match."""
    flipped: bool = False
    """Whether the ends of one are exchanged, and its predicate turned round, as in "is caused by"
    and "causes"."""


class NodeMatch(NamedTuple):
    """A node of the reference and the generated node most like it."""

    reference: str
    generated: str | None
    """None if every generated node is forbidden to match."""
    similarity: float
    """In 0..1; what the node adds to the coverage."""


class KeptApart(BaseModel):
    """A missed triplet that would be recalled if no guard rule kept texts apart."""

    reference: Triplet
    generated: Triplet
    """The one most like it."""
    rules: list[str]
    """Names of the guard rules, sorted."""


class Reward(BaseModel):
    """How a model's reasoning compares with a reference; what does not exist is None."""

    id: str
    status: Status = "scored"
    """unscorable: the reference or the right answer cannot be used; failed: something could not
    be found out."""
    error: str | None = None
    """Why it is not scored."""
    node_coverage: float | None = None
    """Mean similarity of each reference node to the generated node most like it, in 0..1."""
    structural_correctness: float | None = None
    """Share of the reference's triplets that are recalled, in 0..1."""
    chain_completeness: float | None = None
    """Share of them in the largest recalled piece that hangs together, in 0..1."""
    process: float | None = None
    """The weighted sum of these three, in 0..1; 1 from the ceiling on."""
    format: float | None = None
    """1 if thinking and answer are told apart as asked, else 0."""
    accuracy: float | None = None
    """1 if the answer is right, else 0; None if nobody can tell."""
    answer_found: bool | None = None
    """Whether the response gives an answer that can be read; None if nobody looked for it."""
    accuracy_by: JudgedBy | None = None
    """Who says so: the option named, mathematics, a judge (or the input), or mere equality."""
    reward: float | None = None
    """The weighted sum of format, accuracy and process, in 0..1."""
    precision: float | None = None
    """Share of the generated triplets that recall something, in 0..1."""
    f1: float | None = None
    """Harmonic mean of structural correctness and precision, in 0..1."""
    triplet_recall: float | None = None
    """Share of the reference's triplets with a best Jaccard of 0.6 or more, in 0..1."""
    best_jaccard: float | None = None
    """Mean over the reference's triplets of the best Jaccard with a generated one, in 0..1."""
    max_chain: float | None = None
    """The highest chain completeness that this reference allows, in 0..1."""
    generated_triplets: int | None = None
    """Distinct triplets that were generated."""
    missed: list[Triplet] = Field(default_factory=list)
    kept_apart: list[KeptApart] = Field(default_factory=list)
    """Those of the missed ones that a guard rule cost."""
    """Triplets of the reference that were not recalled, in their order."""
    matches: list[Match] = Field(default_factory=list)
    """The others, likewise."""
    nodes: list[NodeMatch] = Field(default_factory=list)
    """The reference's nodes, in their order."""
    malformed: list[Malformed] = Field(default_factory=list)
    """Items of either graph that were left out."""
    provenance: dict[str, Any] = Field(default_factory=dict)
    """Version, embedding, thresholds, weights, rule files by hash."""
    meta: dict[str, Any] = Field(default_factory=dict)
    """Every field of the case that groundtrace does not know."""
