"""The shape of the code: which way imports point, what docstrings promise, how long things are."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command import ROOT

SOURCE = ROOT / "src" / "groundtrace"
MODULES = sorted(SOURCE.rglob("*.py"))
LONGEST_FILE = 300
LONGEST_FUNCTION = 60

ROOMS = """
errors phrases version vocabulary
models
files
processes
rules
segmentation
auditing
chat
embedding
labelling
graphs
rewards
trainers
evaluation
show
knowledge
workbench
cli
"""
"""What is done where, lower rooms first; a room imports those above it in this list."""


def name_of(module: Path) -> str:
    parts = module.relative_to(SOURCE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def imported(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("groundtrace"):
            yield (node.module or "").removeprefix("groundtrace").removeprefix(".")


def test_every_module_stands_in_a_room() -> None:
    rooms = {name_of(module).partition(".")[0] for module in MODULES}
    assert rooms - {"", "__main__"} == set(ROOMS.split())


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_imports_point_one_way(module: Path) -> None:
    depths = {room: depth for depth, row in enumerate(ROOMS.split("\n")) for room in row.split()}
    own = depths.get(name_of(module).partition(".")[0], len(depths))
    for name in imported(module):
        room = name.partition(".")[0]
        assert depths.get(room, len(depths)) <= own, f"{name_of(module)} imports {name}"


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import groundtrace.errors, groundtrace.vocabulary", {"clingo", "pydantic", "rich"}),
        ("import groundtrace.models.trace, groundtrace.models.audit", {"clingo", "rich"}),
        ("import groundtrace.cli", {"clingo", "pydantic", "graphviz", "graphlay"}),
        ("import groundtrace.show.audit_text", {"graphviz", "graphlay"}),
    ],
)
def test_heavy_parts_are_imported_only_when_used(code: str, absent: set[str]) -> None:
    check = f"{code}\nimport sys\nprint(sorted({absent!r} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True)
    assert result.stdout == "[]\n", result.stderr


Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(module: Path) -> Iterator[Function]:
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, Function):
            yield node


def raised(function: Function) -> set[str]:
    """Return the names of exceptions that a function raises itself."""
    names = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            called = node.exc.func
            if isinstance(called, ast.Name) and called.id[0].isupper():
                names.add(called.id)
    return names


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_docstrings_name_every_exception_raised(module: Path) -> None:
    for function in functions(module):
        docstring = ast.get_docstring(function)
        if docstring is None:
            continue
        promised = docstring.partition("Raises:")[2]
        # An assertion that is impossible to meet is no part of an interface.
        for name in raised(function) - {"AssertionError", "BugError"}:
            assert name in promised, f"{function.name} raises {name}"


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_nothing_grows_too_long(module: Path) -> None:
    assert len(module.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE
    for function in functions(module):
        length = (function.end_lineno or 0) - function.lineno + 1
        documented = len((ast.get_docstring(function) or "").splitlines())
        assert length - documented <= LONGEST_FUNCTION, function.name


def test_the_rules_are_listed_in_their_page() -> None:
    page = (ROOT / "asp" / "README.md").read_text(encoding="utf-8")
    for file in (ROOT / "asp").rglob("*.lp"):
        name = file.relative_to(ROOT / "asp").as_posix()
        if not name.endswith(".test.lp"):
            assert f"`{name}`" in page, name


def test_examples_in_the_rules_page_are_accepted(tmp_path: Path) -> None:
    import groundtrace

    page = (ROOT / "asp" / "README.md").read_text(encoding="utf-8")
    overlay = tmp_path / "own.lp"
    overlay.write_text(page.partition("```prolog\n")[2].partition("```")[0])
    trace = {
        "segments": ["c", {"text": "r", "tags": ["recommendation"]}],
        "relations": [{"premises": [1], "target": 2, "label": "implied"}],
    }
    audit = groundtrace.audit(trace, overlays=[overlay])
    assert audit.segment(2).vetoes == ["a recommendation needs an entailment"]
