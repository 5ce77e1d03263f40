"""A reasoning trace with labelled relations, as it comes in.

Source: the files' format; paper "Reference-Free Evaluation of Reasoning", section 3.1.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from groundtrace.vocabulary import GOLD_SPELLINGS, LABEL_SPELLINGS, LABELS, Gold, Label

OnConflict = Literal["refuse", "weakest"]
PROBLEMS_SHOWN = 5


def _read_label(value: object) -> object:
    """Return the label that a spelling stands for, or the value itself if it is none."""
    if isinstance(value, str):
        return LABEL_SPELLINGS.get(value.strip().lower(), value)
    return value


def read_gold(value: object) -> object:
    """Return the gold judgement that a spelling stands for, or the value itself if it is none."""
    if isinstance(value, str):
        return GOLD_SPELLINGS.get(value.strip().lower(), value)
    if isinstance(value, int):
        return GOLD_SPELLINGS.get(value, value)
    return value


def _read_annotations(value: object) -> object:
    """Return the list of annotations for which one, or its value alone, stands."""
    if value is None:
        return []
    several = value if isinstance(value, list | tuple) else [value]
    return [one if isinstance(one, Mapping | Annotation) else {"value": one} for one in several]


def _refuse_half_characters(value: str) -> str:
    """Refuse text that no file can hold.

    Raises:
        PydanticCustomError: it holds half of a surrogate pair.
    """
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            found = f"U+{ord(value[error.start]):04X}"
            raise PydanticCustomError(
                "surrogate", "should be Unicode text, found {found}", {"found": found}
            ) from None
    return value


def _refuse_nul(value: str) -> str:
    """Refuse NUL in names that become clingo strings, which end at the first NUL.

    Raises:
        PydanticCustomError: the name holds U+0000.
    """
    if "\0" in value:
        raise PydanticCustomError("nul", "should not hold the character U+0000")
    return value


StrictIndex = Annotated[int, Field(strict=True)]
Text = Annotated[str, Field(strict=True), AfterValidator(_refuse_half_characters)]


class _Record(BaseModel):
    """A record that keeps fields it does not know and gives them out again."""

    model_config = ConfigDict(extra="allow")

    @property
    def meta(self) -> dict[str, Any]:
        """The fields that groundtrace does not know, by name."""
        return self.model_extra or {}


class Annotation(BaseModel):
    """What a person says of a segment."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    value: Annotated[Gold, BeforeValidator(read_gold)]
    comment: Text | None = None
    annotator: Text | None = None
    """Who says so; None where nobody is named."""


def _refuse_two_minds(annotations: list[Annotation]) -> list[Annotation]:
    """Refuse what one annotator says twice.

    Raises:
        PydanticCustomError: two annotations name the same annotator.
    """
    named = [one.annotator for one in annotations if one.annotator is not None]
    for name in named:
        if named.count(name) > 1:
            raise PydanticCustomError(
                "annotator", "should have one annotation by {name}, found several", {"name": name}
            )
    return annotations


def _shortest(annotations: Sequence[Annotation]) -> object:
    """Return annotations as they are written: a word, one object, or a list."""
    written = [
        one.value
        if one.comment is None and one.annotator is None
        else one.model_dump(exclude_none=True)
        for one in annotations
    ]
    return written[0] if len(written) == 1 else written


Annotations = Annotated[
    list[Annotation],
    BeforeValidator(_read_annotations),
    AfterValidator(_refuse_two_minds),
    PlainSerializer(_shortest),
    Field(exclude_if=lambda annotations: not annotations),
]
"""What people say of one segment; a word, or one object, stands for a list of one."""


class Segment(_Record):
    """One unit of a reasoning trace."""

    text: Text
    """What the segment says; may be empty."""
    tags: list[Text] = Field(default_factory=list)
    """The user's own tags, which rules can read."""
    gold: Annotations = Field(default_factory=list)
    """Human judgements, for evaluation only; no rule reads them. A word alone stands for one."""

    @field_validator("tags")
    @classmethod
    def _tags_fit_rules(cls, tags: list[str]) -> list[str]:
        return [_refuse_nul(tag) for tag in tags]


class Relation(_Record):
    """A labelled hyperedge from a set of premises to a later segment."""

    premises: tuple[StrictIndex, ...]
    """Segment numbers from 1, each before the target; sorted and without repeats once loaded."""
    target: StrictIndex
    """Segment number from 1."""
    label: Annotated[Label | None, BeforeValidator(_read_label)] = None
    """None: the labeller could not label it."""
    probability: Annotated[float, Field(ge=0, le=1)] | None = None
    """The labeller's probability of the label, in 0..1."""
    error: Text | None = None
    """Why there is no label."""

    @property
    def key(self) -> tuple[int, int, tuple[int, ...]]:
        """The order of relations: by target, then size, then premises."""
        return self.target, len(self.premises), self.premises


class Trace(_Record):
    """A trace whose indices are consistent and whose relations are sorted and distinct."""

    id: Text = "trace"
    """Names the trace in every output; distinct within one run."""
    segments: list[Segment]
    """Numbered from 1; a plain string stands for a segment with that text."""
    leaves: list[StrictIndex] = Field(default_factory=list)
    """Segments accepted as grounded from the start; [1] if the field is absent."""
    relations: list[Relation] | None = None
    """None: nothing was labelled yet."""

    @field_validator("id", mode="before")
    @classmethod
    def _number_as_id(cls, value: object) -> object:
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else value

    @field_validator("segments", mode="before")
    @classmethod
    def _text_as_segment(cls, value: object) -> object:
        if isinstance(value, list | tuple):
            return [{"text": item} if isinstance(item, str) else item for item in value]
        return value

    @model_validator(mode="after")
    def _consistent(self, info: ValidationInfo) -> Self:
        """Sort and check what the fields say of each other.

        Raises:
            PydanticCustomError: leaves or relations do not fit the segments, or two relations
                with different labels have the same premises and target.
        """
        count = len(self.segments)
        if "leaves" not in self.model_fields_set:
            self.leaves = [1] if count else []
        problems = [
            f"leaves: {_no_such_segment(leaf, count)}"
            for leaf in self.leaves
            if not 1 <= leaf <= count
        ]
        self.leaves = sorted(set(self.leaves))
        if self.relations is not None:
            problems += _relation_problems(self.relations, count)
            if not problems:
                on_conflict: OnConflict = (info.context or {}).get("on_conflict", "refuse")
                self.relations, conflicts = _distinct(self.relations, on_conflict)
                problems += conflicts
        if problems:
            raise PydanticCustomError("inconsistent", "{problems}", {"problems": _few(problems)})
        return self


def _no_such_segment(index: int, count: int) -> str:
    """Return a sentence on an index outside the trace."""
    expected = f"expected 1 to {count}" if count else "the trace has no segments"
    return f"there is no segment {index}; {expected}"


def _relation_problems(relations: list[Relation], count: int) -> list[str]:
    """Return what is wrong with the indices of each relation; sorts premises on the way."""
    problems = []
    for place, relation in enumerate(relations):
        premises = relation.premises
        if len(premises) > 1:
            premises = relation.premises = tuple(sorted(set(premises)))
        target = relation.target
        if not premises:
            problems.append(f"relations[{place}].premises: empty; expected at least one segment")
        elif not 1 <= target <= count:
            problems.append(f"relations[{place}].target: {_no_such_segment(target, count)}")
        elif premises[0] < 1:
            problems.append(f"relations[{place}].premises: {_no_such_segment(premises[0], count)}")
        elif premises[-1] > count:
            problems.append(f"relations[{place}].premises: {_no_such_segment(premises[-1], count)}")
        elif premises[-1] >= target:
            problems.append(
                f"relations[{place}].premises: premise {premises[-1]} does not come before "
                f"its target {target}"
            )
    return problems


def _distinct(
    relations: Iterable[Relation], on_conflict: OnConflict
) -> tuple[list[Relation], list[str]]:
    """Return one relation per premise set and target, sorted by key, and the conflicts.

    A labelled relation wins over an unlabelled one, whichever comes first.
    """
    relations = list(relations)
    keys = [relation.key for relation in relations]
    if all(earlier < later for earlier, later in pairwise(keys)):
        return relations, []
    kept: dict[tuple[int, int, tuple[int, ...]], Relation] = {}
    conflicts = []
    for key, relation in zip(keys, relations, strict=True):
        earlier = kept.setdefault(key, relation)
        if earlier is relation or relation.label is None or relation.label == earlier.label:
            continue
        if earlier.label is None:
            kept[key] = relation
        elif on_conflict == "weakest":
            kept[key] = min(earlier, relation, key=lambda one: LABELS.index(one.label or "neutral"))
        else:
            conflicts.append(
                f"relations: {list(relation.premises)} → {relation.target} is labelled both "
                f"{earlier.label} and {relation.label}"
            )
    return [kept[key] for key in sorted(kept)], conflicts


def _few(problems: list[str]) -> str:
    """Join the first problems and count the rest."""
    more = len(problems) - PROBLEMS_SHOWN
    tail = [f"and {more} more of this kind"] if more > 0 else []
    return "; ".join(problems[:PROBLEMS_SHOWN] + tail)
