"""Questions to a knowledge base: judged, answered within bounds, and their results."""
