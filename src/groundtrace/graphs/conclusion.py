"""Which node of a graph is its conclusion: given, equal to the answer, or most like it.

A guess would make a graph that argues for something else, so without a match there is none.

Source: MedCEG paper, appendix B.3.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from groundtrace.graphs.multiple_choice import options_from, text_of_answer
from groundtrace.models.graph import Conclusion, GraphCase, Near, Triplet
from groundtrace.models.names import normal

DEFAULT_THRESHOLD = 0.7
NEAREST = 3

Likeness = Callable[[str, Sequence[str]], Sequence[float]]
"""Cosine of a text to each of some others, all in compared form; forbidden matches are 0."""


class Found(NamedTuple):
    """A conclusion, or why there is none."""

    conclusion: Conclusion | None
    nearest: list[Near] = []  # noqa: RUF012
    """Without a conclusion: the nodes most like what was sought."""
    error: str | None = None


def nodes_of(triplets: Sequence[Triplet]) -> dict[str, str]:
    """Return the nodes of a graph: compared form to the spelling that comes first."""
    nodes: dict[str, str] = {}
    for subject, _, object_ in triplets:
        nodes.setdefault(normal(subject), subject)
        nodes.setdefault(normal(object_), object_)
    return nodes


def find_conclusion(
    case: GraphCase,
    triplets: Sequence[Triplet],
    likeness: Likeness | None,
    threshold: float = DEFAULT_THRESHOLD,
) -> Found:
    """Return the conclusion node of a graph.

    Args:
        case: With a conclusion or an answer.
        triplets: The graph's; at least one.
        likeness: Compares embeddings; None to take an equal node only.
        threshold: Least cosine of a match, in -1..1.
    """
    nodes = nodes_of(triplets)
    sought, error = sought_by(case)
    if sought is None:
        return Found(None, error=error)
    if (key := normal(sought)) in nodes:
        found_by = "exact" if case.conclusion is None else case.conclusion_by or "given"
        return Found(Conclusion(node=nodes[key], found_by=found_by))
    keys = sorted(nodes)
    likes = list(likeness(key, keys)) if likeness else [0.0] * len(keys)
    ranked = sorted(zip(keys, likes, strict=True), key=lambda one: (-one[1], one[0]))
    nearest = [Near(nodes[one], like) for one, like in ranked[:NEAREST] if like > 0]
    if case.conclusion is not None:
        return Found(None, nearest, f"no node is the conclusion given, {case.conclusion!r}")
    if case.unfound is not None:
        return Found(None, nearest, case.unfound)
    if likeness and ranked[0][1] >= threshold:
        best, like = ranked[0]
        return Found(Conclusion(node=nodes[best], found_by="embedding", similarity=like))
    cure = "name one with --conclusion, or lower --threshold, or ask a model with --conclusion-by"
    return Found(None, nearest, f"no node matches the answer, {sought!r}; {cure}")


def sought_by(case: GraphCase) -> tuple[str | None, str | None]:
    """Return the text that the conclusion says, or None and why it is not known.

    Args:
        case: With a conclusion or an answer.
    """
    if case.conclusion is not None:
        return case.conclusion, None
    if case.answer is None or not case.answer.strip():
        return None, "neither a conclusion nor an answer is given"
    text = text_of_answer(case.answer, options_from(case.options, case.question))
    if text is None:
        letter = case.answer.strip()
        cure = "give options, or lines such as 'A: aspirin' in the question"
        return None, f"the answer is the letter {letter!r}, but no option has it: {cure}"
    return text, None
