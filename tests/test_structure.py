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
LONGEST_FILE = 320
LONGEST_FUNCTION = 60

LAYERS = [
    {"errors", "vocabulary", "normal"},
    {"models.trace", "models.audit"},
    {"models.graph", "models.reward"},
    {"workbench.comments", "workbench.excerpts", "workbench.expected", "workbench.syntax"},
    {"workbench.spelling", "workbench.lexing", "workbench.foreign", "workbench.samples"},
    {"workbench.fault", "workbench.cutting", "workbench.items"},
    {"workbench.words_of_trial", "workbench.words_of_slips", "workbench.words_of_meaning"},
    {"rule_files", "rule_text"},
    {"workbench.anatomy", "workbench.cases", "workbench.dictionary", "workbench.files"},
    {"workbench.recognising"},
    {"workbench.arguments", "workbench.loops", "workbench.reach", "workbench.slips"},
    {"workbench.meaning"},
    {"workbench.reading_rules", "workbench.untrusted"},
    {"overlays", "rulebook", "reading", "writing", "cache", "encode", "decode"},
    {"markup", "layout", "sentences", "segmentation", "children", "cases", "ahead"},
    {"solve", "pool"},
    {"explain", "trees", "wording"},
    {"guards"},
    {"workbench.grounding"},
    {"workbench.case_reading", "workbench.catalogue", "workbench.trying", "workbench.telling"},
    {"workbench.catalogue_text", "workbench.suites", "workbench.faults"},
    {"workbench.suite_text"},
    {"chat.settings", "chat.forms", "chat.prompts", "chat.spoken", "chat.looping"},
    {"chat.access", "chat.client", "chat.replies"},
    {"chat.server", "chat.asking", "chat.texts", "chat.service"},
    {"embedding.settings", "embedding.cache"},
    {"embedding.backends.use", "embedding.backends.sentence_transformers"},
    {"embedding.backends.openai"},
    {"embedding.backends", "embedding.vectors"},
    {"graphs.triplets", "graphs.options", "graphs.conclusion", "graphs.voting", "graphs.facts"},
    {"graphs.critical", "graphs.extraction", "graphs.choosing", "graphs.likeness"},
    {"graphs.bulk"},
    {"rewards.settings", "rewards.answers"},
    {"rewards.tables", "rewards.facts", "rewards.jaccard", "rewards.comparison"},
    {"rewards.details"},
    {"rewards.rewarding", "rewards.judging"},
    {"rewards.bulk", "rewards.preparing"},
    {"composing"},
    {"auditing"},
    {"picture", "picture_formats", "drawing", "rendering", "graph_rendering", "batch"},
    {"workbench.differences"},
    {"labelling.questions", "labelling.candidates"},
    {"labelling.prompt", "labelling.cache", "labelling.votes", "labelling.jury"},
    {"labelling.answers", "labelling.bases"},
    {"labelling.labellers.openai", "labelling.labellers.vllm"},
    {"labelling.labellers.nli", "labelling.labellers.replay"},
    {"labelling.labellers", "labelling.rounds"},
    {"labelling.job", "labelling.work", "labelling.forecast"},
    {"labelling.run"},
    {"knowledge.terms", "knowledge.places"},
    {"knowledge.minting"},
    {"knowledge.node_writing", "knowledge.node_reading"},
    {"knowledge.reports", "knowledge.runs", "knowledge.naming"},
    {"knowledge.drafts"},
    {"knowledge.traces", "knowledge.graph_parts"},
    {"knowledge.audit_writing", "knowledge.audit_reading", "knowledge.graph_writing"},
    {"knowledge.graph_reading"},
    {"knowledge.rewards"},
    {"knowledge.records"},
    {"knowledge.formats"},
    {"knowledge.writer"},
    {"knowledge.exporting", "knowledge.store", "knowledge.judging", "knowledge.questions"},
    {"knowledge.answering"},
    {"knowledge.endpoints"},
    {"knowledge.sources"},
    {"knowledge.asking"},
    {"knowledge.results", "knowledge.tables", "knowledge.checking", "knowledge.hints"},
    {"knowledge.base", "knowledge.askers"},
    {"knowledge.protocol"},
    {"knowledge.serving"},
    {"knowledge.axioms", "knowledge.hermit"},
    {"knowledge.reasoner", "knowledge.ontology_page"},
    {"trainers.scoring"},
    {"trainers.graph_scorer", "trainers.audit_scorer"},
    {"trainers.trl", "trainers.verl"},
    {"cli.options", "cli.progress", "cli.say", "cli.tally", "cli.labelling_options"},
    {"cli.outputs", "cli.spreading", "cli.tables"},
    {"cli.labelling", "cli.server_options", "cli.running"},
    {"cli.audit", "cli.explain", "cli.segment", "cli.label"},
    {"cli.extract", "cli.graph", "cli.reward"},
    {"cli.rules", "cli.rules_check", "cli.rules_diff"},
    {"cli.sourcing"},
    {"cli.export", "cli.query", "cli.check", "cli.serve"},
]
"""Lower layers first; a module imports its own layer and lower ones only."""

PACKAGES = {
    "",
    "__main__",
    "cli",
    "models",
    "labelling",
    "chat",
    "embedding",
    "graphs",
    "rewards",
    "trainers",
    "knowledge",
    "workbench",
}
"""They have no layer of their own."""


def name_of(module: Path) -> str:
    parts = module.relative_to(SOURCE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def layer_of(name: str) -> int | None:
    return next((depth for depth, layer in enumerate(LAYERS) if name in layer), None)


def imported(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("groundtrace."):
            name = (node.module or "").removeprefix("groundtrace.")
            if name in PACKAGES:
                yield from (f"{name}.{alias.name}" for alias in node.names)
            else:
                yield name


def test_every_module_has_a_layer() -> None:
    assert {name_of(module) for module in MODULES} - PACKAGES == set().union(*LAYERS)


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_imports_point_one_way(module: Path) -> None:
    own = layer_of(name_of(module))
    if own is None:
        return
    for name in imported(module):
        depth = layer_of(name)
        assert depth is not None
        assert depth <= own, f"{name_of(module)} imports {name}"


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import groundtrace.errors, groundtrace.vocabulary", {"clingo", "pydantic", "rich"}),
        ("import groundtrace.models.trace, groundtrace.models.audit", {"clingo", "rich"}),
        ("import groundtrace.cli", {"clingo", "pydantic", "graphviz", "graphlay"}),
        ("import groundtrace.rendering", {"graphviz", "graphlay"}),
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
