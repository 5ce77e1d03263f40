"""The prompt for language models: one template file, filled with the texts of a trace."""

import hashlib
import json
import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from groundtrace.labelling.questions import Settings, Voter
from groundtrace.vocabulary import LABELS

CHOICES = tuple(sorted({label[0].upper() for label in LABELS}))
"""The letters that the template asks for: C, E, I, N."""

BYTES_PER_TOKEN = 4
"""Of English text."""

_TAG = re.compile(r"</?\s*(?:premise|conclusion)", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\{(text|fence)\}")


class Template(NamedTuple):
    """The parts of the template file."""

    system: str
    premise: str
    conclusion: str
    digest: str
    """ "sha256:…" of the file."""


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


@cache
def template() -> Template:
    """Return the template."""
    content = files(__package__).joinpath("prompt.toml").read_bytes()
    parts = {name: text.strip() for name, text in tomllib.loads(content.decode()).items()}
    return Template(digest=f"sha256:{hashlib.sha256(content).hexdigest()}", **parts)


def prompt_for(premises: Sequence[str], conclusion: str) -> Prompt:
    """Return the prompt that asks what some premises mean for a conclusion.

    Args:
        premises: Texts, whatever they hold; none is cut or changed.
        conclusion: A text.
    """
    fence = _fence((*premises, conclusion))
    parts = [_filled(template().premise, text, fence) for text in premises]
    parts.append(_filled(template().conclusion, conclusion, fence))
    return Prompt(template().system, "\n".join(parts))


def _filled(part: str, text: str, fence: str) -> str:
    values = {"text": text, "fence": fence}
    return _PLACEHOLDER.sub(lambda found: values[found[1]], part)


def _fence(texts: Sequence[str]) -> str:
    """Return a suffix for our tags that no text can close."""
    if not any(_TAG.search(text) for text in texts):
        return ""
    number = 1
    while any(f"-{number}" in text for text in texts):
        number += 1
    return f"-{number}"


def chat_key(premises: Sequence[str], conclusion: str, voter: Voter, settings: Settings) -> bytes:
    """Return the key of a language model's answer in the cache.

    How the choices were enforced, and by which server, is not part of it: the answer was one of
    the choices in any case, and a run that goes on must find it again.

    Args:
        premises: Texts.
        conclusion: A text.
        voter: Who is asked.
        settings: How.
    """
    shape = [
        "chat",
        prompt_for(premises, conclusion),
        voter,
        settings.sampling_temperature,
        settings.max_output_tokens,
        CHOICES,
        *([settings.request] if settings.request else []),
    ]
    return hashlib.sha256(json.dumps(shape).encode()).digest()


def chat_settings(settings: Settings) -> dict[str, object]:
    """Return what is recorded of a language model's work.

    Args:
        settings: How relations are labelled.
    """
    return {
        "labeller": settings.labeller,
        "models": list(settings.models),
        "votes": settings.votes,
        "temperature": settings.sampling_temperature,
        "context_length": settings.context_length,
        "max_output_tokens": settings.max_output_tokens,
        **({"request": dict(settings.request)} if settings.request else {}),
        "prompt": template().digest,
    }
