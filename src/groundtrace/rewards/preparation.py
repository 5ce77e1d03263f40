"""What language models must find out before a response can be scored.

Triplets come from the thinking alone, so that an echo of the answer is no reasoning; a response
without thinking has an empty graph.
"""

from concurrent.futures import Future
from typing import Any, NamedTuple

from groundtrace.chat.questions import ChatAnswer
from groundtrace.chat.service import ChatService
from groundtrace.graphs.extraction import items_of, question
from groundtrace.models.reward import RewardCase
from groundtrace.rewards.answers import needs_judge, thinking_of
from groundtrace.rewards.judge import judged, verdict


class Preparation(NamedTuple):
    """Questions that are under way for one case."""

    case: RewardCase
    extraction: "Future[ChatAnswer[str]] | None"
    """None if the triplets are there, or there is no thinking to take them from."""
    judgement: "Future[ChatAnswer[str]] | None"
    """None if nobody needs to judge the answer."""

    @property
    def futures(self) -> "list[Future[ChatAnswer[str]]]":
        """What is waited for."""
        return [one for one in (self.extraction, self.judgement) if one is not None]

    def result(self) -> dict[str, Any]:
        """Return the fields that the case lacked, waiting for them.

        Raises:
            ModelError: the server cannot be used.
            InputError: the cache cannot be used.
        """
        found: dict[str, Any] = {}
        failures = []
        if self.extraction is not None:
            asked = self.extraction.result()
            if asked.value is None:
                failures.append(f"no triplets could be extracted: {asked.problem}")
            else:
                found["generated"] = items_of(asked.value)
        elif self.case.generated is None and self.case.response is not None:
            found["generated"] = []
        if self.judgement is not None:
            asked = self.judgement.result()
            found["accuracy"] = verdict(asked)
            if asked.value is None:
                failures.append(f"the answer could not be judged: {asked.problem}")
        if failures:
            found["failure"] = "; ".join(failures)
        return found


def prepare(case: RewardCase, service: ChatService, *, extract: bool = True) -> Preparation:
    """Start to ask for what a case lacks.

    Args:
        case: Any; what it has is not asked for.
        service: Its first model extracts triplets, its last one judges open answers.
        extract: Whether triplets are asked for.

    Raises:
        InputError: the cache cannot be read.
    """
    extraction = judgement = None
    if extract and case.generated is None and case.response is not None:
        thinking = thinking_of(case.response).strip()
        if thinking:
            extraction = service.submit(question(thinking, service.voters[0]))
    if needs_judge(case):
        judgement = judged(case, service)
    return Preparation(case, extraction, judgement)
