"""What labelling would ask, and what it would cost, without asking."""

from collections.abc import Iterable
from dataclasses import dataclass

from groundtrace.chat.prompts import BYTES_PER_TOKEN
from groundtrace.labelling.candidates import Candidate
from groundtrace.labelling.plan import LabellingPlan
from groundtrace.labelling.prompt import prompt_for
from groundtrace.models.trace import Trace

TOKENS_PER_ANSWER = 2
"""The letter and the end, without thinking."""


@dataclass
class Forecast:
    """What a run would do.

    Attributes:
        traces: Traces read.
        relations: Candidates that the input leaves unlabelled.
        asked: Calls to be made; equal questions count once.
        cached: Questions whose answers are in the cache.
        repeated: Questions that are the same as an earlier one.
        prompt_bytes: Of all prompts to be sent.
        single: Calls among ``asked`` for one premise; economy makes at least these.
    """

    traces: int = 0
    relations: int = 0
    asked: int = 0
    cached: int = 0
    repeated: int = 0
    prompt_bytes: int = 0
    single: int = 0

    @property
    def tokens_in(self) -> int:
        """Estimated tokens of all prompts."""
        return self.prompt_bytes // BYTES_PER_TOKEN

    @property
    def tokens_out(self) -> int:
        """Estimated tokens of all answers."""
        return self.asked * TOKENS_PER_ANSWER


def forecast(traces: Iterable[Trace], plan: LabellingPlan) -> Forecast:
    """Return what labelling some traces would ask at most; exact for full candidates.

    Args:
        traces: With or without relations.
        plan: How they would be labelled; its labeller need not be entered.

    Raises:
        InputError: the cache cannot be read.
    """
    result = Forecast()
    seen: set[bytes] = set()
    for trace in traces:
        result.traces += 1
        known = {(one.target, one.premises) for one in trace.relations or () if one.label}
        for candidate in plan.candidates.of(trace):
            if (candidate.target, candidate.premises) not in known:
                result.relations += 1
                _count(result, trace, candidate, plan, seen)
    return result


def _count(
    result: Forecast, trace: Trace, candidate: Candidate, plan: LabellingPlan, seen: set[bytes]
) -> None:
    premises = [trace.segments[premise - 1].text for premise in candidate.premises]
    conclusion = trace.segments[candidate.target - 1].text
    for voter in plan.labeller.voters:
        key = plan.labeller.key(premises, conclusion, voter)
        if key in seen:
            result.repeated += 1
            continue
        if plan.cache and plan.cache.get(key):
            result.cached += 1
            continue
        seen.add(key)
        result.asked += 1
        result.single += len(premises) == 1
        result.prompt_bytes += prompt_for(premises, conclusion).size
