"""Which server is asked, which of its models, and how."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from groundtrace.errors import InputError

DEFAULT_TEMPERATURE_OF_VOTES = 0.7
"""Several samples of one model at temperature 0 would be the same answer several times."""

MOST_VOTES = 100


@dataclass(frozen=True)
class ServerSettings:
    """Which server is asked, which of its models, and how.

    Attributes:
        models: Names as the server knows them; each has its votes.
        votes: Samples per model, from 1.
        temperature: From 0; None means 0 for one sample and 0.7 for several.
        context_length: Tokens of a prompt and its answer together.
        max_output_tokens: Tokens of an answer, thinking included.
        base_url: Of the server, such as "http://localhost:8000/v1".
        key_variable: The environment variable that holds the server's key.
        request: (name, value) pairs that are sent with every request as they are.
        concurrency: Calls under way at once.
        timeout: Seconds that one try of a call may take.
        retries: Further tries after a failed one.
    """

    models: tuple[str, ...] = ()
    votes: int = 1
    temperature: float | None = None
    context_length: int = 8192
    max_output_tokens: int = 4096
    base_url: str | None = None
    key_variable: str = "GROUNDTRACE_API_KEY"
    request: tuple[tuple[str, Any], ...] = ()
    concurrency: int = 32
    timeout: float = 120.0
    retries: int = 5

    def __post_init__(self) -> None:
        """Take one name for a list of one."""
        if isinstance(self.models, str):
            object.__setattr__(self, "models", (self.models,))

    @property
    def sampling_temperature(self) -> float:
        """The temperature that is used."""
        if self.temperature is not None:
            return float(self.temperature) + 0.0
        return 0.0 if self.votes == 1 else DEFAULT_TEMPERATURE_OF_VOTES


class Voter(NamedTuple):
    """One sample of one model."""

    model: str
    sample: int
    """From 0."""


def voters_of(settings: ServerSettings) -> tuple[Voter, ...]:
    """Return the voters that some settings describe, after checking them.

    Args:
        settings: Of the server, or whatever else runs the models.

    Raises:
        InputError: a model has no usable name, or a setting is out of its range.
    """
    _check_models(settings.models)
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


def _check_models(models: tuple[str, ...]) -> None:
    """Refuse names that no model has.

    Raises:
        InputError: one is no name, or comes twice.
    """
    for model in models:
        if not model.strip() or not model.isprintable():
            raise InputError(f"--model: expected a name, got {model!r}")
    if len(set(models)) < len(models):
        raise InputError("--model names a model twice; use --votes for several samples of it")
