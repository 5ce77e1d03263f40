"""Groups of options that several commands share: written once, spread into each command."""

import inspect
from collections.abc import Callable
from dataclasses import fields
from typing import Any, get_type_hints


def spread(**groups: type) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return what spreads the fields of dataclasses into a command's own options.

    Args:
        groups: Parameter of the command to the dataclass that it takes; the fields, annotated
            as options, take the parameter's place.
    """

    def around(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command, eval_str=True)
        options = {name: _parameters(group) for name, group in groups.items()}
        kept = [one for one in own.parameters.values() if one.name not in groups]

        def run(**given: Any) -> None:
            filled = {
                name: group(**{one.name: given.pop(one.name) for one in options[name]})
                for name, group in groups.items()
            }
            command(**given, **filled)

        run.__name__ = command.__name__
        run.__doc__ = command.__doc__
        every = [*kept, *(one for group in options.values() for one in group)]
        parameters = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in every]
        run.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in parameters}
        return run

    return around


def _parameters(group: type) -> list[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=field.default,
            annotation=hints[field.name],
        )
        for field in fields(group)
    ]
