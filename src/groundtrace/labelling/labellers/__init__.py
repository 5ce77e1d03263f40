"""The labellers, one file each; the name of the file is the name of the labeller."""

import pkgutil
from importlib import import_module

from groundtrace.errors import InputError
from groundtrace.labelling.questions import Labeller
from groundtrace.labelling.settings import LabellingSettings
from groundtrace.phrases import nearest


def names() -> list[str]:
    """Return the names of all labellers, sorted."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def make(settings: LabellingSettings) -> Labeller:
    """Return the labeller that some settings name, without contacting any server.

    Raises:
        InputError: there is no such labeller, or a setting of its cannot be used.
        ModelError: a package that it needs is not installed.
    """
    if settings.labeller not in names():
        near = nearest(settings.labeller, names())
        hint = f"did you mean {near}?" if near else f"known are {', '.join(names())}"
        raise InputError(f"there is no labeller {settings.labeller!r}; {hint}")
    module = import_module(f"{__name__}.{settings.labeller}")
    labeller: Labeller = module.Labeller(settings)
    return labeller
