"""How long it takes to see what an edit of the rules changes over a thousand cases.

Beside it, in the same run: two whole audits of the same cases, which is what one would do
otherwise. Run with

    python benchmarks/rules.py
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from tests.test_real_proofs import entailmentbank, prontoqa, trace_of  # noqa: E402

CASES = 1_000
EDIT = ("--set", "closest_gap_limit=30")


def spent(*arguments: str) -> float:
    start = time.perf_counter()
    command = [sys.executable, "-m", "groundtrace", *arguments, "--jobs", "2"]
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> None:
    proofs = [*entailmentbank(), *prontoqa()]
    with tempfile.TemporaryDirectory() as folder:
        cases = Path(folder) / "cases.jsonl"
        with cases.open("w", encoding="utf-8") as file:
            for number in range(CASES):
                trace = trace_of(proofs[number % len(proofs)], None)
                for place, relation in enumerate(trace.relations or ()):
                    if (place + number) % 3 == 0:
                        relation.label = "implied"
                trace.id = f"{trace.id}-{number}"
                file.write(f"{trace.model_dump_json()}\n")
        out = str(Path(folder) / "out.jsonl")
        diff = spent("rules", "diff", str(cases), *EDIT, "--format", "jsonl", "--out", out)
        audits = spent("audit", str(cases), "--format", "jsonl", "--out", out)
        audits += spent("audit", str(cases), *EDIT, "--format", "jsonl", "--out", out)
    print(f"{CASES:,} cases: rules diff {diff:.1f} s; two whole audits {audits:.1f} s")
    print(f"ratio: {diff / audits:.2f}")


if __name__ == "__main__":
    main()
