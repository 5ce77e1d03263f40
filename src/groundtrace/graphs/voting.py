"""From the extractions of several models to one evidence graph.

A triplet counts once per model, however often and in whatever spelling a model gave it.

Source: MedCEG paper, section 3 (evidence graph construction).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from groundtrace.errors import InputError
from groundtrace.graphs.cases import case_from
from groundtrace.graphs.triplets import Key, key_of, triplets_from
from groundtrace.models.graph import (
    EvidenceGraph,
    Extraction,
    GraphCase,
    GraphWarning,
    Malformed,
    Merged,
    Triplet,
    VotedTriplet,
)
from groundtrace.phrases import counted
from groundtrace.version import __version__

DEFAULT_MIN_VOTES = 2

Aliases = Callable[[Sequence[str], Sequence[str]], list[Merged]]
"""Finds spellings of one thing among nodes and among predicates, given in compared form."""


def vote(
    case: GraphCase | Mapping[str, Any],
    min_votes: int = DEFAULT_MIN_VOTES,
    aliases: Aliases | None = None,
) -> EvidenceGraph:
    """Return the evidence graph of a case.

    Args:
        case: With extractions; a mapping is read like a JSON object.
        min_votes: Distinct models that must have given a triplet, from 1.
        aliases: Finds spellings to be taken for one thing; None merges none.

    Raises:
        InputError: the case cannot be used, it has no extractions, or fewer models than votes
            are needed.
    """
    case = case_from(case, GraphCase)
    if min_votes < 1:
        raise InputError(f"min_votes: expected at least 1, got {min_votes}")
    if case.extractions is None:
        raise InputError("no extractions to vote on")
    graph = EvidenceGraph(
        id=case.id,
        provenance={"version": __version__, "min_votes": min_votes},
        meta=_rest_of(case),
    )
    lost = [one for one in case.extractions if one.triplets is None]
    models = {one.model for one in case.extractions if one.triplets is not None}
    if len(models) < min_votes:
        if not lost:
            raise InputError(
                f"{min_votes} votes are needed, but only {counted(len(models), 'model')} "
                "gave an extraction (--min-votes)"
            )
        graph.status = "failed"
        graph.error = "; ".join(_lost(one) for one in lost)
        return graph
    graph.warnings = [
        GraphWarning(kind="missing_extraction", subject=one.model, message=_lost(one))
        for one in lost
    ]
    given = [
        one
        for place, extraction in enumerate(case.extractions)
        if extraction.triplets is not None
        for one in _read(extraction, place, graph.malformed)
    ]
    graph.merged = _merged(given, aliases)
    _count(given, min_votes, graph)
    return graph


def _rest_of(case: GraphCase) -> dict[str, object]:
    """Return the fields of a case that are not about voting."""
    return {
        name: value
        for name, value in case.written().items()
        if name not in {"extractions", *EvidenceGraph.model_fields}
    }


def _lost(extraction: Extraction) -> str:
    return f"no triplets from {extraction.model}: {extraction.error or 'no reason given'}"


class _Given(NamedTuple):
    """A triplet as one model gave it."""

    triplet: Triplet
    model: str
    filled: bool


def _read(extraction: Extraction, place: int, malformed: list[Malformed]) -> list[_Given]:
    """Return the triplets of one extraction; what is none is reported."""
    malformed += extraction.complaints
    given = []
    for name, items in (("triplets", extraction.triplets), ("filled", extraction.filled)):
        found = triplets_from(items or (), f"extractions[{place}].{name}")
        malformed += found.malformed
        given += [_Given(one, extraction.model, name == "filled") for one in found.kept]
    return given


def _merged(given: Sequence[_Given], aliases: Aliases | None) -> list[Merged]:
    if aliases is None:
        return []
    keys = [key_of(one.triplet) for one in given]
    nodes = dict.fromkeys(node for key in keys for node in (key[0], key[2]))
    return aliases(list(nodes), list(dict.fromkeys(key[1] for key in keys)))


def _count(given: Sequence[_Given], min_votes: int, graph: EvidenceGraph) -> None:
    """Put every triplet among the kept or the outvoted."""
    instead = {one.dropped: one.kept for one in graph.merged}
    ballots: dict[Key, list[_Given]] = {}
    spellings: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for one in given:
        subject, predicate, object_ = (instead.get(part, part) for part in key_of(one.triplet))
        if subject == object_:
            problem = f"both ends of {list(one.triplet)} were merged"
            graph.malformed.append(Malformed(one.model, problem))
            continue
        key = subject, predicate, object_
        for part, spelled in zip(key, one.triplet, strict=True):
            spellings[part][spelled].add(one.model)
        ballots.setdefault(key, []).append(one)
    shown = {part: _favourite(found) for part, found in spellings.items()}
    for key, votes in ballots.items():
        models = list(dict.fromkeys(vote.model for vote in votes))
        voted = VotedTriplet(
            subject=shown[key[0]],
            predicate=shown[key[1]],
            object=shown[key[2]],
            votes=len(models),
            models=models,
            filled=all(vote.filled for vote in votes),
        )
        (graph.triplets if voted.votes >= min_votes else graph.outvoted).append(voted)


def _favourite(found: Mapping[str, set[str]]) -> str:
    """Return the spelling that most models used; the least of several, whatever their order."""
    counts = Counter({spelled: len(models) for spelled, models in found.items()})
    most = max(counts.values())
    return min(spelled for spelled, count in counts.items() if count == most)
