"""Whether some RDF can be true together with the ontology, as an OWL 2 reasoner sees it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pyoxigraph import NamedNode, Quad, Triple

from groundtrace.errors import InputError
from groundtrace.knowledge.reason.axioms import Axioms, axioms_of, ntriples, resources, short
from groundtrace.knowledge.reason.hermit import GaveUpError, Hermit, InconsistentError, NoJavaError

DEFAULT_TIME_LIMIT = 60.0
DEFAULT_MEMORY = 2000

NO_JAVA = (
    "no Java found, and the reasoner HermiT is a Java program: install a Java runtime, such as "
    "the package default-jre-headless, so that the command java is on the PATH"
)
_SHOWN = 5
_AT_ONCE = 8
"""Sets of axioms that one run looks at: to start Java takes longer than to look at a few."""


class Verdict(StrEnum):
    """What became of a check: its result, or why there is none."""

    CONSISTENT = "consistent"
    INCONSISTENT = "inconsistent"
    NO_JAVA = "no Java"
    GAVE_UP = "gave up"


@dataclass(frozen=True)
class Judgement:
    """What a reasoner says of some RDF."""

    verdict: Verdict
    message: str
    """For people: what is wrong, or what to do."""
    individuals: tuple[str, ...] = ()
    """IRIs of what cannot be as it is said to be; taken together where there are several."""
    classes: tuple[str, ...] = ()
    """IRIs of classes that nothing can belong to."""


def judge(
    statements: Iterable[Quad | Triple],
    *,
    time_limit: float = DEFAULT_TIME_LIMIT,
    memory: int = DEFAULT_MEMORY,
) -> Judgement:
    """Say whether some RDF can be true together with the ontology; graphs are merged.

    What is not said is no contradiction: it may only be unknown. Names are unique.

    Args:
        statements: Any number; none to judge the ontology itself.
        time_limit: Seconds for all of it, the search for individuals included.
        memory: MiB that Java may use for objects.

    Raises:
        InputError: a limit is not positive, or the RDF cannot be read as OWL 2 DL.
        ModelError: owlready2 is not installed.
    """
    if not time_limit > 0 or memory < 1:
        raise InputError(
            f"expected time_limit > 0 and memory >= 1, got {time_limit:g} and {memory}"
        )
    try:
        hermit = Hermit(time_limit, memory)
        axioms = axioms_of(statements)
        return _of_faults(axioms) if axioms.faults else _of_axioms(hermit, axioms)
    except NoJavaError:
        return Judgement(Verdict.NO_JAVA, NO_JAVA)
    except GaveUpError as error:
        return Judgement(Verdict.GAVE_UP, str(error))


def _of_faults(axioms: Axioms) -> Judgement:
    """Return the judgement on statements that OWL cannot express."""
    told = _listed([f"{short(one.individual)}: {one.problem}" for one in axioms.faults], "; ")
    individuals = tuple(dict.fromkeys(one.individual for one in axioms.faults))
    return Judgement(Verdict.INCONSISTENT, f"inconsistent: {told}", individuals)


def _of_axioms(hermit: Hermit, axioms: Axioms) -> Judgement:
    """Return the judgement on axioms.

    Raises:
        GaveUpError: there is no time or memory left to know whether they are consistent.
    """
    try:
        classes = hermit.unsatisfiable(ntriples(axioms, axioms.facts))
    except InconsistentError:
        return _of_contradiction(hermit, axioms)
    if classes:
        told = f"inconsistent: nothing can belong to {_listed([short(one) for one in classes])}"
        return Judgement(Verdict.INCONSISTENT, told, classes=classes)
    told = f"{len(axioms.facts)} individuals, and" if axioms.facts else "the ontology by itself,"
    return Judgement(Verdict.CONSISTENT, f"consistent: {told} no contradiction")


def _of_contradiction(hermit: Hermit, axioms: Axioms) -> Judgement:
    """Return the judgement on axioms that contradict each other, with as few individuals as can be.

    Individuals are added until there is a contradiction: the last one has a part in it. The same
    is done again with those that have a part, and those before.
    """
    found: list[str] = []
    waiting = list(axioms.facts)
    try:
        while waiting and (count := _least(hermit, axioms, found, waiting)):
            found.append(waiting[count - 1])
            waiting = _nearest(axioms, found, waiting[: count - 1])
    except GaveUpError:
        told = "the statements contradict each other; time or memory ran out before it was known"
        return Judgement(Verdict.INCONSISTENT, f"inconsistent: {told} which", tuple(found))
    if not found:
        return Judgement(Verdict.INCONSISTENT, "inconsistent: the classes contradict each other")
    told = f"what is said of {_listed([short(one) for one in found])}"
    joint = " cannot be true together" if len(found) > 1 else " cannot be true"
    return Judgement(Verdict.INCONSISTENT, f"inconsistent: {told}{joint}", tuple(found))


def _least(hermit: Hermit, axioms: Axioms, found: Sequence[str], waiting: Sequence[str]) -> int:
    """Return how many of the individuals that wait must be added for a contradiction.

    All of them together are known to suffice.

    Raises:
        GaveUpError: there is no time or memory left.
    """
    counts = [0, *(2**power for power in range(len(waiting).bit_length()))]
    low, high = -1, len(waiting)
    while high - low > 1:
        counts = sorted({count for count in counts if low < count < high})
        sets = [[*found, *waiting[:count]] for count in counts]
        read = [ntriples(axioms, {name: axioms.facts[name] for name in names}) for names in sets]
        place = hermit.consistent(read)
        low, high = [low, *counts, high][place : place + 2]
        counts = [low + (high - low) * part // _AT_ONCE for part in range(1, _AT_ONCE)] + [low + 1]
    return high


def _nearest(axioms: Axioms, found: Iterable[str], waiting: Iterable[str]) -> list[str]:
    """Return individuals, first those that have something to do with some others."""

    def around(name: str) -> set[NamedNode]:
        return {end for one in axioms.facts[name] for end in resources(one)}

    near = set[NamedNode]().union(*map(around, found))
    return sorted(waiting, key=lambda name: near.isdisjoint(around(name)))


def _listed(items: Sequence[str], joint: str = ", ") -> str:
    more = len(items) - _SHOWN
    return joint.join(items[:_SHOWN]) + (f"{joint}and {more} more" if more > 0 else "")
