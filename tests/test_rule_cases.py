"""The rules against cases that an expert can read and write: asp/tests/*/*.test.lp,
in a folder named after the rules that they try.

A file holds a title, a purpose and several cases. A case is a heading, facts and perhaps rules
of a user, and comments that say what is expected of the one answer set:

    %# case: what it shows
    % set: closest_gap_limit=4        constants, separated by spaces
    % all:  support(1,2) depth(2,1)   every one must hold
    % any:  drop(3,_) drop(4,_)       at least one must hold; _ stands for anything
    % none: unstable(2)               none may hold
"""

import difflib
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import get_args

import clingo
import pytest
from clingo import Function, Model, Symbol, SymbolType
from clingo.ast import AST, ASTType, parse_files

from groundtrace.errors import InputError
from groundtrace.rulebook import rulebook_for, rules_directory
from groundtrace.vocabulary import Program

CASES = rules_directory() / "tests"
FILES = sorted(CASES.rglob("*.test.lp"))

PROGRAMS: tuple[Program, ...] = get_args(Program)
HEADING = "%# case:"
EXPECTATIONS = ("all", "any", "none")
ANYTHING = Function("anything_at_all")
SHOWN_CLOSEST = 6

_REMARK = re.compile(r"%\s*(?P<key>[A-Za-z]+):(?P<text>.*)")
_ASTRAY = re.compile(r"%\s*(all|any|none|set):")
_WILDCARD = re.compile(r'("(?:\\.|[^"\\])*")|(?<=[(,])\s*_\s*(?=[,)])')
_PIECE = re.compile(r'"(?:\\.|[^"\\])*"|\s+|.', re.DOTALL)


@dataclass(frozen=True)
class Expectation:
    """One comment of a case: its kind and the atoms that it names, ANYTHING in them."""

    kind: str
    atoms: tuple[Symbol, ...]


@dataclass
class Case:
    """One case of a file; the program keeps the file's line numbers."""

    file: str
    title: str
    program: str
    settings: dict[str, str] = field(default_factory=dict)
    expectations: list[Expectation] = field(default_factory=list)

    @property
    def rules(self) -> Program:
        """Which rules it tries: those that its folder is named after."""
        return next((one for one in PROGRAMS if one == Path(self.file).parent.name), "audit")

    def __str__(self) -> str:
        return f"{self.file}::{self.title}"


class CaseError(AssertionError):
    """A case that cannot be read or does not hold; names the case, then one problem per line."""

    def __init__(self, case: object, problems: Sequence[str]) -> None:
        super().__init__("\n".join([str(case), *(f"  {problem}" for problem in problems)]))


# --- reading


def read_cases(file: str, text: str) -> list[Case]:
    header, *parts = re.split(rf"^(?={re.escape(HEADING)})", text, flags=re.MULTILINE)
    if not re.match(r"%# \S.*\n% Purpose: \S", header):
        raise CaseError(file, ["must start with a line '%# Title' and a line '% Purpose: ...'"])
    if astray := [line for line in header.splitlines() if line and not line.startswith("%")]:
        raise CaseError(file, [f"stands before the first case: {line}" for line in astray])
    cases, before = [], header.count("\n")
    for part in parts:
        cases.append(_read_case(file, part, before))
        before += part.count("\n")
    twice = [title for title, count in Counter(case.title for case in cases).items() if count > 1]
    if twice:
        raise CaseError(file, [f"title used more than once: {title}" for title in twice])
    return cases


def _read_case(file: str, part: str, before: int) -> Case:
    heading, *lines = part.splitlines()
    case = Case(file, heading.removeprefix(HEADING).strip(), "\n" * before + part)
    for line in lines:
        remark = _REMARK.fullmatch(line.strip())
        if remark is None:
            if _ASTRAY.search(line):
                raise CaseError(case, [f"must stand on a line of its own: {line}"])
            continue
        words = split_words(remark["text"])
        if remark["key"] == "set":
            case.settings |= dict(_setting(case, word) for word in words)
        elif remark["key"] in EXPECTATIONS:
            atoms = tuple(_read_atom(case, word) for word in words)
            case.expectations.append(Expectation(remark["key"], atoms))
        else:
            known = ", ".join(EXPECTATIONS)
            raise CaseError(case, [f"'{remark['key']}:' is none of {known}, set"])
        if not words:
            raise CaseError(case, [f"nothing follows '{remark['key']}:'"])
    return case


def split_words(text: str) -> list[str]:
    """Split at the spaces that stand outside brackets and quotes."""
    words, depth = [""], 0
    for piece in _PIECE.findall(text):
        depth += (piece == "(") - (piece == ")")
        if piece.isspace() and depth == 0:
            words.append("")
        else:
            words[-1] += piece
    return [word for word in words if word]


def _setting(case: Case, word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not (name and equals and value):
        raise CaseError(case, [f"'set:' needs name=value, not {word}"])
    return name, value


def _read_atom(case: Case, word: str) -> Symbol:
    messages: list[str] = []
    text = _WILDCARD.sub(lambda match: match[1] or ANYTHING.name, word)
    try:
        atom = clingo.parse_term(text, lambda _, message: messages.append(message))
    except RuntimeError as error:
        raise CaseError(case, [f"not an atom: {word}", str(error)]) from None
    if messages or atom.type is not SymbolType.Function or not atom.name:
        raise CaseError(case, [f"not an atom: {word}", *messages])
    signature = (atom.name, len(atom.arguments))
    if signature not in public_predicates():
        raise CaseError(case, [f"{signature[0]}/{signature[1]} is not in vocabulary.lp: {word}"])
    return atom


@cache
def public_predicates() -> frozenset[tuple[str, int]]:
    found: list[AST] = []
    parse_files([str(rules_directory() / "vocabulary.lp")], found.append)
    defined = [node for node in found if node.ast_type is ASTType.Defined]
    return frozenset((node.name, node.arity) for node in defined)


# --- solving and judging


def solve(case: Case) -> list[tuple[Symbol, ...]]:
    """Return all atoms, hidden ones too, of at most two answer sets."""
    messages: list[str] = []
    answers: list[tuple[Symbol, ...]] = []

    def note(_: clingo.MessageCode, message: str) -> None:
        messages.append(message.strip().replace("<block>", case.file))

    def keep(model: Model) -> None:
        answers.append(tuple(model.symbols(atoms=True)))

    try:
        settings = rulebook_for(case.rules, settings=case.settings).settings
    except InputError as error:
        raise CaseError(case, [str(error)]) from None
    constants = [f"--const={name}={value}" for name, value in settings.items()]
    control = clingo.Control(["--models=2", *constants], logger=note)
    try:
        control.load(str(rules_directory() / f"{case.rules}.lp"))
        control.add("base", [], case.program)
        control.ground([("base", [])])
        control.solve(on_model=keep)
    except RuntimeError as error:
        messages = messages or [str(error)]
    if messages:
        raise CaseError(case, messages)
    return answers


def assert_holds(case: Case) -> None:
    """Raise CaseError unless clingo has no complaint, one answer set, and all as expected."""
    answers = solve(case)
    if len(answers) != 1:
        count = "no answer set" if not answers else "more than one answer set"
        raise CaseError(case, [f"{count}, where exactly one is expected"])
    atoms = sorted(answers[0])
    if problems := [*_slips(case, atoms), *_unmet(case, atoms)]:
        raise CaseError(case, problems)


def _slips(case: Case, atoms: Collection[Symbol]) -> Iterator[str]:
    """Yield public predicates that no rule of ours knows: a misspelt fact would do nothing."""
    for name, arity in sorted({(atom.name, len(atom.arguments)) for atom in atoms}):
        if not name.startswith("_") and (name, arity) not in public_predicates():
            yield (
                f"{name}/{arity} is not in vocabulary.lp; "
                f"if it is the case's own helper, call it _{name}"
            )


def _unmet(case: Case, atoms: Collection[Symbol]) -> Iterator[str]:
    for expectation in case.expectations:
        hits = {wanted: [one for one in atoms if fits(wanted, one)] for wanted in expectation.atoms}
        missing = [wanted for wanted, found in hits.items() if not found]
        if expectation.kind == "none":
            for wanted, found in hits.items():
                if found:
                    yield f"forbidden: {_spell(wanted)}; holds: {_spell(*found)}"
        elif expectation.kind == "all":
            for wanted in missing:
                yield f"missing: {_spell(wanted)}; closest: {_spell(*closest(wanted, atoms))}"
        elif len(missing) == len(hits):
            near = dict.fromkeys(atom for wanted in missing for atom in closest(wanted, atoms))
            yield f"missing, any of: {_spell(*missing)}; closest: {_spell(*near)}"


def fits(wanted: Symbol, present: Symbol) -> bool:
    """Say whether an atom or term is the expected one, ANYTHING standing for any term."""
    if wanted == ANYTHING:
        return True
    if SymbolType.Function not in (wanted.type, present.type) or wanted.type != present.type:
        return wanted == present
    return (
        wanted.name == present.name
        and wanted.positive == present.positive
        and len(wanted.arguments) == len(present.arguments)
        and all(map(fits, wanted.arguments, present.arguments))
    )


def closest(wanted: Symbol, atoms: Collection[Symbol]) -> list[Symbol]:
    """Return the atoms of the same predicate, those with most arguments in common first."""
    same = [atom for atom in atoms if atom.match(wanted.name, len(wanted.arguments))]
    same.sort(key=lambda atom: -sum(map(fits, wanted.arguments, atom.arguments)))
    if same:
        return same[:SHOWN_CLOSEST]
    spelled = [str(atom) for atom in atoms if not atom.name.startswith("_")]
    near = difflib.get_close_matches(str(wanted), spelled, SHOWN_CLOSEST)
    return [atom for atom in atoms if str(atom) in near]


def _spell(*atoms: Symbol) -> str:
    return " ".join(str(atom).replace(ANYTHING.name, "_") for atom in atoms) or "nothing like it"


# --- the cases of the project


def _relative(path: Path) -> str:
    return path.relative_to(CASES).as_posix()


def _collected() -> Iterator[object]:
    """Yield one parameter per case; a file that cannot be read fails as one test of its own."""
    for path in FILES:
        try:
            cases = read_cases(_relative(path), path.read_text(encoding="utf-8"))
        except CaseError as error:
            yield pytest.param(error, id=f"{_relative(path)}::cannot be read")
            continue
        for case in cases:
            yield pytest.param(case, id=str(case))


@pytest.mark.parametrize("case", list(_collected()))
def test_case(case: Case | CaseError) -> None:
    if isinstance(case, CaseError):
        raise case
    assert_holds(case)


def test_files_are_found() -> None:
    assert FILES


@pytest.mark.parametrize("path", FILES, ids=_relative)
def test_file_says_enough(path: Path) -> None:
    cases = read_cases(_relative(path), path.read_text(encoding="utf-8"))
    assert len(cases) >= 3, "a rule needs a case that fires, one that does not, and a near miss"
    assert not [case.title for case in cases if not case.expectations]
    assert not [case for case in cases if not case.title]


# --- the runner itself

HEADER = "%# Title\n% Purpose: try the runner.\n\n"
CHAIN = "segment(1..3). leaf(1). relation(7,2,entailment). premise(7,1).\n"


def case_of(body: str) -> Case:
    return read_cases("made_up.test.lp", f"{HEADER}{HEADING} a made-up case\n{body}\n")[0]


@pytest.mark.parametrize(
    "body",
    [
        "% all: support(7,2) outcome(2,supported) depth(1,0)\n% none: support(7,3)",
        "% any: outcome(2,orphan) outcome(2,supported)",
        "% all: support(_,2) preference(7,(-3,_,1)) preference(_,_)\n% none: support(8,_)",
        'note(2,"a (b _ c").\n% all: note(2, "a (b _ c") note(2,_)\n% none: note(2,"a (b - c")',
        "% set: max_depth=0\n% none: grounded(2)",
        "% set: closest_gap_limit=0 weak_cluster_mode=keep\n% all: finding(_,error,_)",
        "_own(2). note(2,mine) :- _own(2).\n% all: note(2,mine)",
    ],
)
def test_runner_accepts_what_holds(body: str) -> None:
    assert_holds(case_of(CHAIN + body))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("% all: support(7,2) depth(2,2)", r"missing: depth\(2,2\); closest: depth\(2,1\) depth"),
        ("% all: unstable(2)", r"missing: unstable\(2\); closest: "),
        ("% all: outcome(3,supported)", r"closest: outcome\(2,supported\) outcome\(3,orphan\)"),
        ("% any: outcome(2,orphan) outcome(3,supported)", r"any of: .*; closest: .*outcome\(3,orp"),
        ("% none: grounded(3) grounded(2)", r"forbidden: grounded\(2\); holds: grounded\(2\)"),
        ("% none: support(_,2)", r"forbidden: support\(_,2\); holds: support\(7,2\)"),
        ("% none: preference(7,(-3,_,_))", r"holds: preference\(7,\(-3,1,1\)\)"),
    ],
)
def test_runner_fails_a_wrong_expectation(body: str, message: str) -> None:
    with pytest.raises(CaseError, match=message) as caught:
        assert_holds(case_of(CHAIN + body))
    assert str(caught.value).startswith("made_up.test.lp::a made-up case\n")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("veto(S,tag) :- no_such_word(S).", r"made_up.test.lp:6:16-31: info: atom does not occur"),
        ("veto(S,tag) :- not leaf(S).", "unsafe"),
        ("relation(1,2", "syntax error"),
        (":- segment(1).", "no answer set"),
        ("{ leaf(2) }.", "more than one answer set"),
        ("% set: max_dept=3", "there is no constant 'max_dept'; did you mean max_depth"),
        ("relaton(1,2,implied).", "relaton/3 is not in vocabulary.lp"),
    ],
)
def test_runner_fails_a_faulty_program(body: str, message: str) -> None:
    with pytest.raises(CaseError, match=message):
        assert_holds(case_of(f"{CHAIN}{body}\n% all: segment(1)"))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("% none: unstabel(2)", "unstabel/1 is not in vocabulary.lp"),
        ("% none: support(2)", "support/1 is not in vocabulary.lp"),
        ("% none: _stands(2)", "_stands/1 is not in vocabulary.lp"),
        ("% al: support(7,2)", "'al:' is none of all, any, none, set"),
        ("% all: support(7", "not an atom"),
        ("% all: 7", "not an atom"),
        ("leaf(2). % all: leaf(2)", "on a line of its own"),
        ("% all:", "nothing follows 'all:'"),
        ("% set: max_depth", "needs name=value"),
    ],
)
def test_runner_refuses_an_unreadable_case(body: str, message: str) -> None:
    with pytest.raises(CaseError, match=message):
        case_of(CHAIN + body)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{HEADING} one\n% all: leaf(1)\n", "must start with"),
        (f"{HEADER}leaf(1).\n{HEADING} one\n% all: leaf(1)\n", "before the first case"),
        (f"{HEADER}{HEADING} one\n{HEADING} one\n", "more than once: one"),
    ],
)
def test_runner_refuses_an_unreadable_file(text: str, message: str) -> None:
    with pytest.raises(CaseError, match=message):
        read_cases("made_up.test.lp", text)
