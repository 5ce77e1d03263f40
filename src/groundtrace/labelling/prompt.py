"""The prompt for language models: one template file, filled with the texts of a trace."""

import hashlib
import json
from collections.abc import Sequence

from groundtrace.chat.prompts import Prompt, Templates, fence_for, fill, templates
from groundtrace.chat.settings import Voter
from groundtrace.labelling.settings import LabellingSettings
from groundtrace.vocabulary import LABELS

CHOICES = tuple(sorted({label[0].upper() for label in LABELS}))
"""The letters that the template asks for: C, E, I, N."""

_TAGS = ("premise", "conclusion")


def template() -> Templates:
    """Return the template: its parts system, premise and conclusion, and its digest."""
    return templates("groundtrace.labelling", "prompt")


def prompt_for(premises: Sequence[str], conclusion: str) -> Prompt:
    """Return the prompt that asks what some premises mean for a conclusion.

    Args:
        premises: Texts, whatever they hold; none is cut or changed.
    """
    fence = fence_for((*premises, conclusion), _TAGS)
    parts = template().parts
    texts = [fill(parts["premise"], text, fence) for text in premises]
    texts.append(fill(parts["conclusion"], conclusion, fence))
    return Prompt(parts["system"], "\n".join(texts))


def chat_key(
    premises: Sequence[str], conclusion: str, voter: Voter, settings: LabellingSettings
) -> bytes:
    """Return the key of a language model's answer in the cache.

    How the choices were enforced, and by which server, is not part of it: the answer was one of
    the choices in any case, and a run that goes on must find it again.
    """
    shape = [
        "chat",
        prompt_for(premises, conclusion),
        voter,
        settings.sampling_temperature,
        settings.max_output_tokens,
        CHOICES,
        *([settings.request] if settings.request else []),
    ]
    return hashlib.sha256(json.dumps(shape).encode()).digest()


def chat_settings(settings: LabellingSettings) -> dict[str, object]:
    """Return what is recorded of a language model's work.

    Args:
        settings: How relations are labelled.
    """
    return {
        "labeller": settings.labeller,
        "models": list(settings.models),
        "votes": settings.votes,
        "temperature": settings.sampling_temperature,
        "context_length": settings.context_length,
        "max_output_tokens": settings.max_output_tokens,
        **({"request": dict(settings.request)} if settings.request else {}),
        "prompt": template().digest,
    }
