"""Prompts: templates filled with strangers' texts, which cannot break out of their place."""

import hashlib
import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import count
from typing import NamedTuple

BYTES_PER_TOKEN = 4
"""Of English text."""

_SUFFIX = re.compile(r"-([0-9]{1,9})")
_PLACEHOLDER = re.compile(r"\{(text|fence)\}")


class Prompt(NamedTuple):
    """What a language model reads."""

    system: str
    user: str

    @property
    def messages(self) -> list[dict[str, str]]:
        """The prompt as chat messages."""
        return [
            {"role": "system", "content": self.system},
            {"role": "user", "content": self.user},
        ]

    @property
    def size(self) -> int:
        """Bytes in UTF-8."""
        return len(self.system.encode()) + len(self.user.encode())

    @property
    def tokens(self) -> int:
        """Estimated tokens."""
        return self.size // BYTES_PER_TOKEN


class Templates(NamedTuple):
    """The parts of a template file, by name."""

    parts: dict[str, str]
    digest: str
    """ "sha256:…" of the file."""


@cache
def templates(package: str, name: str) -> Templates:
    """Return the parts of a template file that lies in a package.

    Args:
        package: Such as "groundtrace.labelling".
        name: Of the file, without ".toml".
    """
    content = files(package).joinpath(f"{name}.toml").read_bytes()
    parts = {part: text.strip() for part, text in tomllib.loads(content.decode()).items()}
    return Templates(parts, f"sha256:{hashlib.sha256(content).hexdigest()}")


def fill(part: str, text: str, fence: str) -> str:
    """Return a part of a template with a text in its place.

    Args:
        part: Holds {text} and {fence}.
        text: Whatever it holds; it is not cut or changed.
    """
    values = {"text": text, "fence": fence}
    return _PLACEHOLDER.sub(lambda found: values[found[1]], part)


def fence_for(texts: Sequence[str], tags: Sequence[str]) -> str:
    """Return a suffix for the tags of a template that no text can close; empty if none tries.

    Args:
        texts: That will stand between the tags.
    """
    tag = re.compile(rf"</?\s*(?:{'|'.join(tags)})", re.IGNORECASE)
    if not any(tag.search(text) for text in texts):
        return ""
    used = {
        digits[:length]
        for text in texts
        for digits in _SUFFIX.findall(text)
        for length in range(1, len(digits) + 1)
    }
    return next(f"-{number}" for number in count(1) if str(number) not in used)
