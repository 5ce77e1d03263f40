"""Which texts must never match, as the guard rules say; each pair is judged once."""

import re
import threading
from collections.abc import Iterable, Iterator, Sequence

from clingo import Function, Number, String, Symbol

from groundtrace.auditing.decisions import name_of
from groundtrace.errors import RuleError
from groundtrace.graphs.findings import graph_finding_message
from groundtrace.rules.rulebook import Rulebook
from groundtrace.rules.solver import Program

Pair = tuple[str, str]

MOST_JUDGED = 1_000_000
"""Verdicts kept in memory."""

AT_ONCE = 20_000
"""Pairs that one program judges: bounds memory."""

_WORD = re.compile(r"[^\W_]+|(?<=\w)[+-](?!\w)")
_NUMBERED = re.compile(r"([^\W\d_]+)(\d+)\w*")
_LEAST_STEM = 2
"""Letters that must follow a prefix."""


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
        self._verdicts: dict[Pair, bool] = {}
        self._prefixes: tuple[str, ...] | None = None

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
            if len(self._verdicts) + len(asked) > MOST_JUDGED:
                self._verdicts = {}
            missing = [pair for pair in asked if pair not in self._verdicts]
            if missing or self._prefixes is None:
                missing.sort()
                for start in range(0, len(missing) or 1, AT_ONCE):
                    self._judge(missing[start : start + AT_ONCE])
            return {pair for pair in asked if self._verdicts[pair]}

    def _judge(self, pairs: Sequence[Pair]) -> None:
        if self._prefixes is None:
            self._prefixes = self._read_prefixes()
        program = Program(self._rulebook, _facts(pairs, self._prefixes))
        program.ground()
        found = set()
        errors = []
        for atom in program.only_answer():
            if atom.name == "unmatched":
                found.add((name_of(atom.arguments[0]), name_of(atom.arguments[1])))
            elif str(atom.arguments[1]) == "error":
                kind, _, subject = map(name_of, atom.arguments)
                errors.append(graph_finding_message(kind, subject))
        if errors:
            raise RuleError(f"the rules report an error: {'; '.join(sorted(errors))}")
        for pair in pairs:
            self._verdicts[pair] = pair in found

    def _read_prefixes(self) -> tuple[str, ...]:
        """Return the terms that count at the beginning of a word: they end in a hyphen."""
        program = Program(self._rulebook, ())
        program.ground()
        terms = {name_of(symbol.arguments[2]) for symbol, _ in program.atoms("term", 3)}
        return tuple(sorted(term for term in terms if len(term) > 1 and term.endswith("-")))


def words_of(text: str) -> list[str]:
    """Return the words of a text: letters and digits, and a + or - at the end of a word."""
    return _WORD.findall(text)


def _facts(pairs: Iterable[Pair], prefixes: Sequence[str]) -> Iterator[Symbol]:
    """Yield the pairs, their words, and what is to be known of these.

    Source: asp/vocabulary.lp, guards: input.
    """
    texts: dict[str, Symbol] = {}
    for pair in pairs:
        for text in pair:
            texts.setdefault(text, String(text))
        yield Function("compared", [texts[pair[0]], texts[pair[1]]])
    known: dict[str, Symbol] = {}
    for text, name in texts.items():
        for place, word in enumerate(words_of(text), 1):
            if word not in known:
                known[word] = String(word)
                yield from _about(word, prefixes)
            yield Function("word", [name, Number(place), known[word]])


def _about(word: str, prefixes: Sequence[str]) -> Iterator[Symbol]:
    name = String(word)
    if word.isdecimal():
        yield Function("numeral", [name])
    if parts := _NUMBERED.fullmatch(word):
        yield Function("numbered", [name, String(parts[1]), String(parts[2])])
    for prefix in prefixes:
        stem = prefix[:-1]
        if word.startswith(stem) and len(word) >= len(stem) + _LEAST_STEM:
            yield Function("begins", [name, String(prefix)])
