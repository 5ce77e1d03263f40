"""The options of commands that compare texts or ask a server."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from groundtrace.chat.settings import SERVER, ServerSettings
from groundtrace.cli.option_groups import Part, option
from groundtrace.embedding.settings import EmbeddingSettings
from groundtrace.errors import InputError, missing_package

if TYPE_CHECKING:
    from groundtrace.chat.service import ChatService
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
    """What compares texts."""

    settings: EmbeddingSettings
    guards: Annotated[
        bool,
        option(
            "Whether opposites such as left and right are kept from matching.",
            "--guards/--no-guards",
        ),
    ] = True


@dataclass(frozen=True)
class ServerOptions:
    """Which language models are asked."""

    settings: Annotated[
        ServerSettings,
        Part(
            without=("votes",),
            # What they write here is longer than a letter.
            defaults={"context_length": 16384, "max_output_tokens": 8192},
            only=SERVER,
        ),
    ]

    @property
    def wanted(self) -> bool:
        """Whether a language model is to be asked."""
        return bool(self.settings.models) or self.settings.base_url is not None

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
        service = ChatService(self.settings, store)
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
        embedding.settings,
        embedding.guards,
        tuple(str(one) for one in guard or ()),
        str(path) if path else None,
        cache.refresh,
    )
