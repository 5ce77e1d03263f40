"""Where our rule files lie, and which of them make a program."""

from collections.abc import Mapping
from pathlib import Path

from groundtrace.errors import RuleError
from groundtrace.vocabulary import Program

EXTRAS: Mapping[Program, tuple[str, ...]] = {
    "audit": ("encoding.lp", "explain/trees.lp", "explain/repairs.lp")
}
"""Our files that are loaded beside the stages."""

FACTS_OF_THE_PROGRAM = frozenset({"_given", "_member", "_option"})
"""What the program hands over besides the vocabulary."""


def rules_directory() -> Path:
    """Return the folder of our rule files, in a wheel, an editable install or a checkout.

    Raises:
        RuleError: the installation is broken.
    """
    package = Path(__file__).resolve().parent
    for candidate in (package / "asp", package.parents[1] / "asp"):
        if (candidate / "audit.lp").is_file():
            return candidate
    raise RuleError(f"the rule files are missing beside {package}; reinstall groundtrace")
