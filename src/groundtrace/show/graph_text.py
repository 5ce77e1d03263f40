"""Graphs and rewards as JSON, and as text for a terminal."""

from collections.abc import Iterable, Sequence
from typing import Any

from pydantic_core import to_json
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from groundtrace.graphs.triplets import triplets_from
from groundtrace.models.graph import (
    Conclusion,
    CriticalGraph,
    Dropped,
    EvidenceGraph,
    GraphCase,
    GraphWarning,
    Malformed,
    VotedTriplet,
)
from groundtrace.models.names import normal
from groundtrace.models.reward import Match, Reward
from groundtrace.phrases import clean, counted, quote
from groundtrace.show.console import printed_text
from groundtrace.show.repeats import ShownFinding, print_findings

NAME_LENGTH = 48
STATUS_STYLES = {"scored": "green", "unscorable": "yellow", "failed": "red"}

_FOUND_BY = {
    "given": "as it was given",
    "exact": "equal to the answer",
    "embedding": "most like the answer",
    "model": "chosen by a language model",
}


def graph_json(case: GraphCase, graph: EvidenceGraph | CriticalGraph) -> str:
    """Return a graph as one line of JSON.

    Args:
        case: What it was made from.
    """
    return _json(graph)


def critical_row(case: GraphCase, graph: CriticalGraph) -> str:
    """Return a critical evidence graph as a row of the published MedCEG data, in JSON.

    Args:
        case: What was reduced; its own fields come out again.
    """
    known = {"question": case.question, "answer": case.answer, "options": case.options}
    fields = {
        **(case.model_extra or {}),
        **{name: value for name, value in known.items() if value is not None},
    }
    fields.setdefault("index", case.id)
    if case.rationale is not None:
        fields.setdefault("reasoning_content", case.rationale)
    given = fields.get("graph")
    if graph.status != "scored":
        fields |= {"status": graph.status, "error": graph.error}
    fields["graph"] = {
        **(given if isinstance(given, dict) else {}),
        "triplets": [list(one) for one in triplets_from(case.triplets or (), "triplets").kept],
        "core_reasoning_subgraph": graph.critical,
    }
    return to_json(fields, inf_nan_mode="null").decode()


def reward_json(reward: Reward) -> str:
    """Return a reward as one line of JSON."""
    return _json(reward)


def reward_rows(reward: Reward) -> str:
    """Return a reward as one row of a table: its numbers, and how many of each list there are."""
    fields = reward.model_dump(exclude={"meta", "provenance"})
    counted_ = {
        name: len(value) if isinstance(value, list) else value for name, value in fields.items()
    }
    own = {
        name: value
        for name, value in reward.meta.items()
        if value is None or isinstance(value, str | int | float)
    }
    return to_json([{**own, **counted_}], inf_nan_mode="null").decode()


def _json(record: EvidenceGraph | CriticalGraph | Reward) -> str:
    """Return a record with the fields that are not its own beside them."""
    fields = record.model_dump(exclude={"meta"})
    return to_json({"id": record.id, **record.meta, **fields}, inf_nan_mode="null").decode()


def evidence_text(case: GraphCase, graph: EvidenceGraph, *, width: int, colour: bool) -> str:
    """Return an evidence graph as text: triplets with their votes.

    Args:
        case: What it was made from.
        width: Columns, from 40.
        colour: Whether to colour it.
    """

    def show(console: Console) -> None:
        _head(console, graph)
        if graph.status == "scored":
            console.print(_vote_table(graph.triplets))
            if graph.outvoted:
                console.print(Text(f"with too few votes: {len(graph.outvoted):,}"))
        for merged in graph.merged:
            console.print(
                Text(
                    f"merged: {quote(merged.dropped)} into {quote(merged.kept)} "
                    f"(similarity {merged.similarity:.2f})"
                )
            )
        _tail(console, graph.warnings, graph.malformed)

    return printed_text(show, width, colour)


def critical_text(case: GraphCase, graph: CriticalGraph, *, width: int, colour: bool) -> str:
    """Return a critical evidence graph as text: what it keeps, and why it drops the rest.

    Args:
        width: Columns, from 40.
        colour: Whether to colour it.
    """

    def show(console: Console) -> None:
        _head(console, graph)
        if graph.conclusion:
            console.print(Text(_conclusion_line(graph.conclusion)))
        for near in graph.nearest:
            console.print(Text(f"  nearest: {quote(near.node)} ({near.similarity:.2f})"))
        if graph.critical:
            console.print(Text("critical:", style="bold"))
            for triplet in graph.critical:
                _line(console, _triplet_text(triplet), "green")
        shortcuts = [one for one in graph.dropped if one.reason == "shortcut"]
        if shortcuts:
            console.print(Text("shortcuts, dropped:", style="bold"))
            for one in shortcuts:
                _line(console, _shortcut(one), "yellow")
        others = len(graph.dropped) - len(shortcuts)
        if others:
            console.print(Text(f"not leading to the conclusion, dropped: {others:,}"))
        _tail(console, graph.warnings, graph.malformed)

    return printed_text(show, width, colour)


def reward_text(reward: Reward, *, width: int, colour: bool) -> str:
    """Return a reward as text: the scores, and what is behind them.

    Args:
        width: Columns, from 40.
        colour: Whether to colour it.
    """

    def show(console: Console) -> None:
        _head(console, reward)
        console.print(_scores(reward))
        for match in reward.matches:
            _line(console, _hit_line(match), "green")
        apart = {one.reference: one for one in reward.kept_apart}
        for triplet in reward.missed:
            _line(console, f"missed:   {_triplet_text(triplet)}", "yellow")
            if one := apart.get(triplet):
                rules = f"rule{'' if len(one.rules) == 1 else 's'} {', '.join(one.rules)}"
                _line(
                    console, f"          is not {_triplet_text(one.generated)} ({rules})", "yellow"
                )
        _tail(console, (), reward.malformed)

    return printed_text(show, width, colour)


def _hit_line(match: Match) -> str:
    """Return a hit; if it was said in other words, with these and how alike they are."""
    told = f"recalled: {_triplet_text(match.reference)}"
    if tuple(map(normal, match.generated)) == tuple(map(normal, match.reference)):
        return told
    alike = ", ".join(f"{value:.2f}" for value in match.similarity)
    how = "turned round; alike" if match.flipped else "alike"
    return f"{told}, said as: {_triplet_text(match.generated)} ({how}: {alike})"


def _head(console: Console, record: EvidenceGraph | CriticalGraph | Reward) -> None:
    head = Text(clean(record.id), style="bold")
    if record.status != "scored":
        head.append(f": {record.status}", style=STATUS_STYLES[record.status])
    console.print(head)
    if record.error:
        console.print(Text(clean(record.error)))


def _tail(
    console: Console, warnings: Iterable[GraphWarning], malformed: Sequence[Malformed]
) -> None:
    told = [ShownFinding(one.subject, one.message, one.kind, told=True) for one in warnings]
    print_findings(console, "warning", told, "yellow")
    print_findings(console, "left out", [ShownFinding(*item) for item in malformed])


def _vote_table(triplets: Sequence[VotedTriplet]) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("votes", "subject", "predicate", "object"):
        table.add_column(name, justify="right" if name == "votes" else "left", overflow="fold")
    for one in triplets:
        marked = f"{one.votes}*" if one.filled else str(one.votes)
        parts = (one.subject, one.predicate, one.object)
        table.add_row(marked, *(Text(clean(part)[:NAME_LENGTH]) for part in parts))
    return table


def _conclusion_line(conclusion: Conclusion) -> str:
    alike = f", similarity {conclusion.similarity:.2f}" if conclusion.similarity else ""
    return f"conclusion: {quote(conclusion.node)} ({_FOUND_BY[conclusion.found_by]}{alike})"


def _shortcut(one: Dropped) -> str:
    steps = len(one.path or ())
    via = ", ".join(quote(step.object) for step in (one.path or ())[:-1])
    return f"{_triplet_text(one.triplet)} (said in {counted(steps, 'step')}, over {via})"


def _triplet_text(triplet: Sequence[str]) -> str:
    subject, predicate, object_ = (clean(part) for part in triplet)
    return f"{subject} — {predicate} → {object_}"


def _line(console: Console, text: str, style: str) -> None:
    console.print(Padding(Text(text, style=style), (0, 0, 0, 2)))


def _ceiling(reward: Reward) -> str:
    """Return what was raised to 1."""
    weights, ceiling = reward.provenance.get("weights"), reward.provenance.get("ceiling")
    parts = (reward.node_coverage, reward.structural_correctness, reward.chain_completeness)
    if weights is None or ceiling is None or None in parts:
        return ""
    value = sum(weight * (part or 0.0) for weight, part in zip(weights, parts, strict=True))
    return "" if value >= 1 - 1e-6 else f"{value:.3f}, which counts as 1 from {ceiling:g} on"


def _scores(reward: Reward) -> Table:
    """Return the scores, with what is lacking as a dash."""
    rows: list[tuple[str, Any]] = [
        ("node coverage", reward.node_coverage),
        ("structural correctness", reward.structural_correctness),
        ("chain completeness", reward.chain_completeness),
        ("process", reward.process),
        ("format", reward.format),
        ("accuracy", reward.accuracy),
        ("reward", reward.reward),
        ("precision", reward.precision),
    ]
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="bold")
    table.add_column(justify="right")
    table.add_column()
    for name, value in rows:
        remark = ""
        if name == "chain completeness" and reward.max_chain is not None and reward.max_chain < 1:
            remark = f"of {reward.max_chain:.2f} that this reference allows"
        if name == "process" and value == 1.0:
            remark = _ceiling(reward)
        if name == "accuracy" and reward.accuracy_by == "equality":
            remark = "by equality: nobody judged the answer (--model)"
        if name == "accuracy" and reward.answer_found is False:
            remark = "no answer is found in the response"
        if name == "precision" and reward.generated_triplets is not None:
            remark = f"of {counted(reward.generated_triplets, 'generated triplet')}"
        table.add_row(name, "–" if value is None else f"{value:.3f}", remark)  # noqa: RUF001
    return table
