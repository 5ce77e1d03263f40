"""The documented words, the rule files and the Python side agree."""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from clingo.ast import AST, ASTType, Transformer, parse_files

import groundtrace
from groundtrace.rules.program_files import rules_directory
from groundtrace.vocabulary import (
    EXTENSION_POINTS,
    INPUT_PREDICATES,
    PROGRAMS,
    SHOWN_PREDICATES,
    Program,
)

Signature = tuple[str, int]

ASP = rules_directory()
ALL_FILES = sorted(ASP.rglob("*.lp"))
RULE_FILES = [path for path in ALL_FILES if not path.name.endswith(".test.lp")]
STAGES = {program: sorted((ASP / program).glob("*.lp")) for program in PROGRAMS}
STAGE_FILES = [path for stages in STAGES.values() for path in stages]
SIDE_FILES = sorted(
    {ASP / "encoding.lp", *(ASP / "explain").glob("*.lp"), *(ASP / "labelling").glob("*.lp")}
)
VOCABULARY = ASP / "vocabulary.lp"

LINE_LENGTH = 100
FILE_LENGTH = 120
LONGER_FILES = {
    VOCABULARY: None,
    ASP / "audit" / "3_patterns.lp": 200,
    ASP / "guards" / "1_terms.lp": 200,
}
TITLES: dict[str, Program] = {
    "audits": "audit",
    "graphs": "graph",
    "rewards": "reward",
    "guards": "guards",
}

# Comments are text, not syntax: only these are read with regular expressions.
_SECTION = re.compile(r"% -{3,} (?P<title>.+)")
_DOCUMENTED = re.compile(r"% (?P<name>[a-z]\w*)\((?P<arguments>[^()]*)\): \S")
_NAMED = re.compile(r"(?<![\w/])(?P<name>_?[a-z]\w*)/(?P<arity>\d+)")
_HEADER_LINE = re.compile(r"% (?P<key>[A-Z][a-z]+):\s+(?P<text>\S.*)")


def relative(path: Path) -> str:
    return path.relative_to(ASP).as_posix()


def program_of(stage: Path) -> Program:
    return next(program for program, stages in STAGES.items() if stage in stages)


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


# --- what the rules say


@cache
def statements(path: Path) -> tuple[AST, ...]:
    """Return the statements of one file, without those of the files that it includes."""
    found: list[AST] = []
    parse_files([str(path)], found.append)
    return tuple(node for node in found if Path(node.location.begin.filename) == path)


class _Atoms(Transformer):
    """Collects the signature of every atom below a node."""

    def __init__(self) -> None:
        self.found: set[Signature] = set()

    def visit_SymbolicAtom(self, atom: AST) -> AST:  # noqa: N802
        symbols = [atom.symbol]
        while symbols:
            symbol = symbols.pop()
            if symbol.ast_type is ASTType.Pool:
                symbols += symbol.arguments
            elif symbol.ast_type is ASTType.UnaryOperation:
                symbols.append(symbol.argument)
            else:
                self.found.add((symbol.name, len(symbol.arguments)))
        return atom


def atoms_in(nodes: Iterable[AST]) -> set[Signature]:
    collector = _Atoms()
    for node in nodes:
        collector.visit(node)
    return collector.found


def heads(rule: AST) -> Iterator[AST]:
    """Yield what a rule derives: its head without the conditions in it."""
    head = rule.head
    if head.ast_type in (ASTType.Aggregate, ASTType.Disjunction):
        yield from (element.literal for element in head.elements)
    elif head.ast_type is ASTType.HeadAggregate:
        yield from (element.condition.literal for element in head.elements)
    else:
        yield head


def derived(path: Path) -> set[Signature]:
    rules = [node for node in statements(path) if node.ast_type is ASTType.Rule]
    return atoms_in(head for rule in rules for head in heads(rule))


def used(path: Path) -> set[Signature]:
    """Return every signature in heads, bodies and conditions of a file."""
    return atoms_in(statements(path))


def declared(path: Path, kind: ASTType) -> list[Signature]:
    """Return the signatures of the #defined or #show lines of a file."""
    return [(node.name, node.arity) for node in statements(path) if node.ast_type is kind]


def public(signatures: Iterable[Signature]) -> set[Signature]:
    return {signature for signature in signatures if not signature[0].startswith("_")}


def private(signatures: Iterable[Signature]) -> set[Signature]:
    return set(signatures) - public(signatures)


def everywhere() -> set[Signature]:
    return {signature for path in RULE_FILES for signature in used(path)}


# --- what the comments say


@cache
def sections() -> dict[str, list[Signature]]:
    """Return the predicates documented in vocabulary.lp, by the title of their section."""
    found: dict[str, list[Signature]] = {}
    title = ""
    for line in lines_of(VOCABULARY):
        if section := _SECTION.fullmatch(line):
            title = section["title"]
        elif entry := _DOCUMENTED.match(line):
            arity = len(entry["arguments"].split(","))
            found.setdefault(title, []).append((entry["name"], arity))
    return found


def documented() -> list[Signature]:
    return [signature for section in sections().values() for signature in section]


def header(path: Path) -> dict[str, str]:
    """Return the lines '% Key: text' at the top of a file, with what continues them."""
    found: dict[str, str] = {}
    key = ""
    for line in lines_of(path):
        if match := _HEADER_LINE.fullmatch(line):
            key = match["key"]
            found[key] = match["text"]
        elif key and line.startswith("%  "):
            found[key] += " " + line.removeprefix("%").strip()
        elif not line.startswith("%#"):
            break
    return found


def named(text: str) -> list[Signature]:
    return [(match["name"], int(match["arity"])) for match in _NAMED.finditer(text)]


# --- the vocabulary


def test_documented_once_each() -> None:
    assert documented()
    assert len(documented()) == len(set(documented()))
    assert len({name for name, _ in documented()}) == len(documented()), "one arity per name"


def test_documented_equals_defined() -> None:
    assert sorted(documented()) == sorted(declared(VOCABULARY, ASTType.Defined))


def test_sections() -> None:
    parts = ("input", "extension points", "derived")
    titles = [f"{subject}: {part}" for subject in (*TITLES, "everywhere") for part in parts]
    missing = {"rewards: extension points", "everywhere: input"}
    assert list(sections()) == [title for title in titles if title not in missing]


def test_vocabulary_has_no_rules() -> None:
    kinds = {node.ast_type for node in statements(VOCABULARY)}
    assert kinds <= {ASTType.Program, ASTType.Comment, ASTType.Defined}


def test_input_predicates() -> None:
    for title, program in TITLES.items():
        assert sections()[f"{title}: input"] == list(INPUT_PREDICATES[program].items())


def test_extension_points() -> None:
    """What is marked as one in the vocabulary is what users' rules may derive."""
    common = [*sections()["everywhere: extension points"], ("finding", 3)]
    for title, program in TITLES.items():
        own = sections().get(f"{title}: extension points", [])
        marked = [*marked_input(title), *own, *common] if own else []
        assert sorted(EXTENSION_POINTS[program].items()) == sorted(marked)


def marked_input(title: str) -> list[Signature]:
    """Return the input that users may add to."""
    lines = [line for line in lines_of(VOCABULARY) if "EXTENSION POINT" in line]
    entries = [match for line in lines if (match := _DOCUMENTED.match(line))]
    names = {entry["name"] for entry in entries}
    return [one for one in sections()[f"{title}: input"] if one[0] in names]


def of_kind(part: str) -> list[Signature]:
    """Return the predicates in all sections of one kind."""
    return [
        one for title, found in sections().items() if title.endswith(f": {part}") for one in found
    ]


@pytest.mark.parametrize("path", RULE_FILES, ids=relative)
def test_public_predicates_are_documented(path: Path) -> None:
    assert public(used(path)) - set(documented()) == set()


def test_documented_predicates_are_used() -> None:
    given = {*of_kind("input"), *of_kind("extension points")}
    assert set(documented()) - everywhere() - given == set()


def test_derived_predicates_are_derived() -> None:
    assert set(of_kind("derived")) - {one for path in RULE_FILES for one in derived(path)} == set()


def test_private_predicates_have_one_arity() -> None:
    names = [name for name, _ in private(everywhere())]
    assert len(names) == len(set(names))


# --- private predicates stay with the rules


def test_python_spells_no_private_predicate_of_the_stages() -> None:
    """The files beside the stages name in their headers what Python gives and reads."""
    names = {name for name, _ in private(everywhere())}
    headers = [str(header(path)) for path in SIDE_FILES]
    offered = {name for text in headers for name in re.findall(r"\b_\w+", text)}
    spelled = {
        (path.name, node.value)
        for path in sorted(Path(groundtrace.__file__).parent.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in names
    }
    assert {(file, name) for file, name in spelled if name not in offered} == set()


def test_private_predicates_are_not_shown() -> None:
    shown = {one for predicates in SHOWN_PREDICATES.values() for one in predicates.items()}
    assert private(shown) == set()


def test_cases_use_no_private_predicate_of_the_rules() -> None:
    cases = [path for path in ALL_FILES if path not in RULE_FILES]
    spelled = {(relative(path), one) for path in cases for one in private(used(path))}
    assert {(file, one) for file, one in spelled if one in everywhere()} == set()


# --- what the program reads back


def test_shown_predicates() -> None:
    """A predicate is shown by its name, or by a term that spells it and a condition."""
    path = ASP / "show.lp"
    terms = [one.term for one in statements(path) if one.ast_type is ASTType.ShowTerm]
    shown = declared(path, ASTType.ShowSignature)
    shown += [(term.name, len(term.arguments)) for term in terms]
    assert len(shown) == len(set(shown))
    assert dict(shown) == {k: v for one in SHOWN_PREDICATES.values() for k, v in one.items()}
    assert set(shown) <= set(documented())


@pytest.mark.parametrize("path", RULE_FILES, ids=relative)
def test_only_show_shows(path: Path) -> None:
    shows = {ASTType.ShowSignature, ASTType.ShowTerm}
    assert path.name == "show.lp" or not {node.ast_type for node in statements(path)} & shows


# --- constants


def test_constants_have_unit_range_and_source() -> None:
    lines = lines_of(ASP / "constants.lp")
    constants = [
        one for one in statements(ASP / "constants.lp") if one.ast_type is ASTType.Definition
    ]
    assert constants
    wanted = re.compile(r"% unit: \S.*?   range: \S.*?   source: \S.*")
    above = {one.name: lines[one.location.begin.line - 2] for one in constants}
    assert {name: line for name, line in above.items() if not wanted.fullmatch(line)} == {}


@pytest.mark.parametrize("path", RULE_FILES, ids=relative)
def test_only_constants_defines_constants(path: Path) -> None:
    kinds = {node.ast_type for node in statements(path)}
    allowed = path.name == "constants.lp" or path.parent.name == "examples"
    assert allowed or ASTType.Definition not in kinds


# --- the form of the files


@pytest.mark.parametrize("path", RULE_FILES, ids=relative)
def test_header(path: Path) -> None:
    assert re.match(r"%# \S", lines_of(path)[0])
    assert "Purpose" in header(path)


@pytest.mark.parametrize("path", [*STAGE_FILES, *SIDE_FILES], ids=relative)
def test_stage_header(path: Path) -> None:
    assert [key for key in ("Reads", "Derives", "Source") if key not in header(path)] == []


@pytest.mark.parametrize("path", STAGE_FILES, ids=relative)
def test_stage_derives_what_its_header_says(path: Path) -> None:
    said = named(header(path)["Derives"])
    assert sorted(said) == sorted(public(derived(path)))


@pytest.mark.parametrize("path", STAGE_FILES, ids=relative)
def test_stage_reads_only_words_and_lower_stages(path: Path) -> None:
    stages = STAGES[program_of(path)]
    lower = stages[: stages.index(path)]
    known = {*documented(), *(one for stage in lower for one in derived(stage))}
    assert set(named(header(path)["Reads"])) - known == set()


@pytest.mark.parametrize("path", STAGE_FILES, ids=relative)
def test_stage_uses_only_lower_stages(path: Path) -> None:
    """What a higher stage derives may be read only if users may derive it as well."""
    stages = STAGES[program_of(path)]
    higher = stages[stages.index(path) + 1 :]
    later = {one for stage in higher for one in derived(stage)}
    given = {*of_kind("input"), *of_kind("extension points")}
    assert (used(path) & later) - derived(path) - given == set()


@pytest.mark.parametrize("path", ALL_FILES, ids=relative)
def test_line_length(path: Path) -> None:
    lengths = {number: len(line) for number, line in enumerate(lines_of(path), 1)}
    assert {number: length for number, length in lengths.items() if length > LINE_LENGTH} == {}


@pytest.mark.parametrize("path", RULE_FILES, ids=relative)
def test_file_length(path: Path) -> None:
    limit = LONGER_FILES.get(path, FILE_LENGTH)
    assert limit is None or len([line for line in lines_of(path) if line.strip()]) <= limit
