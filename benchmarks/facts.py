"""What it costs to hand facts to clingo: its own interface beside clorm's typed predicates.

Run: pip install clorm && python benchmarks/facts.py

80 segments with all pairs labelled are about 85,000 facts. Each way makes the facts, adds them
to a program, grounds it, solves it and reads 10,000 atoms back.
"""

import time
from collections.abc import Callable, Iterable

from clingo import Control, Function, Model, Number, Symbol
from clorm import ConstantField, FactBase, IntegerField, Predicate, unify

FACTS = 85_000
READ_BACK = 10_000
RULES = f"answer(R, T) :- given(R, T, L, S), R <= {READ_BACK}. #show answer/2."


class Given(Predicate):
    """A fact as a typed record."""

    relation: int = IntegerField
    target: int = IntegerField
    label: str = ConstantField
    premises: int = IntegerField


class Answer(Predicate):
    """An atom that is read back."""

    relation: int = IntegerField
    target: int = IntegerField


def rows() -> Iterable[tuple[int, int, str, int]]:
    """Yield the contents of the facts."""
    for number in range(1, FACTS + 1):
        yield number, number % 80 + 1, "neutral", number % 3240 + 1


def with_clingo() -> Iterable[Symbol]:
    """Yield symbols made by hand."""
    label = Function("neutral")
    for relation, target, _, premises in rows():
        yield Function("given", [Number(relation), Number(target), label, Number(premises)])


def with_clorm() -> Iterable[Symbol]:
    """Yield symbols made by typed predicates."""
    for fact in FactBase([Given(*row) for row in rows()]):
        yield fact.symbol


def read_clingo(symbols: Iterable[Symbol]) -> int:
    """Return how many atoms were read by hand."""
    return len([tuple(one.number for one in symbol.arguments) for symbol in symbols])


def read_clorm(symbols: Iterable[Symbol]) -> int:
    """Return how many atoms were read as typed predicates."""
    return len([(one.relation, one.target) for one in unify([Answer], symbols)])


def seconds(make: Callable[[], Iterable[Symbol]], read: Callable[[Iterable[Symbol]], int]) -> float:
    """Return processor seconds for one way, and check that nothing was lost."""
    start = time.process_time()
    control = Control()
    with control.backend() as backend:
        for symbol in make():
            backend.add_rule([backend.add_atom(symbol)])
    control.add("base", [], RULES)
    control.ground()
    counts: list[int] = []

    def keep(model: Model) -> None:
        counts.append(read(model.symbols(shown=True)))

    control.solve(on_model=keep)
    if counts != [READ_BACK]:
        raise SystemExit(f"read {counts} atoms back, expected {READ_BACK}")
    return time.process_time() - start


def main() -> None:
    """Print both, best of three in turns."""
    pairs = [(seconds(with_clingo, read_clingo), seconds(with_clorm, read_clorm)) for _ in range(3)]
    own, typed = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
    print(f"clingo {own:.2f} s, clorm {typed:.2f} s: {typed / own:.1f} times as long")


if __name__ == "__main__":
    main()
