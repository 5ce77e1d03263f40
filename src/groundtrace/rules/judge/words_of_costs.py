"""How it is told that rules are only bounded when they are run; a function per kind."""

from collections.abc import Sequence

from groundtrace.rules.judge.fault import Said


def hidden_choice(way: Sequence[str]) -> Said:
    """Say that rules may leave more than one answer, on cases that the samples do not show."""
    public = [one for one in way if not one.startswith("_")] or list(way)
    links = ", that on ".join(public[1:]) or public[0]
    return Said(
        "hidden_choice",
        f"{public[0]} depends on {links}, with a not on the way (negation loop): on some cases "
        "there may be no answer, or more than one",
        "let one of them hold on something that does not depend on the other",
    )


def large_product(count: int) -> Said:
    """Say that conditions are tried very often."""
    return Said(
        "large_product",
        f"on 500 segments the conditions of this rule may be tried about {count:,} times; only "
        "the limits of time and memory bound that",
        "let the conditions share more variables, or bound what the rules before it derive",
    )


def large_aggregate(count: int) -> Said:
    """Say that an aggregate has very many elements."""
    return Said(
        "large_aggregate",
        f"on 500 segments this counts through about {count:,} elements; only the limits of time "
        "and memory bound that",
        "let the conditions inside share variables with each other or with the rule",
    )


def wrapped_number(shown: str, largest: int) -> Said:
    """Say that a computation leaves the numbers that there are."""
    return Said(
        "wrapped_number",
        f"{shown} is beyond {largest} and wraps around without a word",
        "use smaller numbers or units",
    )
