"""What language models must find out before a response can be scored.

Triplets come from the thinking alone, so that an echo of the answer is no reasoning; a response
without thinking has an empty graph.
"""

from collections.abc import Callable
from typing import Any

from groundtrace.chat.service import ChatService
from groundtrace.graphs.extraction import question, read_triplets
from groundtrace.models.reward import RewardCase
from groundtrace.rewards.answers import accuracy, thinking_of
from groundtrace.rewards.judging import judged, needs_judge, verdict

Found = dict[str, Any]
"""Fields of a case."""


def preparing(case: RewardCase, service: ChatService) -> Callable[[], Found]:
    """Start to ask, and return what waits for the fields that were missing.

    Args:
        case: Any; what it has is not asked for.
        service: Its first model extracts triplets, its last one judges open answers.

    Raises:
        InputError: the cache cannot be read.
    """
    extracted = _extracting(case, service)
    judging = _judging(case, service)

    def finish() -> Found:
        found = extracted() | judging()
        if "failure" in found and "accuracy" not in found and not needs_judge(case):
            found["accuracy"] = accuracy(case)
        return found

    return finish


def _extracting(case: RewardCase, service: ChatService) -> Callable[[], Found]:
    if case.generated is not None or case.response is None:
        return dict
    thinking = thinking_of(case.response).strip()
    if not thinking:
        return lambda: {"generated": []}
    future = service.submit(question(thinking, service.voters[0]))

    def finish() -> Found:
        asked = future.result()
        if asked.value is None:
            return {"failure": f"no triplets could be extracted: {asked.problem}"}
        return {"generated": read_triplets(asked.value, "generated").kept}

    return finish


def _judging(case: RewardCase, service: ChatService) -> Callable[[], Found]:
    if not needs_judge(case):
        return dict
    future = judged(case, service)

    def finish() -> Found:
        asked = future.result()
        right = verdict(asked)
        if right is None:
            return {"failure": f"the answer could not be judged: {asked.problem}"}
        return {"accuracy": right}

    return finish
