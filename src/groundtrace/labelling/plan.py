"""What is to be labelled and how, and what came of it."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from groundtrace.errors import InputError
from groundtrace.labelling.candidates import Candidates
from groundtrace.labelling.label_cache import LabelCache
from groundtrace.labelling.questions import Labeller
from groundtrace.models.trace import Trace


@dataclass
class LabellingCounts:
    """What was done, for the summary.

    Attributes:
        traces: Labelled traces.
        relations: Candidates that were labelled, or tried.
        answered: Questions to the labeller that got a label.
        calls: Calls that these took.
        cached: Questions that were answered before.
        repeated: Questions that were asked already in this run.
        skipped: Candidates that economy left out.
        given: Candidates that were labelled in the input.
        tokens_in: Tokens of the prompts.
        tokens_out: Tokens of the answers.
        unlabelled: Reason to number of relations.
    """

    traces: int = 0
    relations: int = 0
    answered: int = 0
    calls: int = 0
    cached: int = 0
    repeated: int = 0
    skipped: int = 0
    given: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    unlabelled: Counter[str] = field(default_factory=Counter)


class LabellingPlan(NamedTuple):
    """How traces are labelled.

    Attributes:
        labeller: Answers; entered by the caller.
        candidates: What is asked.
        cache: What was answered before; None to ask everything.
        constants: Constant name to value, as in asp/constants.lp.
        watch: Called now and then with the counts so far.
    """

    labeller: Labeller
    candidates: Candidates
    cache: LabelCache | None
    constants: Mapping[str, int | str]
    watch: Callable[["LabellingCounts"], None] = lambda counts: None


class LabelledTrace(NamedTuple):
    """What became of one trace."""

    source: Any
    """What it was read from, as given."""
    trace: Trace | None
    error: InputError | None
    """Set where there is no trace."""


def record_of(plan: LabellingPlan) -> dict[str, Any]:
    """Return how a trace was labelled, as it is kept with it.

    Args:
        plan: How traces are labelled.
    """
    candidates = plan.candidates
    return {
        **plan.labeller.settings(),
        "candidates": candidates.mode,
        "premises": [candidates.min_premises, candidates.max_premises],
        "context_as_premise": candidates.context_premise,
    }
