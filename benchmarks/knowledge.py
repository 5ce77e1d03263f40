"""How fast a knowledge base of many cases is made, asked and checked, and how much memory it takes.

Beside it, in the same run and on the same statements: Oxigraph alone, without our processes and
limits, and rdflib on a small part. Run with

    python benchmarks/knowledge.py [CASES]
"""

import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from pyoxigraph import Literal, RdfFormat, Store, serialize  # noqa: E402

from benchmarks.corpus import corpus  # noqa: E402
from groundtrace.knowledge.ask.answering import Request  # noqa: E402
from groundtrace.knowledge.ask.asker import Asker  # noqa: E402
from groundtrace.knowledge.ask.judgement import prepared  # noqa: E402
from groundtrace.knowledge.ask.questions import Question, bound, our_questions  # noqa: E402
from groundtrace.knowledge.ask.sources import Source  # noqa: E402
from groundtrace.knowledge.checking import our_checks, run_checks  # noqa: E402
from groundtrace.knowledge.rdf.records import quads_of, record_json  # noqa: E402
from groundtrace.knowledge.store import current_generation, opened_for_reading  # noqa: E402

CASES = 10_000
REPEATED = 20
SHORT = 5.0
"""Seconds of what is asked twice: the second time counts."""

RDFLIB_CASES = 100
NUMBERED = {"segment": "2"}
"""What is asked of a question's second parameter."""


def seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def told(what: str, value: float, unit: str) -> None:
    print(f"{what:<44} {value:>12,.3f} {unit}", flush=True)


def load(records: Path, folder: Path) -> int:
    """Export the records into a knowledge base, and return how many statements it holds."""
    command = [sys.executable, "-m", "groundtrace", "export", str(records)]
    spent = seconds(
        lambda: subprocess.run(
            [*command, "--store", str(folder), "--jobs", "2"], check=True, capture_output=True
        )
    )
    store = opened_for_reading(current_generation(folder))
    count = len(store)
    told("statements", count, "")
    told("export: read, make RDF, load", count / spent, "statements/s")
    dumped = folder.parent / "all.nq"
    store.dump(str(dumped), RdfFormat.N_QUADS)
    for name, path in (("memory", None), ("disk", str(folder.parent / "bare"))):
        bare = Store(path)
        spent = seconds(lambda bare=bare: bare.bulk_load(path=str(dumped)))  # type: ignore[misc]
        told(f"beside it, Oxigraph loads N-Quads, {name}", count / spent, "statements/s")
        del bare
    return count


def ask_all(folder: Path) -> None:
    """Ask every question of one case and of all, and run every check."""
    with Asker(Source(store=str(folder))) as asker:
        ids = ids_of(asker)
        slowest = max(
            (one_case(asker, question, ids), question.name) for question in our_questions()
        )
        told(f"slowest one-case question, warm ({slowest[1]})", slowest[0] * 1000, "ms")
        for question in our_questions():
            request = Request(question.query, True)
            spent = seconds(lambda r=request: asker.ask(r, 300))  # type: ignore[misc]
            if spent < SHORT:
                spent = seconds(lambda r=request: asker.ask(r, 300))  # type: ignore[misc]
            told(f"of all cases: {question.name}", spent, "s")
        start = time.perf_counter()
        for checked in run_checks(asker, our_checks(), 300):
            now = time.perf_counter()
            told(f"check: {checked.check.name} ({len(checked.violations)})", now - start, "s")
            start = now


def ids_of(asker: Asker) -> list[str]:
    found = []
    for kind in ("gt:Audit", "gt:CriticalGraph"):
        query = f"SELECT ?id {{ ?x a {kind} ; dcterms:identifier ?id }} LIMIT 5"
        found += [str(row[0].value) for row in asker.ask(Request(query)).rows]
    return found


def one_case(asker: Asker, question: Question, ids: list[str]) -> float:
    """Return the slowest of the median times of a question about one case."""
    names = {parameter.name for parameter in question.parameters}
    if "id" not in names:
        return 0.0
    slowest = 0.0
    for id_ in ids:
        values = {"id": id_, **{name: NUMBERED[name] for name in names & NUMBERED.keys()}}
        request = Request(bound(question, values), True)
        times = sorted(seconds(lambda r=request: asker.ask(r)) for _ in range(REPEATED))  # type: ignore[misc]
        slowest = max(slowest, times[len(times) // 2])
    return slowest


def beside(folder: Path) -> None:
    """Time Oxigraph without our process around it, and rdflib on a small part."""
    import rdflib

    store: Any = opened_for_reading(current_generation(folder))
    (name,) = (q for q in our_questions() if q.name == "orphans-leaned-on")
    id_ = next(iter(store.query(prepared("SELECT ?id { ?x a gt:Audit ; dcterms:identifier ?id }"))))
    text = prepared(bound(name, {"id": id_[0].value if isinstance(id_[0], Literal) else ""}))
    list(store.query(text))
    told("beside it, that in this process", seconds(lambda: list(store.query(text))) * 1000, "ms")
    quads = [quad for record in corpus(RDFLIB_CASES) for quad in quads_of(record)]
    content = serialize(quads, format=RdfFormat.N_QUADS)
    dataset = rdflib.Dataset()
    spent = seconds(lambda: dataset.parse(data=content, format="nquads"))
    told("beside it, rdflib loads N-Quads", len(quads) / spent, "statements/s")


def main() -> None:
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else CASES
    folder = Path(tempfile.mkdtemp(prefix="groundtrace-benchmark-"))
    try:
        records = folder / "corpus.jsonl"
        with records.open("w", encoding="utf-8") as file:
            file.writelines(f"{record_json(record)}\n" for record in corpus(cases))
        told("cases", cases, "")
        load(records, folder / "kb")
        ask_all(folder / "kb")
        beside(folder / "kb")
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        told("most memory of a child process", most, "MiB")
        size = sum(path.stat().st_size for path in (folder / "kb").rglob("*") if path.is_file())
        told("on disk", size / 1024**2, "MiB")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
