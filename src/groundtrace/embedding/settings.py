"""Which embeddings are used, and the protocol that every back-end follows.

A back-end is one file in ``backends/`` with a class ``Backend`` that is made from
:class:`EmbeddingSettings`. Nothing else has to know it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Protocol

from groundtrace.models.settings import Setting

if TYPE_CHECKING:
    import numpy

    Vectors = numpy.ndarray[tuple[int, int], numpy.dtype[numpy.float32]]
    Matrix = numpy.ndarray[tuple[int, int], numpy.dtype[numpy.float64]]


KEY_VARIABLE = "GROUNDTRACE_EMBEDDING_KEY"
"""Not that of the chat server: its key is nobody else's business."""


@dataclass(frozen=True)
class EmbeddingSettings:
    """Which embeddings are used: each field says what it is.

    The name is that of a file in ``backends/``, or "exact" for none: texts are equal or not. The
    model is one that the server or sentence-transformers knows, or a path. A call may take
    ``timeout`` seconds and is tried again ``retries`` times.
    """

    name: Annotated[
        str,
        Setting(
            "What compares texts: use, openai, sentence-transformers, or exact.",
            "NAME",
            "embedding",
        ),
    ] = "use"
    model: Annotated[
        str | None,
        Setting("The model.", "NAME", "embedding_model", of="openai, sentence-transformers"),
    ] = None
    base_url: Annotated[
        str | None,
        Setting("The server, http://localhost:8001/v1.", "URL", "embedding_url", of="openai"),
    ] = None
    key_variable: Annotated[
        str,
        Setting(
            "The environment variable that holds its key.",
            "NAME",
            "embedding_key_variable",
            of="openai",
        ),
    ] = KEY_VARIABLE
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
