"""A model behind an OpenAI-compatible embeddings server, such as ``vllm serve``."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from groundtrace.embedding.settings import EmbeddingSettings
from groundtrace.errors import InputError, ModelError, missing_package

if TYPE_CHECKING:
    from groundtrace.embedding.settings import Vectors

TEXTS_PER_CALL = 64
CALLS_AT_ONCE = 8
_QUOTED = 300
_ODD_REPLIES = (AttributeError, TypeError, ValueError, ArithmeticError, RecursionError)


class Backend:
    """Embeds with a model of a server that the user named."""

    def __init__(self, settings: EmbeddingSettings) -> None:
        """Check the settings; contacts nobody.

        Args:
            settings: With the server's address and the model's name.

        Raises:
            InputError: no server or model is named.
            ModelError: the package openai is not installed.
        """
        if not settings.model or not settings.base_url:
            raise InputError(
                "the embedding openai needs a server and a model "
                "(--embedding-url, --embedding-model)"
            )
        try:
            from groundtrace.chat.client import check_url, read_key
        except ModuleNotFoundError as error:
            raise missing_package("the embedding openai needs", "openai", error.name) from None
        self._settings = settings
        self._url = check_url(settings.base_url)
        self._key = read_key(settings.key_variable)
        self._model = settings.model

    @property
    def identity(self) -> str:
        """What shapes the vectors; the server's address does not."""
        return f"openai {self._model}"

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """Return one vector per text.

        Raises:
            ModelError: the server cannot be used, or its reply is no vectors.
        """
        import numpy

        from groundtrace.chat.background import BackgroundLoop
        from groundtrace.chat.client import client_for

        loop = BackgroundLoop()
        client = client_for(self._url, self._key, self._settings.timeout, self._settings.retries)
        try:
            rows = loop.submit(self._all(client, texts)).result()
        finally:
            loop.close(client.close)
        try:
            return numpy.array(rows, dtype=numpy.float32)
        except ValueError:
            raise ModelError(f"{self._url} gives no vectors of one length") from None

    async def _all(self, client: Any, texts: Sequence[str]) -> list[list[float]]:
        turns = asyncio.Semaphore(CALLS_AT_ONCE)

        async def some(start: int) -> list[list[float]]:
            async with turns:
                return await self._call(client, list(texts[start : start + TEXTS_PER_CALL]))

        calls = (some(start) for start in range(0, len(texts), TEXTS_PER_CALL))
        return [row for rows in await asyncio.gather(*calls) for row in rows]

    async def _call(self, client: Any, texts: list[str]) -> list[list[float]]:
        """Return the vectors of a few texts.

        Raises:
            ModelError: there are none.
        """
        import openai

        try:
            reply = await client.embeddings.create(
                model=self._model, input=texts, encoding_format="float"
            )
            rows = _rows(reply.data)
        except (openai.OpenAIError, *_ODD_REPLIES) as error:
            raise self._unusable(error) from None
        if len(rows) != len(texts):
            raise ModelError(f"{self._url} gave {len(rows):,} embeddings for {len(texts):,} texts")
        return rows

    def _unusable(self, error: Exception) -> ModelError:
        words = " ".join(str(error).split())
        shown = words.replace(self._key, "…") if self._key else words
        return ModelError(
            f"{self._url} gives no embeddings with {self._model!r}: {shown[:_QUOTED]}"
        )


def _rows(data: Any) -> list[list[float]]:
    """Return the vectors of a reply in the order of the texts.

    Raises:
        ValueError: they are no lists of numbers, or not numbered from 0.
    """
    ordered = sorted(data, key=lambda one: int(one.index))
    if [one.index for one in ordered] != list(range(len(ordered))):
        raise ValueError("its embeddings are not numbered from 0")
    for one in ordered:
        if not isinstance(one.embedding, list) or not all(
            type(value) in (int, float) for value in one.embedding
        ):
            raise ValueError("an embedding is no list of numbers")
    return [[float(value) for value in one.embedding] for one in ordered]
