"""Audits as text for a terminal, 80 columns wide or more, with or without colour."""

import io
import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from groundtrace.auditing.auditor import Audited
from groundtrace.auditing.reasons import braces, rejection
from groundtrace.auditing.trees import nested
from groundtrace.errors import InputError
from groundtrace.models.audit import Audit, SegmentAudit, TreeNode
from groundtrace.models.trace import Trace
from groundtrace.phrases import clean, quote
from groundtrace.show.repeats import ShownFinding, print_findings
from groundtrace.vocabulary import FLAGS, OUTCOMES

if TYPE_CHECKING:
    from groundtrace.show.audit_pictures import PictureFormat

VERBS = {"entailment": "entailed", "implied": "implied"}

OUTCOME_STYLES = {
    "supported": "green",
    "unsupported": "yellow",
    "orphan": "magenta",
    "contradicted": "red",
}


def audit_text(trace: Trace, audited: Audited, *, width: int, colour: bool) -> str:
    """Return an audit as a table of segments with the reasons below.

    Args:
        width: Columns, from 40.
        colour: Whether to colour the outcomes.
    """
    audit = audited.audit

    def print_audit(console: Console) -> None:
        console.print(Text(clean(audit.id), style="bold"))
        console.print(_table(trace, audit, width))
        for entry in audit.segments:
            console.print(_reason(entry))
        told = [
            ShownFinding(one.subject, one.message, one.kind, told=True) for one in audit.findings
        ]
        print_findings(console, "warning", told, "yellow")
        console.print(Text(summary_line(audit)))

    return printed(print_audit, width, colour)


def audit_json(trace: Trace, audited: Audited) -> str:
    """Return an audit as one line of JSON."""
    return audited.audit.to_json()


def audit_rows(trace: Trace, audited: Audited) -> str:
    """Return an audit as rows of a table, one per segment, as a JSON list."""
    rows = [
        {
            "id": audited.audit.id,
            "index": entry.index,
            "outcome": entry.outcome,
            **{flag: getattr(entry, flag) for flag in ("grounded", *FLAGS)},
            "depth": entry.depth,
            "supports": len(entry.supports),
            "breakpoints": " ".join(map(str, entry.breakpoints)),
            "text": trace.segments[entry.index - 1].text,
            "explanation": entry.explanation,
        }
        for entry in audited.audit.segments
    ]
    return json.dumps(rows)


def audit_picture(trace: Trace, audited: Audited, *, format: "PictureFormat") -> str:  # noqa: A002
    """Return the selected hypergraph of an audit as a drawing."""
    from groundtrace.show.audit_pictures import draw_audit

    return draw_audit(trace, audited.audit, format)


def segment_text(trace: Trace, audited: Audited, index: int, *, width: int, colour: bool) -> str:
    """Return everything about one segment: outcome, trees or failures, repairs, relations.

    Args:
        index: The segment, from 1; not a leaf.
        width: Columns, from 40.
        colour: Whether to colour the outcomes.

    Raises:
        InputError: the segment has no outcome.
    """
    entry = _entry(audited.audit, index)

    def print_segment(console: Console) -> None:
        heading = Text(f"segment {index}: ", style="bold")
        console.print(heading.append_text(_outcome(entry)))
        console.print(Padding(Text(clean(trace.segments[index - 1].text)), (0, 0, 0, 2)))
        console.print(_reason(entry))
        _print_trees(console, trace, audited, index)
        _print_relations(console, entry)

    return printed(print_segment, width, colour)


def segment_json(trace: Trace, audited: Audited, *, index: int) -> str:
    """Return the audit of one segment with its text and all its listed support trees.

    Args:
        index: The segment, from 1; not a leaf.

    Raises:
        InputError: the segment has no outcome.
    """
    entry = _entry(audited.audit, index)
    trees = audited.trees[index].listed if index in audited.trees else []
    leaves = audited.audit.leaves
    record = {
        "id": audited.audit.id,
        "text": trace.segments[index - 1].text,
        **entry.model_dump(mode="json"),
        "support_trees": [nested(index, one, trace.relations or [], leaves) for one in trees],
        "provenance": audited.audit.provenance.model_dump(mode="json"),
    }
    return json.dumps(record, ensure_ascii=False)


def segment_picture(
    trace: Trace,
    audited: Audited,
    *,
    index: int,
    format: "PictureFormat",  # noqa: A002
) -> str:
    """Return the support tree of a segment, or what failed, as a drawing.

    Args:
        index: The segment, from 1; not a leaf.

    Raises:
        InputError: the segment has no outcome, or the drawing would be too large.
    """
    from groundtrace.show.audit_pictures import draw_segment

    _entry(audited.audit, index)
    return draw_segment(trace, audited.audit, index, format)


def _entry(audit: Audit, index: int) -> SegmentAudit:
    """Return the entry of a segment.

    Raises:
        InputError: it has none.
    """
    try:
        return audit.segment(index)
    except KeyError:
        known = ", ".join(str(entry.index) for entry in audit.segments) or "none"
        what = "is a leaf, accepted from the start" if index in audit.leaves else "does not exist"
        raise InputError(f"segment {index} {what}; segments with an outcome: {known}") from None


def summary_line(audit: Audit) -> str:
    """Return the counts of one audit as a line of words."""
    counts = audit.summary
    parts = [f"{getattr(counts, name)} {name}" for name in OUTCOMES]
    parts += [f"{getattr(counts, name)} {name}" for name in FLAGS if getattr(counts, name)]
    if counts.unlabelled_relations:
        relations = "relation" if counts.unlabelled_relations == 1 else "relations"
        parts.append(f"{counts.unlabelled_relations} unlabelled {relations}")
    segments = "segment" if counts.segments == 1 else "segments"
    return f"{counts.segments} {segments}: {', '.join(parts)}"


def printed(print_to: Callable[[Console], None], width: int, colour: bool) -> str:
    """Return what is printed, as text.

    Args:
        width: Columns, from 40.
        colour: Whether colours are wanted.
    """
    buffer = io.StringIO()
    console = Console(
        file=buffer,
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    print_to(console)
    # rich fills lines up with blanks, which is noise in a file and in a diff.
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines()) + "\n"


def _table(trace: Trace, audit: Audit, width: int) -> Table:
    table = Table(box=None, pad_edge=False, show_edge=False, header_style="dim")
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("outcome", no_wrap=True)
    table.add_column("depth", justify="right", no_wrap=True)
    table.add_column("segment", no_wrap=True)
    entries = {entry.index: entry for entry in audit.segments}
    outcomes = {index: _outcome(entry) for index, entry in entries.items()}
    taken = max((len(outcome) for outcome in outcomes.values()), default=4) + len(
        "  #    depth    "
    )
    for index, segment in enumerate(trace.segments, 1):
        entry = entries.get(index)
        outcome = outcomes.get(index, Text("leaf", style="blue"))
        depth = str(entry.depth) if entry and entry.depth is not None else ""
        table.add_row(str(index), outcome, depth, Text(quote(segment.text, max(width - taken, 20))))
    return table


def _outcome(entry: SegmentAudit) -> Text:
    text = Text(entry.outcome, style=OUTCOME_STYLES[entry.outcome])
    for flag in FLAGS:
        if getattr(entry, flag):
            text.append(f", {flag}", style="italic")
    return text


def _reason(entry: SegmentAudit) -> Table:
    """Return the explanation of a segment, indented under its number."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(justify="right", width=4, no_wrap=True)
    grid.add_column(ratio=1, overflow="fold")
    grid.add_row(str(entry.index), Text(entry.explanation))
    if entry.outcome == "unsupported":
        grid.add_row("", Text(_repairs(entry), style="dim"))
    return grid


def _repairs(entry: SegmentAudit) -> str:
    if not entry.repairs:
        if entry.more_repairs:
            return "Repairs: the search for them was cut short."
        return "Repairs: none; accepting other segments would not ground it."
    sets = ", or ".join(braces(repair) for repair in entry.repairs)
    return f"Repairs: accept {sets}{', or others' if entry.more_repairs else ''}."


def _print_trees(console: Console, trace: Trace, audited: Audited, index: int) -> None:
    trees = audited.trees.get(index)
    if trees is None:
        return
    for rank, picks in enumerate(trees.listed, 1):
        more = ", of more than are listed" if trees.more else ""
        console.print(Text(f"Support tree {rank} of {len(trees.listed)}{more}:", style="bold"))
        root = nested(index, picks, trace.relations or [], audited.audit.leaves)
        _print_node(console, trace, root, 1)


def _print_node(console: Console, trace: Trace, node: TreeNode, nesting: int) -> None:
    said = quote(trace.segments[node["segment"] - 1].text)
    line = f"{node['segment']} {said}"
    if node.get("leaf"):
        line += ", a leaf"
    elif node.get("repeated"):
        line += ", as above"
    else:
        line += f", {VERBS[node['label']]} by {braces(node['premises'])}"
    console.print(Padding(Text(line), (0, 0, 0, min(2 * nesting, 30))))
    for child in node.get("children", ()):
        _print_node(console, trace, child, nesting + 1)


def _print_relations(console: Console, entry: SegmentAudit) -> None:
    """Print every relation into a segment with what became of it."""
    for support in entry.supports:
        blocked = f"blocked by {braces(support.blocked_by)}" if support.blocked_by else "stands"
        console.print(Text(f"  {braces(support.premises)} {support.label}: support, {blocked}"))
    for rejected in entry.rejected:
        line = f"  {braces(rejected.premises)} {rejected.label}: {rejection(rejected, entry.index)}"
        console.print(Text(line))
    for unlabelled in entry.unlabelled:
        error = clean(unlabelled.error or "no reason given")
        console.print(Text(f"  {braces(unlabelled.premises)} unlabelled: {error}"))
