"""In which order the candidates of a trace are labelled, and which of them never.

Source: asp/labelling/economy.lp decides; this module asks it.
"""

import dataclasses
from collections.abc import Iterator, Mapping
from itertools import groupby

from clingo import Function, Number, Symbol

from groundtrace.encode import encode
from groundtrace.labelling.candidates import Candidate, Candidates
from groundtrace.models.trace import Relation, Trace
from groundtrace.rulebook import Rulebook, audit_rulebook, rules_directory
from groundtrace.solve import Program

SETS_AT_ONCE = 2_000
"""Sets that one solve decides on: the first that must be asked makes the rest wait."""

Known = Mapping[Candidate, Relation]


def rounds(
    trace: Trace, candidates: Candidates, known: Known, constants: Mapping[str, int | str]
) -> Iterator[list[Candidate]]:
    """Yield the candidates to be labelled, round by round.

    A round must be labelled before the next one is asked for.

    Args:
        trace: Its segments and leaves.
        candidates: Which sets there are.
        known: What is labelled so far; the caller adds to it between rounds.
        constants: Constant name to value, as in asp/constants.lp.

    Raises:
        InputError: a constant cannot be used.
        SizeError: the trace is too large for the rules.
        RuleError: a constant is out of its range.
    """
    if candidates.mode == "full":
        yield list(candidates.of(trace))
    else:
        yield from _economy(trace, candidates, known, _rules(constants))


def _rules(constants: Mapping[str, int | str]) -> Rulebook:
    """Return the rules that say what is needless: those of the audit, and economy.lp."""
    folder = rules_directory()
    extras = (folder / "encoding.lp", folder / "labelling" / "economy.lp")
    return dataclasses.replace(audit_rulebook((), constants), extras=extras)


def _economy(
    trace: Trace, candidates: Candidates, known: Known, rules: Rulebook
) -> Iterator[list[Candidate]]:
    ordered = list(candidates.of(trace))
    yield [candidate for candidate in ordered if len(candidate.premises) == 1]
    larger = [candidate for candidate in ordered if len(candidate.premises) > 1]
    groups = [list(group) for _, group in groupby(larger, _target_and_size)]
    done = 0
    while done < len(groups):
        window = _window(groups, done)
        needless = _needless(trace, known, [one for group in window for one in group], rules)
        for group in window:
            done += 1
            asked = [candidate for candidate in group if candidate not in needless]
            if asked:
                # Their labels may change what the sets after them can do.
                yield asked
                break


def _target_and_size(candidate: Candidate) -> tuple[int, int]:
    return candidate.target, len(candidate.premises)


def _window(groups: list[list[Candidate]], start: int) -> list[list[Candidate]]:
    """Return the next groups, about as many as one solve should look at."""
    size, end = 0, start
    while end < len(groups) and size < SETS_AT_ONCE:
        size += len(groups[end])
        end += 1
    return groups[start:end]


def _needless(trace: Trace, known: Known, sets: list[Candidate], rules: Rulebook) -> set[Candidate]:
    """Return the sets whose labels cannot matter, given what is labelled."""
    relations = sorted(known.values(), key=lambda relation: relation.key)
    program = Program(rules, encode(trace.model_copy(update={"relations": relations})))
    program.add_facts(_facts(sets))
    program.ground()
    program.only_answer()
    # The program is stratified: what is grounded without a choice holds.
    return {
        sets[symbol.arguments[0].arguments[0].number] for symbol, _ in program.atoms("_needless", 2)
    }


def _facts(sets: list[Candidate]) -> Iterator[Symbol]:
    for number, candidate in enumerate(sets):
        name = Function("open", [Number(number)])
        yield Function("_set", [name, Number(candidate.target)])
        for premise in candidate.premises:
            yield Function("_member", [name, Number(premise)])
