"""Options of settings: declared once, beside the fields, and given back as settings."""

from dataclasses import fields
from typing import Annotated, Any, get_args, get_type_hints

import pytest
import typer
from typer.testing import CliRunner

from groundtrace.chat.settings import ServerSettings
from groundtrace.cli.labelling_options import LabellingOptions
from groundtrace.cli.option_groups import spread
from groundtrace.cli.server_options import EmbeddingOptions, ServerOptions
from groundtrace.embedding.settings import EmbeddingSettings
from groundtrace.errors import InputError
from groundtrace.labelling.settings import LabellingSettings
from groundtrace.models.settings import Setting

GROUPS = [
    (LabellingOptions, LabellingSettings()),
    (EmbeddingOptions, EmbeddingSettings()),
    (ServerOptions, ServerSettings(context_length=16384, max_output_tokens=8192)),
]


def given(group: type, *arguments: str) -> Any:
    """Return the group that a command gets from its command line."""
    found = []

    def command(options: Any, files: Annotated[list[str] | None, typer.Argument()] = None) -> None:
        found.append(options)

    app = typer.Typer()
    app.command()(spread(options=group)(command))
    result = CliRunner().invoke(app, arguments)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return found[0]


@pytest.mark.parametrize(("group", "settings"), GROUPS)
def test_without_options_the_settings_are_the_defaults(group: type, settings: Any) -> None:
    assert given(group).settings == settings


@pytest.mark.parametrize("settings", [LabellingSettings, ServerSettings, EmbeddingSettings])
def test_every_field_declares_its_option_or_is_known_to_have_none(settings: type) -> None:
    hints = get_type_hints(settings, include_extras=True)
    silent = {
        one.name
        for one in fields(settings)
        if not any(isinstance(what, Setting) for what in get_args(hints[one.name]))
    }
    assert silent == ({"timeout", "retries"} if settings is EmbeddingSettings else set())


def test_options_become_settings() -> None:
    options = given(
        LabellingOptions,
        *("--model", "a", "--model", "b", "--request", "top_k=3", "--request", "stop=x"),
        *("--labeller", "openai", "--votes", "3", "--timeout", "7", "--engine", 'a={"b": 1}'),
    )
    assert options.settings == LabellingSettings(
        models=("a", "b"),
        request=(("top_k", 3), ("stop", "x")),
        labeller="openai",
        votes=3,
        timeout=7.0,
        engine=(("a", {"b": 1}),),
    )


@pytest.mark.parametrize("flag", ["--request", "--engine"])
def test_a_pair_without_a_value_is_refused_with_the_name_of_its_option(flag: str) -> None:
    with pytest.raises(InputError, match=f"{flag}: expected NAME=VALUE, got 'x'"):
        given(LabellingOptions, flag, "x")
