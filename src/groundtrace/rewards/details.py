"""What is behind the scores of one case: matches, misses, and how alike the graphs are."""

from collections.abc import Sequence
from typing import NamedTuple

from groundtrace.graphs.triplets import Triplets
from groundtrace.models.reward import Match, NodeMatch, Reward
from groundtrace.rewards.jaccard import similarity_of
from groundtrace.rewards.likeness_tables import Comparison, GraphPair, Matching


class Graphs(NamedTuple):
    """The graphs of one case, fit for use."""

    generated: Triplets
    reference: Triplets

    @property
    def pair(self) -> GraphPair:
        """What is compared."""
        return GraphPair(tuple(self.generated.keys), tuple(self.reference.keys))


def add_details(reward: Reward, graphs: Graphs, found: Comparison, matching: Matching) -> None:
    """Add the matches behind the scores, and how alike the graphs are otherwise.

    Args:
        found: What came of it.

    Raises:
        ModelError: the embedding cannot be used.
        RuleError: a user's guard rule is faulty.
    """
    generated, reference = graphs
    spelled = {
        part: text
        for side in (generated, reference)
        for triplet, key in zip(reversed(side.kept), reversed(side.keys), strict=True)
        for part, text in zip(key, triplet, strict=True)
    }
    reward.nodes = [
        NodeMatch(spelled[node], None if near is None else spelled[near], like)
        for node, near, like in zip(found.nodes, found.closest, found.likeness, strict=True)
    ]
    for place, triplet in enumerate(reference.kept):
        if place in found.recalled:
            reward.matches.append(_best_match(graphs, place, found.recalled[place], matching))
        else:
            reward.missed.append(triplet)
    alike = similarity_of(generated.keys, reference.keys, matching)
    reward.triplet_recall, reward.best_jaccard = alike


def _best_match(graphs: Graphs, place: int, recalling: Sequence[int], matching: Matching) -> Match:
    """Return the generated triplet that recalls a triplet best; the first of several."""
    wanted = graphs.reference.keys[place]
    keys = [graphs.generated.keys[one] for one in recalling]
    columns = [
        matching.similarity.matrix([key[part] for key in keys], [wanted[part]])[:, 0]
        for part in range(3)
    ]
    scores = [tuple(min(float(column[row]), 1.0) for column in columns) for row in range(len(keys))]
    best = max(range(len(keys)), key=lambda row: (sum(scores[row]), -row))
    first, second, third = scores[best]
    return Match(
        graphs.reference.kept[place],
        graphs.generated.kept[recalling[best]],
        (first, second, third),
    )
