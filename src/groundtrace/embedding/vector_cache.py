"""Vectors on disk, so that no text is embedded twice."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from groundtrace.files.answer_cache import CacheFile

if TYPE_CHECKING:
    import numpy

    Vector = numpy.ndarray[tuple[int], numpy.dtype[numpy.float32]]

AT_ONCE = 500
"""Keys in one query."""


class VectorCache(CacheFile):
    """A file of vectors, for any number of threads. It holds hashes of texts, no texts."""

    def get(self, keys: Sequence[bytes]) -> "dict[bytes, Vector]":
        """Return the vectors that are known, by key.

        Args:
            keys: 32 bytes each.

        Raises:
            InputError: the file cannot be read.
        """
        import numpy

        if self.refresh:
            return {}
        found = {}
        for start in range(0, len(keys), AT_ONCE):
            some = keys[start : start + AT_ONCE]
            marks = ", ".join("?" * len(some))
            query = f"SELECT key, vector FROM vectors WHERE key IN ({marks})"  # noqa: S608
            for key, content in self.found(query, some):
                # Anybody may have written into the file.
                if isinstance(content, bytes) and content and len(content) % 4 == 0:
                    vector = numpy.frombuffer(content, dtype="<f4")
                    if numpy.isfinite(vector).all() and vector.any():
                        found[key] = vector
        return found

    def put(self, vectors: "Mapping[bytes, Vector]") -> None:
        """Keep vectors.

        Args:
            vectors: By key; of one length.

        Raises:
            InputError: the file cannot be written.
        """
        if vectors:
            rows = [(key, vector.astype("<f4").tobytes()) for key, vector in vectors.items()]
            self.kept("vectors", rows)
