"""Random evidence graphs: cycles, parallel triplets, odd names."""

from hypothesis import strategies as st

from groundtrace.models.graph import Triplet
from groundtrace.models.names import normal

ODD_NAMES = (
    "patient",
    'p(HGNC:"MAPT")',
    "a\\b",
    "line\nbreak",
    "C\u2011reactive protein",
    "“quoted”",
    "50 %",
    "HER2+",
    "HER2-",
    "β-blocker",
    "%* no comment *%",
    "x). critical(1",
    "not fever",
    "0",
    "Ünïcödé 漢字",
    "a" * 280,
)
PREDICATES = ("causes", "is caused by", "suggests", 'p"q', "#show")


def names(most: int) -> st.SearchStrategy[str]:
    plain = [f"n{number}" for number in range(most)]
    return st.sampled_from([*plain, *ODD_NAMES[: most // 2]])


@st.composite
def graphs(draw: st.DrawFn, most_nodes: int = 10, most_triplets: int = 24) -> list[Triplet]:
    """Draw triplets that are distinct and no loops, in any order."""
    ends = names(draw(st.integers(2, most_nodes)))
    drawn = draw(
        st.lists(
            st.builds(Triplet, ends, st.sampled_from(PREDICATES), ends),
            min_size=1,
            max_size=most_triplets,
        )
    )
    kept = {
        tuple(map(normal, one)): one for one in drawn if normal(one.subject) != normal(one.object)
    }
    return list(kept.values()) or [Triplet("n0", "causes", "n1")]
