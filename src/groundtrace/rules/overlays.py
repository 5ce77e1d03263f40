"""Judge a user's rule files before they become part of a program.

Overlays come from strangers. They may hold rules and constants, nothing else: no scripts, no
files from elsewhere, no directives that change how the program runs. And they may decide only
what the vocabulary leaves to users: a rule of theirs that derived, say, ``support`` would undo
ours without a word, and one that derives ``vetto`` would do nothing without a word.
"""

from collections.abc import Sequence
from pathlib import Path

from groundtrace.errors import RuleError
from groundtrace.rules.judge import forbidden, static
from groundtrace.rules.judge.dictionary import dictionary
from groundtrace.rules.judge.fault import Fault
from groundtrace.rules.judge.static import Reading
from groundtrace.rules.text.sources import read_source
from groundtrace.vocabulary import Program


def read_overlays(paths: Sequence[Path], program: Program) -> list[str]:
    """Return the contents of rule files that are used together, fit to be loaded.

    Args:
        program: The rules of ours that they are for.

    Raises:
        RuleError: one cannot be read, is no UTF-8 text, or holds something that is not allowed;
            with one complaint per place.
    """
    readings = [_read(path, program) for path in paths]
    for path, reading in zip(paths, readings, strict=True):
        _judge(path, reading, program, [one for one in readings if one is not reading])
    return [one.source.content for one in readings]


def _read(path: Path, program: Program) -> Reading:
    source = read_source(path)
    if isinstance(source, Fault):
        raise RuleError(f"rule file {path} is refused", (source.complaint(),))
    return static.read(source, dictionary(program))


def _judge(path: Path, reading: Reading, program: Program, others: Sequence[Reading]) -> None:
    """Refuse a file that holds what is not allowed.

    Raises:
        RuleError: it does.
    """
    known = dictionary(program)
    rules = [rule for other in others for rule in other.rules]
    told = tuple(one.complaint() for one in static.refusals(reading, known, rules))
    # Nothing should get past what explains; what comes after it is strict instead.
    bounds = forbidden.Bounds(known.extension_points, known.ours, known.words)
    if complaints := told or forbidden.refusals(reading, bounds):
        raise RuleError(f"rule file {path} is refused", complaints)
