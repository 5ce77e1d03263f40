"""groundtrace: does a language model's reasoning stand on its own evidence?"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from groundtrace.auditing import audit
    from groundtrace.batch import audit_many
    from groundtrace.errors import (
        BugError,
        GroundtraceError,
        InputError,
        LimitError,
        ModelError,
        RuleError,
        SizeError,
    )
    from groundtrace.labelling.candidates import Candidates
    from groundtrace.labelling.questions import Settings
    from groundtrace.labelling.run import label, label_many
    from groundtrace.models.audit import Audit, SegmentAudit
    from groundtrace.models.trace import Relation, Segment, Trace

__all__ = [
    "Audit",
    "BugError",
    "Candidates",
    "GroundtraceError",
    "InputError",
    "LimitError",
    "ModelError",
    "Relation",
    "RuleError",
    "Segment",
    "SegmentAudit",
    "Settings",
    "SizeError",
    "Trace",
    "__version__",
    "audit",
    "audit_many",
    "label",
    "label_many",
]

# Imported on first use: the command's --help must not wait for clingo and pydantic.
_HOMES = {
    "audit": "auditing",
    "audit_many": "batch",
    "label": "labelling.run",
    "label_many": "labelling.run",
    "Candidates": "labelling.candidates",
    "Settings": "labelling.questions",
    "Audit": "models.audit",
    "SegmentAudit": "models.audit",
    "Relation": "models.trace",
    "Segment": "models.trace",
    "Trace": "models.trace",
}


def __getattr__(name: str) -> Any:
    """Import a public name from where it lives.

    Raises:
        AttributeError: there is no such name.
    """
    if name not in __all__:
        raise AttributeError(f"module 'groundtrace' has no attribute {name!r}")
    from importlib import import_module

    home = import_module(f"groundtrace.{_HOMES.get(name, 'errors')}")
    return getattr(home, name)
