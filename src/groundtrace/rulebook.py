"""Which rule files decide: ours, the user's overlays, and the values of their constants.

Nothing is solved here.
"""

import difflib
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from groundtrace.errors import InputError, RuleError
from groundtrace.overlays import Terms, read_overlay
from groundtrace.rule_files import EXTRAS, FACTS_OF_THE_PROGRAM, rules_directory
from groundtrace.rule_text import constants_of, heads_of, words_of
from groundtrace.vocabulary import EXTENSION_POINTS, INPUT_PREDICATES, Program

INT_RANGE = range(-(2**31) + 1, 2**31)
"""What clingo can compute with; beyond it numbers wrap around without a word."""

CONSTANT_SPELLINGS = {"weak_cluster": "weak_cluster_mode"}
"""Names that people give a constant, to the name that clingo can have for it."""

_WORD = re.compile(r"[a-z][A-Za-z0-9_]*")
_INCLUDE = re.compile(r'^#include "([^"]+)"\.', re.MULTILINE)
_NUMBER = re.compile(r"-?[0-9]+")


@dataclass(frozen=True)
class Rulebook:
    """The rule files of one kind of program, checked and ready to be loaded.

    Attributes:
        entry: Our file that includes the stages in order.
        extras: Our files that are loaded beside it: input, and parts grounded when asked.
        overlays: The user's files, loaded last.
        settings: Constants set from outside, in clingo's syntax.
        hashes: File to "sha256:…", ours relative to the rule directory.
        constants: Names of all constants that may be set.
    """

    entry: Path
    extras: tuple[Path, ...]
    overlays: tuple[Path, ...]
    settings: Mapping[str, str]
    hashes: Mapping[str, str] = field(compare=False)
    constants: tuple[str, ...]

    def check_unchanged(self) -> None:
        """Make sure that the overlays still hold what was judged and recorded.

        Raises:
            RuleError: one was changed, or is gone.
        """
        for path in self.overlays:
            try:
                content = path.read_bytes()
            except OSError as error:
                raise RuleError(f"cannot read rule file {path}: {error.strerror}") from None
            if _digest(content) != self.hashes[str(path)]:
                raise RuleError(f"rule file {path} was changed while it was in use; start again")

    @property
    def files(self) -> tuple[Path, ...]:
        """Every file to load, in order."""
        return (self.entry, *self.extras, *self.overlays)


def rulebook_for(
    program: Program,
    overlays: Iterable[str | Path] = (),
    settings: Mapping[str, int | str] | None = None,
) -> Rulebook:
    """Return the rules of one kind of program with a user's overlays and constants.

    Args:
        program: Which rules of ours.
        overlays: Paths of the user's rule files, in order.
        settings: Constant name to value, which wins over the rule files.

    Raises:
        RuleError: an overlay cannot be read or holds something that is not allowed.
        InputError: a constant is unknown or its value is no number or name.
    """
    given = [overlays] if isinstance(overlays, str | Path) else overlays
    paths = tuple(Path(path) for path in given)
    hashes = dict(_own_hashes(program))
    constants = list(_own_constants(program))
    directory = rules_directory()
    for path in paths:
        text = read_overlay(path, _terms(program))
        hashes[str(path)] = _digest(text.encode())
        constants += constants_of(text)
    names = tuple(dict.fromkeys(constants))
    return Rulebook(
        entry=directory / f"{program}.lp",
        extras=tuple(directory / name for name in EXTRAS.get(program, ())),
        overlays=paths,
        settings={
            CONSTANT_SPELLINGS.get(name, name): _constant_value(
                CONSTANT_SPELLINGS.get(name, name), value, names
            )
            for name, value in (settings or {}).items()
        },
        hashes=hashes,
        constants=names,
    )


def _digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


@cache
def _own_files(program: Program) -> tuple[Path, ...]:
    """Return our rule files of a program, sorted."""
    directory = rules_directory()
    entry = directory / f"{program}.lp"
    included = _INCLUDE.findall(entry.read_text(encoding="utf-8"))
    names = [entry.name, *included, *EXTRAS.get(program, ())]
    return tuple(sorted(directory / name for name in names))


@cache
def _own_hashes(program: Program) -> tuple[tuple[str, str], ...]:
    directory = rules_directory()
    return tuple(
        (path.relative_to(directory).as_posix(), _digest(path.read_bytes()))
        for path in _own_files(program)
    )


@cache
def _own_constants(program: Program) -> tuple[str, ...]:
    """Return the constants that the rules of a program read."""
    read = frozenset[str]().union(
        *(words_of(path.read_text(encoding="utf-8")) for path in _own_files(program))
    )
    text = (rules_directory() / "constants.lp").read_text(encoding="utf-8")
    return tuple(name for name in constants_of(text) if name in read)


@cache
def _terms(program: Program) -> Terms:
    """Return what a user's rule file may and may not say."""
    files = _own_files(program)
    words = frozenset[str]().union(*(words_of(path.read_text(encoding="utf-8")) for path in files))
    # The entry includes the stages; clingo warns of a file that it reads twice.
    read = (rules_directory() / name for name in (f"{program}.lp", *EXTRAS.get(program, ())))
    ours = heads_of(*read) | FACTS_OF_THE_PROGRAM | {*INPUT_PREDICATES[program]}
    return Terms(EXTENSION_POINTS[program], ours, words - set(_own_constants(program)))


def _constant_value(name: str, value: int | str, known: Sequence[str]) -> str:
    """Return the value of a constant in clingo's syntax.

    Raises:
        InputError: there is no such constant, or the value is no number or name.
    """
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        listed = f"known are {', '.join(known)}" if known else "these rules have none"
        hint = f"did you mean {near[0]}?" if near else listed
        raise InputError(f"there is no constant {name!r}; {hint}")
    text = str(value).strip()
    if _NUMBER.fullmatch(text):
        if len(text) > 11 or int(text) not in INT_RANGE:
            raise InputError(f"constant {name}: {text} does not fit into 32 bits")
        return str(int(text))
    if _WORD.fullmatch(text):
        return text
    raise InputError(f"constant {name}: expected a whole number or a lower-case name, got {text!r}")
