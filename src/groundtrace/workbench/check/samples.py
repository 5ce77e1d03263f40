"""Small inputs on which a user's rules are tried: several, so that most rules fire on one."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from clingo import Function, Number, String, Symbol

from groundtrace.vocabulary import LABELS, Program

SMALL = 9
LARGE = 500
MOST_TEXTS = 40

Facts = list[Symbol]


def samples(program: Program, texts: Sequence[str]) -> list[Facts]:
    """Return the inputs for one kind of program, the largest last.

    Args:
        program: Which rules of ours.
        texts: That the user's rules name, in quotes.
    """
    texts = list(dict.fromkeys(texts))[:MOST_TEXTS]
    if program == "graph":
        return [_graph(texts, circle=False), _graph(texts, circle=True)]
    if program == "guards":
        return [_guards(texts)]
    if program == "reward":
        return [[]]
    return [
        _audit(SMALL, texts, label)
        for label in (lambda number: "entailment", lambda number: LABELS[number % 4])
    ] + [_audit(LARGE, texts, lambda number: LABELS[3 - number * number % 4])]


def _fact(name: str, *arguments: Symbol) -> Symbol:
    return Function(name, arguments)


def _audit(count: int, texts: Sequence[str], label: Callable[[int], str]) -> Facts:
    facts = [_fact("segment", Number(one)) for one in range(1, count + 1)]
    facts.append(_fact("leaf", Number(1)))
    for place, text in enumerate(texts):
        facts += [
            _fact("tag", Number(one), String(text))
            for one in range(1, count + 1)
            # Each text alone somewhere, all of them together elsewhere, none on the rest.
            if one % 3 == 2 or one % (len(texts) + 1) == place
        ]
    relation = 0
    for target, premises in _premise_sets(count):
        relation += 1
        facts.append(_fact("relation", Number(relation), Number(target), Function(label(relation))))
        facts += [_fact("premise", Number(relation), Number(one)) for one in premises]
    facts.append(_fact("unlabelled", Number(relation + 1), Number(count)))
    facts.append(_fact("premise", Number(relation + 1), Number(1)))
    return facts


def _premise_sets(count: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    for target in range(2, count + 1):
        yield target, (target - 1,)
        # Pairs are costly: on a long trace only some.
        if target > 2 and (count < LARGE or target % 8 == 0):
            yield target, (target - 2,)
            yield target, (target - 2, target - 1)


def _graph(texts: Sequence[str], circle: bool) -> Facts:
    nodes = [*texts, "a", "b", "c", "d"]
    predicates = [*texts, "causes"]
    ends = [*pairwise(nodes), (nodes[0], nodes[-1])]
    ends += [(nodes[-1], nodes[0])] if circle else []
    facts = [
        _fact("triplet", Number(number), String(start), String(predicate), String(end))
        for number, (start, end, predicate) in enumerate(
            ((*pair, predicate) for pair in ends for predicate in predicates), 1
        )
    ]
    return [*facts, _fact("conclusion", String(nodes[-1]))]


def _guards(texts: Sequence[str]) -> Facts:
    words = [*texts, "left", "right", "absent"]
    facts = []
    for one in words:
        facts.append(_fact("word", String(one), Number(1), String(one)))
        facts += [_fact("compared", String(one), String(other)) for other in words if one != other]
        facts += [
            _fact("begins", String(one), String(other))
            for other in words
            if other.endswith("-") and one.startswith(other[:-1]) and one != other
        ]
        facts.append(_fact("quantity", String(one), *map(String, ("number", one, "=", one))))
        facts.append(_fact("code", String(one), String("sample"), String(one)))
    return [*facts, _fact("numeral", String("2"))]
