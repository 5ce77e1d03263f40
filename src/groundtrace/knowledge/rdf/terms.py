"""The prefixes, and every class, property and individual that records use, spelled once.

A test compares them with ontology/groundtrace.ttl.
"""

from typing import Final

from pyoxigraph import NamedNode

from groundtrace.vocabulary import LABELS, OUTCOMES, STATUSES

GT: Final = "https://w3id.org/groundtrace/ontology#"
ID: Final = "https://w3id.org/groundtrace/id/"

PREFIXES: Final[dict[str, str]] = {
    "gt": GT,
    "concept": f"{ID}concept/",
    "predicate": f"{ID}predicate/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "prov": "http://www.w3.org/ns/prov#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "dcterms": "http://purl.org/dc/terms/",
}


def _ours(name: str) -> NamedNode:
    return NamedNode(GT + name)


def _of(prefix: str, name: str) -> NamedNode:
    return NamedNode(PREFIXES[prefix] + name)


# Of others.
TYPE: Final = _of("rdf", "type")
JSON: Final = _of("rdf", "JSON")
DOUBLE: Final = _of("xsd", "double")
INTEGER: Final = _of("xsd", "integer")
LABEL: Final = _of("rdfs", "label")
PREF_LABEL: Final = _of("skos", "prefLabel")
ALT_LABEL: Final = _of("skos", "altLabel")
IDENTIFIER: Final = _of("dcterms", "identifier")
WAS_GENERATED_BY: Final = _of("prov", "wasGeneratedBy")
WAS_ASSOCIATED_WITH: Final = _of("prov", "wasAssociatedWith")
USED: Final = _of("prov", "used")

# Records, each the name of its graph.
TRACE: Final = _ours("Trace")
AUDIT: Final = _ours("Audit")
GIVEN_GRAPH: Final = _ours("GivenGraph")
VOTED_GRAPH: Final = _ours("VotedGraph")
CRITICAL_GRAPH: Final = _ours("CriticalGraph")
REWARD: Final = _ours("Reward")
CASE: Final = _ours("Case")

# What records are made of.
SEGMENT: Final = _ours("Segment")
ANNOTATION: Final = _ours("Annotation")
RELATION: Final = _ours("Relation")
SUPPORT: Final = _ours("Support")
SEGMENT_AUDIT: Final = _ours("SegmentAudit")
SUPPORT_TREE: Final = _ours("SupportTree")
REPAIR: Final = _ours("Repair")
FINDING: Final = _ours("Finding")
TRIPLET: Final = _ours("Triplet")
CONCEPT: Final = _ours("Concept")
PREDICATE: Final = _ours("Predicate")
EXTRACTION: Final = _ours("Extraction")
EXTRACTOR: Final = _ours("Extractor")
MERGER: Final = _ours("Merger")
LEFT_OUT: Final = _ours("LeftOut")
STEP: Final = _ours("Step")
NEAR_NODE: Final = _ours("NearNode")
NODE_MATCH: Final = _ours("NodeMatch")

# Who made what.
AUDIT_RUN: Final = _ours("AuditRun")
GRAPH_RUN: Final = _ours("GraphRun")
REWARD_RUN: Final = _ours("RewardRun")
SOFTWARE: Final = _ours("Software")
LABELLER: Final = _ours("Labeller")
RULE_FILE: Final = _ours("RuleFile")
CONSTANT: Final = _ours("Constant")

# Between things.
ABOUT: Final = _ours("about")
HAS_SEGMENT: Final = _ours("hasSegment")
HAS_ANNOTATION: Final = _ours("hasAnnotation")
HAS_RELATION: Final = _ours("hasRelation")
HAS_SEGMENT_AUDIT: Final = _ours("hasSegmentAudit")
HAS_FINDING: Final = _ours("hasFinding")
HAS_TREE: Final = _ours("hasTree")
HAS_REPAIR: Final = _ours("hasRepair")
HAS_TRIPLET: Final = _ours("hasTriplet")
HAS_EXTRACTION: Final = _ours("hasExtraction")
HAS_EXTRACTOR: Final = _ours("hasExtractor")
HAS_LEFT_OUT: Final = _ours("hasLeftOut")
HAS_MERGER: Final = _ours("hasMerger")
HAS_STEP: Final = _ours("hasStep")
HAS_NEAR_NODE: Final = _ours("hasNearNode")
HAS_NODE_MATCH: Final = _ours("hasNodeMatch")
HAS_CONSTANT: Final = _ours("hasConstant")
ACCEPTED_LEAF: Final = _ours("leaf")
OF_SEGMENT: Final = _ours("segment")
TARGET: Final = _ours("target")
PREMISE: Final = _ours("premise")
RELATION_LABEL: Final = _ours("label")
OUTCOME: Final = _ours("outcome")
STATUS: Final = _ours("status")
BLOCKED_BY: Final = _ours("blockedBy")
CONTRADICTED_BY: Final = _ours("contradictedBy")
BREAKPOINT: Final = _ours("breakpoint")
ACCEPTS: Final = _ours("accepts")
USES: Final = _ours("uses")
SUBJECT: Final = _ours("subject")
PREDICATE_OF: Final = _ours("predicate")
OBJECT: Final = _ours("object")
LEADS_TO: Final = _ours("leadsTo")
CRITICALLY_LEADS_TO: Final = _ours("criticallyLeadsTo")
VOTED_BY: Final = _ours("votedBy")
CRITICAL_TRIPLET: Final = _ours("criticalTriplet")
OUTVOTED: Final = _ours("outvotedTriplet")
GENERATED: Final = _ours("generatedTriplet")
REFERENCE: Final = _ours("referenceTriplet")
EXTRACTED_BY: Final = _ours("extractedBy")
EXTRACTED: Final = _ours("extracted")
FILLED_IN: Final = _ours("filledIn")
RECALLED_BY: Final = _ours("recalledBy")
STEP_TRIPLET: Final = _ours("triplet")
CONCLUSION: Final = _ours("conclusion")
CONCEPT_OF: Final = _ours("concept")
MATCHED_BY: Final = _ours("matchedBy")

# Of things.
INDEX: Final = _ours("index")
NUMBER: Final = _ours("number")
TEXT: Final = _ours("text")
TAG: Final = _ours("tag")
GOLD: Final = _ours("gold")
ANNOTATOR: Final = _ours("annotator")
REMARK: Final = _ours("remark")
PROBABILITY: Final = _ours("probability")
ERROR: Final = _ours("error")
GROUNDED: Final = _ours("grounded")
UNSTABLE: Final = _ours("unstable")
PROVISIONAL: Final = _ours("provisional")
DEPTH: Final = _ours("depth")
RANK: Final = _ours("rank")
REJECTED_FOR: Final = _ours("rejectedFor")
VETO: Final = _ours("veto")
NOTE: Final = _ours("note")
EXPLANATION: Final = _ours("explanation")
TREES: Final = _ours("trees")
MORE_TREES: Final = _ours("moreTrees")
CUT: Final = _ours("cut")
MORE_REPAIRS: Final = _ours("moreRepairs")
UNLABELLED_RELATIONS: Final = _ours("unlabelledRelations")
KIND: Final = _ours("kind")
SEVERITY: Final = _ours("severity")
MESSAGE: Final = _ours("message")
FINDING_SUBJECT: Final = _ours("findingSubject")
PLACE: Final = _ours("place")
VOTES: Final = _ours("votes")
FILLED: Final = _ours("filled")
DROPPED_FOR: Final = _ours("droppedFor")
BACKWARDS: Final = _ours("backwards")
DISTANCE: Final = _ours("distance")
SUBJECT_TEXT: Final = _ours("subjectText")
PREDICATE_TEXT: Final = _ours("predicateText")
OBJECT_TEXT: Final = _ours("objectText")
KEPT: Final = _ours("kept")
DROPPED: Final = _ours("dropped")
MATCHED_TEXT: Final = _ours("matchedText")
CONCLUSION_TEXT: Final = _ours("conclusionText")
FOUND_BY: Final = _ours("foundBy")
SIMILARITY: Final = _ours("similarity")
SUBJECT_SIMILARITY: Final = _ours("subjectSimilarity")
FLIPPED: Final = _ours("flipped")
PREDICATE_SIMILARITY: Final = _ours("predicateSimilarity")
OBJECT_SIMILARITY: Final = _ours("objectSimilarity")
QUESTION: Final = _ours("question")
ANSWER: Final = _ours("answer")
RATIONALE: Final = _ours("rationale")
DOMAIN: Final = _ours("domain")
MODEL: Final = _ours("model")
RECORD: Final = _ours("record")
VERSION: Final = _ours("version")
PATH: Final = _ours("path")
HASH: Final = _ours("hash")
VALUE: Final = _ours("value")
OVERLAY: Final = _ours("overlay")
MAX_TREES: Final = _ours("maxTrees")
MIN_VOTES: Final = _ours("minVotes")
NODE_COVERAGE: Final = _ours("nodeCoverage")
STRUCTURAL_CORRECTNESS: Final = _ours("structuralCorrectness")
CHAIN_COMPLETENESS: Final = _ours("chainCompleteness")
PROCESS: Final = _ours("process")
FORMAT: Final = _ours("format")
ACCURACY: Final = _ours("accuracy")
ANSWER_FOUND: Final = _ours("answerFound")
ACCURACY_BY: Final = _ours("accuracyBy")
TOTAL_REWARD: Final = _ours("reward")
PRECISION: Final = _ours("precision")
F1: Final = _ours("f1")
TRIPLET_RECALL: Final = _ours("tripletRecall")
BEST_JACCARD: Final = _ours("bestJaccard")
MAX_CHAIN: Final = _ours("maxChain")
GENERATED_TRIPLETS: Final = _ours("generatedTriplets")

INDIVIDUALS: Final[dict[str, NamedNode]] = {
    name: _ours(name) for name in (*LABELS, *OUTCOMES, *STATUSES)
}
"""Labels, outcomes and statuses, by the words that files use."""
