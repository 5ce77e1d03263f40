"""Triplets from rationales, by language models at a server.

Source: MedCEG paper, section 3 (evidence graph construction), appendix B.2; the prompt is ours.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from groundtrace.chat.answer_forms import json_after
from groundtrace.chat.answer_text import parse_plain_json
from groundtrace.chat.prompts import Prompt, fence_for, fill, templates
from groundtrace.chat.questions import ChatAnswer, ChatQuestion, text_reader
from groundtrace.chat.service import ChatService
from groundtrace.chat.settings import Voter
from groundtrace.errors import InputError
from groundtrace.graphs.triplets import Triplets, triplets_from
from groundtrace.models.graph import Extraction, GraphCase, Malformed, Triplet
from groundtrace.processes.lookahead import in_order

PROMPT = templates("groundtrace.graphs", "extraction")

_TRIPLET = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in Triplet._fields},
    "required": list(Triplet._fields),
    "additionalProperties": False,
}
FORM = json_after(
    {
        "type": "object",
        "properties": {"triplets": {"type": "array", "items": _TRIPLET}},
        "required": ["triplets"],
        "additionalProperties": False,
    },
    "triplets",
)


def check_rationale(case: GraphCase) -> None:
    """Make sure that there is something to extract from.

    Raises:
        InputError: it has no rationale.
    """
    if not (case.rationale or "").strip():
        raise InputError("rationale: expected a text to extract triplets from")


def extract_all(
    cases: Iterable[GraphCase], service: ChatService, fill_gaps: bool = False
) -> Iterator[GraphCase]:
    """Yield each case with one extraction per model, in order.

    A model that has given an extraction of the case already is not asked again. An extraction
    that fails says why; the others go on.

    Args:
        cases: With rationales; consumed a few hundred ahead.
        service: Whose models are asked.
        fill_gaps: Whether each model is asked, in a second question, for steps that the
            rationale takes for granted; their triplets are marked.

    Raises:
        ModelError: the server cannot be used; answers so far are in the cache.
        InputError: the cache cannot be used.
    """
    return in_order(cases, partial(begin_extraction, service, fill_gaps))


def begin_extraction(
    service: ChatService, fill_gaps: bool, case: GraphCase
) -> Callable[[], GraphCase]:
    """Ask for the triplets of a case, and return what waits for them."""
    kept = [one for one in case.extractions or () if one.triplets is not None]
    done = {one.model for one in kept}
    text = case.rationale or ""
    asked = [
        (voter, service.submit(question(text, voter)))
        for voter in service.voters
        if _name_of(voter, service) not in done
    ]

    def finish() -> GraphCase:
        fresh = []
        for voter, future in asked:
            extraction = extraction_from(_name_of(voter, service), future.result())
            if fill_gaps and extraction.triplets:
                _fill(extraction, text, voter, service)
            fresh.append(extraction)
        return case.model_copy(update={"extractions": [*kept, *fresh]})

    return finish


def _name_of(voter: Voter, service: ChatService) -> str:
    """Return what an extraction is called after: samples of one model are told apart."""
    several = sum(one.model == voter.model for one in service.voters) > 1
    return f"{voter.model}#{voter.sample + 1}" if several else voter.model


def question(rationale: str, voter: Voter) -> ChatQuestion[str]:
    """Return the question that asks for the triplets of a rationale.

    Args:
        rationale: Any text; it is not cut or changed.
    """
    fence = fence_for([rationale], ("rationale",))
    text = fill(PROMPT.parts["rationale"], rationale, fence)
    return ChatQuestion(
        voter, Prompt(PROMPT.parts["system"], text), FORM, text_reader(_problem_with)
    )


def _fill(extraction: Extraction, rationale: str, voter: Voter, service: ChatService) -> None:
    """Add what the rationale takes for granted, marked."""
    fence = fence_for([rationale], ("rationale",))
    listed = json.dumps({"triplets": extraction.triplets}, ensure_ascii=False)
    text = "\n".join(
        [
            fill(PROMPT.parts["filling"], rationale, fence),
            listed,
            PROMPT.parts["filling_end"],
        ]
    )
    prompt = Prompt(PROMPT.parts["system"], text)
    asked = service.submit(ChatQuestion(voter, prompt, FORM, text_reader(_problem_with))).result()
    if asked.value is None:
        extraction.complaints.append(
            Malformed("filled", f"the gaps could not be filled: {asked.problem}")
        )
        return
    found = read_triplets(asked.value, "filled")
    extraction.filled = [list(triplet) for triplet in found.kept]
    extraction.complaints += found.malformed


def extraction_from(model: str, asked: ChatAnswer[str]) -> Extraction:
    """Return what a model's answer says, or why there is none.

    Args:
        asked: What came of the question.
    """
    if asked.value is None:
        return Extraction(model=model, error=asked.problem or "no answer")
    found = read_triplets(asked.value, f"answer of {model}")
    return Extraction(
        model=model,
        triplets=[list(triplet) for triplet in found.kept],
        complaints=found.malformed,
    )


def read_triplets(answer: str, place: str) -> Triplets:
    """Return the triplets in an answer; what is none is reported.

    Args:
        answer: That :func:`question` lets pass.
        place: What reports call it.
    """
    return triplets_from(items_of(answer) or (), place)


def _problem_with(answer: str) -> str | None:
    """Return why an answer cannot be used."""
    items = items_of(answer)
    if items is None:
        return "the answer is no JSON object with a list of triplets"
    if items and not triplets_from(items, "answer").kept:
        return "the answer holds items, but none of them is a triplet"
    return None


def items_of(answer: str) -> list[Any] | None:
    """Return the list in an answer, whatever is in it; None if there is none.

    Args:
        answer: What a model said.
    """
    try:
        value = parse_plain_json(answer)
    except ValueError:
        return None
    if isinstance(value, dict):
        value = value.get("triplets")
    return value if isinstance(value, list) else None
