"""Rationales from Python: triplets extracted by the language models of a server."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundtrace.chat.settings import ServerSettings
from groundtrace.errors import InputError, missing_package
from groundtrace.graphs.cases import case_from
from groundtrace.models import arguments
from groundtrace.models.graph import GraphCase
from groundtrace.processes.lookahead import in_order

if TYPE_CHECKING:
    from groundtrace.chat.service import ChatService


def extract(
    case: GraphCase | Mapping[str, Any],
    settings: ServerSettings,
    *,
    fill_gaps: bool = False,
    cache: str | Path | None = None,
) -> GraphCase:
    """Return a case with one extraction of triplets per model; one that failed says why.

    Args:
        case: With a rationale; what a model has extracted already is not asked again.
        fill_gaps: Whether to ask for unsaid steps too; their triplets are marked.
        cache: A file of answers; None remembers nothing.

    Raises:
        InputError: the case or the cache cannot be used.
        ModelError: the server cannot be used, or a package is missing.
        ArgumentError: an argument has the wrong type.
    """
    (one,) = extract_many([case], settings, fill_gaps=fill_gaps, cache=cache)
    if isinstance(one, InputError):
        raise one
    return one


def extract_many(
    cases: Iterable[GraphCase | Mapping[str, Any]],
    settings: ServerSettings,
    *,
    fill_gaps: bool = False,
    cache: str | Path | None = None,
) -> Iterator[GraphCase | InputError]:
    """Yield each case with its extractions, in order, or the error that took its place.

    Args:
        cases: As for :func:`extract`; consumed a few hundred ahead.
        fill_gaps: Whether to ask for unsaid steps too; their triplets are marked.
        cache: A file of answers; None remembers nothing.

    Raises:
        InputError: the cache cannot be used.
        ModelError: the server cannot be used, or a package is missing.
        ArgumentError: an argument has the wrong type; this at the call, the others at the first
            case.
    """
    given = arguments.many("cases", cases, "cases")
    if not isinstance(settings, ServerSettings):
        raise arguments.refuse("settings", "ServerSettings", settings)
    path = None if cache is None else arguments.path("cache", cache)
    return _extracted(given, settings, bool(fill_gaps), path)


def _extracted(
    cases: Iterable[Any], settings: ServerSettings, fill_gaps: bool, cache: Path | None
) -> Iterator[GraphCase | InputError]:
    """Yield the cases with their extractions.

    Raises:
        ModelError: a package is missing.
    """
    try:
        from groundtrace.chat.service import ChatService
    except ModuleNotFoundError as error:
        raise missing_package("asking a server needs", "openai", error.name) from None
    from groundtrace.chat.text_cache import TextCache

    service = ChatService(settings, TextCache(cache) if cache else None)
    try:
        yield from in_order(cases, lambda case: _begin(case, service, fill_gaps))
    finally:
        service.close()


def _begin(
    given: Any, service: "ChatService", fill_gaps: bool
) -> Callable[[], GraphCase | InputError]:
    """Ask for the triplets of a case, and return what waits for them, or tells why not."""
    from groundtrace.graphs.extraction import begin_extraction, check_rationale

    try:
        case = case_from(given, GraphCase)
        check_rationale(case)
    except InputError as error:
        refused = error
        return lambda: refused
    return begin_extraction(service, fill_gaps, case)
