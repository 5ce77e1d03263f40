"""Guards: opposites never match, and what means the same still does; how often, measured."""

import csv
import threading
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import groundtrace
from groundtrace.embedding.vectors import similarity
from groundtrace.errors import RuleError
from groundtrace.graphs.guard_facts import words_of
from groundtrace.graphs.guards import Guards
from groundtrace.models.names import normal
from groundtrace.models.reward import RewardCase
from groundtrace.rewards.answers import judge_answer
from groundtrace.rules.rulebook import rulebook_for
from tests.command import ROOT

GUARDS = Guards(rulebook_for("guards"))
ENTITY = 0.7


class TermPair(NamedTuple):
    verdict: str
    kind: str
    first: str
    second: str

    @property
    def texts(self) -> tuple[str, str]:
        return normal(self.first), normal(self.second)


def term_pairs() -> list[TermPair]:
    with (ROOT / "tests" / "term_pairs.tsv").open(encoding="utf-8", newline="") as file:
        return [TermPair(*row) for row in list(csv.reader(file, delimiter="\t"))[1:]]


def forbidden(first: str, second: str) -> bool:
    pair = normal(first), normal(second)
    one, other = GUARDS.unmatched([pair]), GUARDS.unmatched([pair[::-1]])
    assert bool(one) == bool(other), "the order must not count"
    return bool(one)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("left kidney", "right kidney"),
        ("hypertension", "hypotension"),
        ("type 1 diabetes", "type 2 diabetes"),
        ("Type I diabetes", "diabetes type 2"),
        ("HER2 positive", "HER2 negative"),
        ("HER2+", "HER2-"),
        ("acute pancreatitis", "chronic pancreatitis"),
        ("fever", "no fever"),
        ("increases", "decreases"),
        ("grade 1", "grade III"),
        ("BRCA1 mutation", "BRCA2 mutation"),
        ("third-degree burn", "first degree burn"),
        ("agonist", "antagonist"),
    ],
)
def test_opposites_never_match(first: str, second: str) -> None:
    assert forbidden(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("myocardial infarction", "heart attack"),
        ("left kidney", "kidney"),
        ("type 2 diabetes", "type II diabetes"),
        ("acute on chronic renal failure", "chronic renal failure"),
        ("no fever", "absence of fever"),
        ("hypertension with hypokalemia", "hypokalemia and hypertension"),
        ("hypothesis", "hypertension hypothesis"),
        ("HER2+", "HER2 positive"),
        ("elevated potassium", "hyperkalemia"),
        ("", ""),
    ],
)
def test_what_may_mean_the_same_matches(first: str, second: str) -> None:
    assert not forbidden(first, second)


def test_the_list_is_long_enough_to_measure_with() -> None:
    pairs = term_pairs()
    assert len(pairs) >= 200
    assert {pair.verdict for pair in pairs} == {"differ", "same"}
    assert len({frozenset(pair.texts) for pair in pairs}) == len(pairs)


def test_false_matches_and_false_blocks_are_rare() -> None:
    """The figures in docs/graphs.md; a change of the rules must not make them worse."""
    compare = similarity()
    alike = {
        pair: float(compare.matrix([pair.texts[0]], [pair.texts[1]])[0, 0]) >= ENTITY
        for pair in term_pairs()
    }
    unmatched = GUARDS.unmatched(pair.texts for pair in alike)
    blocked = {pair for pair in alike if pair.texts in unmatched}
    differ = [pair for pair in alike if pair.verdict == "differ"]
    same = [pair for pair in alike if pair.verdict == "same"]
    assert (len(differ), len(same)) == (221, 178)
    assert sum(alike[pair] for pair in differ) == 178
    assert sum(alike[pair] and pair not in blocked for pair in differ) <= 8
    assert sum(pair in blocked for pair in differ) >= 199
    assert sum(alike[pair] for pair in same) == 90
    assert sum(alike[pair] and pair in blocked for pair in same) <= 3
    assert sum(pair in blocked for pair in same) <= 5


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("her2+", ["her2", "+"]),
        ("her2- (fish)", ["her2", "-", "fish"]),
        ("beta-blocker", ["beta", "blocker"]),
        ("a_b", ["a", "b"]),
        ("--", []),
        ("γ-gt", ["γ", "gt"]),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert words_of(text) == words


@given(st.text(max_size=60).map(normal), st.text(max_size=60).map(normal))
@settings(max_examples=100, deadline=None)
def test_any_text_is_judged_and_a_text_matches_itself(first: str, second: str) -> None:
    forbidden(first, second)
    assert not forbidden(first, first)


def test_text_cannot_become_a_rule() -> None:
    text = 'left"). forbidden_match(X,Y) :- compared(X,Y). %'
    assert forbidden(text, "right kidney")
    assert not forbidden("kidney", "heart")


# --- an expert's own rules


def own(tmp_path: Path, rules: str) -> Guards:
    overlay = tmp_path / "own.lp"
    overlay.write_text(rules, encoding="utf-8")
    return Guards(rulebook_for("guards", [overlay]))


def test_an_expert_forbids_a_match(tmp_path: Path) -> None:
    guards = own(tmp_path, 'forbidden_match("hydroxyzine", "hydralazine").\n')
    pair = ("hydralazine", "hydroxyzine")
    assert guards.unmatched([pair, ("a", "b")]) == {pair}


def test_an_expert_adds_a_class_and_a_prefix(tmp_path: Path) -> None:
    rules = 'term(lobe, front, ("frontal"; "fronto-")).\nterm(lobe, back, "occipital").\n'
    guards = own(tmp_path, rules)
    pairs = [("frontal lobe", "occipital lobe"), ("frontotemporal", "occipital")]
    assert guards.unmatched(pairs) == set(pairs)
    assert GUARDS.unmatched(pairs) == set()


def test_an_expert_switches_a_rule_off(tmp_path: Path) -> None:
    guards = own(tmp_path, "disabled(absence).\n")
    pairs = [("fever", "no fever"), ("left eye", "right eye")]
    assert guards.unmatched(pairs) == {("left eye", "right eye")}


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ("forbidden_match(heart, lung).", 'write "heart"'),
        ("disabled(opposite).", "no rule has that name"),
        ('unmatched("a", "b").', "decided by groundtrace's own rules"),
        ("term(side, left).", "term takes 3 arguments"),
        ('{ forbidden_match("a", "b") }.', "more than one answer"),
    ],
)
def test_a_rule_that_cannot_be_used_is_refused(tmp_path: Path, rules: str, words: str) -> None:
    with pytest.raises(RuleError, match=words):
        own(tmp_path, rules).unmatched([("a", "b")])


def test_threads_agree() -> None:
    guards = Guards(rulebook_for("guards"))
    pairs = [pair.texts for pair in term_pairs()]
    expected = GUARDS.unmatched(pairs)
    found: list[set[tuple[str, str]]] = []
    threads = [
        threading.Thread(target=lambda part=part: found.append(guards.unmatched(pairs[part:])))
        for part in (0, 50, 100, 0)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found.count(expected) == 2
    assert all(one <= expected for one in found)


# --- pairs of all kinds, written by somebody who had not seen the rules


KNOWN_APART = {"x greater than y", "glucose 180 mg/dl", "unchanged ecg"}
"""Pairs that mean the same and are kept apart: "y less than x", "10 mmol/L", "without change"."""


@pytest.mark.parametrize(
    ("name", "count", "same_apart"),
    [("guard_pairs.tsv", 312, set()), ("guard_pairs_second.tsv", 220, KNOWN_APART)],
)
def test_own_pairs_of_each_kind(name: str, count: int, same_apart: set[str]) -> None:
    """The figures in docs/graphs.md: of pairs that differ, at most three in a hundred match."""
    with (ROOT / "tests" / name).open(encoding="utf-8", newline="") as file:
        rows = [TermPair(*row) for row in csv.reader(file, delimiter="\t")]
    compare = similarity()
    values = {pair: float(compare.matrix([pair.texts[0]], [pair.texts[1]])[0, 0]) for pair in rows}
    unmatched = GUARDS.unmatched(pair.texts for pair in rows)
    matched = [pair for pair in rows if values[pair] >= ENTITY and pair.texts not in unmatched]
    differ = [pair for pair in rows if pair.verdict == "differ"]
    same = [pair for pair in rows if pair.verdict == "same"]
    assert len(differ) == count
    assert sum(pair.verdict == "differ" for pair in matched) <= len(differ) * 3 // 100
    assert {pair.texts[0] for pair in same if pair.texts in unmatched} == same_apart


@pytest.mark.parametrize(
    ("first", "second", "rule"),
    [
        ("dose of 5 mg", "dose of 50 mg", "quantities"),
        ("dose of 5 mg", "dose of 5 g", "quantities"),
        ("blood pressure 180/110", "blood pressure 90/60", "quantities"),
        ("glucose 10 mmol/L", "glucose 10 mg/dL", "dimensions"),
        ("age over 65 years", "age under 65 years", "comparators"),
        ("IgA nephropathy", "IgG nephropathy", "codes"),
        ("L4 radiculopathy", "S1 radiculopathy", "codes"),
        ("soluble salt", "insoluble salt", "forms"),
        ("painful jaundice", "painless jaundice", "forms"),
        ("convergent series", "divergent series", "meanings"),
        ("shunt from left to right", "shunt from right to left", "directions"),
        ("all patients", "some patients", "opposites"),
    ],
)
def test_the_rule_that_keeps_a_pair_apart_is_named(first: str, second: str, rule: str) -> None:
    assert rule in GUARDS.reasons((normal(first), normal(second)))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("500 mg", "0.5 g"),
        ("five milligrams", "5 mg"),
        ("platelets 1,000", "platelets 1000"),
        ("symptoms for 14 days", "symptoms for 2 weeks"),
        ("100 µg", "100 mcg"),
        ("at least 18 years", "18 years or older"),
        ("4 × 10⁹/L", "4 x 10^9 / L"),
        ("temperature 39", "temperature of 39 °C"),
        ("98.6 °F", "37 °C"),
        ("every 12 hours", "twice daily"),
        ("1½ tablets", "1.5 tablets"),
        ("type 2 diabetes", "type II diabetes"),
        ("vitamin B12", "vitamin B-12"),
        ("flammable liquid", "inflammable liquid"),
        ("valuable", "invaluable"),
        ("famous", "infamous"),
        ("coming mail", "incoming mail"),
        ("fever", "fever of 39 °C"),
        ("no more than two", "at most 2"),
    ],
)
def test_equal_quantities_codes_and_lookalikes_may_match(first: str, second: str) -> None:
    assert not GUARDS.reasons((normal(first), normal(second)))


def test_a_reward_says_what_a_guard_cost() -> None:
    case = {
        "id": "dose",
        "reference": [["patient", "needs", "warfarin 5 mg"], ["fever", "suggests", "flu"]],
        "generated": [["patient", "needs", "warfarin 50 mg"]],
    }
    (kept,) = groundtrace.reward(case).kept_apart
    assert (kept.reference.object, kept.generated.object) == ("warfarin 5 mg", "warfarin 50 mg")
    assert kept.rules == ["quantities"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (".5 mg", "5 mg"),
        (".25 mg", "25 mg"),
        ("1'000 mg", "1 mg"),
        ("1_000 mg", "1 mg"),
        ("1·5 mg", "5 mg"),
        ("5\u200b0 mg", "5 mg"),
        ("5\u00ad0 mg", "5 mg"),
        ("5..6 mg", "5 mg"),
        ("minus 5 mmol/L", "5 mmol/L"),
        ("38 C", "38 F"),
        ("temperature 38C", "temperature 38F"),
        ("100 F fever", "100 C fever"),
        ("2x3 cm", "2x9 cm"),
        ("2 × 3 cm", "3 cm"),
        ("5mgx3", "5mgx4"),
        ("1 1/2 tablets", "1 tablet"),
        ("half a tablet", "a tablet"),
        ("quarter tablet", "half tablet"),
        ("a dozen", "two dozen"),
        ("doubled", "tripled"),
        ("twofold", "threefold"),
        ("ICD-10 E11.9", "ICD-10 E11.8"),
        ("E11.65", "E11.9"),
        ("version 1.2.3", "version 1.2.4"),
        ("T2N0M0", "T2N1M0"),
        ("46,XX", "46,XY"),
        ("c.35G>A", "c.35G>T"),
        ("8 am", "8 pm"),
        ("8 a.m.", "8 p.m."),
        ("qid", "qd"),
        ("qid", "bid"),
        ("bid", "tid"),
        ("qd", "tid"),
        ("on Monday", "on Tuesday"),
        ("seen in March", "seen in April"),
        ("January 2020", "June 2020"),
        ("IV", "PO"),
        ("IM", "SC"),
        ("IV morphine", "oral morphine"),
        ("sodium 140", "potassium 140"),
        ("serum sodium", "serum potassium"),
        ("calcium level", "magnesium level"),
        ("edema +++", "edema +"),
        ("bacterial meningitis", "viral meningitis"),
        ("viral pneumonia", "fungal pneumonia"),
        ("preload", "afterload"),
        ("nephrotic syndrome", "nephritic syndrome"),
        ("五 mg", "六 mg"),
        ("Ⅱ", "Ⅰ"),
        ("stage Ⅱ", "stage Ⅰ"),
        ("٢٫٥ mg", "٥ mg"),
        ("٢٫٥ mg", "٢٫٦ mg"),
        ("q.d.", "q.i.d."),
        ("p.G12D", "p.G12V"),
        ("p.Gly12Asp", "p.Gly12Val"),
        ("4x100 mg", "4x200 mg"),
        ("2x3x4 cm", "2x3x5 cm"),
        ("5 mg x 3 days", "5 mg x 4 days"),
        ("a quarter of a tablet", "half a tablet"),
        ("8am", "8pm"),
        ("i.v.", "p.o."),
        ("2+ edema", "3+ edema"),
        ("2 by 3 cm", "2 by 9 cm"),
    ],
)
def test_near_writings_that_differ_never_match(first: str, second: str) -> None:
    assert forbidden(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (".5 mg", "0.5 mg"),
        ("1'000 mg", "1000 mg"),
        ("1_000 mg", "1 g"),
        ("1·5 mg", "1.5 mg"),
        ("5\u200b0 mg", "50 mg"),
        ("5\u00ad0 mg", "50 mg"),
        ("5..6 mg", "5-6 mg"),
        ("minus 5 mmol/L", "-5 mmol/L"),
        ("98.6 F", "37 C"),
        ("temperature 38C", "temperature 38 °C"),
        ("2x3 cm", "3 × 2 cm"),
        ("2 cm x 3 cm", "20 x 30 mm"),
        ("5mgx3", "5 mg x 3"),
        ("1 1/2 tablets", "1.5 tablets"),
        ("half a tablet", "0.5 tablet"),
        ("two dozen", "24"),
        ("doubled", "twofold increase"),
        ("qd", "once daily"),
        ("8 am", "8 a.m."),
        ("IV", "i.v."),
        ("iv morphine", "intravenous morphine"),
        ("hyperkalemia", "elevated potassium"),
        ("五 mg", "5 mg"),
        ("十二 mg", "12 mg"),
        ("stage Ⅱ", "stage 2"),
        ("٢٫٥ mg", "2.5 mg"),
        ("46 F", "46 year old"),
        ("4·10^9", "4 x 10^9"),
        ("2 x 500 mg", "500 mg"),
        ("E11", "E11.9"),
        ("plus or minus 5", "5"),
        ("HER2+", "HER2 positive"),
        ("2 x 3 cm", "2 cm by 3 cm"),
        ("T2N0M0", "T2 N0 M0"),
        ("8 am", "8:00 am"),
        ("stage IV cancer", "stage 4 cancer"),
        ("half tablet", "1/2 tablet"),
    ],
)
def test_other_writings_of_the_same_may_match(first: str, second: str) -> None:
    assert not GUARDS.reasons((normal(first), normal(second)))


@pytest.mark.parametrize(
    ("answer", "said", "right"),
    [
        ("5 mg", ".5 mg", 0.0),
        ("5 mg", "5\u200b0 mg", 0.0),
        ("5", ".5", 0.0),
        (".5 mg", ".5 mg", 1.0),
        ("5 mg", "(5 mg).", 1.0),
    ],
)
@pytest.mark.parametrize("options", [None, {"A": "", "B": "500 mg"}])
def test_a_decimal_point_makes_another_answer(
    answer: str, said: str, right: float, options: dict[str, str] | None
) -> None:
    case = RewardCase.model_validate(
        {
            "id": "dose",
            "reference": [["a", "b", "c"]],
            "generated": [["a", "b", "c"]],
            "response": f"<think>x</think>\\boxed{{{said}}}",
            "answer": "A" if options else answer,
            "options": options | {"A": answer} if options else None,
        }
    )
    assert judge_answer(case).accuracy in ((0.0, None) if right == 0.0 else (1.0,))
