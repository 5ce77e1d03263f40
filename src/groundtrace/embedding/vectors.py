"""Unit vectors of texts, each made once per run and kept in the cache."""

import hashlib
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from groundtrace.embedding.backends import EXACT, make
from groundtrace.embedding.settings import Backend, EmbeddingSettings
from groundtrace.errors import ModelError
from groundtrace.models.names import normal

if TYPE_CHECKING:
    from groundtrace.embedding.settings import Matrix, Vectors
    from groundtrace.embedding.vector_cache import VectorCache

MOST_HELD = 200_000
"""Vectors in memory; at 512 dimensions 400 MB."""

AT_ONCE = 1024


class Similarity(Protocol):
    """Compares texts."""

    def matrix(self, texts: Sequence[str], others: Sequence[str]) -> "Matrix":
        """Return how alike texts are: float64, shape (texts, others), each in -1..1.

        Raises:
            ModelError: the server or model cannot be used.
        """


class Equality:
    """Texts are alike if they are equal in their compared form."""

    def matrix(self, texts: Sequence[str], others: Sequence[str]) -> "Matrix":
        """Return 1 for equal texts and 0 for others: float64, shape (texts, others)."""
        import numpy

        places = {form: place for place, form in enumerate(dict.fromkeys(map(normal, others)))}
        left = numpy.array([places.get(normal(text), -1) for text in texts], dtype=numpy.int64)
        right = numpy.array([places[normal(text)] for text in others], dtype=numpy.int64)
        equal: Matrix = (left[:, None] == right[None, :]).astype(numpy.float64)
        return equal


class CosineSimilarity:
    """Texts are alike as the cosine of their vectors says. For any number of threads."""

    def __init__(self, backend: Backend, cache: "VectorCache | None" = None) -> None:
        """Start with no vectors.

        Args:
            cache: What was embedded before; None remembers nothing beyond the process.
        """
        self._backend = backend
        self._identity = backend.identity
        self._cache = cache
        self._lock = threading.Lock()
        self._places: dict[str, int] = {}
        self._vectors: Vectors | None = None

    def matrix(self, texts: Sequence[str], others: Sequence[str]) -> "Matrix":
        """Return the cosine of each text and each other: float64, shape (texts, others).

        Raises:
            ModelError: the server or model cannot be used.
        """
        import numpy

        if not texts or not others:
            return numpy.zeros((len(texts), len(others)), dtype=numpy.float64)
        with self._lock:
            both = self._vectors_of([*texts, *others])
        # In single precision the product would depend on what else is in the batch.
        wide = both.astype(numpy.float64)
        product: Matrix = wide[: len(texts)] @ wide[len(texts) :].T
        return product

    def _vectors_of(self, texts: Sequence[str]) -> "Vectors":
        """Return the unit vectors of some texts; shape (texts, dimensions).

        Raises:
            ModelError: there are none.
        """
        missing = [text for text in dict.fromkeys(texts) if text not in self._places]
        if missing and len(self._places) + len(missing) > MOST_HELD:
            self._places, self._vectors = {}, None
            missing = list(dict.fromkeys(texts))
        for start in range(0, len(missing), AT_ONCE):
            self._add(missing[start : start + AT_ONCE])
        if self._vectors is None:
            raise ModelError("the embedding gave no vectors")
        return self._vectors[[self._places[text] for text in texts]]

    def _add(self, texts: Sequence[str]) -> None:
        """Make the vectors of some texts, or find them in the cache.

        Raises:
            ModelError: they do not fit together.
        """
        import numpy

        keys = [self._key(text) for text in texts]
        known = self._cache.get(keys) if self._cache else {}
        fresh = [text for text, key in zip(texts, keys, strict=True) if key not in known]
        if fresh:
            made = self._normalise(self._backend.embed(fresh), len(fresh))
            found = {self._key(text): made[place] for place, text in enumerate(fresh)}
            if self._cache:
                self._cache.put(found)
            known = {**known, **found}
        rows = [known[key] for key in keys]
        if any(len(row) != len(rows[0]) for row in rows) or (
            self._vectors is not None and self._vectors.shape[1] != len(rows[0])
        ):
            raise ModelError("the embedding gives vectors of different lengths")
        block = numpy.array(rows, dtype=numpy.float32)
        self._vectors = (
            block if self._vectors is None else numpy.concatenate([self._vectors, block])
        )
        for text in texts:
            self._places[text] = len(self._places)

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(f"{self._identity}\0{text}".encode()).digest()

    def _normalise(self, vectors: "Vectors", count: int) -> "Vectors":
        """Return vectors of length 1.

        Raises:
            ModelError: they are none.
        """
        import numpy

        found = numpy.asarray(vectors, dtype=numpy.float32)
        if found.ndim != 2 or found.shape[0] != count or not numpy.isfinite(found).all():
            raise ModelError(f"the embedding gave no vectors for {count:,} texts")
        # In single precision the squares of large and of tiny numbers would be lost.
        lengths = numpy.linalg.norm(found.astype(numpy.float64), axis=1, keepdims=True)
        if not (lengths > 0).all():
            raise ModelError("the embedding gave a vector of length 0")
        units: Vectors = (found / lengths).astype(numpy.float32)
        return units


def similarity(
    settings: EmbeddingSettings | None = None, cache: "VectorCache | None" = None
) -> Similarity:
    """Return what compares texts.

    Args:
        settings: Which embeddings; the embedded default if None.
        cache: What was embedded before.

    Raises:
        InputError: a setting cannot be used.
        ModelError: a package that is needed is not installed.
    """
    chosen = settings or EmbeddingSettings()
    if chosen.name == EXACT:
        return Equality()
    return CosineSimilarity(make(chosen), cache)
