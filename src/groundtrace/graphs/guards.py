"""Which texts must never match, as the guard rules say; each pair is judged once."""

import threading
from collections.abc import Iterable, Mapping, Sequence

from groundtrace.auditing.decisions import name_of
from groundtrace.errors import RuleError
from groundtrace.graphs.findings import graph_finding_message
from groundtrace.graphs.guard_facts import Encoder, Pair, Tables, tables_of
from groundtrace.rules.rulebook import Rulebook
from groundtrace.rules.solver import Program

MOST_JUDGED = 1_000_000
"""Verdicts kept in memory."""

AT_ONCE = 20_000
"""Pairs that one program judges: bounds memory."""


class Guards:
    """Judges pairs of texts with the same rules. For any number of threads."""

    def __init__(self, rulebook: Rulebook) -> None:
        """Take the rules.

        Args:
            rulebook: Of the program "guards".

        Raises:
            RuleError: an overlay is faulty.
        """
        self._rulebook = rulebook
        self._lock = threading.Lock()
        self._reasons: dict[Pair, tuple[str, ...]] = {}
        self._tables: Tables | None = None

    def check(self) -> None:
        """Try the rules on no text: what fails there fails always.

        Raises:
            RuleError: an overlay is faulty.
        """
        self.unmatched([])

    def unmatched(self, pairs: Iterable[Pair]) -> set[Pair]:
        """Return those of some pairs that must not match.

        Args:
            pairs: Texts in compared form.

        Raises:
            RuleError: an overlay is faulty.
        """
        asked = set(pairs)
        with self._lock:
            self._judge_missing(asked)
            return {pair for pair in asked if self._reasons[pair]}

    def reasons(self, pair: Pair) -> tuple[str, ...]:
        """Return the names of the rules that keep two texts apart, sorted; none if they may match.

        Args:
            pair: Texts in compared form.

        Raises:
            RuleError: an overlay is faulty.
        """
        with self._lock:
            self._judge_missing({pair})
            return self._reasons[pair]

    def converses(self) -> Mapping[str, tuple[str, ...]]:
        """Return the predicates that run backwards, with those that they are turned round to.

        Raises:
            RuleError: an overlay is faulty.
        """
        with self._lock:
            self._judge_missing(set())
            return self._read_tables().converses

    def _judge_missing(self, asked: set[Pair]) -> None:
        if len(self._reasons) + len(asked) > MOST_JUDGED:
            self._reasons = {}
        missing = sorted(pair for pair in asked if pair not in self._reasons)
        if missing or self._tables is None:
            for start in range(0, len(missing) or 1, AT_ONCE):
                self._judge(missing[start : start + AT_ONCE])

    def _read_tables(self) -> Tables:
        if self._tables is None:
            self._tables = tables_of(self._rulebook)
        return self._tables

    def _judge(self, pairs: Sequence[Pair]) -> None:
        program = Program(self._rulebook, Encoder(self._read_tables()).facts(pairs))
        program.ground()
        found: dict[Pair, list[str]] = {}
        errors = []
        for atom in program.only_answer():
            if atom.name == "kept_apart":
                first, second, rule = map(name_of, atom.arguments)
                found.setdefault((first, second), []).append(rule)
            elif str(atom.arguments[1]) == "error":
                kind, _, subject = map(name_of, atom.arguments)
                errors.append(graph_finding_message(kind, subject))
        if errors:
            raise RuleError(f"the rules report an error: {'; '.join(sorted(errors))}")
        for pair in pairs:
            self._reasons[pair] = tuple(sorted(found.get(pair, ())))
