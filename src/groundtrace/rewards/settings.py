"""How rewards are made."""

from dataclasses import dataclass, field

from groundtrace.embedding.settings import EmbeddingSettings
from groundtrace.errors import InputError


@dataclass(frozen=True)
class Weights:
    """What counts how much; each group adds up to 1.

    Source: MedCEG paper, section 4.1.

    Attributes:
        node: Of node coverage in the process reward.
        structure: Of structural correctness.
        chain: Of chain completeness.
        ceiling: From here on the process reward counts as 1.
        format: Of the format in the reward.
        accuracy: Of the answer.
        process: Of the process reward.
    """

    node: float = 0.5
    structure: float = 0.3
    chain: float = 0.2
    ceiling: float = 0.8
    format: float = 0.2
    accuracy: float = 0.6
    process: float = 0.2

    def __post_init__(self) -> None:
        """Make sure that scores stay in 0..1.

        Raises:
            InputError: a weight is negative, or a group does not add up to 1.
        """
        for names in (("node", "structure", "chain"), ("format", "accuracy", "process")):
            values = [getattr(self, name) for name in names]
            if not (min(values) >= 0 and abs(sum(values) - 1) <= 1e-6):
                listed = ", ".join(
                    f"{name} {value:g}" for name, value in zip(names, values, strict=True)
                )
                raise InputError(f"weights: expected numbers from 0 that add up to 1, got {listed}")
        if not self.ceiling >= 0:
            raise InputError(f"ceiling: expected a number from 0, got {self.ceiling:g}")


@dataclass(frozen=True)
class RewardSettings:
    """How rewards are made.

    Attributes:
        embedding: What compares texts.
        entity_threshold: Least similarity of subjects and of objects that match, in 0..1.
        relation_threshold: Least similarity of predicates that match, in 0..1.
        weights: What counts how much.
        guards: Whether the guard rules forbid matches.
        overlays: Paths of users' guard rules, in order.
        compat: "medceg" for the scores of the published program: no guards, and texts compared
            as they are written; only a boxed option is an answer.
        form_asked: Whether prompts say in which form to answer, so that an answer that cannot
            be found is wrong; None to look at each question.
        details: Whether matches, nodes and the measures between graphs are wanted: training
            needs the scores only.
        cache: A file of vectors; None remembers nothing beyond the process.
        refresh: Whether to find none in it, and replace those that are made anew.
    """

    embedding: EmbeddingSettings = field(default_factory=EmbeddingSettings)
    entity_threshold: float = 0.7
    relation_threshold: float = 0.6
    weights: Weights = field(default_factory=Weights)
    guards: bool = True
    overlays: tuple[str, ...] = ()
    compat: str | None = None
    form_asked: bool | None = None
    details: bool = True
    cache: str | None = None
    refresh: bool = False

    def __post_init__(self) -> None:
        """Take one path for a list of one."""
        if isinstance(self.overlays, str):
            object.__setattr__(self, "overlays", (self.overlays,))
