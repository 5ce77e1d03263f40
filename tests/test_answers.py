"""What counts as an answer of a language model, and what does not."""

import json
import math
import re
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtrace.chat.answer_text import Token, is_one_of
from groundtrace.labelling.answers import read_answer
from groundtrace.vocabulary import LABELS


@pytest.mark.parametrize(
    ("content", "label"),
    [
        ("E", "entailment"),
        ("i", "implied"),
        (" N\n", "neutral"),
        ("C.", "contradiction"),
        ("**E**", "entailment"),
        ("(C)", "contradiction"),
        ("`N`", "neutral"),
        ("Entailment", "entailment"),
        ("CONTRADICTION", "contradiction"),
        ("Answer: I", "implied"),
        ("The answer is E.", "entailment"),
        ("Final answer: **C**", "contradiction"),
        ("E = entailment", "entailment"),
        ("N) Neutral", "neutral"),
        ("E\n\nThe premise states the conclusion word for word.", "entailment"),
        ("The premise rules it out.\n\nAnswer: C", "contradiction"),
        ('{"label": "E"}', "entailment"),
        ('{"answer": "implied"}', "implied"),
        ('"C"', "contradiction"),
        ('["E"]', "entailment"),
        ('```json\n{"label": "I"}\n```', "implied"),
        ("```\nN\n```", "neutral"),
        ("<think>It must hold, so E. Or C?</think>N", "neutral"),
        ("It must hold, or is it a contradiction?</think>\n\nE", "entailment"),
        ('<think>E</think>```json\n{"label": "C"}\n```', "contradiction"),
    ],
)
def test_a_label_is_read(content: str, label: str) -> None:
    assert read_answer(content).label == label
    assert read_answer(content).problem is None


@pytest.mark.parametrize(
    "content",
    [
        None,
        "",
        " \n",
        "...",
        "X",
        "CONTRADICTIONS",
        "NONCONTRADICTION",
        "non-contradiction",
        "There is no contradiction",
        "I think it holds",
        "I cannot answer that",
        "N/A",
        "E or I",
        "E, I",
        "E = contradiction",
        "E\nC",
        "E, I, N or C",
        "Options:\nE\nI\nN\nC",
        "C\n\nWait, that is wrong. On reflection the final answer: E",
        "C'est vrai",
        "labele",
        "answers",
        "Entailment does not hold, but the premise makes it likely",
        '{"label": "E", "answer": "C"}',
        '{"label": "n", "reason": "C is not excluded"}',
        '{"label": "X"}',
        '{"label": null}',
        '{"label": "E"',
        "[]",
        '["E", "C"]',
        "1",
        "true",
        "<think>It must hold, so the answer is E",
        "<think>E</think>",
        "E</think>",
        ["E"],
        {"label": "E"},
        7,
    ],
)
def test_no_label_is_guessed(content: object) -> None:
    reading = read_answer(content)
    assert reading.label is None
    assert reading.problem


LETTERS = {label[0].upper(): label for label in LABELS}


def replies() -> Iterator[tuple[str, str]]:
    """Yield what is expected of each reply in the table, and the reply."""
    unescaped = {r"\n": "\n", r"\t": "\t", "\\\\": "\\"}
    table = Path(__file__).with_name("label_replies.tsv")
    for line in table.read_text(encoding="utf-8").splitlines():
        expected, reply, _ = line.split("\t")
        yield expected, re.sub(r"\\.", lambda found: unescaped[found[0]], reply)


@pytest.mark.parametrize(("expected", "reply"), list(replies()))
def test_replies_of_the_table(expected: str, reply: str) -> None:
    """Rows "either" may be read or refused, but not as another label than the first one."""
    label = read_answer(reply).label
    if expected != "either":
        assert label == LETTERS.get(expected)


STATEMENTS = [
    *("{0}", "**{0}**", "Label: {0}", "The label is {0}.", '{{"label": "{0}"}}', "答案：{0}"),
    *("\\boxed{{{0}}}", "<answer>{0}</answer>", "{2}", "I would choose {0}.", "```\n{0}\n```"),
]
RETRACTIONS = [
    *("Wait, actually the label should be {1}.", "But since the dose is missing, {1}.", "{1}!"),
    *("Correction: **{1}**", "Better: {1}", "no, {1}", "Or {1}?", "{1} may fit as well.", "- {1}"),
    *("{1} would be the safer label.", "en fait, {1}", "不，应该是{1}。", "\\boxed{{{1}}}"),
    *('{{"label": "{1}"}}', "So it is {3}.", "This is {3}, in truth.", "not {0} but {1}"),
]


@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize("retraction", RETRACTIONS)
def test_a_label_that_is_taken_back_is_none(statement: str, retraction: str) -> None:
    for first, second in permutations(LETTERS, 2):
        words = (first, second, LETTERS[first], LETTERS[second])
        for between in ("\n", "\n\n", " "):
            reply = between.join((statement, retraction)).format(*words)
            assert read_answer(reply).label is None, reply


@pytest.mark.parametrize(
    "piece", ["l a ", "answer:", "E, ", "E I N C ", "is ", "{", '{"a":', "(", "I ", "'", "\n", "."]
)
def test_long_answers_are_refused_without_trouble(piece: str) -> None:
    assert read_answer(piece * (12_000 // len(piece)) + "x").label is None


def test_the_problem_quotes_the_answer_and_no_more_than_needed() -> None:
    problem = read_answer("Perhaps. " * 100).problem
    assert problem
    assert "Perhaps. Perhaps." in problem
    assert len(problem) < 150


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(content: str) -> None:
    reading = read_answer(content)
    assert (reading.label is None) == (reading.problem is not None)


@given(st.sampled_from(LABELS), st.text(alphabet="abcdeins CEIN", min_size=1, max_size=6))
def test_a_label_inside_a_word_is_none(label: str, around: str) -> None:
    if around.strip():
        assert read_answer(f"x{around}{label}").label is None
        assert read_answer(f"{label}{around}x").label is None


def letters(**logarithms: float) -> dict[str, float]:
    return logarithms


def test_the_probability_is_the_share_among_the_letters() -> None:
    """Other tokens do not count: a server may report what was ruled out, too."""
    alternatives = {**letters(E=math.log(0.3), I=math.log(0.1)), "The": math.log(0.6)}
    assert read_answer("E", [Token("E", alternatives)]).probability == pytest.approx(0.75)


def test_the_probability_is_that_of_the_last_letter_token() -> None:
    first = Token("E", letters(E=0.0))
    last = Token(" E", {" E": math.log(0.5), " N": math.log(0.5)})
    tokens = [first, Token("</think>", {"</think>": 0.0}), last]
    assert read_answer("<think>E</think> E", tokens).probability == pytest.approx(0.5)


def test_a_letter_in_an_explanation_has_no_probability() -> None:
    tokens = [Token("I", letters(I=-2.0, E=-0.2)), Token("\n", {}), Token("I", letters(I=0.0))]
    assert read_answer("I\nI think so", tokens) == ("implied", None, None)


@pytest.mark.parametrize(
    "tokens",
    [
        [],
        [Token("Ent", {"Ent": 0.0}), Token("ailment", {"ailment": 0.0})],
        [Token("E", {"E": -math.inf})],
        [Token("E", {"E": math.nan})],
    ],
)
def test_an_unknown_probability_is_none(tokens: list[Token]) -> None:
    reading = read_answer("Entailment" if len(tokens) == 2 else "E", tokens)
    assert reading.label == "entailment"
    assert reading.probability is None


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("zorvex", True),
        ("  zorvex\n", True),
        (json.dumps({"label": "quimbal"}), True),
        ("<think>zorvex?</think>quimbal", True),
        ("Blue.", False),
        ("zorvexes", False),
        ('{"label": "blue"}', False),
        ('{"label": "zorvex", "label": "blue"}', False),
        (None, False),
        ("", False),
    ],
)
def test_whether_a_choice_was_obeyed(content: object, expected: bool) -> None:
    assert is_one_of(content, ("zorvex", "quimbal")) is expected
