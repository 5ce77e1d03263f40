"""How large graphs may be that are compared with each other."""

from groundtrace.errors import SizeError

MOST_TRIPLETS = 20_000
"""In a generated graph; a response that long does not fit into any model."""

MOST_REFERENCE = 1_000
"""In a reference: which of its nodes hang together is found pair by pair."""

MOST_PAIRS = 300_000
"""Triplets of one graph times those of the other."""


def check_size(generated: int, reference: int) -> None:
    """Refuse what would not fit into memory.

    Raises:
        SizeError: with the figures.
    """
    if (
        generated > MOST_TRIPLETS
        or reference > MOST_REFERENCE
        or generated * reference > MOST_PAIRS
    ):
        raise SizeError(
            f"{generated:,} generated triplets and {reference:,} of the reference; at most "
            f"{MOST_TRIPLETS:,} and {MOST_REFERENCE:,}, and {MOST_PAIRS:,} pairs, are compared"
        )
