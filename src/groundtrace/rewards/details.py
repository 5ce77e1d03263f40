"""What is behind the scores of one case: matches, misses, and how alike the graphs are."""

from typing import NamedTuple

from groundtrace.graphs.triplets import Triplets
from groundtrace.models.reward import KeptApart, Match, NodeMatch, Reward
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
            reward.matches.append(_best_match(graphs, place, found, matching))
        else:
            reward.missed.append(triplet)
    reward.kept_apart = _kept_apart(graphs, found, matching)
    alike = similarity_of(generated.keys, reference.keys, matching)
    reward.triplet_recall, reward.best_jaccard = alike


def _kept_apart(graphs: Graphs, found: Comparison, matching: Matching) -> list[KeptApart]:
    """Return the missed triplets that only guard rules keep from a generated one, in order."""
    import numpy

    generated, reference = graphs
    missed = [place for place in range(len(reference.kept)) if place not in found.recalled]
    guards = matching.guards
    if guards is None or not missed or not generated.keys:
        return []
    likeness = [
        matching.similarity.matrix(
            [key[part] for key in generated.keys], [reference.keys[place][part] for place in missed]
        )
        for part in range(3)
    ]
    floors = (matching.entity, matching.relation, matching.entity)
    close = numpy.logical_and.reduce(
        [table >= floor for table, floor in zip(likeness, floors, strict=True)]
    )
    total = numpy.add.reduce(likeness)
    kept = []
    for column, place in enumerate(missed):
        rows = close[:, column].nonzero()[0].tolist()
        if not rows:
            continue
        best = rows[int(total[rows, column].argmax())]
        pairs = zip(generated.keys[best], reference.keys[place], strict=True)
        rules = {rule for pair in pairs if pair[0] != pair[1] for rule in guards.reasons(pair)}
        if rules:
            kept.append(
                KeptApart(
                    reference=reference.kept[place],
                    generated=generated.kept[best],
                    rules=sorted(rules),
                )
            )
    return kept


def _best_match(graphs: Graphs, place: int, found: Comparison, matching: Matching) -> Match:
    """Return the generated triplet that recalls a triplet best; the first of several."""
    recalling = found.recalled[place]
    wanted = graphs.reference.keys[place]
    flipped = [(place, one) in found.flipped for one in recalling]
    keys = [
        key[::-1] if turned else key
        for key, turned in zip(
            (graphs.generated.keys[one] for one in recalling), flipped, strict=True
        )
    ]
    columns = [
        matching.similarity.matrix([key[part] for key in keys], [wanted[part]])[:, 0].tolist()
        for part in range(3)
    ]
    for row, turned in enumerate(flipped):
        if turned:
            columns[1][row] = _turned_likeness(keys[row][1], wanted[1], matching)
    scores = [tuple(min(column[row], 1.0) for column in columns) for row in range(len(keys))]
    best = max(range(len(keys)), key=lambda row: (sum(scores[row]), -row))
    first, second, third = scores[best]
    return Match(
        graphs.reference.kept[place],
        graphs.generated.kept[recalling[best]],
        (first, second, third),
        flipped[best],
    )


def _turned_likeness(predicate: str, wanted: str, matching: Matching) -> float:
    """Return how alike two predicates are if the one that runs backwards is turned round."""
    converses = matching.converses()
    pairs = [(other, wanted) for other in converses.get(predicate, ())]
    pairs = pairs or [(predicate, other) for other in converses.get(wanted, ())]
    if matching.guards is not None:
        forbidden = matching.guards.unmatched(pairs)
        pairs = [pair for pair in pairs if pair not in forbidden]
    return max(float(matching.similarity.matrix([one], [other])[0, 0]) for one, other in pairs)
