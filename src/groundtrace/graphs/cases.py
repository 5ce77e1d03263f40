"""From records to cases: what graphs are made of, and what is to be scored."""

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from groundtrace.errors import InputError
from groundtrace.files.reading import Record, object_of, problems_of
from groundtrace.models.arguments import refuse
from groundtrace.models.graph import GraphCase
from groundtrace.models.reward import RewardCase

Case = TypeVar("Case", GraphCase, RewardCase)


def case_of(record: Record, kind: type[Case]) -> Case:
    """Return the case that a record holds; one without an id is named after the file.

    Raises:
        InputError: the record is no such case; the message names the fields.
    """
    case = case_from(object_of(record), kind)
    if "id" not in case.model_fields_set:
        case.id = record.name
    return case


def case_from(value: Case | Mapping[str, Any], kind: type[Case]) -> Case:
    """Return a case from what a Python caller gave.

    Args:
        value: A case, or a mapping like a JSON object.

    Raises:
        InputError: the mapping is no such case.
        ArgumentError: it is no mapping.
    """
    if isinstance(value, kind):
        return value
    if not isinstance(value, Mapping):
        raise refuse("case", f"a {kind.__name__}, or a mapping like its JSON object", value)
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        raise InputError(problems_of(error)) from None
