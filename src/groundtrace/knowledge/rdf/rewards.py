"""Rewards as RDF, and back."""

from typing import Any

from groundtrace.knowledge.rdf.concepts import Naming, text_of, triplet_of
from groundtrace.knowledge.rdf.findings import read_left_out, write_left_out
from groundtrace.knowledge.rdf.record_heads import (
    Draft,
    made_by,
    modelled,
    own_fields,
    versioned_iri,
)
from groundtrace.knowledge.rdf.resource_reading import Reading
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
    FORMAT,
    GENERATED,
    GENERATED_TRIPLETS,
    HAS_NODE_MATCH,
    IDENTIFIER,
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


def read_reward(record: Reading) -> Reward:
    """Return the reward that some RDF stands for.

    Args:
        record: Of the class Reward.

    Raises:
        InputError: it is damaged; the message names the field or property.
    """
    matches: list[Any] = []
    missed = []
    for node in record.linked(REFERENCE):
        other = node.only(RECALLED_BY)
        if other is None:
            missed.append(triplet_of(node))
        else:
            alike = tuple(node.value(property_, float) for property_ in _SIMILARITIES)
            matches.append((triplet_of(node), triplet_of(other), alike))
    fields = {
        "id": record.value(IDENTIFIER),
        "status": record.chosen(STATUS),
        "error": record.value(ERROR),
        **{field: record.value(property_, float) for field, property_ in NUMBERS.items()},
        "accuracy_by": record.value(ACCURACY_BY),
        "answer_found": record.value(ANSWER_FOUND, bool),
        "generated_triplets": record.whole(GENERATED_TRIPLETS),
        "missed": missed,
        "matches": matches,
        "nodes": [_node_match(one) for one in record.linked(HAS_NODE_MATCH)],
        "malformed": read_left_out(record),
        "provenance": made_by(record),
        "meta": own_fields(record),
    }
    return modelled(record, Reward, fields)


def _node_match(node: Reading) -> tuple[str | None, str | None, float | None]:
    return (
        text_of(node, CONCEPT_OF, TEXT),
        text_of(node, MATCHED_BY, MATCHED_TEXT),
        node.value(SIMILARITY, float),
    )
