"""Findings about a graph, in words."""

from groundtrace.phrases import finding_sentence

_GRAPH_FINDINGS = {
    "cycle": "“{subject}” supports itself in a circle; triplets within a circle are all kept",
    "hub": "“{subject}” is touched by very many triplets and may tie together what has nothing "
    "to do with each other",
    "conclusion_without_reason": "no triplet leads to the conclusion “{subject}”",
    "several_components": "{subject} nodes are not connected with the conclusion",
    "several_sinks": "{subject} nodes have nothing after them: the graph may argue for more than "
    "one thing",
    "unknown_rule": "a rule disables {subject}, but no rule has that name",
    "constant_out_of_range": "constant {subject} is outside its range",
    "expected_text": 'a rule names {subject} without quotes; write "{subject}"',
}


def graph_finding_message(kind: str, subject: str) -> str:
    """Return a finding about a graph as a sentence.

    Args:
        kind: As in asp/graph/5_findings.lp, or a user's own.
        subject: What it is about.
    """
    return finding_sentence(_GRAPH_FINDINGS, kind, subject)
