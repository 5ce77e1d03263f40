"""Any model of the package sentence-transformers, in this process."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from groundtrace.embedding.settings import EmbeddingSettings
from groundtrace.errors import InputError, ModelError, missing_package

if TYPE_CHECKING:
    from groundtrace.embedding.settings import Vectors

EXTRA = "sentence-transformers"


class Backend:
    """Embeds with a local model."""

    def __init__(self, settings: EmbeddingSettings) -> None:
        """Check the settings; the model is loaded with the first texts.

        Args:
            settings: With the model's name or path.

        Raises:
            InputError: no model is named.
        """
        if not settings.model:
            raise InputError(f"the embedding {EXTRA} needs a model: name one (--embedding-model)")
        self._name = settings.model
        self._model: Any = None

    @property
    def identity(self) -> str:
        """What shapes the vectors."""
        return f"{EXTRA} {self._name}"

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """Return one vector per text.

        Raises:
            ModelError: the package is not installed, or the model cannot be loaded.
        """
        if self._model is None:
            self._model = self._load()
        vectors: Vectors = self._model.encode(list(texts), show_progress_bar=False)
        return vectors

    def _load(self) -> Any:
        try:
            from sentence_transformers import SentenceTransformer
        except ModuleNotFoundError as error:
            raise missing_package(f"the embedding {EXTRA} needs", EXTRA, error.name) from None
        try:
            return SentenceTransformer(self._name)
        except Exception as error:  # Whatever a stranger's model file provokes.
            raise ModelError(f"the model {self._name!r} cannot be loaded: {error}") from None
