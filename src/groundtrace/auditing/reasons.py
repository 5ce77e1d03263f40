"""Why a segment has its outcome, in words: one function per kind of case.

The rules decide; here their decisions are put into sentences that need no knowledge of
answer set programming.
"""

from collections.abc import Mapping, Sequence

from groundtrace.models.audit import Rejected, SegmentAudit
from groundtrace.phrases import clean, finding_sentence, quote
from groundtrace.vocabulary import LABELS, RULE_OF_REASON, Outcome

ITEMS_SHOWN = 3

_REASONS = {
    "neutral": "labelled neutral",
    "contradiction": "labelled a contradiction",
    "too_far": "labelled implied, but {distance} segments back, too far to count",
    "redundant": "adds nothing to its parts, each of which entails it alone",
    "asymmetric": "adds nothing to the part that carries the support alone",
    "degraded": "weaker than one of its own parts",
    "weak_cluster": "one of several weak hints that do not add up",
}

_FINDINGS = {
    "contradicted_leaf": "leaf {subject} is contradicted, so it grounds nothing",
    "vetoed_leaf": "leaf {subject} is vetoed by a user's rule, so it grounds nothing",
    "unknown_segment": "a rule speaks of segment {subject}, which does not exist",
    "unknown_relation": "a rule drops relation {subject}, which does not exist",
    "unknown_rule": "a rule disables {subject}, but no rule has that name",
    "constant_out_of_range": "constant {subject} is outside its range",
}


def finding_message(kind: str, subject: str) -> str:
    """Return a finding as a sentence.

    Args:
        kind: As in asp/audit/9_findings.lp, or a user's own.
        subject: What it is about.
    """
    return finding_sentence(_FINDINGS, kind, subject)


def numbers(segments: Sequence[int]) -> str:
    """Return segment numbers in words, such as "segments 2, 3 and 5"."""
    if len(segments) == 1:
        return f"segment {segments[0]}"
    return f"segments {_series([str(one) for one in segments])}"


def segments_quoted(segments: Sequence[int], texts: Sequence[str]) -> str:
    """Return segment numbers with the beginning of what each says.

    Args:
        texts: Of the trace, segment 1 first.
    """
    parts = [f"{one} ({quote(texts[one - 1])})" for one in segments[:ITEMS_SHOWN]]
    if len(segments) > ITEMS_SHOWN:
        parts.append(f"{len(segments) - ITEMS_SHOWN} more")
    return f"segment{'s' if len(segments) > 1 else ''} {_series(parts)}"


def _series(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def explanation(
    entry: SegmentAudit,
    texts: Sequence[str],
    roots: Sequence[int],
    outcomes: Mapping[int, Outcome],
) -> str:
    """Return why a segment has its outcome, naming the rule that decided.

    Args:
        entry: The segment's audit, complete but for this text.
        texts: Of the trace, segment 1 first.
        roots: The leaves that its best tree stands on, if it is supported.
        outcomes: Of all segments that are not leaves.
    """
    reason = {
        "supported": lambda: _why_supported(entry, texts, roots),
        "unsupported": lambda: _why_unsupported(entry, texts, outcomes),
        "orphan": lambda: _why_orphan(entry, texts),
        "contradicted": lambda: _why_contradicted(entry, texts),
    }[entry.outcome]()
    sentences = [reason, *_vetoes(entry), *_flags(entry)]
    return " ".join(sentences + [f"Note: {clean(note)}" for note in entry.notes])


def _why_supported(entry: SegmentAudit, texts: Sequence[str], roots: Sequence[int]) -> str:
    best = next(support for support in entry.supports if not support.blocked_by)
    verb = _VERBS[best.label][len(best.premises) > 1]
    first = f"Supported: {segments_quoted(best.premises, texts)} {verb} it (rule grounding)."
    if set(best.premises) <= set(roots):
        return first
    return f"{first} Its support reaches down to {numbers(roots)}."


_VERBS = {"entailment": ("entails", "entail"), "implied": ("implies", "imply")}


def _why_unsupported(
    entry: SegmentAudit, texts: Sequence[str], outcomes: Mapping[int, Outcome]
) -> str:
    blocked = [support for support in entry.supports if support.blocked_by]
    if not blocked:
        if entry.vetoes:
            return "Unsupported: its support would stand, but it is vetoed."
        return "Unsupported: it needs more steps down to the leaves than allowed (rule max_depth)."
    first = blocked[0]
    others = len(entry.supports) - 1
    more = f"; {others} other support{'s fail' if others > 1 else ' fails'} too" if others else ""
    sentence = (
        f"Unsupported: {segments_quoted(first.premises, texts)} would support it, but "
        f"{_states_in_words(first.blocked_by, outcomes)} (rule grounding){more}."
    )
    if entry.breakpoints:
        sentence += f" The reasoning breaks at {numbers(entry.breakpoints)}."
    return sentence


def _states_in_words(segments: Sequence[int], outcomes: Mapping[int, Outcome]) -> str:
    """Return what is wrong with premises, such as "segments 5 and 6 are orphans"."""
    by_outcome: dict[str, list[int]] = {}
    for segment in segments:
        by_outcome.setdefault(outcomes.get(segment, "leaf"), []).append(segment)
    return _series(
        [
            f"{numbers(alike)} {_STATES[outcome][len(alike) > 1]}"
            for outcome, alike in by_outcome.items()
        ]
    )


_STATES = {
    "orphan": ("is an orphan", "are orphans"),
    "unsupported": ("is unsupported", "are unsupported"),
    "contradicted": ("is contradicted", "are contradicted"),
    "leaf": ("is a leaf that cannot stand", "are leaves that cannot stand"),
}


def _why_orphan(entry: SegmentAudit, texts: Sequence[str]) -> str:
    if not entry.rejected:
        unlabelled = "could be labelled" if entry.unlabelled else "was labelled"
        return f"Orphan: no relation into it {unlabelled} (rule support)."
    closest = closest_rejected(entry)
    shown = closest[:ITEMS_SHOWN]
    more = len(closest) - ITEMS_SHOWN
    if closest[0].reasons == ["neutral"]:
        sets = [braces(one.premises) for one in shown] + ([f"{more} more"] if more > 0 else [])
        verb = "were" if len(sets) > 1 else "was"
        found = f"{_series(sets)} {verb} labelled neutral (rule label)"
        return f"Orphan: nothing earlier supports it; {found}."
    by_reason: dict[str, list[str]] = {}
    for one in shown:
        by_reason.setdefault(rejection(one, entry.index), []).append(
            segments_quoted(one.premises, texts)
        )
    reasons = "; ".join(f"{', '.join(sets)}: {reason}" for reason, sets in by_reason.items())
    tail = f"; and {more} more like these" if more > 0 else ""
    return f"Orphan: no relation into it counts as support. Closest came {reasons}{tail}."


def _vetoes(entry: SegmentAudit) -> list[str]:
    if not entry.vetoes or entry.outcome == "contradicted":
        return []
    return [
        f"A user's rule vetoes it: {'; '.join(clean(one) for one in entry.vetoes)} (rule veto)."
    ]


def _flags(entry: SegmentAudit) -> list[str]:
    sentences = []
    if entry.unstable:
        degraded = [one for one in entry.rejected if "degraded" in one.reasons]
        if degraded:
            weaker = f"{braces(degraded[0].premises)} together are labelled {degraded[0].label}"
            sentences.append(f"Unstable: {weaker}, weaker than a part of them (rule degraded).")
        else:
            sentences.append("Unstable: a user's rule says so (rule unstable).")
    if entry.provisional:
        sentences.append("Provisional: a relation that could change this could not be labelled.")
    return sentences


def braces(segments: Sequence[int]) -> str:
    """Return a set of segments as "{2, 3}"."""
    return f"{{{', '.join(str(one) for one in segments)}}}"


def closest_rejected(entry: SegmentAudit) -> list[Rejected]:
    """Return the rejected relations that came closest to being support: the strongest ones."""
    strongest = max((LABELS.index(one.label) for one in entry.rejected), default=-1)
    return [one for one in entry.rejected if LABELS.index(one.label) == strongest]


def rejection(rejected: Rejected, target: int) -> str:
    """Return why a relation is not support, with the rules that decided.

    Args:
        rejected: The relation, with at least one reason.
    """
    distance = target - max(rejected.premises)
    parts = [
        f"{_REASONS[reason].format(distance=distance)} (rule {RULE_OF_REASON.get(reason, reason)})"
        if reason in _REASONS
        else f"dropped by a user's rule, for {clean(reason)}"
        for reason in rejected.reasons
    ]
    return _series(parts)


def _why_contradicted(entry: SegmentAudit, texts: Sequence[str]) -> str:
    if not entry.contradicted_by:
        return "Contradicted: a user's rule says so (rule contradicted)."
    first, others = entry.contradicted_by[0], len(entry.contradicted_by) - 1
    verb = "contradicts" if len(first) == 1 else "together contradict"
    tail = f", and so {'does' if others == 1 else 'do'} {others} more" if others else ""
    return f"Contradicted: {segments_quoted(first, texts)} {verb} it{tail} (rule contradiction)."
