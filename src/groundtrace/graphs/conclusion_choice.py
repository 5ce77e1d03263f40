"""A language model chooses the conclusion of a graph from the numbered list of its nodes.

Source: MedCEG paper, appendix B.3; the prompt is ours.
"""

from collections.abc import Sequence
from concurrent.futures import Future

from groundtrace.chat.answer_forms import one_of
from groundtrace.chat.prompts import Prompt, fence_for, fill, templates
from groundtrace.chat.questions import ChatAnswer, ChatQuestion, choice_reader
from groundtrace.chat.service import ChatService
from groundtrace.errors import ModelError

PROMPT = templates("groundtrace.graphs", "conclusion_choice")


def choosing(service: ChatService, answer: str, nodes: Sequence[str]) -> "Future[ChatAnswer[str]]":
    """Start to ask which node says the same as an answer; :func:`chosen` reads the reply.

    Args:
        service: Whose first model is asked.

    Raises:
        InputError: the cache cannot be read.
    """
    allowed = [str(number) for number in range(len(nodes) + 1)]
    listed = "\n".join(
        f"{number}. {' '.join(node.split())}" for number, node in enumerate(nodes, 1)
    )
    fence = fence_for([answer, listed], ("answer", "names"))
    text = "\n".join(
        fill(PROMPT.parts[name], part, fence)
        for name, part in (("answer", answer), ("names", listed))
    )
    prompt = Prompt(PROMPT.parts["system"], text)
    read = choice_reader(allowed, "no number")
    return service.submit(ChatQuestion(service.voters[0], prompt, one_of(allowed), read))


def chosen(asked: ChatAnswer[str]) -> int | None:
    """Return the place of the node that was chosen, from 0; None if none says the answer.

    Args:
        asked: What came of the question.

    Raises:
        ModelError: no usable answer came.
    """
    if asked.value is None:
        raise ModelError(f"the conclusion could not be chosen: {asked.problem}")
    number = int(asked.value)
    return number - 1 if number else None
