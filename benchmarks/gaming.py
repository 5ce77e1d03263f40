"""What tricks bring: the table in docs/graphs.md.

Run: python benchmarks/gaming.py

The reference is the critical graph of the shipped case. Each trick is a graph that a model could
write without reasoning; beside them stand an honest answer and half of one.
"""

import json
import random
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from groundtrace.models.reward import Reward, RewardCase  # noqa: E402
from groundtrace.rewards.rewarder import Rewarder  # noqa: E402

Graph = list[list[str]]


def reference() -> Graph:
    """Return the reference of the shipped case."""
    cases = json.loads((ROOT / "data" / "graphs" / "rewards.json").read_text(encoding="utf-8"))
    found: Graph = cases[0]["reference"]
    return found


def graphs() -> dict[str, Graph]:
    """Return the graphs of the table, honest ones first."""
    whole = reference()
    nodes = list(dict.fromkeys(end for one in whole for end in (one[0], one[2])))
    random_ = random.Random(5)
    words = ["renal", "cardiac", "acute", "lesion", "syndrome", "low", "serum", "pain", "mass"]

    def thing() -> str:
        return f"{' '.join(random_.sample(words, 3))} {random_.randrange(1000)}"

    return {
        "honest: everything": whole,
        "honest: half of it": whole[::2],
        "an empty thinking part": [],
        "an echo of the answer": [["the answer", "is", "Addison disease"]],
        "a flood of 5,000 triplets": [[thing(), "suggests", thing()] for _ in range(5000)],
        "the nodes without relations": [[one, "is a node of", "the graph"] for one in nodes],
        "one triplet 1,000 times": [whole[0]] * 1000,
        "a flood, and one right triplet": [
            whole[0],
            *([thing(), "suggests", thing()] for _ in range(5000)),
        ],
    }


def rewards() -> dict[str, Reward]:
    """Return the reward of each graph."""
    given = graphs()
    cases = [
        RewardCase(id=name, generated=[*one], reference=reference()) for name, one in given.items()
    ]
    return {one.id: one for one in Rewarder().score(cases)}


def table(found: dict[str, Reward]) -> str:
    """Return the table in Markdown."""
    lines = [
        "| graph | triplets | nodes | structure | chain | process | precision |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, one in found.items():
        scores = [one.node_coverage, one.structural_correctness, one.chain_completeness]
        shown = [*scores, one.process, one.precision]
        cells = ["–" if value is None else f"{value:.2f}" for value in shown]  # noqa: RUF001
        lines.append(f"| {name} | {one.generated_triplets:,} | {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table(rewards()))
