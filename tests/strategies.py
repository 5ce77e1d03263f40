"""Random traces for property tests, as the brute force's cases."""

from itertools import combinations

from hypothesis import strategies as st

from groundtrace.models.trace import Trace
from tests.brute_force import Case, Options

LABELS = ("entailment", "implied", "neutral", "contradiction")
RULES = ("locality", "redundant", "asymmetric", "degraded", "weak_cluster", "contradiction")
MAX_SEGMENTS = 12


def trace_of(case: Case) -> Trace:
    return Trace.model_validate(
        {
            "id": "case",
            "segments": [f"segment {index}" for index in range(1, case.segments + 1)],
            "leaves": sorted(case.leaves),
            "relations": [
                {"premises": premises, "target": target, "label": label}
                for (premises, target), label in case.relations.items()
            ],
        }
    )


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Draw up to 12 segments, several leaves, premise sets up to 3, sparse to dense."""
    count = draw(st.integers(0, MAX_SEGMENTS))
    segments = range(1, count + 1)
    leaves = draw(st.frozensets(st.sampled_from(segments), max_size=3)) if count else frozenset()
    possible = [
        (premises, target)
        for target in segments
        for size in (1, 2, 3)
        for premises in combinations(range(1, target), size)
    ]
    # Contradictions and unlabelled relations are rare in life, and drown all else if they
    # are not rare here. Sets that share premises are what the patterns are about, so chosen
    # targets are labelled densely.
    palette = draw(
        st.sampled_from(
            [
                ("entailment",) * 3 + ("implied",) * 3 + ("neutral",) * 4,
                ("entailment", "implied", "neutral", "contradiction", None),
                ("implied",) * 6 + ("neutral", "entailment"),
                ("entailment",) * 8 + ("implied",) * 8 + ("neutral",) * 6 + ("contradiction", None),
            ]
        )
    )
    share = draw(st.sampled_from([0.05, 0.2, 0.6, 1.0]))
    random = draw(st.randoms(use_true_random=False))
    relations = {
        relation: random.choice(palette) for relation in possible if random.random() < share
    }
    return Case(count, leaves, relations)


def options() -> st.SearchStrategy[Options]:
    """Draw constants and switched-off rules, most often the defaults."""
    tuned = st.builds(
        Options,
        closest_gap_limit=st.integers(1, 6),
        farthest_gap_limit=st.sampled_from([3, 5, 1000]),
        span_limit=st.sampled_from([1, 3, 1000]),
        weak_cluster=st.sampled_from(["cluster", "combination", "keep"]),
        max_depth=st.sampled_from([0, 1, 2, 3, 100]),
        max_trees=st.sampled_from([1, 3, 50]),
        disabled=st.frozensets(st.sampled_from(RULES), max_size=2),
    )
    return st.one_of(st.just(Options()), tuned)
