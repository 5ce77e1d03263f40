"""Random records of every kind that a knowledge base keeps, with the oddest texts."""

import atexit
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from hypothesis import strategies as st

from groundtrace.auditing import Auditor
from groundtrace.graphs.critical import Reducer
from groundtrace.graphs.triplets import triplets_from
from groundtrace.graphs.voting import vote
from groundtrace.knowledge.records import AnyRecord
from groundtrace.knowledge.rewards import NUMBERS
from groundtrace.models.audit import Audit
from groundtrace.models.graph import CriticalGraph, EvidenceGraph, GraphCase, Near, Triplet
from groundtrace.models.reward import Reward
from groundtrace.models.trace import Trace
from groundtrace.rulebook import rulebook_for
from groundtrace.vocabulary import LABELS, STATUSES
from tests.graph_strategies import ODD_NAMES, PREDICATES, graphs

FOLDER = Path(tempfile.mkdtemp(prefix="groundtrace-overlays-"))
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)

SPELLINGS = ("C\u2011reactive  Protein", "c-reactive protein", "“C-Reactive\nProtein”")
"""Of one concept."""

ODD_TEXTS = (
    *ODD_NAMES,
    *SPELLINGS,
    "",
    " ",
    "…",
    "' \" ''' \"\"\"",
    "<https://example.org/a b>",
    "{}|^`\\u0041",
    "_:b0",
    "@prefix : <x> .",
    "a\r\nb\rc\td",
    "\ufeff\u2028\u0085",
    "\ufffe\U0010ffff",
    "é",
    "e\u0301",
    "\u202eשלום\u202c",
    "👩‍⚕️",
    "true",
    "1.10",
    "12",
    "Β\u0391 β\u03b1",
    "x" * 10_000,
    "名" * 5_000,
)
NUL = "a\0b"

AUDIT_RULES = (
    'note(S, "second \\"note\\"\\n\\\\") :- segment(S), S > 2. note(S, "first ü") :- segment(S).',
    'veto(S, "not this one") :- segment(S), S \\ 3 = 0. veto(3, "and not that") :- segment(3).',
    "leaf(2) :- segment(2). leaf(5) :- segment(5).",
    "disabled(locality). disabled(redundant).",
    "drop(R, own_reason) :- relation(R, _, implied). drop(R, neutrality) :- relation(R, 4, _).",
    'unstable(4) :- segment(4). finding(warning, own_kind, "odd <subject>").',
)
GRAPH_RULES = (
    'backwards("causes"). backwards("p\\"q").',
    'backwards("is caused by").',
    'finding(warning, own_kind, "patient").',
)
OWN_NAMES = (
    "question",
    "answer",
    "rationale",
    "domain",
    "model",
    "meta",
    "graph",
    "index",
    "reasoning_content",
    "own field",
    "",
    'a"b\\',
    "ключ",
)
"""Of fields that groundtrace does not know, or knows in other records only."""

Item = TypeVar("Item")


def texts(*, nul: bool = True) -> st.SearchStrategy[str]:
    """Draw texts, with or without U+0000 among them."""
    odd = st.sampled_from([*ODD_TEXTS, *([NUL] if nul else [])])
    characters = st.characters(exclude_categories=["Cs"], exclude_characters=() if nul else "\0")
    return st.one_of(st.sampled_from(["fever", "flu", "B", "n 1"]), odd, st.text(characters))


def json_values() -> st.SearchStrategy[Any]:
    """Draw whatever JSON holds, and infinity."""
    plain = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**70), 2**70),
        st.floats(allow_nan=False),
        texts(),
    )
    return st.recursive(
        plain,
        lambda below: st.one_of(
            st.lists(below, max_size=3), st.dictionaries(texts(), below, max_size=3)
        ),
        max_leaves=5,
    )


def own_fields(*taken: str) -> st.SearchStrategy[dict[str, Any]]:
    """Draw fields of the user's own, most often none or plain ones."""
    names = st.sampled_from([name for name in OWN_NAMES if name not in taken])
    values = st.one_of(texts(), json_values())
    return st.one_of(st.just({}), st.dictionaries(names, values, max_size=4))


def probabilities() -> st.SearchStrategy[float]:
    return st.one_of(st.sampled_from([0.0, 1.0, 0.1, 1 / 3, 5e-324]), st.floats(0, 1))


def likenesses() -> st.SearchStrategy[float]:
    return st.one_of(st.sampled_from([-1.0, 0.0, 2 / 3]), st.floats(-1, 1))


@st.composite
def pools(draw: st.DrawFn, values: st.SearchStrategy[Item], most: int = 6) -> list[Item]:
    """Draw values to choose from: bulk is chosen among few, so that drawing is quick."""
    return draw(st.lists(values, min_size=1, max_size=most))


def randoms() -> st.SearchStrategy[Random]:
    return st.builds(Random, st.integers(0, 2**32))


@st.composite
def traces(draw: st.DrawFn, labelled: bool = False) -> Trace:
    """Draw a trace; one that is labelled has relations, none perhaps."""
    random = draw(randoms())
    count = draw(st.integers(0, 9))
    said, tags = draw(pools(texts())), draw(pools(texts(nul=False)))
    metas = draw(pools(own_fields("text", "tags", "gold", "index"), 3))
    likely = draw(pools(st.one_of(st.none(), probabilities()), 3))
    errors = draw(pools(st.one_of(st.none(), texts()), 3))
    segments = [
        {
            **random.choice(metas),
            "text": random.choice(said),
            "tags": random.choices(tags, k=random.choice([0, 0, 1, 3])),
            "gold": random.choice([None, None, "correct", "incorrect", "uncertain"]),
        }
        for _ in range(count)
    ]
    relations = [
        {
            **(random.choice(metas) if random.random() < 0.2 else {}),
            "premises": premises,
            "target": target,
            "label": label,
            "probability": random.choice(likely),
            "error": random.choice(errors),
        }
        for premises, target, label in _relations(random, count)
    ]
    fields = {
        **draw(own_fields("relations")),
        "id": draw(texts()),
        "segments": segments,
        "leaves": random.sample(range(1, count + 1), min(count, random.choice([0, 1, 1, 2]))),
    }
    if labelled or draw(st.booleans()):
        fields["relations"] = relations
    return Trace.model_validate(fields)


def _relations(random: Random, count: int) -> Iterator[tuple[list[int], int, str | None]]:
    """Yield relations in any order, sparse to dense; few contradict or lack a label."""
    likely = random.choice([LABELS, ("entailment", "implied", "neutral"), ("implied",)])
    labels: list[str | None] = [*likely * 4, "contradiction", None]
    share = random.choice([0.05, 0.2, 0.6])
    for target in random.sample(range(1, count + 1), count):
        for size in (1, 2, 3):
            for premises in combinations(range(1, target), size):
                if random.random() < share:
                    yield list(premises), target, random.choice(labels)


@cache
def _overlay(rules: str) -> Path:
    path = FOLDER / f"{len(list(FOLDER.iterdir()))}.lp"
    path.write_text(rules, encoding="utf-8")
    return path


@cache
def _auditor(rules: tuple[str, ...], gap: int, max_trees: int, labeller: str) -> Auditor:
    overlays = [_overlay(one) for one in rules]
    book = rulebook_for("audit", overlays, {"closest_gap_limit": gap})
    return Auditor(book, max_trees, labeller)


def _some(rules: Sequence[str]) -> st.SearchStrategy[tuple[str, ...]]:
    """Draw some of the rules, most often none, in any order."""
    some = st.lists(st.sampled_from(rules), max_size=3, unique=True).map(tuple)
    return st.one_of(st.just(()), some)


@st.composite
def audits(draw: st.DrawFn) -> Audit:
    """Draw a trace and audit it."""
    auditor = _auditor(
        draw(_some(AUDIT_RULES)),
        draw(st.sampled_from([3, 3, 1])),
        draw(st.sampled_from([50, 1])),
        draw(st.sampled_from(["replay", 'odd "labeller"\n/ü'])),
    )
    return auditor.audit(draw(traces(labelled=True))).audit


@st.composite
def edited_audits(draw: st.DrawFn) -> Audit:
    """Draw an audit whose lists stand in another order, or that was edited by hand."""
    fields = draw(audits()).model_dump()
    random = draw(randoms())
    for _ in range(draw(st.integers(1, 6))):
        random.choice(_EDITS)(random, fields)
    return Audit.model_validate(fields)


def _edit_leaves(random: Random, fields: dict[str, Any]) -> None:
    fields["leaves"] = random.choice([[], [1], [9, 2], fields["leaves"][::-1], [1, 1]])


def _edit_summary(random: Random, fields: dict[str, Any]) -> None:
    fields["summary"][random.choice(sorted(fields["summary"]))] += random.choice([-1, 1, 2**40])


def _edit_findings(random: Random, fields: dict[str, Any]) -> None:
    finding = {"kind": "", "severity": "error", "subject": NUL, "message": "m"}
    fields["findings"] = random.choice([[finding], [finding] * 2, fields["findings"][::-1]])


def _edit_provenance(random: Random, fields: dict[str, Any]) -> None:
    name, value = random.choice(
        [
            ("rules", {}),
            ("rules", {"a b": "c", "a": "b c", "": ""}),
            ("constants", {}),
            ("constants", {"a": 1, "b": "1", "c": "x", "a '1'": 2**70}),
            ("overlays", ["b", "a", "b"]),
            ("labeller", ""),
            ("version", ""),
            ("max_trees", 0),
        ]
    )
    fields["provenance"][name] = value


def _edit_list(random: Random, fields: dict[str, Any]) -> None:
    """Give one list of a segment's entry another order, or less or more in it."""
    if not fields["segments"]:
        return
    entry = random.choice(fields["segments"])
    names = [name for name, value in entry.items() if isinstance(value, list)]
    name = random.choice(names)
    values = entry[name]
    random.shuffle(values)
    edit = random.choice(["order", "order", "less", "again", "within"])
    if edit == "less":
        del values[:1]
    elif edit == "again" and values:
        values.append(random.choice(values))
    elif edit == "within" and values:
        entry[name] = [_edited_within(random, value) for value in values]


def _edited_within(random: Random, value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(reversed(value))
    if isinstance(value, dict):
        field = random.choice(sorted(value))
        if isinstance(value[field], list | tuple):
            return {**value, field: list(reversed(value[field]))}
        if field == "label":
            return {**value, field: random.choice(["entailment", "neutral", "contradiction"])}
    return value


def _edit_flags(random: Random, fields: dict[str, Any]) -> None:
    if not fields["segments"]:
        return
    entry = random.choice(fields["segments"])
    name, value = random.choice(
        [
            ("outcome", random.choice(["supported", "orphan", "contradicted"])),
            ("grounded", not entry["grounded"]),
            ("unstable", not entry["unstable"]),
            ("depth", random.choice([None, 0, 2**70])),
            ("trees", 7),
            ("more_trees", not entry["more_trees"]),
            ("explanation", ""),
            ("meta", {"meta": None, "text": [1.5]}),
            ("notes", ["b", "a", NUL]),
            ("tree", None),
            ("tree", {"segment": entry["index"], "leaf": True}),
            ("tree", {"segment": 1, "repeated": True}),
        ]
    )
    entry[name] = value


def _edit_tree(random: Random, fields: dict[str, Any]) -> None:
    """Let a tree use a relation that is not among the supports, or stand under another segment."""
    for entry in fields["segments"]:
        if entry["tree"] is not None:
            tree = entry["tree"]
            change = random.choice(["premises", "label", "children", "leaf", "segment"])
            if change == "premises":
                tree["premises"] = [1, 1, 2]
            elif change == "label":
                tree["label"] = random.choice(["entailment", "neutral"])
            elif change == "children":
                tree["children"] = []
            elif change == "leaf":
                tree["leaf"] = True
            else:
                tree["segment"] = 1
            return


def _edit_order(random: Random, fields: dict[str, Any]) -> None:
    random.shuffle(fields["segments"])


_EDITS: list[Callable[[Random, dict[str, Any]], None]] = [
    _edit_leaves,
    _edit_summary,
    _edit_findings,
    _edit_provenance,
    _edit_list,
    _edit_list,
    _edit_list,
    _edit_flags,
    _edit_tree,
    _edit_order,
]


@st.composite
def items(draw: st.DrawFn, odd: bool = True) -> list[Any]:
    """Draw what stands where triplets should: triplets, most often."""
    triplets: list[Any] = [list(one) for one in draw(graphs(6, 8))]
    random = draw(randoms())
    if not odd:
        return triplets
    spelled = draw(pools(texts()))
    objects = [
        dict(zip(Triplet._fields, random.choice(triplets), strict=True)),
        {
            "subject": random.choice(spelled),
            "predicate": random.choice(PREDICATES),
            "object": random.choice(SPELLINGS),
            "votes": random.choice([1, 2, 0, -1]),
            "models": random.choice([["a", "b"], ["b", "a"], ["a", "a"], [], ["é"], [1]]),
            "filled": random.choice([True, False]),
        },
        {"subject": "a", "predicate": "p", "object": "b", "votes": True, "models": None},
        {"subject": "a", "predicate": "p", "object": "b", "own": None},
    ]
    others = [
        random.choices(spelled, k=3),
        ["a", random.choice(spelled), random.choice(SPELLINGS)],
        [random.choice(SPELLINGS), "p", "fever"],
        random.choice(triplets),
        *objects,
    ]
    nonsense = [None, 3, "text", [], ["a", "p"], ["a", "p", None], {"subject": "a"}, {}]
    kinds = draw(st.sampled_from([[others], [others, objects], [others, nonsense], [objects]]))
    more = [random.choice(random.choice(kinds)) for _ in range(draw(st.integers(0, 4)))]
    mixed = draw(st.sampled_from([triplets + more, more, more + triplets]))
    return draw(st.permutations(mixed)) if len(mixed) < 6 else mixed


def _maybe(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.none(), values)


def _extractions() -> st.SearchStrategy[list[dict[str, Any]]]:
    one = st.builds(
        lambda own, **fields: {**own, **fields},
        own_fields("model"),
        model=st.one_of(st.sampled_from(["a", "b", "A"]), texts()),
        triplets=_maybe(items()),
        filled=_maybe(items()),
        error=_maybe(texts()),
        complaints=st.lists(st.tuples(texts(), texts()), max_size=2),
    )
    return st.lists(one, max_size=3)


@st.composite
def graph_cases(draw: st.DrawFn) -> GraphCase:
    """Draw a case: extractions, or a graph, or a rationale, or a published row."""
    fields: dict[str, Any] = {
        **draw(own_fields("graph", "question", "answer", "rationale")),
        "id": draw(texts()),
        "question": draw(_maybe(texts())),
        "answer": draw(_maybe(texts())),
        "options": draw(_maybe(st.dictionaries(texts(), texts(), max_size=2))),
        "rationale": draw(_maybe(texts())),
        "conclusion": draw(_maybe(texts())),
        "conclusion_by": draw(st.sampled_from([None, "given", "embedding"])),
        "unfound": draw(_maybe(texts())),
        "status": draw(st.sampled_from([None, *STATUSES])),
        "error": draw(_maybe(texts())),
    }
    kind = draw(st.sampled_from(["extractions", "triplets", "rationale", "row", "both"]))
    if kind in ("extractions", "both"):
        fields["extractions"] = draw(_extractions())
    if kind in ("triplets", "both"):
        fields["triplets"] = draw(items())
    if kind == "rationale":
        fields["rationale"] = draw(texts())
    if kind == "row":
        fields |= draw(published_rows())
    return GraphCase.model_validate(fields)


@st.composite
def published_rows(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a row in the layout of the MedCEG data, now and then with oddities."""
    triplets = draw(items(odd=draw(st.booleans())))
    core = draw(
        st.one_of(
            st.just(triplets[::2]),
            st.just(triplets[::-1]),
            st.just([["outside", "of", "the graph"]]),
            st.lists(st.sampled_from([["a", "p", "b"], ["a", "p", "c"]]), max_size=3),
            st.sampled_from([None, "none", [3], [["a", "p"]]]),
        )
    )
    index = draw(texts())
    row: dict[str, Any] = {
        "index": index,
        "reasoning_content": draw(texts()),
        "graph": {"triplets": triplets, "core_reasoning_subgraph": core},
    }
    if draw(st.booleans()):
        row["id"] = index
    if draw(st.booleans()):
        name = draw(st.sampled_from(["index", "reasoning_content", "own"]))
        row["graph"][name] = draw(st.sampled_from([index, None, [], 1]))
    return row


def readable_rows() -> st.SearchStrategy[GraphCase]:
    """Draw cases that come as rows, read like a line of a file."""
    return published_rows().map(GraphCase.model_validate)


@st.composite
def voted_graphs(draw: st.DrawFn) -> EvidenceGraph:
    """Draw a case and count its votes; now and then the result is edited by hand."""
    case = draw(graph_cases())
    if case.extractions is None:
        extractions = draw(_extractions())
        case = GraphCase.model_validate({**case.model_dump(), "extractions": extractions})
    able = {one.model for one in case.extractions or () if one.triplets is not None}
    lost = any(one.triplets is None for one in case.extractions or ())
    most = 3 if lost else max(len(able), 1)
    if not able and not lost:
        case.extractions = None
        case = GraphCase.model_validate(
            {**case.model_dump(), "extractions": [{"model": "m", "triplets": draw(items())}]}
        )
    graph = vote(case, draw(st.integers(1, most)))
    if draw(st.booleans()):
        merged = st.fixed_dictionaries(
            {"kept": texts(), "dropped": texts(), "similarity": likenesses()}
        )
        fields = graph.model_dump()
        fields["merged"] = draw(st.lists(merged, max_size=3))
        fields["triplets"] = draw(st.permutations(fields["triplets"]))
        fields["triplets"] += draw(st.sampled_from([[], fields["outvoted"]]))
        graph = EvidenceGraph.model_validate(fields)
    return graph


@cache
def _reducer(rules: tuple[str, ...]) -> Reducer:
    return Reducer(rulebook_for("graph", [_overlay(one) for one in rules]))


@st.composite
def critical_graphs(draw: st.DrawFn) -> CriticalGraph:
    """Draw a graph and reduce it; one has a conclusion, another none, another is a row."""
    given = draw(items(odd=draw(st.booleans())))
    fields: dict[str, Any] = {
        **draw(own_fields("graph", "question", "answer", "rationale")),
        "id": draw(texts()),
        "triplets": given,
    }
    if draw(st.sampled_from([True, False, False])):
        fields |= draw(published_rows())
        fields.pop("triplets")
    case = GraphCase.model_validate(fields)
    kept = triplets_from(case.triplets or (), "triplets").kept
    nearest = st.tuples(texts(), likenesses()).map(Near._make)
    random = draw(randoms())
    if kept and random.random() < 0.8:
        case.conclusion = random.choice(kept).object
        case.conclusion_by = draw(st.sampled_from([None, "exact", "model"]))
    else:
        case.answer = draw(_maybe(texts()))
    graph = _reducer(draw(_some(GRAPH_RULES))).reduce(case)
    if graph.conclusion and draw(st.booleans()):
        graph.conclusion.similarity = draw(likenesses())
    if draw(st.booleans()):
        graph.nearest = draw(st.lists(nearest, max_size=3))
    return graph


@st.composite
def edited_critical_graphs(draw: st.DrawFn) -> CriticalGraph:
    """Draw a critical graph whose lists were edited by hand."""
    fields = draw(critical_graphs()).model_dump()
    random = draw(randoms())
    for _ in range(draw(st.integers(1, 4))):
        name = random.choice(["critical", "dropped", "warnings", "malformed", "backwards", "meta"])
        if name == "meta":
            fields["meta"].pop("triplets", None)
            continue
        values = fields[name] = list(fields[name])
        random.shuffle(values)
        edit = random.choice(["order", "less", "again", "other"])
        if edit == "less":
            del values[:1]
        elif edit == "again" and values:
            values.append(random.choice(values))
        elif edit == "other" and name == "critical":
            values.append(("odd", "p", random.choice(SPELLINGS)))
        elif edit == "other" and name == "dropped":
            triplet = random.choice([("odd", "p", NUL), *fields["critical"]])
            path = random.choice([None, [], [triplet], fields["critical"]])
            values.append({"triplet": triplet, "reason": "shortcut", "path": path})
    return CriticalGraph.model_validate(fields)


@st.composite
def rewards(draw: st.DrawFn) -> Reward:
    """Draw a reward that nobody earned: any numbers, any triplets."""
    triplets = draw(pools(st.tuples(texts(), texts(), texts()), 5))
    random = draw(randoms())
    alike = draw(pools(st.tuples(likenesses(), likenesses(), likenesses()), 3))
    share = _maybe(probabilities())
    settings = st.dictionaries(texts(), json_values(), max_size=2)
    nodes = [random.choice(random.choice(triplets)) for _ in range(random.choice([0, 2, 4]))]
    made: list[dict[str, Any]] = [{}, {"rules": {"a b": "c", "a": "b c"}}, {"version": "1"}]
    return Reward.model_validate(
        {
            **{name: draw(share) for name in NUMBERS},
            "id": draw(texts()),
            "status": draw(st.sampled_from(STATUSES)),
            "error": draw(_maybe(texts())),
            "accuracy_by": draw(st.sampled_from([None, "option", "equality", "judge"])),
            "generated_triplets": draw(_maybe(st.integers(0, 2**70))),
            "missed": random.choices(triplets, k=random.choice([0, 1, 3])),
            "matches": [
                (random.choice(triplets), random.choice(triplets), random.choice(alike))
                for _ in range(random.choice([0, 1, 4]))
            ],
            "nodes": [
                (node, random.choice([None, *triplets[0]]), draw(probabilities())) for node in nodes
            ],
            "malformed": draw(st.lists(st.tuples(texts(), texts()), max_size=2)),
            "provenance": {**draw(settings), **random.choice(made)},
            "meta": draw(own_fields("graph")),
        }
    )


def records() -> st.SearchStrategy[AnyRecord]:
    """Draw a record of any kind, as the program makes it."""
    return st.one_of(
        traces(),
        audits(),
        graph_cases(),
        readable_rows(),
        voted_graphs(),
        critical_graphs(),
        rewards(),
    )
