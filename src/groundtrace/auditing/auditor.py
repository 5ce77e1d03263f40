"""Audit traces: facts in, rules decide, records out.

This module composes; it takes no decision of its own.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundtrace.auditing.composition import Composer
from groundtrace.auditing.decisions import Decisions, decode
from groundtrace.auditing.explanations import Trees, repairs, support_trees
from groundtrace.auditing.facts import encode
from groundtrace.auditing.reasons import finding_message
from groundtrace.errors import InputError, RuleError
from groundtrace.files.reading import trace_from
from groundtrace.models import arguments
from groundtrace.models.audit import (
    Audit,
    Finding,
    Provenance,
    Severity,
    Summary,
)
from groundtrace.models.trace import OnConflict, Relation, Trace
from groundtrace.rules.rulebook import Rulebook, rulebook_for
from groundtrace.rules.solver import Program
from groundtrace.version import __version__

DEFAULT_MAX_TREES = 50

FINDINGS_WITHOUT_A_TRACE = ("constant_out_of_range", "unknown_rule")


def audit(
    trace: Trace | Mapping[str, Any],
    *,
    overlays: Iterable[str | Path] = (),
    constants: Mapping[str, int | str] | None = None,
    max_trees: int = DEFAULT_MAX_TREES,
    on_conflict: OnConflict = "refuse",
) -> Audit:
    """Return the audit of one trace, made in this process.

    Rules from a stranger can keep clingo busy for ever, and clingo cannot be interrupted
    while it grounds: for these use :func:`groundtrace.audit_many`, which has a time limit.

    Args:
        trace: With labelled relations; a mapping is read like a JSON object.
        overlays: Paths of rule files of your own, loaded after ours.
        constants: Constant name to value, as in asp/constants.lp.
        max_trees: List at most this many support trees per segment, from 1.
        on_conflict: What to do with two labels for one relation.

    Raises:
        InputError: the trace cannot be used, or a constant is unknown.
        SizeError: the trace is too large to be audited in bounded memory.
        RuleError: an overlay is faulty, or leaves no answer or several.
        ArgumentError: an argument has the wrong type.

    Source: paper, section 3; asp/audit.lp.
    """
    rules = arguments.paths("overlays", overlays), arguments.constants("constants", constants)
    auditor = Auditor(rulebook_for("audit", *rules), arguments.whole("max_trees", max_trees))
    return auditor.audit(trace_from(trace, arguments.conflict(on_conflict))).audit


@dataclass(frozen=True)
class Decided:
    """What the rules decide about a trace, and the program that decided it.

    Attributes:
        trace: That was judged.
        relations: Of it.
        program: Grounded and solved.
        decisions: In it.
        findings: Warnings of the rules.
    """

    trace: Trace
    relations: list[Relation]
    program: Program
    decisions: Decisions
    findings: list[Finding]


class Audited:
    """An audit together with what explaining it in full needs.

    Attributes:
        audit: The record.
        trees: Supported segment to its support trees.
    """

    def __init__(self, audit: Audit, trees: Mapping[int, Trees]) -> None:
        """Keep both.

        Args:
            trees: Supported segment to its support trees.
        """
        self.audit = audit
        self.trees = trees


class Auditor:
    """Audits one trace after another with the same rules."""

    def __init__(
        self,
        rulebook: Rulebook,
        max_trees: int = DEFAULT_MAX_TREES,
        labeller: str = "replay",
    ) -> None:
        """Take the rules.

        Args:
            rulebook: From :func:`groundtrace.rules.rulebook.rulebook`.
            max_trees: List at most this many support trees per segment, from 1.
            labeller: Where the labels come from, for the record.

        Raises:
            InputError: max_trees is below 1.
        """
        if max_trees < 1:
            raise InputError(f"max_trees: expected at least 1, got {max_trees}")
        self._rulebook = rulebook
        self._max_trees = max_trees
        self._labeller = labeller
        self._provenance: Provenance | None = None

    def check(self) -> None:
        """Try the rules on an empty trace: what fails there fails on every trace.

        Raises:
            RuleError: an overlay is faulty, or a constant is out of its range.
        """
        program = Program(self._rulebook, ())
        program.ground()
        findings = decode(program.only_answer()).findings
        _findings([one for one in findings if one[1] in FINDINGS_WITHOUT_A_TRACE])

    def decide(self, trace: Trace) -> Decided:
        """Return what the rules decide about a trace, without trees, repairs and words.

        Raises:
            InputError: the trace has no relations.
            SizeError: it is too large to be audited in bounded memory.
            RuleError: an overlay is faulty for this trace.
        """
        relations = _relations_of(trace)
        program = Program(self._rulebook, encode(trace))
        program.ground()
        decisions = decode(program.only_answer())
        return Decided(trace, relations, program, decisions, _findings(decisions.findings))

    def complete(self, decided: Decided) -> Audited:
        """Return the audit of a trace that is decided, with trees, repairs and words.

        Args:
            decided: By this auditor, and completed only once.
        """
        program, decisions = decided.program, decided.decisions
        relations, findings = decided.relations, decided.findings
        trees = support_trees(program, decisions, relations, self._max_trees)
        cures = repairs(program, decisions)
        segments = Composer(decided.trace, relations, decisions, trees, cures).segments()
        record = Audit(
            id=decided.trace.id,
            segments=segments,
            leaves=sorted(decisions.leaves),
            findings=findings,
            summary=Summary.of(
                segments, sum(1 for one in relations if one.label is None), len(findings)
            ),
            provenance=self._provenance_of(program),
            meta=decided.trace.meta,
        )
        return Audited(record, trees)

    def audit(self, trace: Trace) -> Audited:
        """Return the audit of a trace.

        Raises:
            InputError: the trace has no relations.
            SizeError: it is too large to be audited in bounded memory.
            RuleError: an overlay is faulty for this trace.
        """
        return self.complete(self.decide(trace))

    def _provenance_of(self, program: Program) -> Provenance:
        if self._provenance is None:
            book = self._rulebook
            self._provenance = Provenance(
                version=__version__,
                rules=dict(book.hashes),
                constants={name: program.constant(name) for name in book.constants},
                overlays=[str(path) for path in book.overlays],
                max_trees=self._max_trees,
                labeller=self._labeller,
            )
        return self._provenance


def _relations_of(trace: Trace) -> list[Relation]:
    """Return the relations of a trace.

    Raises:
        InputError: it has none, not even an empty list.
    """
    if trace.relations is None:
        raise InputError(
            f"trace {trace.id!r} has no relations: label them first, or give an empty list"
        )
    return trace.relations


def _findings(found: Iterable[tuple[Severity, str, str]]) -> list[Finding]:
    """Return the warnings of the rules.

    Raises:
        RuleError: a finding is an error; the audit would rest on a mistake.
    """
    findings = [
        Finding(
            kind=kind, severity=severity, subject=subject, message=finding_message(kind, subject)
        )
        for severity, kind, subject in found
    ]
    errors = [finding.message for finding in findings if finding.severity == "error"]
    if errors:
        raise RuleError(f"the rules report an error: {'; '.join(errors)}")
    return findings
