"""Which rule files decide: ours, the user's overlays, and the values of their constants.

Nothing is solved here.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from groundtrace.errors import InputError, RuleError
from groundtrace.phrases import nearest
from groundtrace.rules.program_files import EXTRAS, files_of, rules_directory
from groundtrace.rules.rule_text import constants_of, own_constants
from groundtrace.vocabulary import Program

INT_RANGE = range(-(2**31) + 1, 2**31)
"""What clingo can compute with; beyond it numbers wrap around without a word."""

CONSTANT_SPELLINGS = {"weak_cluster": "weak_cluster_mode"}
"""Names that people give a constant, to the name that clingo can have for it."""

_WORD = re.compile(r"[a-z][A-Za-z0-9_]*")
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
    constants = list(own_constants(program))
    directory = rules_directory()
    for path, text in zip(paths, _contents_fit_to_load(paths, program), strict=True):
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


def _contents_fit_to_load(paths: Sequence[Path], program: Program) -> list[str]:
    """Return the texts of overlays that are fit to be loaded.

    Raises:
        RuleError: one is not.
    """
    if not paths:
        return []
    # What judges and explains takes longer to import than an audit without overlays does.
    from groundtrace.rules.overlays import read_overlays

    return read_overlays(paths, program)


def _digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


@cache
def _own_hashes(program: Program) -> tuple[tuple[str, str], ...]:
    directory = rules_directory()
    names = sorted([f"{program}.lp", *files_of(program)])
    return tuple((name, _digest((directory / name).read_bytes())) for name in names)


def _constant_value(name: str, value: int | str, known: Sequence[str]) -> str:
    """Return the value of a constant in clingo's syntax.

    Raises:
        InputError: there is no such constant, or the value is no number or name.
    """
    if name not in known:
        near = nearest(name, known)
        listed = f"known are {', '.join(known)}" if known else "these rules have none"
        hint = f"did you mean {near}?" if near else listed
        raise InputError(f"there is no constant {name!r}; {hint}")
    text = str(value).strip()
    if _NUMBER.fullmatch(text):
        if len(text) > 11 or int(text) not in INT_RANGE:
            raise InputError(f"constant {name}: {text} does not fit into 32 bits")
        return str(int(text))
    if _WORD.fullmatch(text):
        return text
    raise InputError(f"constant {name}: expected a whole number or a lower-case name, got {text!r}")
