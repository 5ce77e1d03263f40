"""From the shown atoms of an answer set to plain records.

Strict: an atom that is not known here, or not of the documented shape, is an error, so that
no decision of the rules is lost on the way.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from clingo import Symbol, SymbolType

from groundtrace.errors import BugError, RuleError
from groundtrace.models.audit import Severity
from groundtrace.vocabulary import OUTCOMES, SHOWN_PREDICATES, Outcome, reason_order


@dataclass(slots=True)
class Decisions:
    """What the rules decided, by segment and relation number.

    Attributes:
        leaves: Accepted from the start, those of users' rules included.
        outcome: Of each segment that is not a leaf.
        depth: Of each grounded segment, leaves included.
        supports: Target to its supports, most preferred first.
        blocked: Support to its ungrounded premises, ascending.
        rejected: Relation to its reasons, in the order of the vocabulary, then by name.
        contradicts: Target to the relations that contradict it, ascending.
        contradicted: Segments that count as contradicted.
        unstable: Flagged segments.
        provisional: Flagged segments.
        vetoes: Segment to users' reasons, sorted.
        breakpoints: Unsupported segment to where its branches end, ascending.
        notes: Segment to users' sentences, sorted.
        findings: (severity, kind, subject), sorted.
    """

    leaves: set[int] = field(default_factory=set)
    outcome: dict[int, Outcome] = field(default_factory=dict)
    depth: dict[int, int] = field(default_factory=dict)
    supports: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    blocked: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    rejected: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    contradicts: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    contradicted: set[int] = field(default_factory=set)
    unstable: set[int] = field(default_factory=set)
    provisional: set[int] = field(default_factory=set)
    vetoes: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    breakpoints: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    notes: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    findings: list[tuple[Severity, str, str]] = field(default_factory=list)

    def usable(self, segment: int) -> list[int]:
        """Return the supports of a grounded segment whose premises are all grounded."""
        return [one for one in self.supports.get(segment, ()) if one not in self.blocked]


def decode(answer: Sequence[Symbol]) -> Decisions:
    """Return the decisions that the shown atoms of an answer set stand for.

    Args:
        answer: Every shown atom, in any order.

    Raises:
        RuleError: a user's rule shows or derives an atom of a shape that is not documented.
        BugError: the same, where only our own rules can be to blame.

    Source: asp/show.lp, asp/vocabulary.lp.
    """
    decisions = Decisions()
    preference: dict[int, Symbol] = {}
    readers = _readers(decisions, preference)
    for atom in answer:
        if atom.type is not SymbolType.Function:
            raise RuleError(f"a rule shows {atom}, which is no atom of the vocabulary")
        read = readers.get(atom.name)
        arguments = atom.arguments
        if read is None or len(arguments) != SHOWN_PREDICATES["audit"][atom.name]:
            raise RuleError(f"a rule shows {atom}, which is no atom of the vocabulary")
        try:
            read(*arguments)
        except (RuntimeError, ValueError) as error:
            raise RuleError(
                f"a rule derives {atom}; expected the shape documented for {atom.name} in "
                f"vocabulary.lp"
            ) from error
    _sort(decisions, preference)
    return decisions


def name_of(term: Symbol) -> str:
    """Return a name, a quoted string or any other term as plain text.

    Args:
        term: For instance a reason that a user's rule gave.
    """
    return term.string if term.type is SymbolType.String else str(term)


def _outcome(term: Symbol) -> Outcome:
    name = str(term)
    if name not in OUTCOMES:
        raise ValueError(name)
    return name


def _readers(found: Decisions, preference: dict[int, Symbol]) -> dict[str, Callable[..., object]]:
    """Return for each shown predicate how an atom of it is taken down."""

    def outcome(segment: Symbol, term: Symbol) -> None:
        if found.outcome.setdefault(segment.number, _outcome(term)) != str(term):
            raise BugError(f"segment {segment} has two outcomes")

    def severity(kind: Symbol, severity: Symbol, subject: Symbol) -> None:
        level: Severity = "error" if severity.name == "error" else "warning"
        found.findings.append((level, name_of(kind), name_of(subject)))

    names: dict[Symbol, str] = {}

    def rejected(relation: Symbol, reason: Symbol) -> None:
        name = names.get(reason) or names.setdefault(reason, name_of(reason))
        found.rejected[relation.number].append(name)

    return {
        "leaf": lambda segment: found.leaves.add(segment.number),
        "outcome": outcome,
        "depth": lambda segment, depth: found.depth.__setitem__(segment.number, depth.number),
        "support": lambda relation, target: found.supports[target.number].append(relation.number),
        "preference": lambda relation, key: preference.__setitem__(relation.number, key),
        "blocked": lambda relation, one: found.blocked[relation.number].append(one.number),
        "rejected": rejected,
        "contradicts": lambda relation, target: found.contradicts[target.number].append(
            relation.number
        ),
        "contradicted": lambda segment: found.contradicted.add(segment.number),
        "unstable": lambda segment: found.unstable.add(segment.number),
        "provisional": lambda segment: found.provisional.add(segment.number),
        "veto": lambda segment, reason: found.vetoes[segment.number].append(name_of(reason)),
        "breakpoint": lambda segment, end: found.breakpoints[segment.number].append(end.number),
        "note": lambda segment, text: found.notes[segment.number].append(name_of(text)),
        "finding": severity,
    }


def _sort(found: Decisions, preference: dict[int, Symbol]) -> None:
    """Give every list its documented order, since clingo promises none."""
    for supports in found.supports.values():
        supports.sort(key=lambda relation: (preference[relation], relation))
    for by_number in (found.blocked, found.contradicts, found.breakpoints):
        for numbers in by_number.values():
            numbers.sort()
    for reasons in found.rejected.values():
        if len(reasons) > 1:
            reasons.sort(key=reason_order)
    for by_name in (found.vetoes, found.notes):
        for texts in by_name.values():
            texts.sort()
    found.findings.sort()
