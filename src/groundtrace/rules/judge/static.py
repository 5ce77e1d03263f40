"""Read one rule file as far as it can be read, and judge it without running anything."""

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from groundtrace.rules.judge import words_of_meaning, words_of_slips
from groundtrace.rules.judge.dictionary import Dictionary
from groundtrace.rules.judge.fault import Fault, fault, file_fault
from groundtrace.rules.judge.meaning import meaning_faults
from groundtrace.rules.judge.slips import file_slips, slips_in
from groundtrace.rules.text.anatomy import Rule, read_rules
from groundtrace.rules.text.missing_stops import cut
from groundtrace.rules.text.words import Source

TRIED = frozenset(
    {"unknown_predicate", "without_source", "never_ends", "cross_product", "wide_range",
     "private_predicate", "of_another_program"}
)  # fmt: skip
"""Kinds that a run shows by itself, or that only may go wrong one day."""

MOST_FAULTS = 100
"""Faults of one file that are told."""


class Reading(NamedTuple):
    """What a file says, as far as it can be read."""

    source: Source
    rules: tuple[Rule, ...]
    faults: tuple[Fault, ...]
    """Slips of the pen; what the rules mean is not judged yet."""

    @property
    def text(self) -> str:
        """The text with everything blanked out that cannot be read."""
        kept = list(_blank(self.source.text))
        for rule in self.rules:
            start, end = rule.statement.start, rule.statement.end
            kept[start:end] = self.source.text[start:end]
            if not rule.statement.stop:
                # The full stop that is missing takes the place of the space after the rule.
                kept[end : end + 1] = ".\n" if kept[end : end + 1] == ["\n"] else "."
        return "".join(kept)


def _blank(text: str) -> str:
    return "".join("\n" if one == "\n" else " " for one in text)


def read(source: Source, known: Dictionary) -> Reading:
    """Return what a file says, with its slips of the pen.

    Args:
        known: What can be said.
    """
    rules: list[Rule] = []
    faults = list(file_slips(source))
    for whole in source.statements:
        for statement in cut(source, whole):
            slips = slips_in(source, statement, known)
            faults += slips
            if any(one.kind != "missing_stop" for one in slips):
                continue
            found = read_rules(source, statement)
            if isinstance(found, Fault):
                faults.append(found)
            else:
                rules += found
    if not rules and not faults:
        said = words_of_slips.empty(only_remarks=bool(source.tokens))
        faults.append(file_fault(source.name, said, "warning"))
    return Reading(source, tuple(rules), tuple(faults))


def judged(reading: Reading, known: Dictionary, others: Sequence[Rule] = ()) -> list[Fault]:
    """Return all faults of a file that show without running anything, in order.

    Args:
        known: What can be said.
        others: Rules of files that are used together with it.
    """
    try:
        meant = islice(meaning_faults(reading.rules, known, others), 3 * MOST_FAULTS)
        found = [*reading.faults, *meant]
    except RecursionError:
        start = reading.rules[0].statement.start
        found = [*reading.faults, fault(reading.source, start, words_of_meaning.deep_nesting())]
    broken = any(one.severity == "error" for one in reading.faults)
    kept: dict[tuple[int, int], Fault] = {}
    # No warning may hide an error.
    for one in sorted(found, key=lambda one: one.severity != "error"):
        # What a rule that could not be read derives or reads is not known.
        guessed = one.kind == "unknown_predicate" and one.near is None
        if broken and (guessed or one.kind in ("unread_head", "without_source")):
            continue
        kept.setdefault((one.line, one.column), one)
    return [kept[place] for place in sorted([*kept][:MOST_FAULTS])]


def refusals(reading: Reading, known: Dictionary, others: Sequence[Rule] = ()) -> list[Fault]:
    """Return the faults for which a file is refused before it is run.

    Args:
        known: What can be said.
        others: Rules of files that are used together with it.
    """
    found = judged(reading, known, others)
    return [one for one in found if one.severity == "error" and one.kind not in TRIED]
