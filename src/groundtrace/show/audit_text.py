"""Audits as text for a terminal, 80 columns wide or more, with or without colour."""

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from groundtrace.auditing.auditor import Audited
from groundtrace.auditing.explained_segment import ExplainedSegment, explanation_of
from groundtrace.auditing.reasons import braces, rejection
from groundtrace.models.audit import Audit, SegmentAudit, TreeNode
from groundtrace.models.trace import Trace
from groundtrace.phrases import clean, quote
from groundtrace.show.console import printed_text
from groundtrace.show.repeats import ShownFinding, print_findings
from groundtrace.vocabulary import FLAGS, OUTCOMES

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

    return printed_text(print_audit, width, colour)


def segment_text(trace: Trace, audited: Audited, index: int, *, width: int, colour: bool) -> str:
    """Return everything about one segment: outcome, trees or failures, repairs, relations.

    Args:
        index: The segment, from 1; not a leaf.
        width: Columns, from 40.
        colour: Whether to colour the outcomes.

    Raises:
        InputError: the segment has no outcome.
    """
    segment = explanation_of(trace, audited, index)
    entry = segment.entry

    def print_segment(console: Console) -> None:
        heading = Text(f"segment {index}: ", style="bold")
        console.print(heading.append_text(_outcome(entry)))
        console.print(Padding(Text(clean(segment.text)), (0, 0, 0, 2)))
        console.print(_reason(entry))
        _print_trees(console, trace, segment)
        _print_relations(console, entry)

    return printed_text(print_segment, width, colour)


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


def _print_trees(console: Console, trace: Trace, segment: ExplainedSegment) -> None:
    trees = segment.support_trees
    more = ", of more than are listed" if segment.more_trees else ""
    for rank, root in enumerate(trees, 1):
        console.print(Text(f"Support tree {rank} of {len(trees)}{more}:", style="bold"))
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
