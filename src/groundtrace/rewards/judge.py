"""A language model judges whether an open answer is right.

Source: MedCEG paper, appendix D.2; the prompt is ours.
"""

from concurrent.futures import Future

from groundtrace.chat.answer_forms import one_of
from groundtrace.chat.prompts import Prompt, fence_for, fill, templates
from groundtrace.chat.questions import ChatAnswer, ChatQuestion, choice_reader
from groundtrace.chat.service import ChatService
from groundtrace.models.reward import RewardCase
from groundtrace.rewards.answers import final_response_of

PROMPT = templates("groundtrace.rewards", "judge")
CHOICES = ("yes", "no")


def judged(case: RewardCase, service: ChatService) -> "Future[ChatAnswer[str]]":
    """Start to ask whether the response of a case is right; :func:`verdict` reads the answer.

    Args:
        case: That needs a judge.
        service: Whose last model is asked.

    Raises:
        InputError: the cache cannot be read.
    """
    texts = {
        "question": case.question or "",
        "correct": case.answer or "",
        "response": final_response_of(case.response or ""),
    }
    fence = fence_for([*texts.values()], tuple(texts))
    parts = [fill(PROMPT.parts[name], text, fence) for name, text in texts.items() if text]
    prompt = Prompt(PROMPT.parts["system"], "\n".join(parts))
    read = choice_reader(CHOICES, "neither yes nor no")
    return service.submit(ChatQuestion(service.voters[-1], prompt, one_of(CHOICES), read))


def verdict(asked: ChatAnswer[str]) -> float | None:
    """Return 1.0 for yes, 0.0 for no, and None if no usable answer came.

    Args:
        asked: What came of the question.
    """
    return None if asked.value is None else float(asked.value == "yes")
