"""Which rules there are: files in stage order, named rules, predicates and constants.

Everything is read off the rule files themselves: what rules read and derive from clingo's parser,
what they are for from their comments.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path

from groundtrace.errors import InputError, RuleError
from groundtrace.phrases import nearest
from groundtrace.rules.judge.dictionary import (
    dictionary,
    documented_constants,
    documented_predicates,
)
from groundtrace.rules.judge.fault import Fault
from groundtrace.rules.judge.forbidden import Bounds, refusals
from groundtrace.rules.judge.static import read
from groundtrace.rules.program_files import EXTRAS, own_text, rules_directory, stages_of
from groundtrace.rules.rulebook import rulebook_for
from groundtrace.rules.text.comments import header_of, named_comments
from groundtrace.rules.text.sources import read_source
from groundtrace.rules.text.syntax import (
    Signature,
    Statement,
    constants_in,
    derived_by,
    public,
    read_by,
    spelled,
    statements_of,
)
from groundtrace.vocabulary import PROGRAMS, Program
from groundtrace.workbench.catalogue.entries import (
    Constant,
    Found,
    NamedRule,
    OwnFile,
    Predicate,
    RuleFile,
)

BESIDE: Mapping[Program, tuple[str, ...]] = {**EXTRAS, "audit": (*EXTRAS["audit"], "labelling")}
"""Our files, or folders of them, that belong to a program beside its stages."""

_STAGE_NUMBER = re.compile(r"\d+_")


class Catalogue:
    """All rules of ours, read when they are asked for."""

    def __init__(self) -> None:
        """Find the rules."""
        self.directory = rules_directory()

    def _lines(self, name: str) -> list[str]:
        return own_text(name).split("\n")

    @cached_property
    def files(self) -> tuple[RuleFile, ...]:
        """Every rule file, each once, in stage order."""
        programs: dict[str, list[Program]] = {}
        for program in PROGRAMS:
            for name in self.files_of(program):
                programs.setdefault(name, []).append(program)
        return tuple(self._file(name, tuple(whose)) for name, whose in programs.items())

    def files_of(self, program: Program) -> list[str]:
        """Return the names of the files of a program, in stage order."""
        names = [f"{program}.lp", *stages_of(program)]
        for beside in BESIDE.get(program, ()):
            path = self.directory / beside
            inside = sorted(path.glob("*.lp")) if path.is_dir() else [path]
            names += [one.relative_to(self.directory).as_posix() for one in inside]
        return names

    def _file(self, name: str, programs: tuple[Program, ...]) -> RuleFile:
        path = self.directory / name
        reads, derives = public(read_by(path)), public(derived_by(path))
        header = header_of(self._lines(name))
        return RuleFile(name, programs, header, tuple(spelled(reads)), tuple(spelled(derives)))

    @cached_property
    def rules(self) -> tuple[NamedRule, ...]:
        """The named rules, file by file."""
        return tuple(rule for file in self.files for rule in self._rules_in(file))

    def _rules_in(self, file: RuleFile) -> Iterable[NamedRule]:
        statements = [one for one in statements_of(self.directory / file.name) if one.is_rule]
        lines = self._lines(file.name)
        for comment in named_comments(lines):
            own = [
                one
                for one in statements
                if comment.line < one.first <= comment.last or comment.name in one.names
            ]
            derives = frozenset[Signature]().union(*(one.derives for one in own))
            reads = frozenset[Signature]().union(*(one.reads for one in own)) - derives
            switchable = any(_names(one, comment.name) for one in own)
            yield NamedRule(
                name=comment.name,
                file=file.name,
                line=comment.line,
                sentence=comment.sentence,
                comment=comment.text,
                switch=f"disabled({comment.name})." if switchable else None,
                reads=tuple(spelled(sorted(reads - {("disabled", 1)}))),
                derives=tuple(spelled(sorted(derives - {("rule", 1)}))),
                source=file.header.source,
                rules=tuple(
                    (number, lines[number - 1])
                    for one in own
                    for number in range(one.first, one.last + 1)
                ),
            )

    @cached_property
    def constants(self) -> tuple[Constant, ...]:
        """The constants, in the order of their file."""
        name = "constants.lp"
        defined = constants_in(self.directory / name)
        comments = documented_constants()
        read = {program: rulebook_for(program).constants for program in PROGRAMS}
        return tuple(
            Constant(
                name=constant,
                value=value,
                file=name,
                line=line,
                unit=comments[constant].unit,
                range=comments[constant].range,
                source=comments[constant].source,
                comment=comments[constant].text,
                programs=tuple(one for one in PROGRAMS if constant in read[one]),
            )
            for constant, value, line in defined
        )

    @cached_property
    def predicates(self) -> tuple[Predicate, ...]:
        """The public predicates in the order of the vocabulary, then the private ones."""
        name = "vocabulary.lp"
        documented = {(one.name, len(one.arguments)): one for one in documented_predicates()}
        found = [
            Predicate(
                name=entry.name,
                arity=len(entry.arguments),
                written=entry.shown,
                file=name,
                line=entry.line,
                text=entry.text,
                section=entry.section,
                extension=entry.extension,
                derived_by=self._where(_derives, signature),
                read_by=self._where(_reads, signature),
            )
            for signature, entry in documented.items()
        ]
        return (*found, *self._private(documented))

    def _private(self, documented: Mapping[Signature, object]) -> Iterable[Predicate]:
        used = frozenset[Signature]()
        for file in self.files:
            path = self.directory / file.name
            used |= derived_by(path) | read_by(path)
        for signature in sorted(used - {*documented}):
            yield Predicate(
                name=signature[0],
                arity=signature[1],
                written=spelled([signature])[0],
                file=None,
                line=None,
                text="private to these files, and may change: rules of your own cannot rely on it",
                section="",
                extension=None,
                derived_by=self._where(_derives, signature),
                read_by=self._where(_reads, signature),
            )

    def _where(
        self, part: Callable[[Statement], frozenset[Signature]], wanted: Signature
    ) -> dict[str, tuple[int, ...]]:
        """Return the lines of the statements that derive or read a predicate, by file."""
        found = {
            file.name: tuple(
                one.first
                for one in statements_of(self.directory / file.name)
                if wanted in part(one)
            )
            for file in self.files
        }
        return {name: lines for name, lines in found.items() if lines}

    def find(self, name: str) -> list[Found]:
        """Return everything of a name: rules, files, predicates and constants.

        Args:
            name: Of a rule, a constant, a predicate (with or without its arity) or a file (with or
                without folder, ending and number).

        Raises:
            InputError: there is nothing of that name.
        """
        found: list[Found] = [one for one in self.rules if one.name == name]
        found += [one for one in self.constants if one.name == name]
        found += [one for one in self.predicates if name in (one.name, f"{one.name}/{one.arity}")]
        found += [one for one in self.files if name in _spellings(one.name)]
        found = found or [one for one in self.files if name == _name_without_number(one.name)]
        if found:
            return found
        wanted = nearest(name, self._names())
        hint = f"did you mean {wanted}?" if wanted else "groundtrace rules list names all"
        raise InputError(f"there is no rule, file, predicate or constant {name!r}; {hint}")

    def _names(self) -> Iterable[str]:
        yield from (rule.name for rule in self.rules)
        yield from (constant.name for constant in self.constants)
        yield from (predicate.name for predicate in self.predicates)
        for file in self.files:
            yield from (*_spellings(file.name), _name_without_number(file.name))


def _derives(statement: Statement) -> frozenset[Signature]:
    return statement.derives


def _reads(statement: Statement) -> frozenset[Signature]:
    return statement.reads


def _names(statement: Statement, name: str) -> bool:
    """Say whether a statement is the fact that makes a name one that can be switched off."""
    return ("rule", 1) in statement.derives and name in statement.names


def _spellings(name: str) -> tuple[str, ...]:
    base = Path(name).name
    return name, name.removesuffix(".lp"), base, base.removesuffix(".lp")


def _name_without_number(name: str) -> str:
    return _STAGE_NUMBER.sub("", Path(name).stem, count=1)


def own_file(path: Path) -> OwnFile:
    """Return what a user's rule file holds.

    Raises:
        RuleError: it is no plain text, or holds what is not allowed in any rule file.
    """
    source = read_source(path)
    if isinstance(source, Fault):
        raise RuleError(f"rule file {path} is refused", (source.complaint(),))
    text = source.text
    if refused := refusals(read(source, dictionary("audit")), Bounds({})):
        raise RuleError(f"rule file {path} is refused", refused)
    file = RuleFile(
        str(path),
        (),
        header_of(text.split("\n")),
        tuple(spelled(sorted(read_by(path)))),
        tuple(spelled(sorted(derived_by(path)))),
    )
    rules = tuple(
        (one.first, tuple(spelled(sorted(one.derives))), tuple(spelled(sorted(one.reads))))
        for one in statements_of(path)
    )
    return OwnFile(file, constants_in(path), rules)
