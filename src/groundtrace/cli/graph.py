"""``groundtrace graph``: vote on triplets, and reduce graphs to what is critical."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from groundtrace.cli.options import (
    Cases,
    ConstantSettings,
    Guard,
    Jobs,
    OnlyId,
    Out,
    Overlays,
    RecordFormat,
    Strict,
    TimeLimit,
    constants_of,
    record_format,
    suffix_of,
    terminal,
)
from groundtrace.cli.record_runs import run_work
from groundtrace.cli.server_options import (
    CacheOptions,
    EmbeddingOptions,
    ServerOptions,
    comparing_of,
)
from groundtrace.errors import InputError, ModelError

if TYPE_CHECKING:
    from groundtrace.chat.service import ChatService
    from groundtrace.files.reading import Record


class CriticalFormat(StrEnum):
    """How critical graphs are written."""

    text = "text"
    json = "json"
    jsonl = "jsonl"
    medceg = "medceg"


class Chooser(StrEnum):
    """Who finds the conclusion of a graph."""

    exact = "exact"
    embedding = "embedding"
    model = "model"


FormatOption = Annotated[
    RecordFormat | None,
    typer.Option(help="Output format; text unless --out ends in .json or .jsonl."),
]


def vote_command(
    files: Cases,
    embedding: EmbeddingOptions,
    cache: CacheOptions,
    format: FormatOption = None,  # noqa: A002
    out: Out = None,
    min_votes: Annotated[
        int, typer.Option(min=1, metavar="N", help="Models that must have given a triplet.")
    ] = 2,
    merge_aliases: Annotated[
        float | None,
        typer.Option(
            metavar="SIMILARITY",
            help="Take spellings at least so alike (0.9, say) for one thing, but never opposites.",
        ),
    ] = None,
    guard: Guard = None,
    jobs: Jobs = 1,
    strict: Strict = False,
    time_limit: TimeLimit = 60.0,
) -> None:
    """Vote: keep the triplets that several models extracted from the same rationale.

    Example: groundtrace graph vote data/graphs/extractions.json
    """
    from groundtrace.graphs.batch import Voting
    from groundtrace.show import graph_text

    chosen = record_format(format, out)
    if chosen is RecordFormat.text:
        render: Callable[..., str] = partial(graph_text.evidence_text, **terminal(out))
    else:
        render = graph_text.graph_json
    work = Voting(render, min_votes, merge_aliases, comparing_of(embedding, cache, guard))
    run_work(files, work, out, jobs, time_limit, strict, chosen.value)


@dataclass(frozen=True)
class ConclusionOptions:
    """How the conclusion of a graph is found, by the names of the parameters."""

    conclusion: Annotated[
        str | None, typer.Option(metavar="NODE", help="The conclusion, for one case.")
    ] = None
    conclusion_by: Annotated[
        Chooser,
        typer.Option(
            help="How the conclusion is found if no node equals the answer: not at all, by "
            "embeddings, or by a language model (--base-url, --model)."
        ),
    ] = Chooser.embedding
    threshold: Annotated[
        float, typer.Option(min=-1, max=1, metavar="T", help="Least similarity of a conclusion.")
    ] = 0.7


def critical_command(
    files: Cases,
    server: ServerOptions,
    embedding: EmbeddingOptions,
    cache: CacheOptions,
    found: ConclusionOptions,
    format: Annotated[  # noqa: A002
        CriticalFormat | None,
        typer.Option(
            help="Output format; text unless --out ends in .json or .jsonl; medceg writes rows "
            "like the published data."
        ),
    ] = None,
    out: Out = None,
    overlay: Overlays = None,
    guard: Guard = None,
    id: OnlyId = None,  # noqa: A002
    set_: ConstantSettings = None,
    jobs: Jobs = 1,
    strict: Strict = False,
    time_limit: TimeLimit = 60.0,
) -> None:
    """Reduce evidence graphs to what leads to their conclusion, without shortcuts.

    A case has "triplets", and an "answer" or a "conclusion"; rows of the MedCEG data are read as
    they are.

    Example: groundtrace graph critical data/graphs/graph.json
    """
    from groundtrace.graphs.batch import Reducing
    from groundtrace.graphs.matching import TextMatching
    from groundtrace.show import graph_text

    chosen = format or CriticalFormat(suffix_of(out, ("json", "jsonl")) or "text")
    renders: dict[CriticalFormat, Callable[..., str]] = {
        CriticalFormat.text: partial(graph_text.critical_text, **terminal(out)),
        CriticalFormat.medceg: graph_text.critical_row,
    }
    render = renders.get(chosen, graph_text.graph_json)
    comparing = comparing_of(embedding, cache, guard)
    if found.conclusion_by is Chooser.exact:
        comparing = TextMatching(None, embedding.guards, comparing.overlays)
    constants = tuple(constants_of(set_).items())
    overlays = tuple(str(path) for path in overlay or ())
    work = Reducing(render, overlays, constants, found.threshold, comparing)
    with ExitStack() as stack:
        by_model = found.conclusion_by is Chooser.model
        service = stack.enter_context(server.service(cache)) if by_model else None
        run_work(
            files,
            work,
            out,
            jobs,
            time_limit,
            strict,
            chosen.value,
            partial(_begin_concluding, found.conclusion, service, []),
            id,
        )


def _begin_concluding(
    conclusion: str | None,
    service: "ChatService | None",
    before: list[str],
    record: "Record",
) -> "Callable[[], Record]":
    """Give a record its conclusion: from the command line, or from a language model.

    Raises:
        InputError: inside only; it takes the record's place.
    """
    from groundtrace.files.reading import object_of, with_fields
    from groundtrace.graphs.cases import case_from
    from groundtrace.graphs.conclusion import nodes_of, sought_by
    from groundtrace.graphs.triplets import triplets_from
    from groundtrace.models.graph import GraphCase
    from groundtrace.models.names import normal

    try:
        fields = object_of(record)
        if conclusion is not None:
            if before:
                raise InputError("--conclusion is for one case; name it with --id")
            before.append(record.place)
            fields["conclusion"] = conclusion
        case = case_from(fields, GraphCase)
    except InputError as error:
        failed = record._replace(content=error)
        return lambda: failed
    nodes = nodes_of(triplets_from(case.triplets or (), "triplets").kept)
    sought, _ = sought_by(case)
    if service is None or sought is None or not nodes or normal(sought) in nodes:
        given = with_fields(record, fields)
        return lambda: given
    # Only now, since it needs the packages for servers.
    from groundtrace.graphs.conclusion_choice import choosing, chosen

    spelled = [nodes[key] for key in sorted(nodes)]
    future = choosing(service, sought, spelled)

    def finish() -> "Record":
        asked = future.result()
        try:
            place = chosen(asked)
        except ModelError as error:
            return with_fields(record, fields | {"status": "failed", "error": str(error)})
        if place is None:
            fields["unfound"] = f"the model finds no node that says the answer, {sought!r}"
        else:
            fields["conclusion"] = {"node": spelled[place], "found_by": "model"}
        return with_fields(record, fields)

    return finish
