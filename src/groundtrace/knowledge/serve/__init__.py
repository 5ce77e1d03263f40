"""The read-only SPARQL endpoint."""
