"""The two rewards that do not look at reasoning: the form of a response, and its answer."""

from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from groundtrace.graphs.multiple_choice import options_in, text_of_answer
from groundtrace.models.reward import ResponseStyle, RewardCase
from groundtrace.rewards.answers import (
    accuracy,
    boxed,
    final_response_of,
    format_reward,
    is_multiple_choice,
    options_of,
    thinking_of,
)
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
        "a</think>b",
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
        assert content in response or "\\text{" in response


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


def test_a_letter_outside_the_box_is_no_choice() -> None:
    assert accuracy(case(f"{TAGS} B", options=OPTIONS)) == 0.0
    assert accuracy(case(r"\boxed{B", options=OPTIONS)) == 0.0


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
        "",
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
