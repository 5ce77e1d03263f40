"""Audit many traces in child processes that can be ended."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from groundtrace.auditing.auditor import DEFAULT_MAX_TREES, Audited, Auditor
from groundtrace.errors import BugError, GroundtraceError, InputError
from groundtrace.files.reading import Record, trace_from, trace_of
from groundtrace.models import arguments
from groundtrace.models.audit import Audit
from groundtrace.models.trace import OnConflict, Trace
from groundtrace.processes.endings import MEMORY_LIMIT
from groundtrace.processes.pool import DEFAULT_TIME_LIMIT, Done, OneByOne, Output, Reply, run
from groundtrace.rules.rulebook import rulebook_for


@dataclass(frozen=True)
class Plan:
    """What decides the result of an audit, besides the trace.

    Attributes:
        overlays: Paths of users' rule files, in order.
        constants: (name, value) pairs.
        max_trees: Support trees listed per segment, from 1.
        on_conflict: What to do with two labels for one relation.
        labeller: Where the labels come from, for the record.
    """

    overlays: tuple[str, ...] = ()
    constants: tuple[tuple[str, int | str], ...] = ()
    max_trees: int = DEFAULT_MAX_TREES
    on_conflict: OnConflict = "refuse"
    labeller: str = "replay"

    def auditor(self) -> Auditor:
        """Return an auditor with these rules.

        Raises:
            RuleError: an overlay cannot be used.
            InputError: a constant or max_trees cannot be used.
        """
        rulebook = rulebook_for("audit", self.overlays, dict(self.constants))
        return Auditor(rulebook, self.max_trees, self.labeller)


Render = Callable[[Trace, Audited], Output]


@dataclass(frozen=True)
class Auditing(OneByOne[Output]):
    """Audits records, as work for child processes.

    Attributes:
        plan: The rules.
        render: Makes the output of one audit, in the child process; must be picklable.
    """

    plan: Plan
    render: Render[Output]

    @property
    def untrusted(self) -> bool:
        """Whether a user's rules or constants must be tried first."""
        return bool(self.plan.overlays or self.plan.constants)

    def prepare(self) -> None:
        """Say what makes every audit impossible.

        Raises:
            RuleError: an overlay cannot be used.
            InputError: a constant or max_trees cannot be used.
        """
        self.plan.auditor()

    def check(self) -> None:
        """Try the rules without a trace.

        Raises:
            RuleError: they are faulty.
        """
        _auditor(self.plan).check()

    def done(self, record: Record) -> Done[Output]:
        """Audit the trace of one record.

        Raises:
            InputError: the record is no trace that can be used.
            RuleError: a rule is faulty for it.
        """
        trace = trace_of(record, self.plan.on_conflict)
        audited = _auditor(self.plan).audit(trace)
        output = self.render(trace, audited)
        return Done(trace.id, dict(audited.audit.summary), output, None)


@cache
def _auditor(plan: Plan) -> Auditor:
    return plan.auditor()


def audit_many(
    traces: Iterable[Trace | Mapping[str, Any]],
    *,
    overlays: Iterable[str | Path] = (),
    constants: Mapping[str, int | str] | None = None,
    max_trees: int = DEFAULT_MAX_TREES,
    on_conflict: OnConflict = "refuse",
    jobs: int = 1,
    time_limit: float = DEFAULT_TIME_LIMIT,
    memory_limit: int = MEMORY_LIMIT,
) -> Iterator[Audit | GroundtraceError]:
    """Yield one audit per trace, in order, or the error that took its place.

    The audits are made in child processes, so a script that calls this at its top level needs
    the usual ``if __name__ == "__main__":``.

    Args:
        traces: With labelled relations; consumed as audits are asked for.
        overlays: Paths of rule files of your own, loaded after ours.
        constants: Constant name to value, as in asp/constants.lp.
        max_trees: List at most this many support trees per segment, from 1.
        on_conflict: What to do with two labels for one relation.
        jobs: Child processes, from 1.
        time_limit: Seconds that one trace may take.
        memory_limit: Bytes of memory that each child process may have.

    Raises:
        RuleError: an overlay cannot be used at all.
        LimitError: the rules do not end even without a trace, or no child process can start.
        InputError: a constant, max_trees, jobs or time_limit cannot be used.
        ArgumentError: an argument has the wrong type; this at the call, the others at the first
            audit.
    """
    work = Auditing(plan_from(overlays, constants, max_trees, on_conflict), _audit_of)
    given = _records(arguments.many("traces", traces, "traces"), work.plan.on_conflict)
    bounds = (
        arguments.whole("jobs", jobs),
        arguments.number("time_limit", time_limit),
        arguments.whole("memory_limit", memory_limit),
    )
    return results(run(given, work, *bounds))


def plan_from(
    overlays: Iterable[str | Path] = (),
    constants: Mapping[str, int | str] | None = None,
    max_trees: int = DEFAULT_MAX_TREES,
    on_conflict: OnConflict = "refuse",
) -> Plan:
    """Return the plan that a Python caller's arguments describe.

    Raises:
        ArgumentError: one has the wrong type.
        InputError: on_conflict is unknown.
    """
    return Plan(
        arguments.paths("overlays", overlays),
        tuple(sorted(arguments.constants("constants", constants).items())),
        arguments.whole("max_trees", max_trees),
        arguments.conflict(on_conflict),
    )


def results(replies: Iterable[Reply[Output]]) -> Iterator[Output | GroundtraceError]:
    """Yield what came of each record, or the error that took its place.

    Raises:
        BugError: there is neither.
    """
    for reply in replies:
        result = reply.error or reply.output
        if result is None:
            raise BugError("a reply holds neither an output nor an error")
        yield result


def _records(
    traces: Iterable[Trace | Mapping[str, Any]], on_conflict: OnConflict
) -> Iterator[Record]:
    for number, given in enumerate(traces, 1):
        content: bytes | InputError
        try:
            trace = trace_from(given, on_conflict)
            unnamed = None if "id" in trace.model_fields_set else {"id"}
            content = trace.model_dump_json(exclude=unnamed).encode()
        except InputError as error:
            content = error
        except (ValueError, RecursionError) as error:
            content = InputError(f"cannot be written as JSON: {error}")
        yield Record(f"trace {number}", f"trace-{number}", content)


def _audit_of(trace: Trace, audited: Audited) -> Audit:
    return audited.audit
