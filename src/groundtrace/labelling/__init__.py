"""From segments to labelled relations: candidates, labellers, the answer cache."""
