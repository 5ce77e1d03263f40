"""Which embeddings are used, and the protocol that every back-end follows.

A back-end is one file in ``backends/`` with a class ``Backend`` that is made from
:class:`EmbeddingSettings`. Nothing else has to know it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy

    Vectors = numpy.ndarray[tuple[int, int], numpy.dtype[numpy.float32]]
    Matrix = numpy.ndarray[tuple[int, int], numpy.dtype[numpy.float64]]


KEY_VARIABLE = "GROUNDTRACE_EMBEDDING_KEY"
"""Not that of the chat server: its key is nobody else's business."""


@dataclass(frozen=True)
class EmbeddingSettings:
    """Which embeddings are used.

    Attributes:
        name: Of a file in ``backends/``, or "exact" for none: texts are equal or not.
        model: As the server or sentence-transformers knows it; a path for a local one.
        base_url: Of the server, such as "http://localhost:8001/v1".
        key_variable: The environment variable that holds the server's key.
        timeout: Seconds that one try of a call may take.
        retries: Further tries after a failed one.
    """

    name: str = "use"
    model: str | None = None
    base_url: str | None = None
    key_variable: str = KEY_VARIABLE
    timeout: float = 60.0
    retries: int = 5


class Backend(Protocol):
    """Turns texts into vectors. Made with no network and no model."""

    def __init__(self, settings: EmbeddingSettings) -> None:
        """Check the settings.

        Raises:
            InputError: a setting is missing or cannot be used.
            ModelError: a package that is needed is not installed.
        """

    @property
    def identity(self) -> str:
        """What shapes the vectors, for the key of the cache."""

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """Return one vector per text: float32, shape (texts, dimensions), any length but 0.

        Args:
            texts: At least one, none of them empty.

        Raises:
            ModelError: the server or model cannot be used.
        """
