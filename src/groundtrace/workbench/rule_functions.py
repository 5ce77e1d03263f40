"""What an expert asks about rules, from Python: the commands of ``groundtrace rules``."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pydantic_core import to_json

from groundtrace.auditing.batch import plan_from, results
from groundtrace.errors import GroundtraceError, InputError
from groundtrace.files.reading import Record
from groundtrace.models import arguments
from groundtrace.models.graph import GraphCase
from groundtrace.models.trace import OnConflict, Trace
from groundtrace.processes.pool import DEFAULT_TIME_LIMIT, run
from groundtrace.vocabulary import Program
from groundtrace.workbench.catalogue.catalogue import Catalogue, own_file
from groundtrace.workbench.catalogue.entries import Constant, Found, NamedRule, OwnFile, RuleFile
from groundtrace.workbench.check.checker import Checked, check_files
from groundtrace.workbench.diff.differences import (
    Difference,
    Differing,
    Rules,
    refuse_nothing_to_compare,
)
from groundtrace.workbench.test.cases import Added
from groundtrace.workbench.test.suites import (
    Suite,
    check_added,
    files_in,
    own_cases,
    read_suite,
    tried,
)

TRIAL_TIME_LIMIT = 20.0
"""Seconds that the rules of one file or case may run."""


class RuleList(NamedTuple):
    """What the rules are."""

    files: tuple[RuleFile, ...]
    """In stage order."""
    rules: tuple[NamedRule, ...]
    """Which explanations name; file by file."""
    constants: tuple[Constant, ...]
    own: tuple[OwnFile, ...]
    """The files that were named."""


def list_rules(*, overlays: Iterable[str | Path] = ()) -> RuleList:
    """Return the rule files, the named rules and the constants, with what each is for.

    Args:
        overlays: Paths of rule files of your own, which are listed too.

    Raises:
        RuleError: one holds something that is not allowed in any rule file.
        ArgumentError: one is no path.
    """
    catalogue = Catalogue()
    own = tuple(own_file(Path(path)) for path in arguments.paths("overlays", overlays))
    return RuleList(catalogue.files, catalogue.rules, catalogue.constants, own)


def show_rule(name: str) -> list[Found]:
    """Return everything of a name: rules, files, predicates and constants.

    Raises:
        InputError: there is nothing of that name.
        ArgumentError: it is no text.
    """
    if not isinstance(name, str):
        raise arguments.refuse("name", "a text", name)
    return Catalogue().find(name)


def check_rules(
    files: str | Path | Iterable[str | Path],
    *,
    rules: Program | None = None,
    constants: Mapping[str, int | str] | None = None,
    time_limit: float = TRIAL_TIME_LIMIT,
) -> list[Checked]:
    """Return what is wrong in rule files, where, and how to mend it; one entry for each file.

    Args:
        rules: Ours that they go with; None to tell it from what they say.
        constants: Constant name to value.
        time_limit: Seconds that the rules of one file may run on a sample.

    Raises:
        InputError: a constant cannot be used, or there are no such rules.
        LimitError: no child process can be started.
        ArgumentError: an argument has the wrong type.
    """
    _check_choice(rules, ("audit", "graph", "guards"))
    paths = arguments.paths("files", files)
    values = arguments.constants("constants", constants)
    return check_files(paths, rules, values, arguments.number("time_limit", time_limit))


def test_rules(
    files: str | Path | Iterable[str | Path] | None = None,
    *,
    overlays: Iterable[str | Path] = (),
    constants: Mapping[str, int | str] | None = None,
    jobs: int = 1,
    time_limit: float = TRIAL_TIME_LIMIT,
) -> list[Suite]:
    """Return what became of each test file, and of each of its cases.

    Args:
        files: Test files, or folders of them; None for those that come with the rules.
        overlays: Paths of rule files of your own, for all cases.
        constants: Constant name to value, for all cases.
        jobs: Child processes, from 1.
        time_limit: Seconds that one case may take.

    Raises:
        InputError: a path, a constant, jobs or time_limit cannot be used.
        RuleError: an overlay cannot be used.
        LimitError: the overlays do not end even without a case, or no child can start.
        ArgumentError: an argument has the wrong type.
    """
    settings = arguments.constants("constants", constants).items()
    given = tuple((name, str(value)) for name, value in settings)
    added = Added(arguments.paths("overlays", overlays), given)
    check_added(added)
    named = [own_cases()] if files is None else arguments.paths("files", files)
    suites = [read_suite(path, added) for path in files_in([*named])]
    bounds = arguments.whole("jobs", jobs), arguments.number("time_limit", time_limit)
    for _ in tried(suites, added, *bounds):
        pass
    return suites


test_rules.__test__ = False  # type: ignore[attr-defined]
"""It is no test itself, whatever pytest makes of its name."""


def diff_rules(
    cases: Iterable[Trace | GraphCase | Mapping[str, Any]],
    *,
    overlays: Iterable[str | Path] = (),
    constants: Mapping[str, int | str] | None = None,
    base_overlays: Iterable[str | Path] = (),
    base_constants: Mapping[str, int | str] | None = None,
    rules: Rules | None = None,
    on_conflict: OnConflict = "refuse",
    jobs: int = 1,
    time_limit: float = DEFAULT_TIME_LIMIT,
) -> Iterator[Difference | GroundtraceError]:
    """Yield what an edit of the rules changes in each case, or the error that took its place.

    Args:
        cases: Labelled traces, or cases with triplets; consumed as they are compared.
        overlays: Paths of rule files that the edit adds.
        constants: Constant name to value, after the edit.
        base_overlays: Paths of rule files that hold before it, and after it.
        base_constants: Constant name to value, before it.
        rules: Which to compare; None for those that suit each case.
        on_conflict: What to do with two labels for one relation.
        jobs: Child processes, from 1.
        time_limit: Seconds that one case may take.

    Raises:
        RuleError: there is nothing to compare, or an overlay cannot be used.
        InputError: a constant, jobs or time_limit cannot be used.
        LimitError: the rules do not end even without a case, or no child can start.
        ArgumentError: an argument has the wrong type.
    """
    _check_choice(rules, ("audit", "graph"))
    before = plan_from(base_overlays, base_constants, 1, on_conflict)
    edit = plan_from(overlays, constants, 1, on_conflict)
    merged = dict(before.constants) | dict(edit.constants)
    after = plan_from((*before.overlays, *edit.overlays), merged, 1, on_conflict)
    refuse_nothing_to_compare(before, after)
    records = map(_record, enumerate(arguments.many("cases", cases, "cases"), 1))
    bounds = arguments.whole("jobs", jobs), arguments.number("time_limit", time_limit)
    return results(run(records, Differing(before, after, rules), *bounds))


def _check_choice(rules: object, known: tuple[Program, ...]) -> None:
    """Refuse rules that cannot be chosen.

    Raises:
        InputError: they cannot.
    """
    if rules is not None and rules not in known:
        raise InputError(f"rules: expected {', '.join(known)} or None, got {rules!r}")


def _record(numbered: tuple[int, Any]) -> Record:
    """Return a case as a record; one that is none as a record that says so."""
    number, given = numbered
    content: bytes | InputError
    try:
        content = to_json(_fields(given))
    except InputError as error:
        content = error
    except (ValueError, RecursionError) as error:
        content = InputError(f"cannot be written as JSON: {error}")
    return Record(f"case {number}", f"case-{number}", content)


def _fields(given: Any) -> Mapping[str, Any]:
    """Return the fields of a case.

    Raises:
        ArgumentError: it is none.
    """
    if isinstance(given, GraphCase):
        return given.written()
    if isinstance(given, Trace):
        return given.model_dump(exclude_unset=True)
    if isinstance(given, Mapping):
        return given
    raise arguments.refuse("case", "a Trace, a GraphCase, or a mapping like one", given)
