"""Which premise sets are candidates, in which order, and how many."""

from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtrace.errors import InputError
from groundtrace.labelling.candidates import Candidates
from groundtrace.models.trace import Trace


def trace(count: int, leaves: list[int] | None = None) -> Trace:
    fields = {} if leaves is None else {"leaves": leaves}
    return Trace.model_validate({"segments": [str(n) for n in range(count)], **fields})


def test_the_papers_candidates() -> None:
    found = [(one.target, one.premises) for one in Candidates().of(trace(4))]
    assert found == [
        (2, (1,)),
        (3, (1,)), (3, (2,)), (3, (1, 2)),
        (4, (1,)), (4, (2,)), (4, (3,)), (4, (1, 2)), (4, (1, 3)), (4, (2, 3)),
    ]  # fmt: skip


def test_the_context_can_be_left_out() -> None:
    candidates = Candidates(context_premise=False)
    found = [(one.target, one.premises) for one in candidates.of(trace(4, [1, 3]))]
    assert found == [(4, (2,))]


@given(
    st.integers(0, 9),
    st.sets(st.integers(1, 9)),
    st.integers(1, 4),
    st.integers(0, 3),
    st.booleans(),
)
def test_all_subsets_are_counted_and_come_in_order(
    count: int, leaves: set[int], smallest: int, more: int, context: bool
) -> None:
    given_leaves = sorted(leaf for leaf in leaves if leaf <= count)
    candidates = Candidates("full", smallest, smallest + more, context)
    found = list(candidates.of(trace(count, given_leaves)))
    everything = {
        (target, premises)
        for target in range(1, count + 1)
        if target not in given_leaves
        for premises in chain.from_iterable(
            combinations(range(1, target), size) for size in range(smallest, smallest + more + 1)
        )
        if context or not set(premises) & set(given_leaves)
    }
    assert {tuple(one) for one in found} == everything
    assert candidates.count(trace(count, given_leaves)) == len(found) == len(everything)
    assert found == sorted(found, key=lambda one: (one.target, len(one.premises), one.premises))


def test_sets_are_no_larger_than_the_trace() -> None:
    candidates = Candidates("full", 1, 10**12)
    assert candidates.count(trace(4)) == len(list(candidates.of(trace(4)))) == 1 + 3 + 7


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("full", 0, 2), "expected 1 <= min_premises <= max_premises, got 0 and 2"),
        (("full", 3, 2), "got 3 and 2"),
        (("economy", 2, 2), "economy starts from single premises"),
        (("cheap", 1, 2), "expected full, economy or given, got 'cheap'"),
    ],
)
def test_senseless_sizes_are_refused(arguments: tuple[object, ...], expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        Candidates(*arguments)  # type: ignore[arg-type]
