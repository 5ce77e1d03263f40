"""``groundtrace reward``: score reasoning against critical evidence graphs."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundtrace.cli.options import (
    Cases,
    Guard,
    Jobs,
    OnlyId,
    Out,
    Strict,
    TimeLimit,
    suffix_of,
    terminal,
)
from groundtrace.cli.outputs import TABLES_HELP
from groundtrace.cli.record_runs import run_work
from groundtrace.cli.server_options import CacheOptions, EmbeddingOptions, ServerOptions
from groundtrace.errors import InputError
from groundtrace.files.tables import TABLE_FORMATS

if TYPE_CHECKING:
    from groundtrace.chat.service import ChatService
    from groundtrace.files.reading import Record
    from groundtrace.rewards.settings import RewardSettings, Weights


class Format(StrEnum):
    """How rewards are written."""

    text = "text"
    json = "json"
    jsonl = "jsonl"
    csv = "csv"
    xlsx = "xlsx"
    parquet = "parquet"


class Compat(StrEnum):
    """Whose scores are reproduced."""

    medceg = "medceg"


@dataclass(frozen=True)
class ScoreOptions:
    """What counts how much, by the names of the parameters."""

    compat: Annotated[
        Compat | None,
        typer.Option(help="Scores of the published program: no guards, texts as written."),
    ] = None
    entity_threshold: Annotated[
        float, typer.Option(min=0, max=1, metavar="T", help="Least similarity of nodes.")
    ] = 0.7
    relation_threshold: Annotated[
        float, typer.Option(min=0, max=1, metavar="T", help="Least similarity of predicates.")
    ] = 0.6
    process_weights: Annotated[
        str,
        typer.Option(metavar="N,S,C", help="Of node coverage, structural correctness, chain."),
    ] = "0.5,0.3,0.2"
    reward_weights: Annotated[
        str, typer.Option(metavar="F,A,P", help="Of format, accuracy and process.")
    ] = "0.2,0.6,0.2"
    ceiling: Annotated[
        float, typer.Option(min=0, metavar="T", help="A process this high counts as 1.")
    ] = 0.8

    def settings(
        self, embedding: EmbeddingOptions, guard: list[Path] | None, cache: CacheOptions
    ) -> "RewardSettings":
        """Return how rewards are made.

        Args:
            guard: Paths of users' guard rules.
            cache: Where vectors are kept.

        Raises:
            InputError: an option cannot be used.
        """
        from groundtrace.rewards.settings import RewardSettings

        path = cache.path()
        return RewardSettings(
            embedding=embedding.settings,
            entity_threshold=self.entity_threshold,
            relation_threshold=self.relation_threshold,
            weights=_weights(self.process_weights, self.reward_weights, self.ceiling),
            guards=embedding.guards,
            overlays=tuple(str(one) for one in guard or ()),
            compat=self.compat.value if self.compat else None,
            cache=str(path) if path else None,
            refresh=cache.refresh,
        )


def reward_command(
    files: Cases,
    server: ServerOptions,
    embedding: EmbeddingOptions,
    cache: CacheOptions,
    scores: ScoreOptions,
    format: Annotated[  # noqa: A002
        Format | None,
        typer.Option(
            help="Output format; text unless --out names another. The numbers as a table: "
            f"{TABLES_HELP}"
        ),
    ] = None,
    out: Out = None,
    id: OnlyId = None,  # noqa: A002
    guard: Guard = None,
    jobs: Jobs = 1,
    strict: Strict = False,
    time_limit: TimeLimit = 60.0,
) -> None:
    """Score reasoning: what a generated graph recalls of a reference, and what that is worth.

    A case has "reference" and "generated" triplets; or a "response", from whose thinking the
    first --model extracts triplets. Open answers are judged by the last --model.

    Example: groundtrace reward data/graphs/rewards.json
    """
    from groundtrace.rewards.batch import Scoring
    from groundtrace.show import graph_text

    chosen = format or Format(suffix_of(out, tuple(Format)) or "text")
    if chosen is Format.text:
        render: Callable[..., str] = partial(graph_text.reward_text, **terminal(out))
    elif chosen in TABLE_FORMATS:
        render = graph_text.reward_rows
    else:
        render = graph_text.reward_json
    work = Scoring(render, scores.settings(embedding, guard, cache))
    work.prepare()
    with ExitStack() as stack:
        prepare = None
        if server.wanted:
            prepare = partial(_begin_preparing, stack.enter_context(server.service(cache)))
        run_work(files, work, out, jobs, time_limit, strict, chosen.value, prepare, id)


def _weights(process: str, reward: str, ceiling: float) -> "Weights":
    """Return the weights that options give.

    Raises:
        InputError: these are no three numbers, or no weights.
    """
    from groundtrace.rewards.settings import Weights

    numbers: list[float] = []
    given_for = (
        ("--process-weights", process, "0.5,0.3,0.2"),
        ("--reward-weights", reward, "0.2,0.6,0.2"),
    )
    for option, given, usual in given_for:
        try:
            three = [float(one) for one in given.split(",")]
        except ValueError:
            three = []
        if len(three) != 3:
            raise InputError(f"{option}: expected three numbers such as {usual}, got {given!r}")
        numbers += three
    node, structure, chain, form, accuracy, weight = numbers
    return Weights(node, structure, chain, ceiling, form, accuracy, weight)


def _begin_preparing(service: "ChatService", record: "Record") -> "Callable[[], Record]":
    """Let language models find out what a record lacks: the generated graph, and the verdict."""
    from groundtrace.files.reading import object_of, with_fields
    from groundtrace.graphs.cases import case_from
    from groundtrace.models.reward import RewardCase
    from groundtrace.rewards.preparation import prepare

    try:
        fields: dict[str, Any] = object_of(record)
        preparation = prepare(case_from(fields, RewardCase), service)
    except InputError as error:
        failed = record._replace(content=error)
        return lambda: failed
    return lambda: with_fields(record, fields | preparation.result())
