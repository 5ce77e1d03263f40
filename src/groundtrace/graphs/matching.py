"""How alike texts of graphs are: by their embeddings, but never against the guards."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from groundtrace.embedding.settings import EmbeddingSettings
from groundtrace.embedding.vector_cache import VectorCache
from groundtrace.embedding.vectors import Similarity, similarity
from groundtrace.errors import InputError
from groundtrace.graphs.guards import Guards
from groundtrace.models.graph import Merged
from groundtrace.rules.rulebook import rulebook_for

DEFAULT_ALIAS = 0.9
"""Least cosine of two spellings of one thing; below it, kinds of a thing begin."""


class GuardedLikeness:
    """Compares texts. For any number of threads."""

    def __init__(self, similarity: Similarity, guards: Guards | None) -> None:
        """Take what decides.

        Args:
            guards: Says what must never match; None to let everything match.
        """
        self._similarity = similarity
        self._guards = guards

    def __call__(self, text: str, others: Sequence[str]) -> list[float]:
        """Return how alike a text is to each of some others, in -1..1; 0 if forbidden to match.

        Raises:
            ModelError: the embedding cannot be used.
            RuleError: a user's guard rule is faulty.
        """
        values: list[float] = self._similarity.matrix([text], others)[0].tolist()
        if self._guards is None:
            return values
        unmatched = self._guards.unmatched((text, other) for other in others)
        return [
            0.0 if (text, other) in unmatched else value
            for other, value in zip(others, values, strict=True)
        ]


class Aliases:
    """Finds spellings of one thing. For any number of threads."""

    def __init__(
        self, similarity: Similarity, guards: Guards | None, threshold: float = DEFAULT_ALIAS
    ) -> None:
        """Take what decides.

        Args:
            guards: Says what must never be merged; None to merge whatever is alike.
            threshold: Least cosine, in 0..1.

        Raises:
            InputError: the threshold is outside its range.
        """
        if not 0 <= threshold <= 1:
            raise InputError(f"alias threshold: expected a number in 0..1, got {threshold:g}")
        self._similarity = similarity
        self._guards = guards
        self._threshold = threshold

    def __call__(self, nodes: Sequence[str], predicates: Sequence[str]) -> list[Merged]:
        """Return which texts stand for an earlier one.

        Args:
            nodes: In compared form, distinct, in the order in which they were first given.

        Raises:
            ModelError: the embedding cannot be used.
            RuleError: a user's guard rule is faulty.
        """
        found = self._among(nodes)
        taken = {one.dropped for one in found}
        return found + [one for one in self._among(predicates) if one.dropped not in taken]

    def _among(self, texts: Sequence[str]) -> list[Merged]:
        values = self._similarity.matrix(texts, texts)
        pairs = [
            (texts[row], texts[column])
            for row in range(len(texts))
            for column in range(row)
            if values[row, column] >= self._threshold
        ]
        unmatched = self._guards.unmatched(pairs) if self._guards else set()
        places = {text: place for place, text in enumerate(texts)}
        near: dict[str, list[str]] = {}
        for text, earlier in pairs:
            if (text, earlier) not in unmatched:
                near.setdefault(text, []).append(earlier)
        merged: dict[str, Merged] = {}
        for text in texts:
            # Only with a text that stands for itself: alike is not passed on.
            kept = [one for one in near.get(text, ()) if one not in merged]
            if kept:
                likes = {one: float(values[places[text], places[one]]) for one in kept}
                best = max(kept, key=lambda one: (likes[one], -places[one]))
                merged[text] = Merged(kept=best, dropped=text, similarity=likes[best])
        return list(merged.values())


@dataclass(frozen=True)
class TextMatching:
    """What compares the texts of graphs.

    Attributes:
        embedding: Which embeddings; None to take equal texts only.
        guards: Whether the guard rules forbid matches.
        overlays: Paths of users' guard rules, in order.
        cache: A file of vectors; None remembers nothing beyond the process.
        refresh: Whether to find none in it, and replace those that are made anew.
    """

    embedding: EmbeddingSettings | None = field(default_factory=EmbeddingSettings)
    guards: bool = True
    overlays: tuple[str, ...] = ()
    cache: str | None = None
    refresh: bool = False

    def recorded(self) -> dict[str, Any]:
        """Return what is recorded with a graph."""
        if self.embedding is None:
            return {"embedding": None}
        model = {"model": self.embedding.model} if self.embedding.model else {}
        guards = {"guards": self.guards, "guard_overlays": list(self.overlays)}
        return {"embedding": self.embedding.name, **model, **guards}

    def judge(self) -> Guards | None:
        """Return the guards, if they are wanted.

        Raises:
            RuleError: an overlay is faulty.
        """
        return Guards(rulebook_for("guards", self.overlays)) if self.guards else None

    def check(self) -> None:
        """Try the guards, if they are wanted, without a text.

        Raises:
            RuleError: they are faulty.
        """
        guards = self.judge()
        if guards:
            guards.check()

    def likeness(self) -> GuardedLikeness | None:
        """Return what compares texts, if embeddings are wanted.

        Raises:
            InputError: a setting cannot be used.
            ModelError: a package that is needed is not installed.
            RuleError: an overlay is faulty.
        """
        if self.embedding is None:
            return None
        store = VectorCache(Path(self.cache), refresh=self.refresh) if self.cache else None
        return GuardedLikeness(similarity(self.embedding, store), self.judge())

    def aliases(self, threshold: float) -> Aliases | None:
        """Return what finds spellings of one thing, if embeddings are wanted.

        Args:
            threshold: Least cosine, in 0..1.

        Raises:
            InputError: a setting cannot be used.
            ModelError: a package that is needed is not installed.
            RuleError: an overlay is faulty.
        """
        if self.embedding is None:
            return None
        store = VectorCache(Path(self.cache), refresh=self.refresh) if self.cache else None
        return Aliases(similarity(self.embedding, store), self.judge(), threshold)
