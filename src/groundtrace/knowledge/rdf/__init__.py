"""Records as RDF and back."""
