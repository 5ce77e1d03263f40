"""The options of commands that compare texts or ask a server."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from groundtrace.cli.labelling_options import named_value, option
from groundtrace.errors import InputError, missing_package

if TYPE_CHECKING:
    from groundtrace.chat.service import ChatService
    from groundtrace.chat.settings import ServerSettings
    from groundtrace.embedding.settings import EmbeddingSettings
    from groundtrace.graphs.matching import TextMatching


@dataclass(frozen=True)
class CacheOptions:
    """Where answers are kept, by the names of the parameters."""

    cache: Annotated[
        Path | None, option("The file of answers; one per user by default.", metavar="PATH")
    ] = None
    no_cache: Annotated[bool, option("Neither find nor keep answers.", "--no-cache")] = False
    refresh: Annotated[
        bool, option("Ask everything anew and replace what was kept.", "--refresh")
    ] = False

    def path(self) -> Path | None:
        """Return the file of answers; None to keep none.

        Raises:
            InputError: the options contradict each other.
        """
        from groundtrace.files.answer_cache import default_path

        if self.no_cache and (self.refresh or self.cache):
            raise InputError("--no-cache does not go with --cache or --refresh")
        return None if self.no_cache else self.cache or default_path()


@dataclass(frozen=True)
class EmbeddingOptions:
    """What compares texts, by the names of the parameters."""

    embedding: Annotated[
        str,
        option(
            "What compares texts: use, openai, sentence-transformers, or exact.", metavar="NAME"
        ),
    ] = "use"
    embedding_model: Annotated[
        str | None, option("openai, sentence-transformers: the model.", metavar="NAME")
    ] = None
    embedding_url: Annotated[
        str | None, option("openai: the server, http://localhost:8001/v1.", metavar="URL")
    ] = None
    embedding_key_variable: Annotated[
        str, option("openai: the environment variable that holds its key.", metavar="NAME")
    ] = "GROUNDTRACE_EMBEDDING_KEY"
    guards: Annotated[
        bool,
        option(
            "Whether opposites such as left and right are kept from matching.",
            "--guards/--no-guards",
        ),
    ] = True

    def settings(self) -> "EmbeddingSettings":
        """Return which embeddings are used."""
        from groundtrace.embedding.settings import EmbeddingSettings

        return EmbeddingSettings(
            self.embedding,
            self.embedding_model,
            self.embedding_url,
            self.embedding_key_variable,
        )


@dataclass(frozen=True)
class ServerOptions:
    """Which language models are asked, by the names of the parameters."""

    model: Annotated[
        list[str] | None, option("A model of the server; repeatable.", metavar="NAME")
    ] = None
    base_url: Annotated[
        str | None, option("The chat server, http://localhost:8000/v1.", metavar="URL")
    ] = None
    key_variable: Annotated[
        str, option("The environment variable that holds the server's key.", metavar="NAME")
    ] = "GROUNDTRACE_API_KEY"
    request: Annotated[
        list[str] | None,
        option(
            "A further field of every request; VALUE is JSON or text; repeatable.",
            metavar="NAME=VALUE",
        ),
    ] = None
    temperature: Annotated[float | None, option("0 by default.", metavar="T")] = None
    concurrency: Annotated[int, option("Calls under way at once.", metavar="N")] = 32
    timeout: Annotated[float, option("Seconds that one call may take.", metavar="SECONDS")] = 120.0
    retries: Annotated[int, option("Further tries of a failed call.", metavar="N")] = 5
    context_length: Annotated[int, option("Tokens of a prompt and its answer.", metavar="N")] = (
        16384
    )
    max_output_tokens: Annotated[
        int, option("Tokens of an answer, thinking included.", metavar="N")
    ] = 8192

    @property
    def wanted(self) -> bool:
        """Whether a language model is to be asked."""
        return bool(self.model) or self.base_url is not None

    def settings(self) -> "ServerSettings":
        """Return which server is asked, and how.

        Raises:
            InputError: an option cannot be used.
        """
        from groundtrace.chat.settings import ServerSettings

        return ServerSettings(
            models=tuple(self.model or ()),
            temperature=self.temperature,
            context_length=self.context_length,
            max_output_tokens=self.max_output_tokens,
            base_url=self.base_url,
            key_variable=self.key_variable,
            request=tuple(named_value("--request", one) for one in self.request or ()),
            concurrency=self.concurrency,
            timeout=self.timeout,
            retries=self.retries,
        )

    @contextmanager
    def service(self, cache: CacheOptions) -> "Iterator[ChatService]":
        """Give a service to ask; nobody is asked yet.

        Args:
            cache: Where answers are kept.

        Raises:
            InputError: an option or the cache cannot be used.
            ModelError: a package is missing.
        """
        try:
            from groundtrace.chat.service import ChatService
        except ModuleNotFoundError as error:
            raise missing_package("asking a server needs", "openai", error.name) from None
        from groundtrace.chat.text_cache import TextCache

        path = cache.path()
        store = TextCache(path, refresh=cache.refresh) if path else None
        service = ChatService(self.settings(), store)
        try:
            yield service
        finally:
            service.close()


def comparing_of(
    embedding: EmbeddingOptions, cache: CacheOptions, guard: list[Path] | None
) -> "TextMatching":
    """Return what compares the texts of graphs.

    Args:
        cache: Where vectors are kept.
        guard: Paths of users' guard rules.

    Raises:
        InputError: the options contradict each other.
    """
    from groundtrace.graphs.matching import TextMatching

    path = cache.path()
    return TextMatching(
        embedding.settings(),
        embedding.guards,
        tuple(str(one) for one in guard or ()),
        str(path) if path else None,
        cache.refresh,
    )
