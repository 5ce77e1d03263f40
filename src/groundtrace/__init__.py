"""groundtrace: does a language model's reasoning stand on its own evidence?"""

from typing import TYPE_CHECKING, Any

from groundtrace.version import __version__

if TYPE_CHECKING:
    from groundtrace.auditing.auditor import audit
    from groundtrace.auditing.batch import audit_many
    from groundtrace.chat.settings import ServerSettings
    from groundtrace.embedding.settings import EmbeddingSettings
    from groundtrace.errors import (
        BugError,
        GroundtraceError,
        InputError,
        LimitError,
        ModelError,
        RuleError,
        SizeError,
    )
    from groundtrace.graphs.critical import critical_graph
    from groundtrace.graphs.matching import TextMatching
    from groundtrace.graphs.voting import vote
    from groundtrace.knowledge.base import KnowledgeBase
    from groundtrace.knowledge.interchange import export_records, import_records
    from groundtrace.labelling.candidates import Candidates
    from groundtrace.labelling.questions import LabellingSettings
    from groundtrace.labelling.run import label, label_many
    from groundtrace.models.audit import Audit, SegmentAudit
    from groundtrace.models.graph import CriticalGraph, EvidenceGraph, GraphCase, Triplet
    from groundtrace.models.reward import Reward, RewardCase
    from groundtrace.models.trace import Relation, Segment, Trace
    from groundtrace.rewards.rewarder import Rewarder, graph_similarity, reward
    from groundtrace.rewards.settings import RewardSettings, Weights

__all__ = [
    "Audit",
    "BugError",
    "Candidates",
    "CriticalGraph",
    "EmbeddingSettings",
    "EvidenceGraph",
    "GraphCase",
    "GroundtraceError",
    "InputError",
    "KnowledgeBase",
    "LabellingSettings",
    "LimitError",
    "ModelError",
    "Relation",
    "Reward",
    "RewardCase",
    "RewardSettings",
    "Rewarder",
    "RuleError",
    "Segment",
    "SegmentAudit",
    "ServerSettings",
    "SizeError",
    "TextMatching",
    "Trace",
    "Triplet",
    "Weights",
    "__version__",
    "audit",
    "audit_many",
    "critical_graph",
    "export_records",
    "graph_similarity",
    "import_records",
    "label",
    "label_many",
    "reward",
    "vote",
]

# Imported on first use: the command's --help must not wait for clingo and pydantic.
_HOMES = {
    "audit": "auditing.auditor",
    "audit_many": "auditing.batch",
    "critical_graph": "graphs.critical",
    "vote": "graphs.voting",
    "reward": "rewards.rewarder",
    "graph_similarity": "rewards.rewarder",
    "Rewarder": "rewards.rewarder",
    "RewardSettings": "rewards.settings",
    "Weights": "rewards.settings",
    "TextMatching": "graphs.matching",
    "EmbeddingSettings": "embedding.settings",
    "ServerSettings": "chat.settings",
    "KnowledgeBase": "knowledge.base",
    "export_records": "knowledge.interchange",
    "import_records": "knowledge.interchange",
    "label": "labelling.run",
    "label_many": "labelling.run",
    "Candidates": "labelling.candidates",
    "LabellingSettings": "labelling.questions",
    "Audit": "models.audit",
    "SegmentAudit": "models.audit",
    "CriticalGraph": "models.graph",
    "EvidenceGraph": "models.graph",
    "GraphCase": "models.graph",
    "Triplet": "models.graph",
    "Reward": "models.reward",
    "RewardCase": "models.reward",
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


def __dir__() -> list[str]:
    """Return the public names, those that were not imported yet among them."""
    return sorted({*globals(), *__all__})
