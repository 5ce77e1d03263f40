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

from groundtrace.auditing.auditor import Auditor
from groundtrace.graphs.critical import Reducer
from groundtrace.graphs.triplets import triplets_from
from groundtrace.graphs.voting import vote
from groundtrace.knowledge.rdf.records import AnyRecord
from groundtrace.knowledge.rdf.rewards import NUMBERS
from groundtrace.models.audit import Audit
from groundtrace.models.graph import (
    CriticalGraph,
    EvidenceGraph,
    GraphCase,
    Merged,
    Near,
)
from groundtrace.models.reward import Reward
from groundtrace.models.trace import Trace
from groundtrace.rules.rulebook import rulebook_for
from groundtrace.vocabulary import LABELS, STATUSES
from tests.graph_strategies import ODD_NAMES, PREDICATES

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
    'unstable(4) :- segment(4). finding(own_kind, warning, "odd <subject>").',
)
GRAPH_RULES = (
    'backwards("causes"). backwards("p\\"q").',
    'backwards("is caused by").',
    'finding(own_kind, warning, "patient").',
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
PLAIN = ("fever", "flu", "B", "n 1", "a b", "cough")
CHARACTERS = [chr(code) for code in (*range(1, 0x250), *range(0x2000, 0x2070), 0xFFFD, 0x1F600)]


class Maker:
    """Makes records; the same ones from the same seed."""

    def __init__(self, seed: int) -> None:
        """Begin a series of choices.

        Args:
            seed: Of chance.
        """
        self.random = Random(seed)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def some(self, make: Callable[[], Item], most: int, least: int = 0) -> list[Item]:
        return [make() for _ in range(self.random.randint(least, most))]

    def maybe(self, make: Callable[[], Item], share: float = 0.4) -> Item | None:
        return make() if self.chance(share) else None

    def text(self) -> str:
        """Return a text: plain, odd, or of any characters."""
        kind = self.random.random()
        if kind < 0.4:
            return self.random.choice(PLAIN)
        if kind < 0.9:
            return self.random.choice((*ODD_TEXTS, NUL))
        return "".join(self.random.choices(CHARACTERS, k=self.random.randint(0, 9)))

    def number(self) -> float:
        """Return a number in 0..1."""
        return self.random.choice([0.0, 1.0, 0.1, 1 / 3, 5e-324, self.random.random()])

    def likeness(self) -> float:
        """Return a number in -1..1."""
        return self.number() * self.random.choice([-1, 1])

    def value(self, depth: int = 2) -> Any:
        """Return whatever JSON holds."""
        if depth and self.chance(0.3):
            if self.chance(0.5):
                return self.some(lambda: self.value(depth - 1), 3)
            return {self.text(): self.value(depth - 1) for _ in range(self.random.randint(0, 3))}
        numbers = [0, 1, -1, 2**70, 1.0, -0.0, 1e300, self.likeness()]
        return self.random.choice([None, True, False, *numbers, self.text(), self.text()])

    def own(self, *taken: str) -> dict[str, Any]:
        """Return fields of the user's own, often none or plain ones."""
        names = [name for name in OWN_NAMES if name not in taken]
        return {
            self.random.choice(names): self.text() if self.chance(0.6) else self.value()
            for _ in range(self.random.choice([0, 0, 1, 2, 5]))
        }

    def trace(self, labelled: bool = False) -> Trace:
        """Return a trace; one that is labelled has relations, none perhaps."""
        count = self.random.randint(0, 8)
        fields = {
            **self.own("relations"),
            "id": self.text(),
            "segments": [self._segment() for _ in range(count)],
            "leaves": self.random.choice([[1], [1], [1], [1, 2], [3], []]) if count > 2 else [],
        }
        if labelled or self.chance(0.8):
            fields["relations"] = list(self._relations(count))
        return Trace.model_validate(fields)

    def _segment(self) -> dict[str, Any]:
        return {
            **(self.own("text", "tags", "gold") if self.chance(0.3) else {}),
            "text": self.text(),
            "tags": [one.replace("\0", "") for one in self.some(self.text, 2)],
            "gold": self._gold(),
        }

    def _gold(self) -> Any:
        values = ["correct", "incorrect", "uncertain"]
        if self.chance(0.7):
            return self.random.choice([None, None, *values])
        names = [None, None, *{self.text() for _ in range(2)}]
        return [
            {
                "value": self.random.choice(values),
                "annotator": name,
                "comment": self.random.choice([None, self.text()]),
            }
            for name in names[self.random.randrange(4) :]
        ]

    def _relations(self, count: int) -> Iterator[dict[str, Any]]:
        """Yield relations in any order, sparse to dense; few contradict or lack a label."""
        palette: list[tuple[str | None, ...]] = [
            ("entailment", "implied", "implied", "neutral"),
            ("entailment", "implied", "implied"),
            ("entailment",) * 8 + ("implied",) * 8 + ("neutral", "contradiction", None),
            (*LABELS, None),
        ]
        labels = self.random.choice(palette)
        share = self.random.choice([0.05, 0.2, 0.4, 0.6])
        for target in self.random.sample(range(1, count + 1), count):
            for size in (1, 2, 3):
                for premises in combinations(range(1, target), size):
                    if self.chance(share * 1.5 / size):
                        yield {
                            **(self.own() if self.chance(0.1) else {}),
                            "premises": list(premises),
                            "target": target,
                            "label": self.random.choice(labels),
                            "probability": self.maybe(self.number),
                            "error": self.maybe(self.text, 0.1),
                        }

    def _rules(self, rules: Sequence[str]) -> tuple[str, ...]:
        """Return some of the rules in any order, most often none."""
        return tuple(self.random.sample(rules, self.random.choice([0, 0, 1, 2])))

    def audit(self) -> Audit:
        """Return the audit of a trace."""
        auditor = _auditor(
            self._rules(AUDIT_RULES),
            self.random.choice([3, 3, 1]),
            self.random.choice([50, 1]),
            self.random.choice(["replay", 'odd "labeller"\n/ü']),
        )
        return auditor.audit(self.trace(labelled=True)).audit

    def edited_audit(self) -> Audit:
        """Return an audit whose lists stand in another order, or that was edited by hand."""
        fields = self.audit().model_dump()
        for entry in fields["segments"]:
            entry.pop("gold", None)  # An annotator who speaks twice is refused.
        for _ in range(self.random.randint(1, 6)):
            self.random.choice(_EDITS)(self.random, fields)
        return Audit.model_validate(fields)

    def triplets(self, most: int = 14) -> list[list[str]]:
        """Return triplets that can be used, and a few loops and repetitions."""
        names = [f"n{number}" for number in range(self.random.randint(2, 6))]
        names += self.random.sample((*ODD_NAMES, *SPELLINGS), 2)
        predicates = (*PREDICATES, "Causes")
        found = []
        for _ in range(self.random.randint(1, most)):
            ends = [self.random.choice(names), self.random.choice(names)]
            if self.chance(0.8):  # Most graphs have few cycles.
                ends.sort(key=names.index)
            found.append([ends[0], self.random.choice(predicates), ends[1]])
        return found

    def items(self) -> list[Any]:
        """Return what stands where triplets should: triplets, most often."""
        triplets: list[Any] = [*self.triplets()]
        objects: list[Any] = [*self.some(self._object, 3)]
        odd: list[Any] = [
            [self.text(), self.text(), self.text()],
            ["a", self.text(), self.random.choice(SPELLINGS)],
            {"subject": "a", "predicate": "p", "object": "b", "votes": True, "models": None},
            {"subject": "a", "predicate": "p", "object": "b", "own": None},
        ]
        nonsense: list[Any] = [
            None,
            3,
            "text",
            [],
            ["a", "p"],
            ["a", "p", None],
            {"subject": "a"},
            {},
        ]
        more: list[Any] = self.random.choice([[], objects, objects, odd, nonsense, odd + nonsense])
        mixed = triplets + self.random.sample(more, self.random.randint(0, len(more)))
        if self.chance(0.3):
            self.random.shuffle(mixed)
        return self.random.choice([mixed, mixed, more])

    def _object(self) -> dict[str, Any]:
        return {
            "subject": self.text(),
            "predicate": self.random.choice(PREDICATES),
            "object": self.random.choice((*SPELLINGS, "n1", "n2")),
            "votes": self.random.choice([1, 2, 3, 0, -1]),
            "models": self.random.choice([["a", "b"], ["b", "a"], ["a", "a"], [], ["é"], [1]]),
            "filled": self.random.choice([True, False]),
        }

    def _extraction(self) -> dict[str, Any]:
        return {
            **self.own("model"),
            "model": self.random.choice(["a", "b", "A", self.text()]),
            "triplets": self.maybe(self.items, 0.8),
            "filled": self.maybe(self.items),
            "error": self.maybe(self.text),
            "complaints": self.some(lambda: (self.text(), self.text()), 2),
        }

    def case(self) -> GraphCase:
        """Return a case: extractions, or a graph, or a rationale, or a published row."""
        if self.chance(0.2):
            return GraphCase.model_validate(self.row())
        fields: dict[str, Any] = {
            **self.own("graph", "question", "answer", "rationale"),
            "id": self.text(),
            "question": self.maybe(self.text),
            "answer": self.maybe(self.text),
            "options": self.maybe(lambda: {self.text(): self.text()}),
            "rationale": self.maybe(self.text),
            "conclusion": self.maybe(lambda: self.random.choice(("N1", *SPELLINGS, self.text()))),
            "conclusion_by": self.random.choice([None, "given", "embedding"]),
            "unfound": self.maybe(self.text),
            "status": self.random.choice([None, *STATUSES]),
            "error": self.maybe(self.text),
        }
        kind = self.random.choice(["extractions", "triplets", "rationale", "row", "both"])
        if kind in ("extractions", "both"):
            fields["extractions"] = self.some(self._extraction, 3)
        if kind in ("triplets", "both"):
            fields["triplets"] = self.items()
        if kind == "rationale":
            fields["rationale"] = self.text()
        if kind == "row":
            fields |= self.row()
        return GraphCase.model_validate(fields)

    def row(self) -> dict[str, Any]:
        """Return a row in the layout of the MedCEG data, now and then with oddities."""
        triplets = self.random.choice([self.triplets, self.items])()
        cores: list[Any] = [
            triplets[::2],
            triplets[::2],
            triplets[::-1],
            [["outside", "of", "the graph"]],
            [["a", "p", "b"], ["a", "p", "c"], ["a", "p", "b"]],
            [],
            None,
            "none",
            [3],
            [["a", "p"]],
        ]
        index = self.text()
        row: dict[str, Any] = {
            "index": index,
            "reasoning_content": self.text(),
            "graph": {"triplets": triplets, "core_reasoning_subgraph": self.random.choice(cores)},
        }
        if self.chance(0.5):
            row["id"] = index
        if self.chance(0.3):
            name = self.random.choice(["index", "reasoning_content", "own"])
            row["graph"][name] = self.random.choice([index, None, [], 1])
        if self.chance(0.1):
            del row["graph"]["core_reasoning_subgraph"]
        return row

    def voted(self) -> EvidenceGraph:
        """Return what votes make of extractions that agree in part; some are edited by hand."""
        base = self.triplets()
        extractions = [self._extraction() for _ in range(self.random.choice([0, 0, 1]))]
        for model in self.random.sample(["a", "b", "c", "B", "é"], 3):
            given = [self._respelled(one) for one in base if self.chance(0.6)]
            filled = [list(one) for one in base if self.chance(0.3)]
            extractions.append({"model": model, "triplets": given, "filled": filled or None})
        case = GraphCase.model_validate(
            {
                **self.own("graph", "question", "answer", "rationale"),
                "id": self.text(),
                "rationale": self.maybe(self.text),
                "extractions": extractions,
            }
        )
        graph = vote(case, self.random.choice([1, 2, 2, 3]))
        if self.chance(0.3):
            self.random.shuffle(graph.triplets)
            graph.triplets += graph.outvoted[:2]
            graph.merged = self.some(
                lambda: Merged(kept=self.text(), dropped=self.text(), similarity=self.likeness()),
                3,
            )
        return graph

    def _respelled(self, triplet: Sequence[str]) -> list[str]:
        kind = self.random.choice(["as it is", "as it is", "upper", "quoted"])
        if kind == "upper":
            return [part.upper() for part in triplet]
        return [f" “{part}” " if kind == "quoted" else part for part in triplet]

    def critical(self) -> CriticalGraph:
        """Return a reduced graph; one has a conclusion, another none, another is a row."""
        fields: dict[str, Any] = {
            **self.own("graph", "question", "answer", "rationale"),
            "id": self.text(),
            "triplets": self.random.choice([self.triplets, self.items])(),
        }
        if self.chance(0.3):
            del fields["triplets"]
            fields |= self.row()
        case = GraphCase.model_validate(fields)
        kept = triplets_from(case.triplets or (), "triplets").kept
        if kept and self.chance(0.8):
            case.conclusion = self.random.choice(kept).object
            case.conclusion_by = self.random.choice([None, "exact", "model"])
        else:
            case.answer = self.maybe(self.text)
        graph = _reducer(self._rules(GRAPH_RULES)).reduce(case)
        if graph.conclusion is not None:
            graph.conclusion.similarity = self.maybe(self.likeness)
        if self.chance(0.3):
            graph.nearest = self.some(lambda: Near(self.text(), self.likeness()), 3)
        return graph

    def edited_critical(self) -> CriticalGraph:
        """Return a critical graph whose lists were edited by hand."""
        fields = self.critical().model_dump()
        for _ in range(self.random.randint(1, 4)):
            self._edit_critical(fields)
        return CriticalGraph.model_validate(fields)

    def _edit_critical(self, fields: dict[str, Any]) -> None:
        name = self.random.choice(["critical", "dropped", "warnings", "malformed", "backwards"])
        values = fields[name] = list(fields[name])
        self.random.shuffle(values)
        edit = self.random.choice(["order", "less", "again", "other", "meta"])
        if edit == "less":
            del values[:1]
        elif edit == "again" and values:
            values.append(self.random.choice(values))
        elif edit == "meta":
            fields["meta"].pop("triplets", None)
        elif edit == "other" and name == "critical":
            values.append(("odd", "p", self.random.choice(SPELLINGS)))
        elif edit == "other" and name == "dropped":
            triplet = self.random.choice([("odd", "p", NUL), *fields["critical"]])
            path = self.random.choice([None, [], [triplet], fields["critical"]])
            values.append({"triplet": triplet, "reason": "shortcut", "path": path})

    def reward(self) -> Reward:
        """Return a reward that nobody earned: any numbers, any triplets."""
        triplets = self.some(lambda: (self.text(), self.text(), self.text()), 5, 1)
        choice = self.random.choice
        made: list[dict[str, Any]] = [
            {},
            {"rules": {"a b": "c", "a": "b c"}, "constants": {"a": 1, "b": "x"}},
            {"version": "1", "overlays": ["b", "a"], "max_trees": 3, "labeller": "x"},
            {"version": 1, "rules": [], "constants": {"a": True}, "overlays": [1], "min_votes": ""},
            {self.text(): self.value()},
        ]
        fields = {
            **{name: self.maybe(self.number) for name in NUMBERS},
            "id": self.text(),
            "status": choice(STATUSES),
            "error": self.maybe(self.text),
            "accuracy_by": choice([None, "option", "equality", "mathematics", "judge"]),
            "answer_found": choice([None, True, False]),
            "generated_triplets": choice([None, 0, 7, 12_345]),
            "missed": self.some(lambda: choice(triplets), 3),
            "matches": self.some(
                lambda: (
                    choice(triplets),
                    choice(triplets),
                    [self.likeness() for _ in range(3)],
                    choice([True, False]),
                ),
                4,
            ),
            "nodes": self.some(
                lambda: (
                    choice(triplets)[0],
                    choice([None, *triplets[0], *SPELLINGS]),
                    self.number(),
                ),
                4,
            ),
            "malformed": self.some(lambda: (self.text(), self.text()), 2),
            "provenance": choice(made),
            "meta": self.own("graph"),
        }
        return Reward.model_validate(fields)


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


@cache
def _reducer(rules: tuple[str, ...]) -> Reducer:
    return Reducer(rulebook_for("graph", [_overlay(one) for one in rules]))


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
    names = [name for name, value in entry.items() if isinstance(value, list) and value]
    if not names:
        return
    name = random.choice(names)
    values = entry[name]
    random.shuffle(values)
    edit = random.choice(["order", "order", "less", "again", "within"])
    if edit == "less":
        del values[:1]
    elif edit == "again":
        values.append(random.choice(values))
    elif edit == "within":
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


def _made(*makes: Callable[[Maker], Item]) -> st.SearchStrategy[Item]:
    """Draw what is made of one number: no two examples are alike, and drawing takes no time."""
    return st.integers(0, 2**48).map(lambda seed: makes[seed % len(makes)](Maker(seed)))


def texts() -> st.SearchStrategy[str]:
    """Draw names and texts, odd ones most often."""
    spelled = st.sampled_from([*SPELLINGS, *PLAIN])
    return st.one_of(spelled, st.sampled_from([*ODD_TEXTS, NUL]), st.text(max_size=20))


def records() -> st.SearchStrategy[AnyRecord]:
    """Draw a record of any kind, as the program reads or makes it."""
    return _made(Maker.trace, Maker.audit, Maker.case, Maker.voted, Maker.critical, Maker.reward)


def edited_records() -> st.SearchStrategy[AnyRecord]:
    """Draw an audit or a critical graph that was edited by hand."""
    return _made(Maker.edited_audit, Maker.edited_critical)
