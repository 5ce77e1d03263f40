"""Rewards as RDF."""

from groundtrace.knowledge.rdf.concepts import Naming
from groundtrace.knowledge.rdf.findings import write_left_out
from groundtrace.knowledge.rdf.record_heads import Draft, versioned_iri
from groundtrace.knowledge.rdf.resources import Writing
from groundtrace.knowledge.rdf.runs import run_of
from groundtrace.knowledge.rdf.terms import (
    ACCURACY,
    ACCURACY_BY,
    ANSWER_FOUND,
    BEST_JACCARD,
    CHAIN_COMPLETENESS,
    CONCEPT_OF,
    ERROR,
    F1,
    FLIPPED,
    FORMAT,
    GENERATED,
    GENERATED_TRIPLETS,
    HAS_NODE_MATCH,
    MATCHED_BY,
    MATCHED_TEXT,
    MAX_CHAIN,
    NODE_COVERAGE,
    NODE_MATCH,
    OBJECT_SIMILARITY,
    PRECISION,
    PREDICATE_SIMILARITY,
    PROCESS,
    RECALLED_BY,
    REFERENCE,
    REWARD,
    REWARD_RUN,
    SIMILARITY,
    STATUS,
    STRUCTURAL_CORRECTNESS,
    SUBJECT_SIMILARITY,
    TEXT,
    TOTAL_REWARD,
    TRIPLET,
    TRIPLET_RECALL,
)
from groundtrace.models.graph import Triplet
from groundtrace.models.reward import Reward

NUMBERS = {
    "node_coverage": NODE_COVERAGE,
    "structural_correctness": STRUCTURAL_CORRECTNESS,
    "chain_completeness": CHAIN_COMPLETENESS,
    "process": PROCESS,
    "format": FORMAT,
    "accuracy": ACCURACY,
    "reward": TOTAL_REWARD,
    "precision": PRECISION,
    "f1": F1,
    "triplet_recall": TRIPLET_RECALL,
    "best_jaccard": BEST_JACCARD,
    "max_chain": MAX_CHAIN,
}
_SIMILARITIES = (SUBJECT_SIMILARITY, PREDICATE_SIMILARITY, OBJECT_SIMILARITY)


def write_reward(reward: Reward) -> Draft:
    """Return a reward as RDF."""
    run = run_of(REWARD_RUN, reward.provenance)
    draft = Draft(REWARD, versioned_iri("reward", reward.id, run), reward.id, run)
    draft.own_fields(reward.meta)
    record, naming = draft.record, Naming(draft.sink)
    record.choose(STATUS, reward.status)
    record.set(ERROR, reward.error)
    for field, property_ in NUMBERS.items():
        record.set(property_, getattr(reward, field))
    record.set(ACCURACY_BY, reward.accuracy_by)
    record.set(ANSWER_FOUND, reward.answer_found)
    record.set(GENERATED_TRIPLETS, reward.generated_triplets)
    generated: dict[Triplet, Writing] = {}
    for match in reward.matches:
        node = record.part("triplet", REFERENCE, TRIPLET)
        naming.triplet(node, match.reference)
        if match.generated not in generated:
            other = generated[match.generated] = record.part("triplet", GENERATED, TRIPLET)
            naming.triplet(other, match.generated)
        node.link(RECALLED_BY, generated[match.generated])
        for property_, similarity in zip(_SIMILARITIES, match.similarity, strict=True):
            node.set(property_, similarity)
        node.set(FLIPPED, match.flipped or None)
    for triplet in reward.missed:
        naming.triplet(record.part("triplet", REFERENCE, TRIPLET), triplet)
    for one in reward.nodes:
        node = record.part("node-match", HAS_NODE_MATCH, NODE_MATCH)
        naming.concept(node, CONCEPT_OF, TEXT, one.reference)
        if one.generated is not None:
            naming.concept(node, MATCHED_BY, MATCHED_TEXT, one.generated)
        node.set(SIMILARITY, one.similarity)
    write_left_out(record, reward.malformed)
    return draft
