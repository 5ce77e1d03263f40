"""Groups of options that several commands share: written once, spread into each command.

A group is a dataclass. Its fields are annotated as options, or hold another group, or hold
settings, whose fields declare their options themselves.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, is_dataclass
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer

from groundtrace.errors import InputError
from groundtrace.models.settings import Setting


@dataclass(frozen=True)
class Part:
    """How settings appear among the options of a group.

    Attributes:
        without: Fields that have no option here.
        defaults: Field to its default, where that is not the settings' own.
        only: The part that is always meant, so that options need not name it.
    """

    without: tuple[str, ...] = ()
    defaults: Mapping[str, Any] = field(default_factory=dict)
    only: str = ""


def option(help: str, *names: str, **details: Any) -> Any:  # noqa: A002
    """Return an option.

    Args:
        names: If not that of the parameter.
        details: As typer has them.
    """
    return typer.Option(*names, help=help, **details)


def spread(**groups: type) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return what spreads the options of groups into a command's own.

    Args:
        groups: Parameter of the command to the dataclass that it takes; its options take the
            parameter's place.
    """

    def around(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command, eval_str=True)
        kept = [one for one in own.parameters.values() if one.name not in groups]
        options = [one for group in groups.values() for one in _options(group)]

        def run(**given: Any) -> None:
            made = {name: _group(group, given) for name, group in groups.items()}
            command(**{one.name: given[one.name] for one in kept}, **made)

        run.__name__ = command.__name__
        run.__doc__ = command.__doc__
        every = [*kept, *options]
        parameters = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in every]
        run.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in parameters}
        return run

    return around


def _options(group: type) -> Iterator[inspect.Parameter]:
    """Yield the options of a group and of what it holds, in order."""
    for one, kind, hint in _fields(group):
        if _setting_fields(kind):
            part = _of_type(hint, Part) or Part()
            for inner, setting in _setting_fields(kind):
                if inner.name not in part.without:
                    yield _setting_option(kind, inner, setting, part)
        elif _is_group(kind):
            yield from _options(kind)
        else:
            yield _parameter(one.name, one.default, hint)


def _group(group: type, given: Mapping[str, Any]) -> Any:
    """Return a group with what was given on the command line.

    Raises:
        InputError: a pair has no "=".
    """
    made: dict[str, Any] = {}
    for one, kind, hint in _fields(group):
        if _setting_fields(kind):
            part = _of_type(hint, Part) or Part()
            made[one.name] = kind(
                **{
                    inner.name: _value(setting, given[setting.option or inner.name], inner.name)
                    for inner, setting in _setting_fields(kind)
                    if inner.name not in part.without
                }
            )
        else:
            made[one.name] = _group(kind, given) if _is_group(kind) else given[one.name]
    return group(**made)


def _is_group(kind: Any) -> bool:
    return isinstance(kind, type) and is_dataclass(kind)


def _fields(group: type) -> Iterator[tuple["Field[Any]", Any, Any]]:
    """Yield each field with its type, and its type with what is annotated."""
    hints = get_type_hints(group, include_extras=True)
    for one in fields(group):
        hint = hints[one.name]
        yield one, get_args(hint)[0] if get_origin(hint) is Annotated else hint, hint


def _setting_fields(kind: Any) -> list[tuple["Field[Any]", Setting]]:
    """Return the fields of settings that declare an option; none if it is no such class."""
    if not _is_group(kind):
        return []
    found = ((one, _of_type(hint, Setting)) for one, _, hint in _fields(kind))
    return [(one, setting) for one, setting in found if setting is not None]


def _of_type(hint: Any, kind: type) -> Any:
    """Return what of a type is annotated; None if there is nothing."""
    return next((one for one in get_args(hint)[1:] if isinstance(one, kind)), None)


def _setting_option(
    settings: type, declared: "Field[Any]", setting: Setting, part: Part
) -> inspect.Parameter:
    kinds: dict[str, Any] = {one.name: kind for one, kind, _ in _fields(settings)}
    words = setting.help
    if setting.of and setting.of != part.only:
        words = f"{setting.of}: {words[0].lower()}{words[1:]}"
    repeated = setting.form != "one"
    kind = list[str] | None if repeated else kinds[declared.name]
    default = None if repeated else part.defaults.get(declared.name, declared.default)
    hint = Annotated[kind, option(words, metavar=setting.metavar)]  # type: ignore[valid-type]
    return _parameter(setting.option or declared.name, default, hint)


def _parameter(name: str, default: Any, hint: Any) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, default=default, annotation=hint)


def _value(setting: Setting, given: Any, name: str) -> Any:
    """Return the value of a field from that of its option.

    Raises:
        InputError: a pair has no "=".
    """
    if setting.form == "one":
        return given
    flag = f"--{(setting.option or name).replace('_', '-')}"
    pairs = setting.form == "pairs"
    return tuple(_pair(flag, one) if pairs else one for one in given or ())


def _pair(flag: str, given: str) -> tuple[str, Any]:
    """Return a name and a value; the value is JSON, or else text.

    Args:
        given: NAME=VALUE.

    Raises:
        InputError: there is no "=".
    """
    import json

    name, equals, value = given.partition("=")
    if not equals:
        raise InputError(f"{flag}: expected NAME=VALUE, got {given!r}")
    try:
        return name.strip(), json.loads(value)
    except (ValueError, RecursionError):
        return name.strip(), value
