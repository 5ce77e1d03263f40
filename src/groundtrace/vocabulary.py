"""The words shared by files, rules and code, spelled once.

Predicates are documented in asp/vocabulary.lp; a test compares the two.
"""

from typing import Final, Literal, get_args

Label = Literal["contradiction", "neutral", "implied", "entailment"]
Outcome = Literal["supported", "unsupported", "orphan", "contradicted"]
Gold = Literal["correct", "incorrect", "uncertain"]

LABELS: Final[tuple[Label, ...]] = ("contradiction", "neutral", "implied", "entailment")
"""Weakest to strongest, the order in which conflicts resolve to the weaker one."""

OUTCOMES: Final[tuple[Outcome, ...]] = ("supported", "unsupported", "orphan", "contradicted")
FLAGS: Final = ("unstable", "provisional")
WARNINGS: Final = "warnings"

LABEL_SPELLINGS: Final[dict[str, Label]] = {
    "c": "contradiction",
    "contradict": "contradiction",
    "contradicts": "contradiction",
    "contradicted": "contradiction",
    "contradictory": "contradiction",
    "contradiction": "contradiction",
    "n": "neutral",
    "neutral": "neutral",
    "i": "implied",
    "imply": "implied",
    "implies": "implied",
    "implied": "implied",
    "e": "entailment",
    "entail": "entailment",
    "entails": "entailment",
    "entailed": "entailment",
    "entailment": "entailment",
}

GOLD_SPELLINGS: Final[dict[str | int, Gold]] = {
    "correct": "correct",
    "incorrect": "incorrect",
    "uncertain": "uncertain",
    "1": "correct",
    "0": "incorrect",
    "true": "correct",
    "false": "incorrect",
    1: "correct",
    0: "incorrect",
}

REASONS: Final = (
    "neutral",
    "contradiction",
    "too_far",
    "redundant",
    "asymmetric",
    "degraded",
    "weak_cluster",
)
"""Why a relation is not support, in the order in which reasons are listed; users may add more."""

_REASON_PLACES: Final = {reason: place for place, reason in enumerate(REASONS)}


def reason_order(reason: str) -> tuple[int, str]:
    """Return a key by which reasons are sorted: ours as listed, then users' by name.

    Args:
        reason: Why a relation is not support.
    """
    return _REASON_PLACES.get(reason, len(REASONS)), reason


LABELS_AS_REASONS: Final = ("neutral", "contradiction")
"""Labels that are a reason themselves, read from the label instead of the answer (asp/show.lp)."""

RULE_OF_REASON: Final[dict[str, str]] = {
    "neutral": "label",
    "contradiction": "label",
    "too_far": "locality",
}
"""The documented name of the rule behind a reason, where the two differ."""

Program = Literal["audit", "graph", "reward", "guards"]
"""The rule programs, by the name of the file in asp/ that includes their stages."""

PROGRAMS: Final[tuple[Program, ...]] = get_args(Program)
"""In the order in which they are listed."""

INPUT_PREDICATES: Final[dict[Program, dict[str, int]]] = {
    "audit": {
        "segment": 1,
        "leaf": 1,
        "tag": 2,
        "relation": 3,
        "premise": 2,
        "unlabelled": 2,
    },
    "graph": {"triplet": 4, "conclusion": 1},
    "reward": {"case": 2, "reference": 5, "generated": 4, "said": 2, "similar": 3, "turned": 2},
    "guards": {
        "compared": 2,
        "word": 3,
        "begins": 2,
        "numeral": 1,
        "numbered": 3,
        "quantity": 5,
        "code": 3,
        "facing": 4,
        "affixed": 3,
        "stem": 2,
        "lexicon": 3,
        "rest": 3,
    },
}
"""What the program hands over."""

EXTENSION_POINTS: Final[dict[Program, dict[str, int]]] = {
    "audit": {
        "leaf": 1,
        "drop": 2,
        "contradicted": 1,
        "unstable": 1,
        "veto": 2,
        "note": 2,
        "disabled": 1,
        "finding": 3,
    },
    "graph": {"backwards": 1, "hub_exempt": 1, "disabled": 1, "finding": 3},
    "reward": {},
    "guards": {
        "forbidden_match": 2,
        "converse": 2,
        "term": 3,
        "telling": 1,
        "counted": 1,
        "counting": 1,
        "whole_word": 1,
        "lettered": 1,
        "negating": 1,
        "opposing": 2,
        "antonym": 3,
        "disabled": 1,
        "finding": 3,
    },
}
"""The predicates of ours that users' rules may derive."""

SHOWN_PREDICATES: Final[dict[Program, dict[str, int]]] = {
    "audit": {
        "leaf": 1,
        "support": 2,
        "rejected": 2,
        "preference": 2,
        "contradicts": 2,
        "contradicted": 1,
        "unstable": 1,
        "veto": 2,
        "depth": 2,
        "outcome": 2,
        "provisional": 1,
        "blocked": 2,
        "breakpoint": 2,
        "note": 2,
        "finding": 3,
    },
    "graph": {"edge": 3, "leading": 1, "shortcut": 1, "critical": 1, "finding": 3},
    "reward": {
        "recalls": 3,
        "flipped": 3,
        "recalled_count": 2,
        "telling_count": 2,
        "chain": 2,
        "longest_chain": 2,
    },
    "guards": {"kept_apart": 3, "finding": 3},
}
"""What is read back (asp/show.lp)."""

Status = Literal["scored", "unscorable", "failed"]
"""Of a case: done; impossible with this input; not done, through no fault of the input."""

STATUSES: Final[tuple[Status, ...]] = get_args(Status)
