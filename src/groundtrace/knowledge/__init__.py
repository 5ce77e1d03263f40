"""The knowledge base: records as RDF under one ontology, asked and checked with SPARQL."""
