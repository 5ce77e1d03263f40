"""Completions scored without a reference: the share of their segments that is supported.

Joins both papers: the audit of the one as the reward of the other's training.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from groundtrace.auditing.auditor import audit
from groundtrace.errors import InputError
from groundtrace.labelling.candidates import Candidates
from groundtrace.labelling.run import label
from groundtrace.labelling.settings import LabellingSettings
from groundtrace.segmentation.segmenter import trace_from_raw
from groundtrace.trainers.scoring import (
    DEFAULT_TIME_LIMIT,
    Deadline,
    Sample,
    Scored,
    Threads,
    checked_time_limit,
    outcome,
    unscored,
)

PARTS: tuple[str, ...] = ("supported", "unsupported", "orphan", "contradicted", "segments")


@dataclass(frozen=True)
class AuditScorerSettings:
    """How completions are scored by their audits.

    Attributes:
        labelling: Who labels relations, and how.
        candidates: Which premise sets are labelled.
        cache: A file of answers; None remembers nothing.
        constants: (name, value) pairs, as in asp/constants.lp.
        time_limit: Seconds that a batch may take; what is not ready then has no score.
    """

    labelling: LabellingSettings
    candidates: Candidates = field(default_factory=Candidates)
    cache: str | None = None
    constants: tuple[tuple[str, int | str], ...] = ()
    time_limit: float = DEFAULT_TIME_LIMIT


class AuditScorer:
    """Scores completions by their audits: the question is the context and the only leaf."""

    parts = PARTS
    needs: tuple[str, ...] = ()

    def __init__(self, settings: AuditScorerSettings) -> None:
        """Check the settings; contacts nobody.

        Args:
            settings: How completions are scored.

        Raises:
            InputError: a setting cannot be used.
            ModelError: a package that is needed is not installed.
        """
        from groundtrace.labelling.labellers import make

        make(settings.labelling)
        checked_time_limit(settings.time_limit)
        self.settings = settings

    def __reduce__(self) -> tuple[type["AuditScorer"], tuple[AuditScorerSettings]]:
        """Start afresh in another process."""
        return type(self), (self.settings,)

    def score(self, samples: Sequence[Sample]) -> list[Scored]:
        """Return what came of each sample, in order; what went wrong stands in it.

        Args:
            samples: With questions; references are not looked at.
        """
        deadline = Deadline(self.settings.time_limit)
        keys = [(sample.question, sample.response or "") for sample in samples]
        threads = Threads()
        futures = {key: threads.submit(self._score, *key) for key in dict.fromkeys(keys)}
        deadline.wait(list(futures.values()))
        found: Mapping[tuple[str, str], Scored] = {
            key: self._told(*outcome(future, deadline)) for key, future in futures.items()
        }
        return [found[key] for key in keys]

    def _told(self, scored: Scored | None, problem: str | None) -> Scored:
        return scored if scored is not None else unscored(PARTS, "failed", problem or "")

    def _score(self, question: str, response: str) -> Scored:
        try:
            trace = trace_from_raw("completion", [question], response)
        except InputError as error:
            return unscored(PARTS, "unscorable", str(error))
        settings = self.settings
        labelled = label(
            trace,
            settings.labelling,
            candidates=settings.candidates,
            cache=settings.cache,
            constants=dict(settings.constants),
        )
        summary = audit(labelled, constants=dict(settings.constants)).summary
        parts = {name: float(getattr(summary, name)) for name in PARTS}
        if summary.provisional:
            lost = summary.unlabelled_relations
            reason = f"{lost} relations have no label, so that outcomes may be others"
            return Scored(None, parts, "failed", reason)
        value = summary.supported / summary.segments if summary.segments else 0.0
        return Scored(value, parts, "scored", None)
