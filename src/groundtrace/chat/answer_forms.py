"""What form an answer must have: one of some choices, or JSON after a schema."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Form:
    """What an answer must look like.

    Attributes:
        structured: The value of the field structured_outputs, as vLLM has it.
        schema: The JSON schema, where only JSON can be asked for.
        name: Of the schema.
        rule: What answers are kept to, for people.
        weighed: Whether the probabilities of its tokens are wanted.
    """

    structured: Mapping[str, Any]
    schema: Mapping[str, Any]
    name: str
    rule: str
    weighed: bool = False

    @property
    def response_format(self) -> dict[str, Any]:
        """The field response_format, as OpenAI has it."""
        return {
            "type": "json_schema",
            "json_schema": {"name": self.name, "strict": True, "schema": dict(self.schema)},
        }


def one_of(choices: Sequence[str], weighed: bool = False) -> Form:
    """Return the form of an answer that is one of some choices and nothing else.

    Args:
        weighed: Whether the probabilities of its tokens are wanted.
    """
    schema = {
        "type": "object",
        "properties": {"label": {"type": "string", "enum": list(choices)}},
        "required": ["label"],
        "additionalProperties": False,
    }
    letters = all(len(one) == 1 and one.isalpha() for one in choices)
    rule = "the letters" if letters else "the choices"
    return Form({"choice": list(choices)}, schema, "label", rule, weighed)


def json_after(schema: Mapping[str, Any], name: str) -> Form:
    """Return the form of an answer that is JSON.

    Args:
        schema: A JSON schema in which every object lists its properties and allows no others.
    """
    return Form({"json": dict(schema)}, schema, name, "the schema")
