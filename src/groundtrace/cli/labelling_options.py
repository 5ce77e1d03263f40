"""The options of labelling, which several commands share, and what they stand for."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundtrace.errors import InputError

if TYPE_CHECKING:
    from groundtrace.labelling.candidates import Candidates
    from groundtrace.labelling.plan import Counts, Job
    from groundtrace.labelling.questions import LabellingSettings


class Mode(StrEnum):
    """Which premise sets are labelled."""

    full = "full"
    economy = "economy"
    given = "given"


def option(help: str, *names: str, **details: Any) -> Any:  # noqa: A002
    """Return an option.

    Args:
        names: If not that of the parameter.
        details: As typer has them.
    """
    return typer.Option(*names, help=help, **details)


@dataclass(frozen=True)
class LabellingOptions:
    """The options, by the names of their parameters."""

    labeller: Annotated[
        str,
        option(
            "Who labels: openai (a chat server), vllm, nli, or replay (nobody).", metavar="NAME"
        ),
    ] = "replay"
    model: Annotated[
        list[str] | None, option("The model; repeat it to let several vote.", metavar="NAME")
    ] = None
    base_url: Annotated[
        str | None, option("openai: the server, http://localhost:8000/v1.", metavar="URL")
    ] = None
    key_variable: Annotated[
        str,
        option("openai: the environment variable that holds the server's key.", metavar="NAME"),
    ] = "GROUNDTRACE_API_KEY"
    request: Annotated[
        list[str] | None,
        option(
            "openai: a further field of every request; VALUE is JSON or text; repeatable.",
            metavar="NAME=VALUE",
        ),
    ] = None
    candidates: Annotated[
        Mode,
        option(
            "All premise sets, only those that can change an outcome, or those that the input "
            "lists without a label."
        ),
    ] = Mode.full
    min_premises: Annotated[int, option("Premises in a set, at least.", metavar="N")] = 1
    max_premises: Annotated[int, option("Premises in a set, at most.", metavar="N")] = 2
    context_premise: Annotated[bool, option("Whether the context may be a premise.")] = True
    votes: Annotated[int, option("Samples of each model, which vote.", metavar="N")] = 1
    temperature: Annotated[
        float | None,
        option("0 by default, with --votes 0.7.", metavar="T"),
    ] = None
    dry_run: Annotated[
        bool,
        option("Say how many calls it would take and what they cost; make none.", "--dry-run"),
    ] = False
    price_in: Annotated[
        float | None, option("For --dry-run: price of a million tokens read.", metavar="PRICE")
    ] = None
    price_out: Annotated[
        float | None, option("For --dry-run: price of a million tokens written.", metavar="PRICE")
    ] = None
    cache: Annotated[
        Path | None, option("The file of answers; one per user by default.", metavar="PATH")
    ] = None
    no_cache: Annotated[bool, option("Neither find nor keep answers.", "--no-cache")] = False
    refresh: Annotated[
        bool, option("Ask everything anew and replace what was kept.", "--refresh")
    ] = False
    concurrency: Annotated[int, option("openai: calls under way at once.", metavar="N")] = 32
    timeout: Annotated[
        float, option("openai: seconds that one call may take.", metavar="SECONDS")
    ] = 120.0
    retries: Annotated[int, option("openai: further tries of a failed call.", metavar="N")] = 5
    context_length: Annotated[int, option("Tokens of a prompt and its answer.", metavar="N")] = 8192
    max_output_tokens: Annotated[
        int, option("Tokens of an answer, thinking included.", metavar="N")
    ] = 4096
    engine: Annotated[
        list[str] | None,
        option("vllm: an argument of its LLM class; repeatable.", metavar="NAME=VALUE"),
    ] = None
    entailment_at: Annotated[
        float, option("nli: least probability of entailment.", metavar="P")
    ] = 0.8
    implied_at: Annotated[
        float, option("nli: least probability of entailment to count as implied.", metavar="P")
    ] = 0.5

    @property
    def wanted(self) -> bool:
        """Whether anything is to be labelled, rather than read from the input alone."""
        return self.labeller != "replay" or bool(self.model)

    def settings(self) -> "LabellingSettings":
        """Return how to label.

        Raises:
            InputError: an option cannot be used.
        """
        from groundtrace.labelling.questions import LabellingSettings

        return LabellingSettings(
            labeller=self.labeller,
            models=tuple(self.model or ()),
            votes=self.votes,
            temperature=self.temperature,
            context_length=self.context_length,
            max_output_tokens=self.max_output_tokens,
            base_url=self.base_url,
            key_variable=self.key_variable,
            request=tuple(named_value("--request", one) for one in self.request or ()),
            concurrency=self.concurrency,
            timeout=self.timeout,
            retries=self.retries,
            engine=tuple(named_value("--engine", one) for one in self.engine or ()),
            entailment_at=self.entailment_at,
            implied_at=self.implied_at,
        )

    def sets(self) -> "Candidates":
        """Return which premise sets to label.

        Raises:
            InputError: the sizes leave none.
        """
        from groundtrace.labelling.candidates import Candidates

        return Candidates(
            self.candidates.value, self.min_premises, self.max_premises, self.context_premise
        )

    @contextmanager
    def job(
        self, constants: dict[str, int | str], watch: "Callable[[Counts], None]"
    ) -> "Iterator[Job]":
        """Give the job that the options describe, with its cache open; nobody is asked yet.

        Args:
            constants: Constant name to value.
            watch: Called now and then with the counts so far.

        Raises:
            InputError: an option cannot be used.
            ModelError: a package is missing.
        """
        from groundtrace.files.answer_cache import default_path
        from groundtrace.labelling.label_cache import AnswerCache
        from groundtrace.labelling.labellers import make
        from groundtrace.labelling.plan import Job
        from groundtrace.rules.rulebook import rulebook_for

        if self.no_cache and (self.refresh or self.cache):
            raise InputError("--no-cache does not go with --cache or --refresh")
        if self.labeller == "replay" and (self.no_cache or self.refresh) and not self.dry_run:
            raise InputError("replay takes answers from the cache: name a labeller to ask anew")
        if constants:
            rulebook_for("audit", (), constants)
        prices = (self.price_in or 0, self.price_out or 0)
        if not all(0 <= price < float("inf") for price in prices):
            raise InputError(f"--price-in, --price-out: expected prices from 0, got {prices}")
        sets, labeller = self.sets(), make(self.settings())
        with ExitStack() as stack:
            cache = None
            if not self.no_cache:
                path = self.cache or default_path()
                cache = stack.enter_context(AnswerCache(path, refresh=self.refresh))
            yield Job(labeller, sets, cache, constants, watch)


def named_value(name_of_option: str, setting: str) -> tuple[str, Any]:
    """Return a name and a value; the value is JSON, or else text.

    Args:
        setting: NAME=VALUE.

    Raises:
        InputError: there is no "=".
    """
    import json

    name, equals, value = setting.partition("=")
    if not equals:
        raise InputError(f"{name_of_option}: expected NAME=VALUE, got {setting!r}")
    try:
        return name.strip(), json.loads(value)
    except (ValueError, RecursionError):
        return name.strip(), value
