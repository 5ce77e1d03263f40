"""How fast graphs are compared with references, embeddings cached, and critical graphs made.

Beside it, in the same run: the published method as its paper describes it, in numpy, one pair at
a time as its program does it, with the same vectors at hand. Run with

    python benchmarks/rewards.py
"""

import json
import random
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from groundtrace.embedding.backends import make  # noqa: E402
from groundtrace.embedding.settings import EmbeddingSettings  # noqa: E402
from groundtrace.graphs.critical import Reducer  # noqa: E402
from groundtrace.models.graph import GraphCase, Triplet  # noqa: E402
from groundtrace.models.reward import RewardCase  # noqa: E402
from groundtrace.rewards.rewarder import Rewarder  # noqa: E402
from groundtrace.rewards.settings import RewardSettings  # noqa: E402
from groundtrace.rules.rulebook import rulebook_for  # noqa: E402
from groundtrace.rules.solver import Program  # noqa: E402

ROWS = ROOT.parent / "shared" / "data" / "medceg_example.jsonl"
PER_ROW = 64
"""Generated graphs for each reference: a group of a trainer."""

Pair = tuple[list[list[str]], list[list[str]]]


def pairs(per_row: int) -> list[Pair]:
    """Return generated graphs and references: two thirds of each row's triplets, in any order."""
    random_ = random.Random(1)
    found = []
    for line in ROWS.read_text(encoding="utf-8").splitlines():
        graph = json.loads(line)["graph"]
        whole, reference = graph["triplets"], graph["core_reasoning_subgraph"]
        for _ in range(per_row):
            found.append((random_.sample(whole, len(whole) * 2 // 3), reference))
    return found


class Published:
    """The method of the paper, appendix C.3, pair by pair."""

    def __init__(self, texts: Sequence[str]) -> None:
        vectors = make(EmbeddingSettings()).embed(texts)
        self._vectors = dict(zip(texts, vectors, strict=True))

    def score(self, generated: list[list[str]], reference: list[list[str]]) -> list[float]:
        mine = list({part for one in generated for part in one})
        theirs = list({part for one in reference for part in one})
        left = numpy.stack([self._vectors[part] for part in mine])
        right = numpy.stack([self._vectors[part] for part in theirs])
        left = left / numpy.linalg.norm(left, axis=1, keepdims=True)
        right = right / numpy.linalg.norm(right, axis=1, keepdims=True)
        alike = left @ right.T
        predicates = {one[1] for one in reference}
        least = numpy.array([0.6 if part in predicates else 0.7 for part in theirs])
        meant: dict[str, list[str]] = defaultdict(list)
        for row, column in numpy.argwhere(alike >= least):
            meant[theirs[column]].append(mine[row])
        triplets = {tuple(one) for one in generated}
        recalled = [
            one
            for one in {tuple(one) for one in reference}
            if any(
                (s, p, o) in triplets
                for s in meant[one[0]]
                for p in meant[one[1]]
                for o in meant[one[2]]
            )
        ]
        return [
            self._coverage(alike, mine, theirs, generated, reference),
            len(recalled) / len(reference),
            self._chain(recalled) / len(reference),
        ]

    def _coverage(
        self,
        alike: Any,
        mine: list[str],
        theirs: list[str],
        generated: list[list[str]],
        reference: list[list[str]],
    ) -> float:
        nodes = {end for one in generated for end in (one[0], one[2])}
        rows = [mine.index(node) for node in nodes]
        wanted = {end for one in reference for end in (one[0], one[2])}
        best = [float(alike[rows, theirs.index(node)].max()) for node in wanted]
        return sum(best) / len(best)

    def _chain(self, recalled: Sequence[Sequence[str]]) -> int:
        beside: dict[str, set[str]] = defaultdict(set)
        for one in recalled:
            beside[one[0]].add(one[2])
            beside[one[2]].add(one[0])
        longest, seen = 0, set[str]()
        for node in beside:
            if node in seen:
                continue
            piece, waiting = {node}, [node]
            while waiting:
                fresh = beside[waiting.pop()] - piece
                piece |= fresh
                waiting += fresh
            seen |= piece
            longest = max(longest, sum(one[0] in piece for one in recalled))
        return longest


class Clock:
    """Adds up the time spent in some methods."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def around(self, owner: type, name: str) -> None:
        original: Callable[..., Any] = getattr(owner, name)

        def timed(*arguments: Any, **options: Any) -> Any:
            start = time.perf_counter()
            try:
                return original(*arguments, **options)
            finally:
                self.seconds += time.perf_counter() - start

        setattr(owner, name, timed)


def best_of(times: int, work: Callable[[], Any]) -> float:
    """Return the least seconds of several runs."""
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def compare_rewards() -> None:
    given = pairs(PER_ROW)
    texts = sorted({part for one, other in given for each in (*one, *other) for part in each})
    published = Published(texts)
    slow = best_of(3, lambda: [published.score(*pair) for pair in given]) / len(given)
    print(f"{len(given)} pairs; published method, numpy: {1 / slow:,.0f} pairs/s")
    clock = Clock()
    for name in ("__init__", "ground", "only_answer"):
        clock.around(Program, name)
    for name, settings in (
        ("compat medceg", RewardSettings(compat="medceg", details=False)),
        ("guards", RewardSettings(details=False)),
        ("guards, details", RewardSettings()),
    ):
        rewarder = Rewarder(settings)
        cases = [RewardCase(generated=[*one], reference=other) for one, other in given]
        rewarder.score(cases)
        clock.seconds, times = 0.0, 3
        fast = best_of(times, lambda r=rewarder, c=cases: r.score(c)) / len(given)  # type: ignore[misc]
        share = clock.seconds / times / (fast * len(given))
        print(
            f"  {name}: {1 / fast:,.0f} pairs/s, {slow / fast:.1f} times the published method, "
            f"clingo {share:.0%}"
        )


def show_growth() -> None:
    rewarder = Rewarder(RewardSettings(details=False))
    for per_row in (16, 64, 256):
        cases = [RewardCase(generated=[*one], reference=other) for one, other in pairs(per_row)]
        rewarder.score(cases)
        seconds = best_of(2, lambda c=cases: rewarder.score(c))  # type: ignore[misc]
        print(f"  {len(cases):,} pairs: {seconds / len(cases) * 1e6:.0f} µs each")


def show_reduction() -> None:
    random_ = random.Random(2)
    reducer = Reducer(rulebook_for("graph"))
    for nodes, count, name in ((40, 60, ""), (500, 3000, " with cycles"), (500, 3000, " without")):
        triplets: list[Triplet] = []
        while len(triplets) < count:
            start, end = sorted(random_.sample(range(nodes), 2))
            if name == " with cycles" and random_.random() < 0.5:
                start, end = end, start
            triplets.append(Triplet(f"node {start}", f"p{len(triplets)}", f"node {end}"))
        case = GraphCase(triplets=[*triplets], conclusion=triplets[-1].object)
        print(
            f"  {nodes} nodes, {count:,} triplets{name}: "
            f"{best_of(2, lambda c=case: reducer.reduce(c)):.2f} s"  # type: ignore[misc]
        )


if __name__ == "__main__":
    compare_rewards()
    print("growth, with guards:")
    show_growth()
    print("critical graphs:")
    show_reduction()
