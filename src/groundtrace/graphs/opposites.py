"""Opposites by form and by meaning: a public lexicon, affixes, and the words left beside them.

Source: WordNet 3.1 (opposites.tsv; licence in opposites.LICENSE), for what it lists; affixes and
further pairs stand in asp/guards.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

ANYWHERE = "anywhere"
ALONE = "alone"
"""How far two words are opposites: wherever they stand, or where all else is the same."""

_SCOPES = {"antonyms": ANYWHERE, "contrasts": ALONE}
_LEAST_STEM = 4
"""Letters of the stem of an affixed word that the lexicon does not know."""

_LIGHT = frozenset(["a", "an", "the", "of", "is", "are", "was", "were", "be", "been", "being"])
_OFTEN_NOT_DENYING = frozenset({"in-", "im-", "ir-", "il-", "a-", "an-", "dis-", "de-"})


class Lexicon(NamedTuple):
    """What the public lexicon says."""

    antonyms: dict[str, dict[str, str]]
    """Word to its opposites, each with how far it is one."""
    formed: dict[tuple[str, str], bool]
    """Word and stem to whether the word denies the stem."""


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """Return the public lexicon."""
    antonyms: dict[str, dict[str, str]] = defaultdict(dict)
    formed = {}
    text = files("groundtrace.graphs").joinpath("opposites.tsv").read_text("utf-8")
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        word, other, kind = line.split("\t")
        if scope := _SCOPES.get(kind):
            antonyms[word][other] = antonyms[other][word] = scope
        else:
            formed[word, other] = kind == "forms"
    return Lexicon(dict(antonyms), formed)


@lru_cache(maxsize=200_000)
def lemmas(word: str) -> tuple[str, ...]:
    """Return a word and the words of which it may be a form: "increases" and "increase"."""
    found = [word]
    for ending, replacements in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) > 2:
            found += [word[: -len(ending)] + one for one in replacements]
    return tuple(dict.fromkeys(found))


_ENDINGS = (
    ("s", ("",)),
    ("es", ("",)),
    ("ies", ("y",)),
    ("ed", ("", "e")),
    ("ing", ("", "e")),
    ("ied", ("y",)),
    ("er", ("", "e")),
    ("est", ("", "e")),
    ("ier", ("y",)),
    ("iest", ("y",)),
    ("ly", ("",)),
)


@lru_cache(maxsize=200_000)
def stem_of(word: str) -> str:
    """Return a word as stems are compared: spellings of one language are equal."""
    return word.replace("ae", "e").replace("oe", "e").replace("our", "or").replace("is", "iz")


def stems_of(word: str) -> tuple[str, ...]:
    """Return the stems of a word that has no affix."""
    return tuple(dict.fromkeys(stem_of(lemma) for lemma in lemmas(word)))


@lru_cache(maxsize=200_000)
def affixed(word: str, affixes: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """Return the affixes with which a word may be formed, each with the stem that is left.

    Args:
        affixes: "un-" stands at the beginning, "-less" at the end.
    """
    return tuple(
        (affix, stem_of(stem))
        for affix in affixes
        if (stem := _without(word, affix)) and _may_be_formed(word, affix, stem)
    )


def _without(word: str, affix: str) -> str | None:
    part = affix.strip("-")
    if affix.endswith("-"):
        return word[len(part) :] if word.startswith(part) else None
    return word[: -len(part)] if word.endswith(part) else None


def _may_be_formed(word: str, affix: str, stem: str) -> bool:
    if len(stem) < 2:
        return False
    verdicts = [
        known
        for one in lemmas(word)
        if (known := lexicon().formed.get((one, _without(one, affix) or ""))) is not None
    ]
    if verdicts:
        return any(verdicts)
    if affix in _OFTEN_NOT_DENYING:
        return len(stem) > _LEAST_STEM
    return len(stem) >= (3 if affix.startswith("-") else _LEAST_STEM)


class Words(NamedTuple):
    """The words of a text, as opposites are sought."""

    all: frozenset[str]
    lemmas: dict[str, str]
    """Lemma to the word."""
    targets: frozenset[str]
    """Opposites of its words."""
    stems: dict[str, str]
    """Stem of a bare word to the word."""
    formed: dict[str, list[tuple[str, str]]]
    """Stem to words with their affixes."""


class Opposition(NamedTuple):
    """A word of one text, and its opposite in another."""

    word: str
    other: str
    scope: str | None
    """How far the lexicon says so; None where the affixes do."""


class Opposites:
    """Finds opposites in pairs of texts."""

    def __init__(self, affixes: frozenset[str], own: dict[str, dict[str, str]]) -> None:
        """Take what the rules add to the lexicon.

        Args:
            affixes: Those that the rules know.
            own: Word to its opposites, each with how far it is one.
        """
        self.affixes = affixes
        self._own = own

    def words(self, words: tuple[str, ...]) -> Words:
        """Return the words of a text as opposites are sought in them."""
        formed: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for word in words:
            for affix, stem in affixed(word, self.affixes):
                formed[stem].append((word, affix))
        targets = {
            other for word in words for lemma in lemmas(word) for other in self._antonyms(lemma)
        }
        return Words(
            frozenset(words),
            {lemma: word for word in words for lemma in lemmas(word)},
            frozenset(targets),
            {stem: word for word in words for stem in stems_of(word)},
            formed,
        )

    def _antonyms(self, lemma: str) -> dict[str, str]:
        known = lexicon().antonyms.get(lemma, {})
        own = self._own.get(lemma)
        return {**known, **own} if own else known

    def between(self, first: Words, second: Words) -> Iterator[Opposition]:
        """Yield the words of a text whose opposite the other text holds, and it does not."""
        for one in self._by_meaning(first, second):
            if one.word not in second.all and one.other not in first.all:
                yield one
        facing = [*_by_form(first, second)]
        facing += [(word, other) for other, word in _by_form(second, first)]
        for word, other in dict.fromkeys(facing):
            if word not in second.all and other not in first.all:
                yield Opposition(word, other, None)

    def _by_meaning(self, first: Words, second: Words) -> Iterator[Opposition]:
        for target in first.targets & second.lemmas.keys():
            for word in first.all:
                for lemma in lemmas(word):
                    if scope := self._antonyms(lemma).get(target):
                        yield Opposition(word, second.lemmas[target], scope)


def _by_form(first: Words, second: Words) -> Iterator[tuple[str, str]]:
    """Yield the affixed words of a text with those of the other that have the same stem."""
    for stem, formed in first.formed.items():
        others = [one for one, _ in second.formed.get(stem, ())]
        if stem in second.stems:
            others.append(second.stems[stem])
        for other in others:
            for word, _ in formed:
                yield word, other


@lru_cache(maxsize=200_000)
def rest_of(words: tuple[str, ...], word: str) -> str:
    """Return what a text says beside a word, in no order, without articles."""
    return " ".join(sorted(lemmas(one)[-1] for one in words if one != word and one not in _LIGHT))
