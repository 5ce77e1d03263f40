"""How relations are labelled: by whom, and what is asked of a server or of vLLM."""

from dataclasses import dataclass
from typing import Annotated, Any

from groundtrace.chat.settings import ServerSettings
from groundtrace.models.settings import Setting


@dataclass(frozen=True)
class LabellingSettings(ServerSettings):
    """How relations are labelled: each field says what it is.

    The labeller is a file in ``labellers/``; the engine's pairs are handed to vLLM's ``LLM`` as
    they are; probabilities are in 0..1.
    """

    labeller: Annotated[
        str,
        Setting("Who labels: openai (a chat server), vllm, nli, or replay (nobody).", "NAME"),
    ] = "replay"
    engine: Annotated[
        tuple[tuple[str, Any], ...],
        Setting("An argument of its LLM class; repeatable.", "NAME=VALUE", form="pairs", of="vllm"),
    ] = ()
    entailment_at: Annotated[float, Setting("Least probability of entailment.", "P", of="nli")] = (
        0.8
    )
    implied_at: Annotated[
        float,
        Setting("Least probability of entailment to count as implied.", "P", of="nli"),
    ] = 0.5
