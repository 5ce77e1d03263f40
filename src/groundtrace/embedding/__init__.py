"""Embeddings of short texts, by one of several back-ends."""
