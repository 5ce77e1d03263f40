"""What a model at a chat server accepts, and what is given up when it refuses."""

import re
from dataclasses import dataclass, replace
from enum import Enum

from groundtrace.errors import ModelError

LEAST_OUTPUT = 16
"""Tokens for an answer, at least."""


_LENGTH = re.compile(
    r"context length|max_model_len|too (?:large|long|many|high)|exceed|greater than"
)


class Enforcement(Enum):
    """How a server is made to answer with one of the choices, best first."""

    structured_outputs = 1
    response_format = 2
    none = 3

    def remark(self, rule: str) -> str:
        """Return how answers are kept to their form, for people.

        Args:
            rule: What they are kept to, such as "the letters".
        """
        if self is Enforcement.none:
            return f"the server cannot keep answers to {rule}; they were read strictly"
        return f"answers kept to {rule} by {self.name}"


@dataclass(frozen=True)
class Access:
    """What a model at a server accepts.

    Attributes:
        enforcement: The best that works.
        logprobs: Whether it takes the field.
        limit_field: What the limit on output tokens is called there.
        max_output: Output tokens that may be asked for.
        length: Tokens of prompt and answer together.
    """

    enforcement: Enforcement
    logprobs: bool
    limit_field: str
    max_output: int
    length: int


def concede(access: Access, words: str, model: str) -> Access:
    """Return what to try after a request was refused.

    Raises:
        ModelError: there is nothing left to give up.
    """
    if "logprob" in words and access.logprobs:
        return replace(access, logprobs=False)
    if _LENGTH.search(words) and access.max_output > LEAST_OUTPUT:
        return replace(access, max_output=max(access.max_output // 2, LEAST_OUTPUT))
    if "max_" in words and access.limit_field == "max_tokens":
        return replace(access, limit_field="max_completion_tokens")
    if "temperature" in words:
        raise ModelError(f"model {model!r}: {words}; try another --temperature")
    if access.enforcement is not Enforcement.none:
        return replace(access, enforcement=Enforcement(access.enforcement.value + 1))
    if access.logprobs:
        return replace(access, logprobs=False)
    raise ModelError(f"model {model!r} refuses every question: {words}")
