"""Pairs of texts as facts for the guard rules: their words, quantities, codes and opposites.

Source: asp/vocabulary.lp, guards: input.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from clingo import Function, Number, String, Symbol

from groundtrace.graphs.codes import codes_of
from groundtrace.graphs.opposites import Opposites, Words, affixed, rest_of, stems_of
from groundtrace.graphs.quantities import reading
from groundtrace.rules.rulebook import Rulebook
from groundtrace.rules.solver import Program

Pair = tuple[str, str]

_WORD = re.compile(r"[^\W_]+|(?<=\w)[+-](?!\w)")
_NOT = re.compile("n['\u2019]t\\b")
_JOINED = re.compile(r"\b(non|anti)-(?=[a-z]{4})")
_DOTTED = re.compile(r"(?<![\w.])[a-z](?:\.[a-z])+(?![\w>])")
"""Abbreviations as in "p.o."."""
_NUMBERED = re.compile(r"([^\W\d_]+)(\d+)\w*")
_LEAST_STEM = 2
"""Letters that must follow a prefix."""


def words_of(text: str) -> list[str]:
    """Return the words of a text: letters and digits, and a + or - at the end of a word."""
    text = _DOTTED.sub(lambda found: found[0].replace(".", ""), text)
    return _WORD.findall(_JOINED.sub(r"\1", _NOT.sub(" not", text)))


@dataclass(frozen=True)
class Tables:
    """What the rules know of words, so that only what they ask for is looked for."""

    prefixes: tuple[str, ...]
    """Terms that count at the beginning of a word: they end in a hyphen."""
    counted: frozenset[str]
    """Nouns whose number or letter tells kinds apart."""
    opposites: Opposites
    converses: Mapping[str, tuple[str, ...]]
    """Predicates that run backwards, to those that say the same with the ends exchanged."""


def tables_of(rulebook: Rulebook) -> Tables:
    """Return the tables in some rules.

    Args:
        rulebook: Of the program "guards".

    Raises:
        RuleError: an overlay is faulty.
    """
    program = Program(rulebook, ())
    program.ground()

    def column(name: str, arity: int, place: int) -> set[str]:
        return {text_of(symbol.arguments[place]) for symbol, _ in program.atoms(name, arity)}

    prefixes = {one for one in column("term", 3, 2) if len(one) > 1 and one.endswith("-")}
    affixes = column("negating", 1, 0) | column("opposing", 2, 0) | column("opposing", 2, 1)
    own: dict[str, dict[str, str]] = defaultdict(dict)
    for symbol, _ in program.atoms("antonym", 3):
        word, other, scope = map(text_of, symbol.arguments)
        own[word][other] = own[other][word] = scope
    converses: dict[str, tuple[str, ...]] = defaultdict(tuple)
    for predicate, other in sorted(
        (text_of(symbol.arguments[0]), text_of(symbol.arguments[1]))
        for symbol, _ in program.atoms("turnable", 2)
    ):
        converses[predicate] += (other,)
    return Tables(
        tuple(sorted(prefixes)),
        frozenset(column("counted", 1, 0)),
        Opposites(frozenset(one for one in affixes if len(one.strip("-")) > 0), dict(own)),
        dict(converses),
    )


def text_of(symbol: Symbol) -> str:
    """Return a text, or what stands where one was expected."""
    return symbol.string if symbol.type.name == "String" else str(symbol)


class Encoder:
    """Makes the facts of one program."""

    def __init__(self, tables: Tables) -> None:
        """Take the tables of the rules."""
        self._tables = tables
        self._symbols: dict[str, Symbol] = {}
        self._known: set[str] = set()
        self._words: dict[str, Words] = {}
        self._listed: dict[str, tuple[str, ...]] = {}

    def facts(self, pairs: Sequence[Pair]) -> Iterator[Symbol]:
        """Yield the pairs, and what is to be known of their texts.

        Args:
            pairs: Texts in compared form.
        """
        for text in dict.fromkeys(text for pair in pairs for text in pair):
            yield from self._text(text)
        told: set[Symbol] = set()
        for first, second in pairs:
            one, other = self._symbol(first), self._symbol(second)
            yield Function("compared", [one, other])
            for fact in self._opposites(first, second):
                if fact not in told:
                    told.add(fact)
                    yield fact

    def _symbol(self, text: str) -> Symbol:
        symbol = self._symbols.get(text)
        if symbol is None:
            symbol = self._symbols[text] = String(text)
        return symbol

    def _text(self, text: str) -> Iterator[Symbol]:
        name = self._symbol(text)
        counted = self._tables.counted
        read = reading(text, counted)
        for quantity in read.quantities:
            yield Function("quantity", [name, *map(self._symbol, quantity)])
        for code in codes_of(text, counted):
            yield Function("code", [name, *map(self._symbol, code)])
        words = self._listed[text] = tuple(words_of(read.rest))
        self._words[text] = self._tables.opposites.words(words)
        for place, word in enumerate(words, 1):
            if word not in self._known:
                self._known.add(word)
                yield from self._word(word)
            yield Function("word", [name, Number(place), self._symbol(word)])

    def _word(self, word: str) -> Iterator[Symbol]:
        name = self._symbol(word)
        if word.isdecimal():
            yield Function("numeral", [name])
        if parts := _NUMBERED.fullmatch(word):
            yield Function("numbered", [name, String(parts[1]), String(parts[2])])
        for prefix in self._tables.prefixes:
            stem = prefix[:-1]
            if word.startswith(stem) and len(word) >= len(stem) + _LEAST_STEM:
                yield Function("begins", [name, self._symbol(prefix)])

    def _opposites(self, first: str, second: str) -> Iterable[Symbol]:
        """Yield the words of a pair that may be opposites, and what relates them."""
        opposites = self._tables.opposites
        for word, other, scope in opposites.between(self._words[first], self._words[second]):
            names = self._symbol(word), self._symbol(other)
            yield Function("facing", [self._symbol(first), self._symbol(second), *names])
            if scope is None:
                yield from self._forms(word)
                yield from self._forms(other)
                continue
            yield Function("lexicon", [*names, Function(scope)])
            for text, one, name in zip((first, second), (word, other), names, strict=True):
                rest = self._symbol(rest_of(self._listed[text], one))
                yield Function("rest", [self._symbol(text), name, rest])

    def _forms(self, word: str) -> Iterator[Symbol]:
        name = self._symbol(word)
        for stem in stems_of(word):
            yield Function("stem", [name, self._symbol(stem)])
        for affix, stem in affixed(word, self._tables.opposites.affixes):
            yield Function("affixed", [name, self._symbol(affix), self._symbol(stem)])
