"""How alike two graphs are, whatever they argue for."""

from collections.abc import Sequence
from typing import Any

from groundtrace.errors import InputError
from groundtrace.graphs.triplets import triplets_from
from groundtrace.rewards.jaccard import (
    DEFAULT_ELEMENT,
    DEFAULT_RECALLED,
    GraphSimilarity,
    similarity_of,
)
from groundtrace.rewards.limits import check_size
from groundtrace.rewards.rewarder import Rewarder
from groundtrace.rewards.settings import RewardSettings


def graph_similarity(
    generated: Sequence[Any],
    reference: Sequence[Any],
    settings: RewardSettings | None = None,
    element: float = DEFAULT_ELEMENT,
    recalled: float = DEFAULT_RECALLED,
) -> GraphSimilarity:
    """Return how alike two graphs are: triplet recall and average best Jaccard, each in 0..1.

    Args:
        generated: Items that should be triplets.
        reference: Likewise; at least one is.
        settings: What compares texts, and the guards.
        element: Least similarity of two parts that match, in 0..1.
        recalled: Least Jaccard of a triplet that counts as recalled, in 0..1.

    Raises:
        InputError: the reference has no triplet, or a setting cannot be used.
        ModelError: the embedding cannot be used.
        RuleError: a user's guard rule is faulty.
        SizeError: a graph is too large to be compared in bounded memory.

    Source: MedCEG paper, appendix C.2.
    """
    matching = Rewarder(settings).matching
    kept = triplets_from(generated, "generated", verbatim=matching.verbatim).keys
    wanted = triplets_from(reference, "reference", verbatim=matching.verbatim).keys
    if not wanted:
        raise InputError("no triplet in the reference")
    check_size(len(kept), len(wanted))
    return similarity_of(kept, wanted, matching, element, recalled)
