"""Who is asked each question: some samples of some models."""

from groundtrace.errors import InputError
from groundtrace.labelling.questions import Settings, Voter


def jury(settings: Settings) -> tuple[Voter, ...]:
    """Return the voters that some settings describe, after checking what they share.

    Args:
        settings: How to label.

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
    if len(set(settings.models)) < len(settings.models):
        raise InputError("--model names a model twice; use --votes for several samples of it")
    for option, value, least in [
        ("--votes", settings.votes, 1),
        ("--concurrency", settings.concurrency, 1),
        ("--retries", settings.retries, 0),
        ("--context-length", settings.context_length, 1),
        ("--max-output-tokens", settings.max_output_tokens, 1),
    ]:
        if value < least:
            raise InputError(f"{option}: expected at least {least}, got {value}")
    if not settings.timeout > 0:
        raise InputError(f"--timeout: expected more than 0 seconds, got {settings.timeout:g}")
    if not 0 <= settings.sampling_temperature <= 2:
        raise InputError(f"--temperature: expected 0 to 2, got {settings.sampling_temperature:g}")
    if settings.votes > 1 and settings.sampling_temperature == 0:
        raise InputError("--votes: several samples at temperature 0 are the same answer")
    return tuple(
        Voter(model, sample) for model in settings.models for sample in range(settings.votes)
    )
