"""Who is asked each question: some samples of some models."""

from groundtrace.errors import InputError
from groundtrace.labelling.questions import Settings, Voter

MOST_VOTES = 100


def jury(settings: Settings) -> tuple[Voter, ...]:
    """Return the voters that some settings describe, after checking what they share.

    Args:
        settings: How to label.

    Raises:
        InputError: no model is named, or a setting is out of its range.
    """
    _check_models(settings)
    for option, value, least, most in [
        ("--votes", settings.votes, 1, MOST_VOTES),
        ("--concurrency", settings.concurrency, 1, 10_000),
        ("--retries", settings.retries, 0, 100),
        ("--context-length", settings.context_length, 1, 2**31),
        ("--max-output-tokens", settings.max_output_tokens, 1, 2**31),
        ("--temperature", settings.sampling_temperature, 0, 2),
    ]:
        if not least <= value <= most:
            raise InputError(f"{option}: expected {least} to {most:,}, got {value:,}")
    if not settings.timeout > 0:
        raise InputError(f"--timeout: expected more than 0 seconds, got {settings.timeout:g}")
    if settings.votes > 1 and settings.sampling_temperature == 0:
        raise InputError("--votes: several samples at temperature 0 are the same answer")
    return tuple(
        Voter(model, sample) for model in settings.models for sample in range(settings.votes)
    )


def _check_models(settings: Settings) -> None:
    """Refuse names that no model has.

    Raises:
        InputError: there is no name, one is no name, or one comes twice.
    """
    name = settings.labeller
    if not settings.models:
        hint = (
            "to ask one, name a labeller with --labeller (openai, vllm or nli)"
            if name == "replay"
            else "name one with --model"
        )
        raise InputError(f"the labeller {name} needs a model: {hint}")
    for model in settings.models:
        if not model.strip() or not model.isprintable():
            raise InputError(f"--model: expected a name, got {model!r}")
    if len(set(settings.models)) < len(settings.models):
        raise InputError("--model names a model twice; use --votes for several samples of it")
