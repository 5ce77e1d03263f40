"""Evidence graphs as RDF: as a case brought them, as they were voted, and reduced."""

from groundtrace.knowledge.rdf.concepts import parts_of
from groundtrace.knowledge.rdf.findings import write_left_out
from groundtrace.knowledge.rdf.graph_parts import GraphWriter
from groundtrace.knowledge.rdf.iris import named_iri
from groundtrace.knowledge.rdf.record_heads import Draft, versioned_iri
from groundtrace.knowledge.rdf.runs import run_of
from groundtrace.knowledge.rdf.terms import (
    BACKWARDS,
    CONCEPT_OF,
    CONCLUSION,
    CONCLUSION_TEXT,
    CRITICAL_GRAPH,
    DROPPED,
    ERROR,
    EXTRACTED,
    EXTRACTED_BY,
    EXTRACTION,
    FILLED_IN,
    FOUND_BY,
    GIVEN_GRAPH,
    GRAPH_RUN,
    HAS_EXTRACTION,
    HAS_MERGER,
    HAS_NEAR_NODE,
    HAS_TRIPLET,
    KEPT,
    MERGER,
    NEAR_NODE,
    OUTVOTED,
    SIMILARITY,
    STATUS,
    TEXT,
    VOTED_GRAPH,
)
from groundtrace.models.graph import CriticalGraph, EvidenceGraph, GraphCase


def write_case(case: GraphCase) -> Draft:
    """Return a case as RDF: extractions, or a graph made elsewhere.

    Args:
        case: As it came in.
    """
    version = "extractions" if case.triplets is None else "given"
    draft = Draft(GIVEN_GRAPH, named_iri("graph", case.id, version), case.id)
    writer, record = GraphWriter(draft), draft.record
    for extraction in case.extractions or ():
        node = record.part("extraction", HAS_EXTRACTION, EXTRACTION)
        node.link(EXTRACTED_BY, writer.extractor(extraction.model))
        node.set(ERROR, extraction.error)
        if extraction.triplets is not None:
            writer.items(node, EXTRACTED, extraction.triplets)
        if extraction.filled is not None:
            writer.items(node, FILLED_IN, extraction.filled)
        write_left_out(node, extraction.complaints)
    if case.triplets is not None:
        writer.items(record, HAS_TRIPLET, case.triplets)
    graph = case.meta.get("graph")
    core = graph.get("core_reasoning_subgraph") if isinstance(graph, dict) else None
    if isinstance(core, list) and all(isinstance(one, list) and parts_of(one) for one in core):
        writer.critical(core)
    own = {"question": case.question, "answer": case.answer, "rationale": case.rationale}
    draft.own_fields(case.meta | {name: value for name, value in own.items() if value is not None})
    if case.conclusion is not None:
        writer.naming.concept(record, CONCLUSION, CONCLUSION_TEXT, case.conclusion)
    record.set(FOUND_BY, case.conclusion_by)
    record.choose(STATUS, case.status)
    record.set(ERROR, case.error)
    writer.edges(conclusion=case.conclusion)
    return draft


def write_voted(graph: EvidenceGraph) -> Draft:
    """Return what votes made of a case as RDF.

    Args:
        graph: As it was voted.
    """
    run = run_of(GRAPH_RUN, graph.provenance)
    draft = Draft(VOTED_GRAPH, named_iri("graph", graph.id, "voted"), graph.id, run)
    writer, record = GraphWriter(draft), draft.record
    record.choose(STATUS, graph.status)
    record.set(ERROR, graph.error)
    if graph.triplets:
        items = [one.model_dump() for one in graph.triplets]
        writer.items(record, HAS_TRIPLET, items)
    if graph.outvoted:
        items = [one.model_dump() for one in graph.outvoted]
        writer.items(record, OUTVOTED, items)
    for merged in graph.merged:
        node = record.part("merger", HAS_MERGER, MERGER)
        node.set(KEPT, merged.kept)
        node.set(DROPPED, merged.dropped)
        node.set(SIMILARITY, merged.similarity)
    write_left_out(record, graph.malformed)
    writer.warnings(graph.warnings)
    draft.own_fields(graph.meta)
    writer.edges()
    return draft


def write_critical(graph: CriticalGraph) -> Draft:
    """Return a critical evidence graph as RDF.

    Args:
        graph: As it was reduced.
    """
    run = run_of(GRAPH_RUN, graph.provenance)
    draft = Draft(CRITICAL_GRAPH, versioned_iri("graph", graph.id, run), graph.id, run)
    writer, record = GraphWriter(draft), draft.record
    record.choose(STATUS, graph.status)
    record.set(ERROR, graph.error)
    given = graph.meta.get("graph")
    for one in (graph.meta, given):
        triplets = one.get("triplets") if isinstance(one, dict) else None
        if isinstance(triplets, list):
            writer.items(record, HAS_TRIPLET, triplets)
            break
    if graph.conclusion:
        writer.naming.concept(record, CONCLUSION, CONCLUSION_TEXT, graph.conclusion.node)
        record.set(FOUND_BY, graph.conclusion.found_by)
        record.set(SIMILARITY, graph.conclusion.similarity)
    for near in graph.nearest:
        node = record.part("near-node", HAS_NEAR_NODE, NEAR_NODE)
        writer.naming.concept(node, CONCEPT_OF, TEXT, near.node)
        node.set(SIMILARITY, near.similarity)
    writer.critical(graph.critical)
    writer.dropped(graph.dropped)
    write_left_out(record, graph.malformed)
    writer.warnings(graph.warnings)
    record.words(BACKWARDS, graph.backwards)
    draft.own_fields(graph.meta)
    writer.edges(graph.backwards, graph.conclusion.node if graph.conclusion else None)
    return draft
