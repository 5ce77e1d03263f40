"""What an edit of the rules changes: each case is judged twice, by the rules before and after."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, NamedTuple

from groundtrace.auditing.auditor import Auditor
from groundtrace.auditing.batch import Plan
from groundtrace.auditing.decisions import Decisions
from groundtrace.errors import GroundtraceError, RuleError
from groundtrace.files.reading import Record, object_of, trace_of
from groundtrace.graphs.cases import case_of
from groundtrace.graphs.critical import Reducer
from groundtrace.graphs.matching import TextMatching
from groundtrace.models.audit import Audit
from groundtrace.models.graph import CriticalGraph, Dropped, GraphCase, Triplet
from groundtrace.models.trace import Trace
from groundtrace.phrases import clean, counted, quote
from groundtrace.processes.pool import Done, OneByOne
from groundtrace.rules.judge.fault import Fault
from groundtrace.rules.rulebook import rulebook_for
from groundtrace.rules.text.sources import read_source
from groundtrace.vocabulary import FLAGS
from groundtrace.workbench.check.program_of_file import recognise

Rules = Literal["audit", "graph"]
LEAF = "leaf"
GIVEN = "Leaf: the trace gives it."
ACCEPTED = "Leaf: a rule of yours accepts it."


class Change(NamedTuple):
    """One thing that the edit decides otherwise."""

    subject: str
    """A segment's number, or a triplet in words."""
    text: str
    """What it says."""
    before: str
    """Its outcome, or its fate in the graph; flags of segments follow after a comma."""
    after: str
    reason_before: str
    reason_after: str


class Difference(NamedTuple):
    """What an edit of the rules changes in one case."""

    id: str
    rules: Rules
    judged: int
    """Segments or triplets of the case."""
    changes: list[Change]
    """In the order of the case."""


@dataclass(frozen=True)
class Differing(OneByOne[Difference]):
    """Compares the rules before and after an edit, as work for child processes.

    Attributes:
        before: The rules that hold now.
        after: The edited ones.
        rules: Of which program; None for what a record is fit for.
        comparing: What finds the conclusion of a graph.
    """

    before: Plan
    after: Plan
    rules: Rules | None = None
    comparing: TextMatching = field(default_factory=TextMatching)

    @property
    def untrusted(self) -> bool:
        """Whether a user's rules or constants must be tried first."""
        return True

    def prepare(self) -> None:
        """Say what makes every comparison impossible.

        Raises:
            RuleError: an overlay cannot be used.
            InputError: a constant cannot be used.
        """
        self._usable()

    def check(self) -> None:
        """Try both sets of rules without a case.

        Raises:
            RuleError: they are faulty.
        """
        errors: list[RuleError] = []
        usable = self._usable()
        for rules in usable:
            try:
                for plan in (self.before, self.after):
                    if rules == "audit":
                        _auditor(plan).check()
                    else:
                        _reducer(plan, self.comparing).check()
            except RuleError as error:
                errors.append(error)
        # What suits traces need not suit graphs; which of them come is not known yet.
        if len(errors) == len(usable):
            raise errors[0]

    def _usable(self) -> list[Rules]:
        """Return the programs that both sets of rules suit; at least one.

        Raises:
            RuleError: they suit none, or not the one that they speak of.
            InputError: a constant cannot be used.
        """
        wanted: list[Rules] = [self.rules] if self.rules else ["audit", "graph"]
        usable: list[Rules] = []
        errors: list[GroundtraceError] = []
        for rules in wanted:
            try:
                for plan in (self.before, self.after):
                    rulebook_for(rules, plan.overlays, dict(plan.constants))
                usable.append(rules)
            except GroundtraceError as error:
                errors.append(error)
        # What the rules of one program refuse may only seem to suit those of another.
        if errors and not (usable and {*usable}.issuperset(self._programs_spoken_of())):
            raise errors[0]
        return usable

    def _programs_spoken_of(self) -> Iterator[Rules]:
        """Yield the programs that the overlays speak of, as far as they can be read."""
        for path in (*self.before.overlays, *self.after.overlays):
            source = read_source(path)
            spoken = None if isinstance(source, Fault) else recognise(source)
            if spoken == "audit" or spoken == "graph":
                yield spoken

    def done(self, record: Record) -> Done[Difference]:
        """Compare one case.

        Args:
            record: A trace, or a case with triplets.

        Raises:
            InputError: it is neither.
            RuleError: a rule is faulty for it.
            SizeError: it is too large to be judged in bounds.
        """
        rules = self.rules or ("audit" if "segments" in object_of(record) else "graph")
        if rules == "audit":
            difference = self._audits(trace_of(record, self.after.on_conflict))
        else:
            difference = self._graphs(case_of(record, GraphCase))
        counts = {"changed cases": int(bool(difference.changes)), "judged": difference.judged}
        return Done(difference.id, counts, difference, None)

    def _audits(self, trace: Trace) -> Difference:
        first, second = _auditor(self.before), _auditor(self.after)
        one, other = first.decide(trace), second.decide(trace)
        if _states(one.decisions) == _states(other.decisions):
            return Difference(trace.id, "audit", len(trace.segments), [])
        before, after = first.complete(one).audit, second.complete(other).audit
        told_before, told_after = (
            _outcomes_with_reasons(before, trace.leaves),
            _outcomes_with_reasons(after, trace.leaves),
        )
        changes = [
            Change(
                str(index),
                segment.text,
                told_before[index][0],
                told_after[index][0],
                told_before[index][1],
                told_after[index][1],
            )
            for index, segment in enumerate(trace.segments, 1)
            if told_before[index][0] != told_after[index][0]
        ]
        return Difference(trace.id, "audit", len(trace.segments), changes)

    def _graphs(self, case: GraphCase) -> Difference:
        before = _reducer(self.before, self.comparing).reduce(case)
        after = _reducer(self.after, self.comparing).reduce(case)
        if before.status != "scored":
            return Difference(case.id, "graph", 0, [])
        first, second = dict(_fates(before)), dict(_fates(after))
        order = [triplet for triplet in _order(case, first) if triplet in first]
        changes = [
            Change(_triplet_text(one), _triplet_text(one), *_pair(first[one], second[one]))
            for one in order
            if first[one][0] != second[one][0]
        ]
        return Difference(case.id, "graph", len(order), changes)


def _pair(before: tuple[str, str], after: tuple[str, str]) -> tuple[str, str, str, str]:
    return before[0], after[0], before[1], after[1]


@cache
def _auditor(plan: Plan) -> Auditor:
    return plan.auditor()


@cache
def _reducer(plan: Plan, comparing: TextMatching) -> Reducer:
    book = rulebook_for("graph", plan.overlays, dict(plan.constants))
    return Reducer(book, comparing.likeness(), recorded=comparing.recorded())


def _states(decisions: Decisions) -> tuple[object, ...]:
    """Return all that a change is seen by."""
    return (
        decisions.leaves,
        decisions.outcome,
        decisions.unstable & decisions.outcome.keys(),
        decisions.provisional & decisions.outcome.keys(),
    )


def _outcomes_with_reasons(audit: Audit, given: Sequence[int]) -> dict[int, tuple[str, str]]:
    """Return the outcome and flags of each segment, and the reason in words."""
    told = {leaf: (LEAF, GIVEN if leaf in given else ACCEPTED) for leaf in audit.leaves}
    for entry in audit.segments:
        flags = [flag for flag in FLAGS if getattr(entry, flag)]
        told[entry.index] = ", ".join([entry.outcome, *flags]), entry.explanation
    return told


def _fates(graph: CriticalGraph) -> Iterator[tuple[Triplet, tuple[str, str]]]:
    """Yield each triplet with what became of it, and why."""
    node = quote(graph.conclusion.node) if graph.conclusion else "the conclusion"
    for triplet in graph.critical:
        yield triplet, ("critical", f"it leads to {node}, and no other triplets say the same")
    for one in graph.dropped:
        yield one.triplet, (one.reason.replace("_", " "), _why_dropped(one, node))


def _why_dropped(one: Dropped, node: str) -> str:
    if one.reason == "not_leading":
        return f"it does not lead to {node}"
    via = ", ".join(quote(step.object) for step in (one.path or ())[:-1])
    return f"the same is said in {counted(len(one.path or ()), 'step')}, over {via}"


def _order(case: GraphCase, known: Mapping[Triplet, object]) -> Iterable[Triplet]:
    """Return the triplets of a case in its own order."""
    from groundtrace.graphs.triplets import triplets_from

    return triplets_from(case.triplets or (), "triplets").kept or list(known)


def _triplet_text(triplet: Triplet) -> str:
    return f"{clean(triplet[0])} — {clean(triplet[1])} → {clean(triplet[2])}"


def refuse_nothing_to_compare(before: Plan, after: Plan) -> None:
    """Refuse two plans that are the same.

    Args:
        before: The rules that hold now.

    Raises:
        RuleError: they are the same.
    """
    if before == after:
        raise RuleError("there is nothing to compare: name an edit with --overlay or --set")
