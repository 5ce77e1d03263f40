"""Where the files beside the code lie, and which rule files make a program."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from groundtrace.errors import RuleError
from groundtrace.vocabulary import Program

EXTRAS: Mapping[Program, tuple[str, ...]] = {
    "audit": ("encoding.lp", "explain/trees.lp", "explain/repairs.lp")
}
"""Our files that are loaded beside the stages."""

FACTS_OF_THE_PROGRAM = frozenset({"_given", "_member", "_option"})
"""What the program hands over besides the vocabulary."""

_INCLUDE = re.compile(r'^#include "([^"]+)"\.', re.MULTILINE)


def rules_directory() -> Path:
    """Return the folder of our rule files, in a wheel, an editable install or a checkout.

    Raises:
        RuleError: the installation is broken.
    """
    package = Path(__file__).resolve().parents[1]
    for candidate in (package / "asp", package.parents[1] / "asp"):
        if (candidate / "audit.lp").is_file():
            return candidate
    raise RuleError(f"the rule files are missing beside {package}; reinstall groundtrace")


@cache
def stages_of(program: Program) -> tuple[str, ...]:
    """Return the names of our files that the entry of a program includes, in their order.

    Args:
        program: Which rules of ours.

    Raises:
        RuleError: the installation is broken.
    """
    return tuple(_INCLUDE.findall(own_text(f"{program}.lp")))


def files_of(program: Program) -> tuple[str, ...]:
    """Return the names of our files that make a program, without its entry.

    Args:
        program: Which rules of ours.

    Raises:
        RuleError: the installation is broken.
    """
    return (*stages_of(program), *EXTRAS.get(program, ()))


def own_text(name: str) -> str:
    """Return the text of a rule file of ours.

    Args:
        name: Its path in the folder of the rule files.

    Raises:
        RuleError: the installation is broken.
    """
    return (rules_directory() / name).read_text(encoding="utf-8")
