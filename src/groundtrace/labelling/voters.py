"""Who is asked each question: some samples of some models."""

from groundtrace.chat.settings import Voter, voters_of
from groundtrace.errors import InputError
from groundtrace.labelling.settings import LabellingSettings


def jury(settings: LabellingSettings) -> tuple[Voter, ...]:
    """Return the voters that some settings describe, after checking what labellers share.

    Raises:
        InputError: no model is named, or a setting is out of its range.
    """
    name = settings.labeller
    if not settings.models:
        hint = (
            "to ask one, name a labeller with --labeller (openai, vllm or nli)"
            if name == "replay"
            else "name one with --model"
        )
        raise InputError(f"the labeller {name} needs a model: {hint}")
    return voters_of(settings)
