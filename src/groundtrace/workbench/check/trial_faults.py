"""Tell what a trial of rules shows, at the rule that brings it about."""

from collections.abc import Iterator, Sequence

from groundtrace.errors import Complaint
from groundtrace.phrases import nearest
from groundtrace.rules.judge import words_of_trial as words
from groundtrace.rules.judge.dictionary import Dictionary
from groundtrace.rules.judge.fault import Fault, Said, fault, file_fault
from groundtrace.rules.judge.loops import edges_of_ours, loop_through_not
from groundtrace.rules.judge.static import Reading
from groundtrace.workbench.check.trial import Outcome

_DOMAINS = {"Relation": "relation({0}, _, _)", "Text": "word({0}, _, _)"}


def outcome_faults(reading: Reading, known: Dictionary, outcome: Outcome) -> Iterator[Fault]:
    """Yield what a trial shows, in words.

    Args:
        known: What can be said.
    """
    for complaint in outcome.complaints:
        yield _fault_of(reading, known, complaint)
    fewest, most = outcome.answers
    rules = [rule for rule in reading.rules if rule.is_rule]
    constraints = [rule for rule in rules if not rule.heads]
    if fewest == 0 and constraints:
        rule = constraints[0]
        yield fault(rule.source, rule.statement.start, words.no_answer_for_constraint())
    elif fewest == 0 or most > 1:
        found = loop_through_not(rules, edges_of_ours(known.program))
        way = found[1] if found else []
        said = words.several_answers(way) if most > 1 else words.no_answer_for_loop(way)
        if found:
            yield fault(reading.source, found[0].statement.start, said)
        else:
            yield file_fault(reading.source.name, said)
    for kind, message in outcome.findings:
        yield _finding(reading, kind, message)


def _finding(reading: Reading, kind: str, message: str) -> Fault:
    wanted = "drop" if kind == "unknown_relation" else None
    for rule in reading.rules:
        for head in rule.heads:
            if rule.variables and (head.name == wanted or wanted is None):
                return fault(reading.source, head.offset, words.reported(message), "warning")
    return file_fault(reading.source.name, words.reported(message), "warning")


def _fault_of(reading: Reading, known: Dictionary, complaint: Complaint) -> Fault:
    source = reading.source
    line, _, column = complaint.place.partition(":")
    if not (line.isdigit() and column.isdigit()):
        return file_fault(source.name, words.clingo_says(complaint.text))
    offset = source.offset_of(int(line), int(column))
    if complaint.kind == "unsafe":
        said = _unsafe(reading, known, offset, complaint.names)
    elif complaint.kind == "operation_undefined":
        said = words.operation_undefined(complaint.names[0])
    else:
        said = words.clingo_says(complaint.text)
    return fault(source, offset, said)


def _unsafe(reading: Reading, known: Dictionary, offset: int, names: Sequence[str]) -> Said:
    """Return what is wrong with variables that stand for nothing, and how to bind the first."""
    rule = next(
        (one for one in reading.rules if one.statement.start <= offset < one.statement.end), None
    )
    if rule is None:
        return words.unsafe(names, None)
    name, argument, text = names[0], "Segment", False
    for atom in (*rule.heads, *rule.body):
        entry = known.entries.get(atom.name)
        for term, kind in zip(atom.arguments, entry.arguments if entry else (), strict=False):
            if str(term) == name:
                argument = kind
                text = kind in ("Reason", "Text", "Tag", "Node", "Predicate")
                break
    bound = [other for other in rule.variables if other not in (*names, "_")]
    near = nearest(name, bound) or next(
        (one for one in bound if one.startswith(name) or name.startswith(one)), None
    )
    domain = _DOMAINS.get(argument, "segment({0})").format(name)
    cure = words.cure_of_unsafe(name, near, text, domain)
    return words.unsafe(names, cure)
