"""A knowledge base on disk, and export and import as a user runs them."""

import json
import os
import pickle
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pydantic_core import from_json
from pyoxigraph import DefaultGraph, NamedNode, Quad, Store

import groundtrace
from groundtrace.errors import InputError
from groundtrace.files.reading import Record
from groundtrace.graphs.voting import vote
from groundtrace.knowledge import store_writer as writer_module
from groundtrace.knowledge.rdf.export import Exported, Exporting
from groundtrace.knowledge.rdf.record_reading import records_in
from groundtrace.knowledge.rdf.records import (
    AnyRecord,
    draft_of,
    quads_of,
    record_from,
    record_json,
)
from groundtrace.knowledge.store import (
    current_generation,
    opened_for_reading,
    opened_for_writing,
)
from groundtrace.knowledge.store_writer import Writer
from groundtrace.models.graph import GraphCase
from tests.command import DATA, command
from tests.command import groundtrace as run
from tests.record_strategies import Maker
from tests.waiting import PATIENCE, wait_until

TRACE: dict[str, Any] = {
    "id": "a trace",
    "segments": ["context", "finding", "advice"],
    "relations": [
        {"premises": [1], "target": 2, "label": "entailment"},
        {"premises": [2], "target": 3, "label": "implied"},
    ],
}


def case(number: int, answer: str = "old") -> GraphCase:
    triplets = [["fever", "suggests", f"illness {number}"], [f"illness {number}", "is", "rare"]]
    return GraphCase(id=f"case {number}", answer=answer, triplets=[*triplets])


def cases(count: int, answer: str = "old") -> list[AnyRecord]:
    return [case(number, answer) for number in range(count)]


def file_of(path: Path, some: Sequence[AnyRecord]) -> Path:
    path.write_text("".join(f"{record_json(one)}\n" for one in some), encoding="utf-8")
    return path


def quads_in(folder: Path) -> set[Quad]:
    return set(opened_for_reading(current_generation(folder)))


def quads_of_all(some: Sequence[AnyRecord]) -> set[Quad]:
    return {quad for one in some for quad in quads_of(one)}


def exported(record: AnyRecord) -> Exported:
    output = Exporting().done(Record("here", "name", record_json(record).encode())).output
    assert output is not None
    return output


def fill(folder: Path, some: Sequence[AnyRecord]) -> None:
    with opened_for_writing(folder) as writer:
        for one in some:
            writer.put(*exported(one))


def generations(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name.startswith("generation-"))


def content_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


# Adding, changing, replacing.


def test_adding_a_record_twice_changes_nothing(tmp_path: Path) -> None:
    some: list[AnyRecord] = [*cases(3), groundtrace.audit(TRACE)]
    given, folder = file_of(tmp_path / "a.jsonl", some), tmp_path / "kb"
    for _ in range(2):
        result = run("export", given, "--store", folder)
        assert (result.returncode, result.stdout) == (0, "")
        assert "4 records: 1 audit, 3 case" in result.stderr
        assert quads_in(folder) == quads_of_all(some)


def test_a_record_that_changed_leaves_nothing_of_the_old_one(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    fill(folder, [case(1), case(2)])
    changed = case(1, "new")
    changed.triplets = [["cough", "means", "nothing"]]
    changed.rationale = "as said"
    result = run("export", file_of(tmp_path / "b.jsonl", [changed]), "--store", folder)
    assert result.returncode == 0
    assert quads_in(folder) == quads_of_all([changed, case(2)])


def voted(name: str, min_votes: int) -> AnyRecord:
    extractions = [{"model": model, "triplets": [["a", "p", "b"]]} for model in ("x", "y", "z")]
    return vote({"id": name, "extractions": extractions}, min_votes)


def test_runs_that_nobody_refers_to_are_forgotten(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    fill(folder, [voted("one", 1), voted("two", 1)])
    fill(folder, [voted("one", 3)])
    assert quads_in(folder) == quads_of_all([voted("one", 3), voted("two", 1)])
    fill(folder, [voted("two", 3)])
    assert quads_in(folder) == quads_of_all([voted("one", 3), voted("two", 3)])
    runs = {
        quad.subject.value.rpartition("/")[2].partition("-")[0]
        for quad in quads_in(folder)
        if isinstance(quad.subject, NamedNode) and "/run/" in quad.subject.value
    }
    assert runs == {"graph"}


def test_the_last_of_two_records_of_one_iri_wins_in_one_run_too(tmp_path: Path) -> None:
    fill(tmp_path / "kb", [case(1, "first"), case(2), case(1, "last")])
    assert quads_in(tmp_path / "kb") == quads_of_all([case(1, "last"), case(2)])


def audited(name: str, **constants: int) -> AnyRecord:
    return groundtrace.audit({**TRACE, "id": name}, constants=constants)


def test_audits_with_other_rules_stand_side_by_side_until_they_are_replaced(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "kb"
    others = [audited("other"), case(1), record_from(TRACE)]
    before: list[AnyRecord] = [audited("a trace"), audited("a trace", max_depth=7), *others]
    given = file_of(tmp_path / "a.jsonl", before)
    assert run("export", given, "--store", folder).returncode == 0
    assert quads_in(folder) == quads_of_all(before)
    new: list[AnyRecord] = [audited("a trace", max_depth=8), audited("a trace", max_depth=9)]
    given = file_of(tmp_path / "b.jsonl", new)
    assert run("export", given, "--store", folder, "--replace").returncode == 0
    assert quads_in(folder) == quads_of_all([*new, *others])


def test_random_records_replace_each_other(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    kept: dict[str, AnyRecord] = {}
    for generation in range(4):
        batch: list[AnyRecord] = [Maker(1_000 * generation + seed).voted() for seed in range(12)]
        batch += [Maker(1_000 * generation + seed).case() for seed in range(12)]
        fill(folder, batch)
        # As they stand in files, which have fields of the user's own in another order.
        batch = [record_from(from_json(record_json(one))) for one in batch]
        kept |= {draft_of(one).iri.value: one for one in batch}
        assert quads_in(folder) == quads_of_all(list(kept.values()))
        assert len(generations(folder)) <= 2
    assert len(kept) > 20


# What is refused, and what remains then.


def write_user_files(folder: Path) -> None:
    (folder / "generation-1").mkdir(parents=True)
    (folder / "generation-1" / "thesis.txt").write_text("years of work")


def write_files_called_next(folder: Path) -> None:
    (folder / "next").mkdir(parents=True)
    (folder / "next" / "thesis.txt").write_text("years of work")


def write_other_database(folder: Path) -> None:
    store = Store(str(folder))
    store.add(Quad(NamedNode("urn:a"), NamedNode("urn:b"), NamedNode("urn:c"), DefaultGraph()))
    store.flush()


def write_odd_pointer(folder: Path) -> None:
    folder.mkdir()
    (folder / "CURRENT").write_text("../../elsewhere\n")
    (folder / "writer.lock").touch()


@pytest.mark.parametrize(
    "write", [write_user_files, write_files_called_next, write_other_database, write_odd_pointer]
)
def test_a_folder_that_is_no_knowledge_base_is_refused_and_keeps_all(
    write: Callable[[Path], None], tmp_path: Path
) -> None:
    folder = tmp_path / "mine"
    write(folder)
    before = content_of(folder)
    with pytest.raises(InputError, match="is not empty, and holds no knowledge base"):
        fill(folder, [case(1)])
    with pytest.raises(InputError, match="holds no knowledge base"):
        current_generation(folder)
    assert content_of(folder) == before


def test_a_folder_that_is_no_knowledge_base_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    given = DATA / "clinical.json"
    result = run("export", given, "--store", tmp_path)
    assert result.returncode == 2
    assert f"{tmp_path} is not empty, and holds no knowledge base" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    below = run("export", given, "--store", tmp_path / "notes.txt" / "kb")
    assert below.returncode == 2
    assert "cannot be written: Not a directory" in below.stderr
    imported = run("import", "--store", tmp_path)
    assert imported.returncode == 2
    assert "holds no knowledge base; make one with groundtrace export" in imported.stderr


def test_a_bad_record_is_reported_and_the_others_arrive(tmp_path: Path) -> None:
    folder, given = tmp_path / "kb", tmp_path / "a.jsonl"
    lines = [
        record_json(case(1)),
        '{"id": "x", "triplets": "none"}',
        "{broken",
        '{"id": "y", "response": "raw"}',
        '{"id": "z", "answer": "nothing else"}',
        record_json(case(1, "again")),
        record_json(case(2)),
    ]
    given.write_text("".join(f"{line}\n" for line in lines))
    result = run("export", given, tmp_path / "absent.json", "--store", folder)
    assert result.returncode == 2
    for number, words in (
        (2, "triplets: input should be a valid list"),
        (3, "not valid JSON"),
        (4, "a raw response: run groundtrace segment, label or audit first"),
        (5, "found the fields answer, id"),
        (6, "was used before"),
    ):
        (line,) = [one for one in result.stderr.splitlines() if f"a.jsonl:{number}: " in one]
        assert words in line
    assert "absent.json: cannot be read: No such file or directory" in result.stderr
    assert "2 records: 2 case; 6 could not be used" in result.stderr
    assert quads_in(folder) == quads_of_all([case(1), case(2)])


def test_strict_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    folder, given = tmp_path / "kb", tmp_path / "a.jsonl"
    fill(folder, cases(3))
    given.write_text(f'{record_json(case(1, "new"))}\n{{"id": "x"}}\n{record_json(case(4))}\n')
    before = content_of(folder)
    result = run("export", given, "--store", folder, "--strict")
    assert result.returncode == 2
    assert "a.jsonl:2: " in result.stderr
    assert content_of(folder) == before


def test_a_second_writer_is_told_and_changes_nothing(tmp_path: Path) -> None:
    folder, given = tmp_path / "kb", file_of(tmp_path / "a.jsonl", cases(5, "other"))
    fill(folder, cases(3))
    with opened_for_writing(folder) as writer:
        writer.put(*exported(case(1, "new")))
        result = run("export", given, "--store", folder)
        assert result.returncode == 2
        assert f"{folder} is being written by another process" in result.stderr
        with pytest.raises(InputError, match="is being written by another process"):
            fill(folder, cases(5, "other"))
    assert quads_in(folder) == quads_of_all([case(0), case(1, "new"), case(2)])


def test_a_writer_that_fails_lets_go_even_if_its_error_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    fill(folder, cases(3))
    kept: list[tuple[Writer, Exception]] = []
    for _ in range(2):
        with pytest.raises(ZeroDivisionError) as caught, opened_for_writing(folder) as writer:
            writer.put(*exported(case(1, "new")))
            writer.flush()
            raise ZeroDivisionError
        kept.append((writer, caught.value))
        assert quads_in(folder) == quads_of_all(cases(3))
    fill(folder, [case(1, "newer")])
    assert quads_in(folder) == quads_of_all([case(0), case(1, "newer"), case(2)])


def test_many_loads_hold_what_one_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Loads go on beside the making of the next records; a record may be put several times."""
    monkeypatch.setattr(writer_module, "BATCH_BYTES", 1_000)
    folder, count = tmp_path / "kb", 40
    again = [case(number, f"answer {number % 3}") for number in range(0, count, 3)]
    fill(folder, [*cases(count), *again, *again])
    changed = {one.id: one for one in [*cases(count), *again]}
    assert quads_in(folder) == quads_of_all(list(changed.values()))
    fill(folder, [case(1, "newest")])
    changed["case 1"] = case(1, "newest")
    assert quads_in(folder) == quads_of_all(list(changed.values()))


def test_a_load_that_fails_behind_the_scenes_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "BATCH_BYTES", 1)
    folder = tmp_path / "kb"
    fill(folder, cases(2))
    with pytest.raises(SyntaxError), opened_for_writing(folder) as writer:
        broken = exported(case(5))._replace(own_quads=b"<no> quad")
        writer.put(*broken)
        writer.put(*exported(case(6)))
    assert quads_in(folder) == quads_of_all(cases(2))


@pytest.mark.parametrize(
    "options",
    [("--out", "x.trig"), ("--format", "nq")],
)
def test_store_and_file_exclude_each_other(options: tuple[str, str], tmp_path: Path) -> None:
    result = run("export", DATA / "clinical.json", "--store", "kb", *options, cwd=tmp_path)
    assert result.returncode == 2
    assert "--store and --out: expected one of them" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_format_for_one_record_refuses_several_and_writes_nothing(tmp_path: Path) -> None:
    given, out = file_of(tmp_path / "a.jsonl", cases(2)), tmp_path / "a.ttl"
    result = run("export", given, "--out", out)
    assert result.returncode == 2
    assert "Turtle holds one record only, and there are 2" in result.stderr
    assert not out.exists()


# Full disks, kills and interruptions.

MANY = 2_000
SOME = 500


def with_little_space(space: int) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (space, space))


@pytest.mark.parametrize("space", [1_000, 200_000], ids=["copying", "loading"])
def test_a_full_disk_is_told_and_nothing_is_lost(space: int, tmp_path: Path) -> None:
    folder, given = tmp_path / "kb", file_of(tmp_path / "a.jsonl", cases(MANY, "new"))
    fill(folder, cases(3))
    process = subprocess.run(
        command(["export", given, "--store", folder]),
        capture_output=True,
        preexec_fn=partial(with_little_space, space),
        timeout=120,
    )
    words = process.stderr.decode()
    assert process.returncode == 2, words
    assert "Traceback" not in words
    assert f"{folder}: cannot be written: " in words
    assert "[" not in words
    assert quads_in(folder) == quads_of_all(cases(3))
    assert generations(folder) == ["generation-1"]
    fill(folder, [case(1, "new")])
    assert quads_in(folder) == quads_of_all([case(0), case(1, "new"), case(2)])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    fill(folder, cases(3))
    folder.chmod(0o555)
    with pytest.raises(InputError, match="cannot be written: Permission denied"):
        fill(folder, [case(1, "new")])
    folder.chmod(0o755)
    assert quads_in(folder) == quads_of_all(cases(3))


def members(session: int) -> list[int]:
    """Return the processes of a session that still run."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(path.parent.name))
    return found


@contextmanager
def exporting(given: Path, folder: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Start an export in a session of its own; whatever is left of it is killed."""
    process = subprocess.Popen(
        command(["export", given, "--store", folder]),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        for one in members(process.pid):
            os.kill(one, signal.SIGKILL)
        process.wait()
        if process.stderr is not None:
            process.stderr.close()


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")


WRITE = """
import pickle, sys
from pathlib import Path
from groundtrace.knowledge.store import opened_for_writing
outputs = pickle.loads(Path(sys.argv[1]).read_bytes())
print("ready", flush=True)
with opened_for_writing(Path(sys.argv[2])) as writer:
    for one in outputs:
        writer.put(*one)
"""


def test_a_writer_killed_at_any_moment_leaves_whole_records(tmp_path: Path) -> None:
    folder, pickled = tmp_path / "kb", tmp_path / "new.pickle"
    old, new = ([exported(one) for one in cases(SOME, answer)] for answer in ("old", "new"))
    pickled.write_bytes(pickle.dumps([tuple(one) for one in new]))

    def write_old() -> None:
        with opened_for_writing(folder) as writer:
            for one in old:
                writer.put(*one)

    def seconds_until_killed(after: float | None) -> float:
        process = subprocess.Popen(
            [sys.executable, "-c", WRITE, str(pickled), str(folder)], stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        with process.stdout as output:
            assert output.readline() == b"ready\n"
        begun = time.monotonic()
        if after is not None:
            time.sleep(after)
            process.kill()
        process.wait(PATIENCE)
        return time.monotonic() - begun

    def answers() -> dict[str, int]:
        store = opened_for_reading(current_generation(folder))
        assert len(store) == size
        found: Any = store.query(f"{HOW_MANY_SAY} GROUP BY ?answer")
        return {row["answer"].value: int(row["n"].value) for row in found}

    write_old()
    size = len(quads_in(folder))
    whole = seconds_until_killed(None)
    assert answers() == {"new": SOME}
    write_old()
    chance = random.Random(0)
    for _ in range(12):
        seconds_until_killed(chance.uniform(0, whole))
        assert answers() in ({"old": SOME}, {"new": SOME})
        assert len(set(generations(folder)) - {"generation-next"}) <= 3
    fill(folder, [case(1, "last")])
    assert sorted(answers()) in (["last", "old"], ["last", "new"])
    assert set(quads_of(case(1, "last"))) <= quads_in(folder)
    assert len(generations(folder)) <= 2


HOW_MANY_SAY = (
    "PREFIX gt: <https://w3id.org/groundtrace/ontology#> "
    "SELECT ?answer (COUNT(?r) AS ?n) WHERE { GRAPH ?r { ?r gt:answer ?answer } }"
)


@needs_proc
def test_a_killed_export_changes_nothing_and_its_children_end(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    fill(folder, cases(3))
    given = file_of(tmp_path / "new.jsonl", cases(MANY, "new"))
    for seconds in (0.0, 0.5):
        with exporting(given, folder) as process:
            wait_until((folder / "generation-next").exists)
            time.sleep(seconds)
            process.kill()
            process.wait()
            wait_until(lambda: not members(process.pid), "children outlive their parent")
        assert quads_in(folder) == quads_of_all(cases(3))
    with exporting(given, folder) as process:
        assert process.wait(PATIENCE) == 0
    assert quads_in(folder) == quads_of_all(cases(MANY, "new"))
    assert generations(folder) == ["generation-1", "generation-2"]


@needs_proc
def test_ctrl_c_changes_nothing_and_leaves_no_children(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    fill(folder, cases(3))
    given = file_of(tmp_path / "new.jsonl", cases(10 * MANY, "new"))
    with exporting(given, folder) as process:
        wait_until(lambda: len(members(process.pid)) > 1 and (folder / "generation-next").exists())
        time.sleep(0.5)
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        assert process.stderr is not None
        words = process.stderr.read().decode()
        assert "groundtrace: stopped" in words
        assert "Traceback" not in words
        wait_until(lambda: not members(process.pid))
    assert quads_in(folder) == quads_of_all(cases(3))
    assert generations(folder) == ["generation-1"]


# Readers beside a writer.

READ = """
import sys, time
from pathlib import Path
from groundtrace.knowledge.ask.answering import Request
from groundtrace.knowledge.ask.asker import Asker
from groundtrace.knowledge.ask.sources import Source
folder, stop = sys.argv[1:]
query = (
    "SELECT ?answer (COUNT(?r) AS ?n) WHERE { GRAPH ?r { ?r gt:answer ?answer } } GROUP BY ?answer"
)
if __name__ == "__main__":
    with Asker(Source(store=folder)) as asker:
        print("ready", flush=True)
        told = ""
        while told != "answer10=30" and not Path(stop).exists():
            rows = asker.ask(Request(query, trusted=True)).rows
            before, told = told, " ".join(f"{answer.value}={n.value}" for answer, n in rows)
            if told != before:
                print(told, flush=True)
            time.sleep(0.005)
"""


def test_every_answer_is_of_one_generation_while_a_writer_exports(tmp_path: Path) -> None:
    folder, stop = tmp_path / "kb", tmp_path / "stop"
    sizes = {f"answer{number}": 20 + number for number in range(11)}
    some = {answer: cases(size, answer) for answer, size in sizes.items()}
    fill(folder, some["answer0"])
    script = tmp_path / "read.py"
    script.write_text(READ)
    readers = [
        subprocess.Popen(
            [sys.executable, str(script), str(folder), str(stop)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    try:
        for reader in readers:
            assert reader.stdout is not None
            assert reader.stdout.readline() == "ready\n"
        for answer in list(sizes)[1:]:
            fill(folder, some[answer])
            time.sleep(0.1)
        wait_until(lambda: all(reader.poll() is not None for reader in readers))
    finally:
        stop.touch()
        told = [reader.communicate(timeout=PATIENCE) for reader in readers]
    for out, errors in told:
        assert errors == ""
        answers = out.splitlines()
        assert set(answers) <= {f"{answer}={size}" for answer, size in sizes.items()}
        assert answers[-1] == "answer10=30"
        assert len(set(answers)) > 2
        # Nobody goes back in time.
        assert sorted(answers, key=lambda one: int(one.partition("=")[2])) == answers


def test_a_reader_whom_two_exports_overtook_is_told_to_try_again(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    for number in range(6):
        fill(folder, [case(100 * number + one) for one in range(20)])
    store, slow = (opened_for_reading(current_generation(folder)) for _ in range(2))
    fill(folder, [case(1, "new")])
    assert len(list(records_in(store))) == 120
    fill(folder, [case(1, "newer")])
    with pytest.raises(InputError, match="if others write to it, try again"):
        list(records_in(slow))


# Import.


def imported(*arguments: str | Path) -> list[Mapping[str, Any]]:
    result = run("import", *arguments)
    assert result.returncode == 0, result.stderr
    return json_lines(result.stdout)


def json_lines(text: str) -> list[Mapping[str, Any]]:
    # Texts may hold what splitlines() takes for the end of a line.
    return [from_json(line) for line in text.rstrip("\n").split("\n")]


def all_kinds() -> list[AnyRecord]:
    maker = Maker(7)
    makes = (maker.trace, maker.audit, maker.case, maker.voted, maker.critical, maker.reward)
    some: list[AnyRecord] = [make() for make in makes]
    for record in some:
        record.id = f"the {type(record).__name__}\n“{'é' * 3}”"
    return sorted(some, key=lambda one: draft_of(one).iri.value)


def test_import_is_the_inverse_of_export(tmp_path: Path) -> None:
    some = all_kinds()
    given, folder = file_of(tmp_path / "a.jsonl", some), tmp_path / "kb"
    expected = [from_json(record_json(one)) for one in some]
    for ending in ("trig", "nq", "jsonld"):
        out = tmp_path / f"a.{ending}"
        assert run("export", given, "--out", out).returncode == 0
        assert imported(out) == expected
    assert run("export", given, "--store", folder, "--jobs", "2").returncode == 0
    assert imported("--store", folder) == expected
    back = tmp_path / "back.jsonl"
    result = run("import", "--store", folder, "--out", back)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "6 records\n")
    assert json_lines(back.read_text()) == expected
    assert imported(tmp_path / "a.nq", tmp_path / "a.trig") == expected * 2


def test_a_file_is_chosen_from_by_id_and_kind(tmp_path: Path) -> None:
    some = [record_from(TRACE), audited("a trace"), audited("another"), voted("a trace", 1)]
    out = tmp_path / "a.trig"
    assert run("export", file_of(tmp_path / "a.jsonl", some), "--out", out).returncode == 0

    def kinds(*options: str) -> list[tuple[str, bool, bool]]:
        found = imported(out, *options)
        return sorted((one["id"], "relations" in one, "summary" in one) for one in found)

    assert kinds("--id", "another") == [("another", False, True)]
    assert kinds("--kind", "trace") == [("a trace", True, False)]
    assert kinds("--kind", "audit", "--id", "a trace") == [("a trace", False, True)]
    assert kinds("--kind", "evidence-graph") == [("a trace", False, False)]
    none = run("import", out, "--kind", "reward")
    assert (none.returncode, none.stdout, none.stderr) == (0, "", "0 records\n")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.trig", "this is\nno RDF at all", "a.trig: not valid TriG: "),
        ("a.nq", "<urn:a> <urn:b> <urn:c> .\n<urn:a> <urn:b>", "a.nq: not valid N-Quads: line 2"),
        ("a.ttl", "@prefix a: <urn:a> .\n\na:b a:c d .", "a.ttl: not valid Turtle: line 3"),
        ("a.jsonld", '[{"@id": "urn:a",\n', "a.jsonld: not valid JSON-LD: line 2"),
        (
            "a.jsonld",
            '{"@context": "http://localhost:1/context", "@id": "urn:a", "name": 1}',
            "a.jsonld: not valid JSON-LD: ",
        ),
        ("a.txt", "text", "a.txt: expected a file of RDF (.trig, .nq, "),
        ("absent.nq", None, "absent.nq: cannot be read: No such file or directory"),
    ],
)
def test_what_is_no_rdf_is_refused_with_its_line(
    name: str, content: str | None, words: str, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / name).write_text(content)
    out = tmp_path / "out.jsonl"
    result = run("import", name, "--out", out, cwd=tmp_path)
    assert result.returncode == 2
    assert words in result.stderr
    assert not out.exists()


@pytest.mark.parametrize(
    "content",
    ["", "# Nothing.\n", "<urn:a> <urn:b> <urn:c> .", "<urn:a> <urn:b> <urn:c> <urn:g> ."],
)
def test_rdf_without_a_record_has_none(content: str, tmp_path: Path) -> None:
    (tmp_path / "a.nq").write_text(content)
    result = run("import", "a.nq", cwd=tmp_path)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "0 records\n")


def test_a_damaged_record_is_told_with_file_and_subject(tmp_path: Path) -> None:
    out = tmp_path / "a.nq"
    assert run("export", DATA / "clinical.json", "--out", out).returncode == 0
    lines = out.read_text().splitlines()
    kept = [line for line in lines if not ("/relation/1-2> " in line and "#target>" in line)]
    assert len(kept) == len(lines) - 1
    out.write_text("\n".join(kept))
    result = run("import", "a.nq", cwd=tmp_path)
    assert result.returncode == 2
    assert "a.nq: <https://w3id.org/groundtrace/id/trace/clinical-dry-cough-" in result.stderr
    assert "1 missing, such as <https://w3id.org/" in result.stderr
    assert "/relation/1-2> <https://w3id.org/groundtrace/ontology#target>" in result.stderr


@pytest.mark.parametrize("arguments", [(), ("a.nq", "--store", "kb")])
def test_import_takes_files_or_a_store(arguments: tuple[str, ...], tmp_path: Path) -> None:
    result = run("import", *arguments, cwd=tmp_path)
    assert result.returncode == 2
    assert "expected files of RDF, or --store DIR" in result.stderr


def test_a_store_of_random_records_is_read_again_whole(tmp_path: Path) -> None:
    some = {}
    for seed in range(60):
        maker = Maker(seed)
        make: Callable[[], AnyRecord] = (maker.trace, maker.case, maker.reward)[seed % 3]
        record = make()
        some[draft_of(record).iri.value] = record
    fill(tmp_path / "kb", list(some.values()))
    store = opened_for_reading(current_generation(tmp_path / "kb"))
    found = [json.dumps(one.model_dump(), sort_keys=True) for one in records_in(store)]
    assert found == [json.dumps(some[iri].model_dump(), sort_keys=True) for iri in sorted(some)]
