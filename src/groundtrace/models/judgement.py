"""The direct verdicts of a judge on the segments of one trace."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from groundtrace.models.trace import Annotations, Text, read_gold
from groundtrace.vocabulary import Gold

Verdict = Annotated[Gold, BeforeValidator(read_gold)]


class JudgementProvenance(BaseModel):
    """What is needed to judge the same trace again."""

    version: str
    """Of groundtrace."""
    judge: str
    """The model."""
    prompt: str
    """Name of the template, and "sha256:…" of its content."""
    per: str
    """trace or segment: what one call is about."""


class Judgement(BaseModel):
    """What a judge says of the segments of one trace, without any graph."""

    model_config = ConfigDict(extra="allow")

    id: Text
    """Of the trace."""
    verdicts: dict[int, Verdict]
    """Segment, from 1, to its verdict; leaves have none."""
    unscorable: dict[int, Text] = Field(default_factory=dict)
    """Segment to why its verdict could not be read; it is never counted as wrong."""
    reasons: dict[int, Text] = Field(default_factory=dict)
    """Segment to what the judge gave as its reason."""
    gold: dict[int, Annotations] = Field(default_factory=dict)
    """Segment to what people say of it."""
    provenance: JudgementProvenance | None = None
    """None where somebody else's judge wrote the verdicts."""

    @property
    def meta(self) -> dict[str, Any]:
        """The fields that groundtrace does not know, by name."""
        return self.model_extra or {}
