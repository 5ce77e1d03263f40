"""The two rewards that do not look at reasoning: the form of a response, and its answer."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from groundtrace.errors import ModelError
from groundtrace.graphs.multiple_choice import options_in, text_of_answer
from groundtrace.models.reward import ResponseStyle, RewardCase
from groundtrace.rewards.answers import (
    JudgedAnswer,
    accuracy,
    final_response_of,
    format_reward,
    gold_problem,
    is_multiple_choice,
    judge_answer,
    options_of,
    thinking_of,
)
from groundtrace.rewards.boxes import boxed
from groundtrace.rewards.mathematics import is_mathematical
from tests import real_data

OPTIONS = {"A": "ibuprofen", "B": "aspirin", "C": "A. fumigatus", "D": "insulin"}
TAGS = "<think>\nIt hurts.\n</think>\nTake aspirin."
HEADINGS = "## Thinking\nIt hurts.\n## Final Response\nTake aspirin."

MARKS = ["<think>", "</think>", "## Thinking\n", "## Final Response\n", "a", "\n", " ", "`", "```"]
PIECES = [
    "\\boxed{",
    "\\boxed {",
    "\\text{",
    "\\",
    "{",
    "}",
    "\\{",
    "\\}",
    "\\\\",
    "$",
    "B",
    " ",
    "\n",
]
LATEX = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)
# Neither a backslash nor a "$", which mean something to LaTeX; braces only in pairs.
BALANCED = st.recursive(
    st.text(st.characters(exclude_characters="{}\\$"), max_size=5),
    lambda inner: st.lists(
        st.one_of(inner, inner.map(lambda text: f"{{{text}}}")), max_size=3
    ).map("".join),
    max_leaves=8,
).filter(lambda text: text == text.strip())  # fmt: skip


def case(response: str | None, answer: str | None = "B", **fields: Any) -> RewardCase:
    return RewardCase.model_validate({"response": response, "answer": answer, **fields})


def chosen(said: str, answer: str = "B", options: dict[str, str] | None = OPTIONS) -> float | None:
    return accuracy(case(f"{TAGS} \\boxed{{{said}}}", answer, options=options))


# The form.


@pytest.mark.parametrize(
    ("response", "style"),
    [
        (TAGS, "think"),
        ("  \n<think>a</think> b", "think"),
        ("<think>a</think><answer>b</answer>", "think"),
        # A tag in quoted code is talked about; it opens nothing.
        (HEADINGS, "headings"),
        ("\n## Thinking\n\na\n\n## Final Response\n\nb\n", "headings"),
        (HEADINGS.replace("\n", "\r\n"), "headings"),
    ],
)
def test_a_thinking_part_and_an_answer_in_the_style_asked_for_are_the_form(
    response: str, style: ResponseStyle
) -> None:
    other: ResponseStyle = "headings" if style == "think" else "think"
    assert format_reward(response) == format_reward(response, style) == 1.0
    assert format_reward(response, other) == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "",
        "Take aspirin.",
        "<think>a</think>",
        "<think>a</think> \n",
        "<think>a</think><answer> </answer>",
        "<think></think>b",
        "<think> \n </think>b",
        "<think>a",
        "</think>b",
        "a</think>",
        "Well. <think>a</think>b",
        "<think>a</think>b<think>c</think>d",
        "<think>a<think>b</think>c",
        "<think>a</think>b</think>c",
        "```\n<think>a</think>b\n```",
        "## Thinking\na",
        "## Thinking\na\n## Final Response\n",
        "## Thinking\n\n## Final Response\nb",
        "Well.\n## Thinking\na\n## Final Response\nb",
        "## Final Response\na\n## Thinking\nb",
        "## Thinking\na\n## Final Response b",
        "## Thinking\n<think>a</think>\n## Final Response\nb",
    ],
)
def test_any_other_form_has_no_reward(response: str) -> None:
    assert [format_reward(response, style) for style in (None, "think", "headings")] == [0, 0, 0]


@pytest.mark.parametrize(
    "response",
    [
        "## Thinking\na\n## Thinking\nb\n## Final Response\nc",
        "## Thinking\na\n## Final Response\nb\n## Thinking\nc\n## Final Response\nd",
    ],
)
def test_two_thinking_parts_with_headings_have_no_reward(response: str) -> None:
    assert format_reward(response) == 0.0


def test_thinking_that_the_prompt_has_opened_is_the_form() -> None:
    response = "It hurts.\n</think>\n\\boxed{B}"
    assert format_reward(response) == format_reward(response, "think") == 1.0
    assert format_reward(response, "headings") == 0.0
    assert format_reward(response, verbatim=True) == 0.0
    assert thinking_of(response) == "It hurts."


def test_a_second_thinking_part_that_is_only_opened_has_no_reward() -> None:
    assert format_reward("<think>a</think>b<think>") == 0.0


@pytest.mark.parametrize(
    ("response", "style"),
    [
        ("<thought>a</thought>b", "think"),
        ("<think>a</thinking>b", "think"),
        ("# Reasoning\na\n# Answer\nb", "headings"),
        ("### Thoughts:\na\n###### Final Answer ##\nb", "headings"),
    ],
)
def test_a_style_that_was_asked_for_is_taken_at_its_word(
    response: str, style: ResponseStyle
) -> None:
    assert format_reward(response, style) == 0.0


@settings(max_examples=300)
@given(st.lists(st.sampled_from(MARKS), max_size=10).map("".join))
@example(TAGS)
@example(HEADINGS)
@example("## Thinking\n`</think>`")
def test_the_form_has_all_of_the_reward_or_nothing(response: str) -> None:
    styles: list[ResponseStyle] = ["think", "headings"]
    rewards = [format_reward(response, style) for style in styles]
    # No response has both styles at once.
    assert format_reward(response) == sum(rewards) in (0.0, 1.0)
    if format_reward(response):
        assert thinking_of(response).strip() and final_response_of(response).strip()


def test_a_response_falls_into_its_two_parts() -> None:
    for response in (TAGS, HEADINGS):
        assert thinking_of(response) == "It hurts."
        assert final_response_of(response) == "Take aspirin."


def test_a_response_in_one_piece_is_both_parts() -> None:
    assert thinking_of("It hurts.") == final_response_of("It hurts.") == "It hurts."


# What stands in the box.


@pytest.mark.parametrize(
    ("response", "content"),
    [
        (r"So: \boxed{B}.", "B"),
        (r"$\boxed{B}$", "B"),
        (r"\boxed{$B$}", "B"),
        (r"\boxed {B}", "B"),
        (r"\boxed{ B }", "B"),
        (r"\boxed{a{b{c}}d}", "a{b{c}}d"),
        (r"\boxed{x^{2}}", "x^{2}"),
        (r"\boxed{\frac{1}{2}}", r"\frac{1}{2}"),
        (r"\boxed{\{a\}}", r"\{a\}"),
        (r"\boxed{a\}b}", r"a\}b"),
        (r"\boxed{a\{b}", r"a\{b"),
        # Here the brace is not escaped: the backslash is.
        (r"\boxed{a\\}b}", r"a\\"),
        (r"\boxed{\text{B}}", "B"),
        (r"\boxed{\text{B: aspirin}}", "B: aspirin"),
        (r"\boxed{\text{B}: \textbf{aspirin}}", "B: aspirin"),
        (r"\boxed{\text{a \mathrm{b}}}", "a b"),
        (r"\boxed{\text{}}", ""),
        (r"\boxed{}", None),
        (r"\boxed{B} \boxed{ }", "B"),
        ("\\boxed{aspirin\nand rest}", "aspirin\nand rest"),
    ],
)
def test_what_stands_in_the_box_is_found(response: str, content: str) -> None:
    assert boxed(response) == content


@pytest.mark.parametrize(
    "response",
    ["", "B", r"\boxed", r"\boxed{", r"\boxed{B", r"\boxed{B\}", r"\boxed{\text{B}",
     r"\fbox{B}", "boxed{B}", r"\boxedx{B}"],
)  # fmt: skip
def test_without_a_balanced_box_there_is_nothing(response: str) -> None:
    assert boxed(response) is None


@pytest.mark.parametrize(
    "response",
    [
        r"\boxed{A}, no: \boxed{B}",
        r"\boxed{B}, or rather \boxed{A",
        r"\boxed{B} \boxed{\text{A} \boxed{",
        r"\boxed{B} \boxed{A\}",
        r"\boxed{A \boxed{B}}",
        r"\boxed{A \boxed{B}",
    ],
)
def test_the_last_balanced_box_counts(response: str) -> None:
    assert boxed(response) == "B"


@settings(max_examples=300)
@given(LATEX)
def test_any_text_has_a_box_or_none(response: str) -> None:
    content = boxed(response)
    if content is not None:
        assert content == content.strip()
        plain = re.sub(r"\\([%$#&_])", r"\1", response)
        assert content in response or content in plain or "\\text{" in response


@settings(max_examples=300)
@given(BALANCED, LATEX)
def test_balanced_text_comes_out_of_the_box_as_it_was_put_in(content: str, before: str) -> None:
    # An empty box is none, so that one before it would count.
    assume(content)
    assert boxed(f"{before} \\boxed{{{content}}}") == content
    assert boxed(f"{before} \\boxed{{{content}}} so \\boxed{{{content}") == content


@settings(max_examples=300)
@given(BALANCED)
def test_wrapping_in_text_changes_nothing(content: str) -> None:
    plain = content.replace("{", "(").replace("}", ")")
    assert boxed(f"\\boxed{{\\text{{{plain}}}}}") == plain


# Multiple choice.


@pytest.mark.parametrize(
    "said",
    ["B", "b", "(B)", "B.", "B:", "B)", " B ", r"\text{B}", r"\mathbf{B}", r"\textbf{(B)}", "$B$",
     "aspirin", "Aspirin.", "“aspirin”", r"\text{aspirin}",
     "B: aspirin", "B. Aspirin", "B) aspirin", "(B) aspirin", r"B: \text{aspirin}",
     r"\text{B}\text{: }aspirin", "B:aspirin"],
)  # fmt: skip
@pytest.mark.parametrize("answer", ["B", "b", "(B)", "B.", "aspirin", "Aspirin"])
def test_an_option_is_named_by_letter_or_text_or_both(said: str, answer: str) -> None:
    assert chosen(said, answer) == 1.0


@pytest.mark.parametrize(
    "said",
    ["A", "(A)", "ibuprofen", "A: ibuprofen", "A: aspirin", "(A) aspirin", "B: ibuprofen",
     "B: aspirin or ibuprofen", "A, B", "A and B", "B or D", "AB", "not B", "not aspirin",
     "aspirin, ibuprofen", "aspirin 100 mg", "E", "", "?"],
)  # fmt: skip
@pytest.mark.parametrize("answer", ["B", "aspirin"])
def test_anything_but_the_right_option_alone_is_wrong(said: str, answer: str) -> None:
    assert chosen(said, answer) == 0.0


def test_an_option_that_looks_like_a_letter_and_a_text_is_a_text() -> None:
    assert chosen("A. fumigatus", "C") == chosen("C: A. fumigatus", "C") == 1.0
    assert chosen("A. fumigatus", "A") == chosen("fumigatus", "C") == 0.0


def test_a_letter_outside_the_box_is_no_choice_for_the_published_program() -> None:
    outside = case(f"{TAGS} B", options=OPTIONS)
    assert judge_answer(outside, verbatim=True) == (0.0, False, "option")
    assert judge_answer(outside) == (1.0, True, "option")
    assert accuracy(case(r"\boxed{B", options=OPTIONS)) == 0.0


def test_a_box_in_thinking_that_is_not_closed_is_no_answer() -> None:
    unclosed = case(r"<think>\boxed{B}", options=OPTIONS)
    assert judge_answer(unclosed) == (0.0, False, "option")
    assert judge_answer(unclosed, verbatim=True).accuracy == 1.0


def test_without_options_the_letter_decides() -> None:
    assert is_multiple_choice(case(None, "b"))
    assert chosen("(B)", "b", None) == chosen("B: whatever", "b", None) == 1.0
    assert chosen("A: whatever", "b", None) == chosen("aspirin", "b", None) == 0.0


def test_letters_of_options_are_capital_letters_wherever_they_come_from() -> None:
    options = {" a ": "ibuprofen", "b": "aspirin"}
    assert options_of(case(None, options=options)) == {"A": "ibuprofen", "B": "aspirin"}
    assert chosen("aspirin", "b", options) == 1.0


def test_given_options_go_before_those_in_the_question() -> None:
    question = "Which?\nA: rest\nB: ice"
    assert options_of(case(None, question=question)) == {"A": "rest", "B": "ice"}
    assert options_of(case(None, question=question, options=OPTIONS)) == OPTIONS
    assert options_of(case(None)) == {}


@pytest.mark.parametrize("said", [r"IV 0.9\% NaCl", r"A: IV 0.9\% NaCl", r"\text{IV 0.9\% NaCl}"])
def test_a_sign_that_latex_makes_one_escape_is_that_sign(said: str) -> None:
    assert chosen(said, "A", {"A": "IV 0.9% NaCl", "B": "rest"}) == 1.0


def test_braces_that_only_group_are_no_part_of_an_answer() -> None:
    assert chosen("{B}") == 1.0


def test_an_option_whose_text_is_one_letter_is_named_by_it() -> None:
    # "Which vitamin is lacking?"
    assert chosen("K", "A", {"A": "K", "B": "E"}) == 1.0


def test_options_that_differ_by_a_minus_are_two() -> None:
    assert chosen("2.5", "A", {"A": "-2.5", "B": "2.5"}) == 0.0


# Open answers.


@pytest.mark.parametrize(
    ("response", "answer"),
    [
        (r"\boxed{Cecal volvulus}", "cecal volvulus"),
        (r"\boxed{\text{Cecal  volvulus.}}", "Cecal volvulus"),
        (r"\boxed{C\text{-}reactive}", "C‑reactive"),
        ("<think>It twists.</think>\n**Cecal volvulus**", "Cecal volvulus"),
        ("Cecal volvulus", "Cecal volvulus"),
        (r"It may be \boxed{Cecal volvulus}, or not.", "Cecal volvulus"),
    ],
)
def test_an_open_answer_is_right_if_it_is_equal_in_compared_form(
    response: str, answer: str
) -> None:
    assert not is_multiple_choice(case(response, answer))
    assert accuracy(case(response, answer)) == 1.0


@pytest.mark.parametrize(
    "response",
    [
        r"\boxed{Volvulus}",
        r"\boxed{Acquired cecal volvulus}",
        "<think>Cecal volvulus</think>Appendicitis",
        "It is cecal volvulus",
        r"Cecal volvulus \boxed{Appendicitis}",
    ],
)
def test_an_open_answer_is_wrong_if_anything_differs(response: str) -> None:
    assert accuracy(case(response, "Cecal volvulus")) == 0.0


def test_a_box_that_the_thinking_quotes_is_no_answer() -> None:
    quoted = r"<think>I must use \boxed{}.</think>Cecal volvulus"
    assert accuracy(case(quoted, "Cecal volvulus")) == 1.0


@pytest.mark.parametrize(("response", "answer"), [(None, "B"), ("B", None), ("B", ""), ("B", " ")])
def test_without_response_or_answer_there_is_no_accuracy(
    response: str | None, answer: str | None
) -> None:
    assert accuracy(case(response, answer)) is None


@pytest.mark.parametrize(
    ("response", "question", "style", "form_asked", "accuracy"),
    [
        ("I cannot tell.", None, None, None, None),
        ("I cannot tell.", "Put your answer in \\boxed{}.", None, None, 0.0),
        ("I cannot tell.", "Answer with the letter.", None, None, 0.0),
        ("I cannot tell.", "Which drug?", None, None, None),
        ("I cannot tell.", None, "think", None, 0.0),
        ("I cannot tell.", None, None, True, 0.0),
        ("I cannot tell.", "Put your answer in \\boxed{}.", None, False, None),
        ("<think>aspirin", "Put your answer in \\boxed{}.", None, None, 0.0),
        # Who writes a box has taken the form for asked.
        ("\\boxed{A or B}", None, None, None, 0.0),
    ],
)
def test_an_answer_that_is_not_found_is_wrong_only_if_a_form_was_asked_for(
    response: str,
    question: str | None,
    style: str | None,
    form_asked: bool | None,
    accuracy: float | None,
) -> None:
    one = case(response, options=OPTIONS, question=question, style=style)
    assert judge_answer(one, form_asked=form_asked) == (accuracy, False, "option")


def test_an_empty_open_answer_is_not_found() -> None:
    assert judge_answer(case("", "Cecal volvulus")) == (None, False, "equality")


# Final responses in the wild, written by somebody who had not seen the rules.


def cells(name: str) -> list[list[str]]:
    signs = {"n": "\n", "t": "\t", "\\": "\\"}
    lines = (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()
    return [
        [re.sub(r"\\(.)", lambda found: signs[found[1]], cell) for cell in line.split("\t")]
        for line in lines
    ]


FINAL_ANSWERS = [
    (expected, dict(one.split("=", 1) for one in options.split(";")), response)
    for expected, options, response, _ in cells("final_answers.tsv")
]
MATH_ANSWERS = cells("math_answers.tsv")


@pytest.mark.parametrize(("expected", "options", "response"), FINAL_ANSWERS)
def test_a_final_response_means_one_option_or_none(
    expected: str, options: dict[str, str], response: str
) -> None:
    right = {
        letter
        for letter in options
        if judge_answer(case(response, letter, options=options)).accuracy == 1.0
    }
    found = {judge_answer(case(response, letter, options=options)).found for letter in options}
    if expected != "either":
        assert right == ({expected} if expected != "none" else set())
        assert found == {expected != "none"}
    assert len(right) <= 1


def test_the_published_program_takes_boxes_only() -> None:
    for expected, options, response in FINAL_ANSWERS:
        if "boxed" not in response and expected in options:
            one = case(response, expected, options=options)
            assert judge_answer(one, verbatim=True) == (0.0, False, "option")


OWN_FORMS = [
    ("B", "The answer is B, not C."),
    ("B", "So the answer must be B"),
    ("B", "The most appropriate answer is option B: metformin."),
    ("C", "Answer: C \u2013 insulin glargine"),
    ("A", "Option A is correct; options B and C are not."),
    ("A", "Vitamin C is irrelevant. The answer is A."),
    ("B", "After ruling out A and C, the answer is B."),
    ("B", "The answer is B, since aspirin and insulin glargine are not first-line."),
    ("B", "I would choose B over C."),
    ("B", "The drug of choice is metformin."),
    ("C", "Answer: C. Metformin is contraindicated."),
    ("B", "A: 10%, B: 80%, C: 10%. Final answer: B"),
    ("B", "Considering A: no. Considering C: no. So B."),
    ("B", "<answer>\\boxed{B}</answer>"),
    ("A", "answer: a"),
    ("B", "\u6545\u9009B"),
    (None, "Is the answer B?"),
    (None, "The answer might be B."),
    (None, "The student said the answer is B, but that is wrong."),
    (None, "If B is correct, then the answer is B."),
    (None, "Option A is not correct."),
    (None, "The answer isn't B"),
    (None, "The answer lies between B and C"),
    (None, "The answer is B. No wait, C."),
    (None, "Answer: A patient needs care"),
    (None, "Answer key: see appendix C"),
    (None, "Group A: aspirin. Group B: metformin."),
    (None, "Metformin was stopped last year."),
    (None, "Metformin with insulin glargine"),
    (None, "Anything but B"),
    (None, "All except B"),
]
DRUGS = {"A": "aspirin", "B": "metformin", "C": "insulin glargine"}


@pytest.mark.parametrize(("expected", "response"), OWN_FORMS)
def test_more_forms_of_a_final_response(expected: str | None, response: str) -> None:
    found = [judge_answer(case(response, letter, options=DRUGS)).accuracy for letter in DRUGS]
    assert [letter for letter, one in zip(DRUGS, found, strict=True) if one == 1.0] == [
        one for one in (expected,) if one
    ]


@settings(max_examples=200)
@given(st.text(max_size=60), st.sampled_from("ABC"))
def test_any_text_is_read_without_a_complaint(text: str, letter: str) -> None:
    assert judge_answer(case(text, letter, options=DRUGS)).accuracy in (0.0, 1.0, None)


@pytest.mark.parametrize(("equal", "answer", "response"), MATH_ANSWERS)
def test_mathematics_is_compared_whatever_its_notation(
    equal: str, answer: str, response: str
) -> None:
    pytest.importorskip("math_verify")
    found = judge_answer(case(response, answer))
    assert (found.accuracy == 1.0) == (equal == "yes")
    if found.by == "mathematics" and equal == "yes":
        assert found.found


REPEATED = [
    "(", "*", "B ", "\n", "[", "A or ", ")", "]", "}", '"', "'", " ", "-", ".", ",", ":", "$",
    "<", "\\", "([", "the answer: ", "not ", "\\boxed{", "```\n", "1 ", "- [ ] ",
]  # fmt: skip


@pytest.mark.parametrize("sign", REPEATED)
def test_a_long_row_of_any_sign_is_read_to_its_end(sign: str) -> None:
    # Were a pattern to go over it again for each of its signs, this would take hours.
    final = sign * (200_000 // len(sign)) + "B"
    for options, answer in ((DRUGS, "B"), (None, "B"), (None, "Cecal volvulus")):
        found = judge_answer(case(f"<think>hm</think>{final}", answer, options=options))
        assert found.accuracy in (0.0, 1.0, None)


@pytest.mark.parametrize(
    ("answer", "response", "equal"),
    [
        ("3", "\\boxed{3!}", False),
        ("6", "\\boxed{3!}", True),
        ("[1,2]", "(1,2)", False),
        ("(1,2)", "\\boxed{[1,2]}", False),
        ("5", "5%", False),
        ("5", "\\boxed{5\\%}", False),
        ("5%", "5", False),
        ("0.05", "5%", True),
        ("5%", "0.05", True),
        ("23", "2*3", False),
        ("6", "2*3", True),
    ],
)
def test_signs_of_a_formula_are_no_punctuation(answer: str, response: str, equal: bool) -> None:
    pytest.importorskip("math_verify")
    assert accuracy(case(response, answer)) == float(equal)


@pytest.mark.parametrize(
    ("options", "answer", "told"),
    [
        ({"A": "x", "B": " X."}, "x", "is the text of the options A and B"),
        ({"A": "x", "B": "x"}, "A", None),
        ({"A": "x", "a": "y"}, "A", "two options have the letter “A”"),
        ({"A": "x", "B": " "}, "A", "the option “B” has no text"),
    ],
)
def test_options_that_cannot_be_told_apart_are_a_problem(
    options: dict[str, str], answer: str, told: str | None
) -> None:
    problem = gold_problem(case("A", answer, options=options))
    assert (problem is None) if told is None else (problem is not None and told in problem)


@pytest.mark.parametrize(
    "answer", ["Cecal volvulus", "5 mg", "vitamin B12", "Bouveret's syndrome", "p53 mutation"]
)
def test_words_are_no_mathematics(answer: str) -> None:
    assert not is_mathematical(answer)


def test_mathematics_in_threads_with_a_number_that_has_no_end() -> None:
    pytest.importorskip("math_verify")
    cases = [case("9^9^9^9^9", "10"), case("0.50", "1/2"), case("0.51", "1/2")] * 3
    with ThreadPoolExecutor(4) as pool:
        found = [one.accuracy for one in pool.map(judge_answer, cases)]
    assert found == [0.0, 1.0, 0.0] * 3


def test_a_missing_package_for_mathematics_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert judge_answer(case("1/2", "1/2")) == JudgedAnswer(1.0, True, "equality")
    with pytest.raises(ModelError, match=r"pip install 'groundtrace\[math\]'"):
        judge_answer(case("0.5", "1/2"))


@pytest.mark.parametrize("answer", ["D", "Z", "warfarin", "A or B"])
def test_a_right_answer_that_is_no_option_is_a_problem(answer: str) -> None:
    problem = gold_problem(case("B", answer, options=DRUGS))
    assert problem is not None and answer in problem and "A, B, C" in problem


@pytest.mark.parametrize("answer", ["A", "b", "(C)", "Metformin", "B. metformin", None, " "])
def test_a_right_answer_that_is_an_option_is_none(answer: str | None) -> None:
    assert gold_problem(case("B", answer, options=DRUGS)) is None
    assert gold_problem(case("B", "D", options=DRUGS, accuracy=1.0)) is None


# Options in a question, and what an answer says.


@pytest.mark.parametrize(
    "question",
    [
        "Which?\nA: rest\nB: ice",
        "Which?\nA. rest\nB. ice",
        "Which?\nA) rest\nB) ice",
        "Which?\n(A) rest\n(B) ice",
        "Which?\n  A:  rest  \n\tB: ice\t\nSay why.",
        "Which?\nA: rest\n\nB: ice\n\nPut your final answer in \\boxed{}.",
        "A: old\nB: older\nC: oldest\nWhich?\nA: rest\nB: ice",
        # What breaks the order is no option.
        "Which?\nA: rest\nB: ice\nD: heat",
    ],
)
def test_options_stand_in_lines_of_a_question(question: str) -> None:
    assert options_in(question) == {"A": "rest", "B": "ice"}


@pytest.mark.parametrize(
    "question",
    ["", "Which?", "A: rest", "A: rest\nC: ice", "B: rest\nC: ice", "Is it A: rest or B: ice?",
     "A rest\nB ice", "a: rest\nb: ice", "A:\nB:", "A:\nrest\nB:\nice"],
)  # fmt: skip
def test_other_questions_are_open(question: str) -> None:
    assert options_in(question) == {}


def test_options_of_a_question_with_other_line_ends_are_the_same() -> None:
    assert options_in("Which?\r\nA: rest\r\nB: ice\r\n") == {"A": "rest", "B": "ice"}


@settings(max_examples=300)
@given(st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1), min_size=2, max_size=26))
def test_listed_options_are_found_again(texts: list[str]) -> None:
    letters = [chr(ord("A") + place) for place in range(len(texts))]
    lines = [f"{letter}: {text}" for letter, text in zip(letters, texts, strict=True)]
    found = options_in("\n".join(["What now?", *lines, "Put your answer in \\boxed{}."]))
    assert found == dict(zip(letters, texts, strict=True))


@pytest.mark.parametrize("answer", ["B", "b", "(B)", "B.", "B:", "B)", " B "])
def test_a_letter_says_the_text_of_its_option(answer: str) -> None:
    assert text_of_answer(answer, OPTIONS) == "aspirin"
    assert text_of_answer(answer, {"A": "ibuprofen"}) is None


@pytest.mark.parametrize("answer", ["aspirin", "Vitamin B", "BB", "5", "B cells"])
def test_a_text_says_itself(answer: str) -> None:
    assert text_of_answer(answer, OPTIONS) == answer


# The published rows.


def published() -> list[tuple[dict[str, Any], RewardCase]]:
    return [
        (row, RewardCase.model_validate({**row, "response": row["content"]}))
        for row in real_data.rows("medceg_example.jsonl")
    ]


def test_published_questions_have_their_options() -> None:
    for row, one in published():
        options = options_of(one)
        assert [*options] == (["A", "B", "C", "D"] if row["data_source"] == "MedQA" else [])
        assert is_multiple_choice(one) == bool(options)
        # The instruction after the last option is no part of it.
        assert not any("boxed" in text or text != text.strip() for text in options.values())


def test_published_answers_are_in_their_boxes() -> None:
    found = {row["index"]: boxed(row["content"]) for row, _ in published()}
    assert found["3628"] == "D"
    assert found["2961"] == "A"
    assert found["PMC3707284"] == "Bouveret's syndrome (proximal gallstone ileus)"
    assert found["440"] == (
        "Vernet's Syndrome (or Jugular Foramen Syndrome) secondary to thrombosis of the right "
        "sigmoid-jugular complex."
    )
    assert len(found) == 12 and None not in found.values()


def test_published_answers_are_right_where_they_are_equal() -> None:
    right = {row["index"] for row, one in published() if accuracy(one) == 1.0}
    # The other six say more or less than the answer: only a judge can tell.
    assert right == {"3628", "1733", "2525", "2961", "1022", "99"}


def test_published_options_are_right_by_text_and_wrong_by_another_letter() -> None:
    for row, one in published():
        options = options_of(one)
        for letter, text in options.items():
            right = float(letter == row["answer"])
            for said in (letter, f"({letter})", text, f"{letter}: {text}", f"\\text{{{text}}}"):
                response = f"{row['content']}\n\\boxed{{{said}}}"
                assert accuracy(one.model_copy(update={"response": response})) == right
            other = "B" if letter == "A" else "A"
            mixed = f"\\boxed{{{other}: {text}}}"
            assert accuracy(one.model_copy(update={"response": mixed})) == 0.0


def test_published_reasoning_and_answer_make_a_response_of_either_form() -> None:
    for row, _ in published():
        thinking, answer = row["reasoning_content"], row["content"]
        tags = f"<think>\n{thinking}\n</think>\n{answer}"
        headings = f"## Thinking\n{thinking}\n## Final Response\n{answer}"
        assert format_reward(tags, "think") == format_reward(headings, "headings") == 1.0
        assert format_reward(answer) == 0.0
        assert boxed(tags) == boxed(headings) == boxed(answer)
