"""In which order the candidates of a trace are labelled, and which of them never.

Source: asp/labelling/economy.lp decides; this module asks it.
"""

import dataclasses
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import NamedTuple

from clingo import Function, Number, Symbol

from groundtrace.auditing.facts import encode
from groundtrace.labelling.candidates import Candidate, Candidates
from groundtrace.models.trace import Relation, Trace
from groundtrace.rules.program_files import rules_directory
from groundtrace.rules.rulebook import Rulebook, rulebook_for
from groundtrace.rules.solver import Program

SETS_PER_SOLVE = 2_000
"""Sets that one solve looks at: the first that must be asked makes the rest wait."""

SETS_PER_ROUND = 16
"""Sets of one target that are asked at once: an answer may make the others needless."""

Known = Mapping[Candidate, Relation]


def rounds(
    trace: Trace, candidates: Candidates, known: Known, constants: Mapping[str, int | str]
) -> Iterator[Iterable[Candidate]]:
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
    if candidates.mode == "economy":
        yield from _economy_rounds(trace, candidates, known, _rules(constants))
    else:
        yield candidates.of(trace)


def _rules(constants: Mapping[str, int | str]) -> Rulebook:
    """Return the rules that say what is needless: those of the audit, and economy.lp."""
    folder = rules_directory()
    extras = (folder / "encoding.lp", folder / "labelling" / "economy.lp")
    return dataclasses.replace(rulebook_for("audit", (), constants), extras=extras)


def _economy_rounds(
    trace: Trace, candidates: Candidates, known: Known, rules: Rulebook
) -> Iterator[list[Candidate]]:
    ordered = list(candidates.of(trace))
    yield [candidate for candidate in ordered if len(candidate.premises) == 1]
    larger = [candidate for candidate in ordered if len(candidate.premises) > 1]
    groups = deque(list(group) for _, group in groupby(larger, _target_and_size))
    while groups:
        window = _window(groups)
        judged = _judge(trace, known, [one for group in window for one in group], rules)
        for group in window:
            groups.popleft()
            asked = [one for one in group if one not in judged.needless and one not in known]
            if asked:
                # Their labels may change what the other sets can do.
                asked.sort(key=lambda one: (one not in judged.promising, _distance(one)))
                groups.appendleft(asked[SETS_PER_ROUND:])
                yield asked[:SETS_PER_ROUND]
                break


def _target_and_size(candidate: Candidate) -> tuple[int, int]:
    return candidate.target, len(candidate.premises)


def _distance(candidate: Candidate) -> list[int]:
    """Return how far a set reaches back, closest premise first: near ones support more often."""
    return [candidate.target - premise for premise in reversed(candidate.premises)]


def _window(groups: Iterable[list[Candidate]]) -> list[list[Candidate]]:
    """Return the first groups, about as many as one solve should look at."""
    window: list[list[Candidate]] = []
    size = 0
    for group in groups:
        window.append(group)
        size += len(group)
        if size >= SETS_PER_SOLVE:
            break
    return window


class _Judgement(NamedTuple):
    needless: set[Candidate]
    """Sets whose labels cannot matter, given what is labelled."""
    promising: set[Candidate]
    """Sets that may ground their targets."""


def _judge(trace: Trace, known: Known, sets: list[Candidate], rules: Rulebook) -> _Judgement:
    """Return what the rules say of some sets."""
    relations = sorted(known.values(), key=lambda relation: relation.key)
    program = Program(rules, encode(trace.model_copy(update={"relations": relations})))
    program.add_facts(_facts(sets))
    program.ground()
    program.only_answer()

    def sets_of(predicate: str, arity: int) -> set[Candidate]:
        # The program is stratified: what is grounded without a choice holds.
        atoms = program.atoms(predicate, arity)
        return {sets[symbol.arguments[0].arguments[0].number] for symbol, _ in atoms}

    return _Judgement(sets_of("_needless", 2), sets_of("_promising", 1))


def _facts(sets: list[Candidate]) -> Iterator[Symbol]:
    for number, candidate in enumerate(sets):
        name = Function("open", [Number(number)])
        yield Function("_set", [name, Number(candidate.target)])
        for premise in candidate.premises:
            yield Function("_member", [name, Number(premise)])
