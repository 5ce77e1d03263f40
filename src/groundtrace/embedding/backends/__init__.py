"""The back-ends, one file each."""

from importlib import import_module
from pathlib import Path

from groundtrace.embedding.settings import Backend, EmbeddingSettings
from groundtrace.errors import InputError

NAMES = tuple(
    sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem != "__init__")
)
EXACT = "exact"


def make(settings: EmbeddingSettings) -> Backend:
    """Return the back-end that some settings describe.

    Args:
        settings: Its name, and whatever it needs.

    Raises:
        InputError: there is no such back-end, or a setting cannot be used.
        ModelError: a package that is needed is not installed.
    """
    name = settings.name.replace("-", "_")
    if name not in NAMES:
        known = ", ".join(sorted([*(one.replace("_", "-") for one in NAMES), EXACT]))
        raise InputError(f"there is no embedding {settings.name!r}; known are {known}")
    backend: type[Backend] = import_module(f"{__name__}.{name}").Backend
    return backend(settings)
