"""The help of a command, with its arguments as they are typed."""

from typing import Any

from typer.core import TyperCommand


class Command(TyperCommand):
    """A command whose help says FILE... where typer would say {FILE...}... <list[str]>.

    Every argument has a metavar that shows by itself whether it can be left out or repeated.
    """

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return what stands in the line of usage behind the command's name."""
        arguments = [one.metavar or "" for one in self.get_params(ctx) if _is_argument(one)]
        return [self.options_metavar or "", *arguments]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the lists of arguments and options."""
        arguments, options = [], []
        parameters: list[Any] = self.get_params(ctx)
        for one in parameters:
            if _is_argument(one):
                arguments.append((one.metavar, one.help))
            elif record := one.get_help_record(ctx):
                options.append(record)
        for title, records in (("Arguments", arguments), ("Options", options)):
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


def _is_argument(parameter: Any) -> bool:
    return bool(parameter.param_type_name == "argument")
