"""The OWL reasoner: whether a base is consistent with the ontology."""
