"""groundtrace: does a language model's reasoning stand on its own evidence?"""

from typing import TYPE_CHECKING, Any

from groundtrace.version import __version__

if TYPE_CHECKING:
    from groundtrace.auditing.auditor import audit
    from groundtrace.auditing.batch import audit_many
    from groundtrace.auditing.explained_segment import ExplainedSegment, explain
    from groundtrace.chat.settings import ServerSettings
    from groundtrace.embedding.settings import EmbeddingSettings
    from groundtrace.errors import (
        ArgumentError,
        BugError,
        GroundtraceError,
        InputError,
        LimitError,
        MemoryLimitError,
        ModelError,
        RuleError,
        SizeError,
        TimeLimitError,
    )
    from groundtrace.graphs.critical import critical_graph
    from groundtrace.graphs.matching import TextMatching
    from groundtrace.graphs.rationales import extract, extract_many
    from groundtrace.graphs.voting import vote
    from groundtrace.knowledge.base import KnowledgeBase
    from groundtrace.knowledge.interchange import export_records, import_records
    from groundtrace.knowledge.serve.server import serve
    from groundtrace.labelling.candidates import Candidates
    from groundtrace.labelling.run import label, label_many
    from groundtrace.labelling.settings import LabellingSettings
    from groundtrace.models.audit import Audit, SegmentAudit
    from groundtrace.models.graph import CriticalGraph, EvidenceGraph, GraphCase, Triplet
    from groundtrace.models.reward import Reward, RewardCase
    from groundtrace.models.trace import Relation, Segment, Trace
    from groundtrace.rewards.rewarder import Rewarder, reward
    from groundtrace.rewards.settings import RewardSettings, Weights
    from groundtrace.rewards.similarity import graph_similarity
    from groundtrace.segmentation.raw_responses import segment
    from groundtrace.workbench.rule_functions import (
        check_rules,
        diff_rules,
        list_rules,
        show_rule,
        test_rules,
    )

__all__ = [
    "ArgumentError",
    "Audit",
    "BugError",
    "Candidates",
    "CriticalGraph",
    "EmbeddingSettings",
    "EvidenceGraph",
    "ExplainedSegment",
    "GraphCase",
    "GroundtraceError",
    "InputError",
    "KnowledgeBase",
    "LabellingSettings",
    "LimitError",
    "MemoryLimitError",
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
    "TimeLimitError",
    "Trace",
    "Triplet",
    "Weights",
    "__version__",
    "audit",
    "audit_many",
    "check_rules",
    "critical_graph",
    "diff_rules",
    "explain",
    "export_records",
    "extract",
    "extract_many",
    "graph_similarity",
    "import_records",
    "label",
    "label_many",
    "list_rules",
    "reward",
    "segment",
    "serve",
    "show_rule",
    "test_rules",
    "vote",
]

# Imported on first use: the command's --help must not wait for clingo and pydantic.
_HOMES = {
    "audit": "auditing.auditor",
    "audit_many": "auditing.batch",
    "ExplainedSegment": "auditing.explained_segment",
    "explain": "auditing.explained_segment",
    "segment": "segmentation.raw_responses",
    "extract": "graphs.rationales",
    "extract_many": "graphs.rationales",
    "serve": "knowledge.serve.server",
    "check_rules": "workbench.rule_functions",
    "diff_rules": "workbench.rule_functions",
    "list_rules": "workbench.rule_functions",
    "show_rule": "workbench.rule_functions",
    "test_rules": "workbench.rule_functions",
    "critical_graph": "graphs.critical",
    "vote": "graphs.voting",
    "reward": "rewards.rewarder",
    "graph_similarity": "rewards.similarity",
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
    "LabellingSettings": "labelling.settings",
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
