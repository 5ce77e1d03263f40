"""Which server is asked, which of its models, and how."""

from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from groundtrace.errors import InputError
from groundtrace.models.settings import Setting

DEFAULT_TEMPERATURE_OF_VOTES = 0.7
"""Several samples of one model at temperature 0 would be the same answer several times."""

MOST_VOTES = 100


SERVER = "openai"
"""The labeller that asks a server."""


@dataclass(frozen=True)
class ServerSettings:
    """Which server is asked, which of its models, and how: each field says what it is.

    A name may stand for a list of one. The temperature is None for 0 if there is one sample, and
    0.7 if there are several.
    """

    models: Annotated[
        tuple[str, ...],
        Setting("A model; repeat it to ask several.", "NAME", "model", "several"),
    ] = ()
    base_url: Annotated[
        str | None, Setting("The chat server, http://localhost:8000/v1.", "URL", of=SERVER)
    ] = None
    key_variable: Annotated[
        str, Setting("The environment variable that holds the server's key.", "NAME", of=SERVER)
    ] = "GROUNDTRACE_API_KEY"
    request: Annotated[
        tuple[tuple[str, Any], ...],
        Setting(
            "A further field of every request; VALUE is JSON or text; repeatable.",
            "NAME=VALUE",
            form="pairs",
            of=SERVER,
        ),
    ] = ()
    votes: Annotated[int, Setting("Samples of each model, which vote.", "N")] = 1
    temperature: Annotated[float | None, Setting("0 by default, 0.7 for several samples.", "T")] = (
        None
    )
    concurrency: Annotated[int, Setting("Calls under way at once.", "N", of=SERVER)] = 32
    timeout: Annotated[float, Setting("Seconds that one call may take.", "SECONDS", of=SERVER)] = (
        120.0
    )
    retries: Annotated[int, Setting("Further tries of a failed call.", "N", of=SERVER)] = 5
    context_length: Annotated[int, Setting("Tokens of a prompt and its answer.", "N")] = 8192
    max_output_tokens: Annotated[int, Setting("Tokens of an answer, thinking included.", "N")] = (
        4096
    )

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
