"""Evidence graphs: extracted, voted, and reduced to what leads to a conclusion."""
