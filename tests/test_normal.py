"""The form in which names are compared: what only looks different is equal, and nothing else."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from groundtrace.models.names import normal, points_only
from tests import real_data

DASHES = [*map(chr, range(0x2010, 0x2016)), "\u2212"]
QUOTES = [('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’"), ("„", "“"), ("«", "»"), ("`", "`")]
TAU = ("tau_gpt4.jsonl", "tau_gpt35.jsonl", "tau_textmining.jsonl")

# What the form is made of: letters whose case is not one to one, signs, brackets, marks that
# combine with what stands before them. Texts drawn from all of Unicode hardly ever meet these.
AWKWARD = st.text(
    st.sampled_from(
        [*"aZß1ıİΣςﬁ²+-%()[]{}\"'`´.,;*/\\ \t\n\r\0\x1f\x85\u0301\u0345\u200b", *DASHES]
    ),
    max_size=12,
)
# Half characters come out of broken escapes, and must not end a run.
TEXTS = st.one_of(AWKWARD, st.text(), st.text(st.characters(), max_size=8))
WORDS = st.text(st.sampled_from("aZßΣ9(["), min_size=1).filter(lambda text: text[-1] not in "([")


def is_said(text: str) -> bool:
    """Say whether a text has letters or digits: one without keeps the punctuation around it."""
    return any(map(str.isalnum, unicodedata.normalize("NFKC", text)))


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("ﬁbrosis", "fibrosis"),
        ("Ca²⁺", "ca2+"),
        ("ＩＬ－６", "il-6"),
        ("e\u0301tat", "état"),
        ("\u212b", "å"),
        ("Ⅳ", "iv"),
        ("№ 1", "no 1"),
    ],
)
def test_compatibility_characters_are_made_equal(text: str, form: str) -> None:
    assert normal(text) == form


@pytest.mark.parametrize("dash", DASHES)
def test_all_dashes_are_one(dash: str) -> None:
    assert normal(f"C{dash}reactive") == "c-reactive"
    assert normal(f"HER2{dash}") == "her2-"


def test_other_lines_are_no_dashes() -> None:
    # The specification ends at U+2015; a tilde or an underscore means something else.
    assert len({normal(f"a{one}b") for one in "-~_‖=+"}) == 6


@pytest.mark.parametrize(
    "space",
    [" ", "  ", "\t", "\n", "\r\n", "\0", "\x1f", "\x7f", "\x85", "\xa0", "\u2028", "\u3000"],
)
def test_white_space_and_control_characters_are_one_space(space: str) -> None:
    assert normal(f"{space}chest{space}pain{space}") == "chest pain"


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Straße", "STRASSE"),
        ("ẞ", "ss"),
        ("ΟΔΟΣ", "οδος"),
        ("οδοσ", "οδος"),
        ("DIABETES", "diabetes"),
        ("ŒDEMA", "œdema"),
        ("İ", "i\u0307"),
    ],
)
def test_case_is_folded_in_every_script(text: str, other: str) -> None:
    assert normal(text) == normal(other)


def test_turkish_letters_are_not_guessed() -> None:
    # Which language a name is in is not known: a dotless i is a letter of its own.
    assert normal("I") == normal("i") != normal("ı")
    assert normal("İ") != normal("i")


@pytest.mark.parametrize(("opening", "closing"), QUOTES)
def test_quotes_around_a_name_go_and_those_inside_stay(opening: str, closing: str) -> None:
    assert normal(f"{opening}fever{closing}") == "fever"
    inside = normal(f"grade {opening}high{closing} fever")
    assert inside not in ("grade high fever", "fever")


@pytest.mark.parametrize(
    "text",
    ["fever.", "fever;", "fever:", ", fever", "¿fever?", "- fever", "• fever", "**fever**",
     "(fever)", "[fever]", "{fever}", "((fever))", "(fever).", "“(fever).”", "fever)", "(fever",
     "fever…", "'fever' ."],
)  # fmt: skip
def test_punctuation_around_a_name_goes(text: str) -> None:
    assert normal(text) == "fever"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ('p(HGNC:"MAPT")', 'p(hgnc:"mapt")'),
        ('p(HGNC:"MAPT").', 'p(hgnc:"mapt")'),
        ('"p(HGNC:MAPT)"', "p(hgnc:mapt)"),
        ("(p(MAPT))", "p(mapt)"),
        ("p(MAPT, pmod(Ph))", "p(mapt, pmod(ph))"),
        ("p(MAPT))", "p(mapt)"),
        ("[18F]FDG", "[18f]fdg"),
        ("(R)-warfarin", "(r)-warfarin"),
        ("(left) or (right)", "(left) or (right)"),
        ("f(x)[i]", "f(x)[i]"),
        ("IgG (total).", "igg (total)"),
    ],
)
def test_a_bracket_that_belongs_to_one_inside_stays(text: str, form: str) -> None:
    assert normal(text) == form


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("(R)-warfarin)", "(r)-warfarin"),
        ("[18F]FDG]", "[18f]fdg"),
        ("(R)-warfarin (", "(r)-warfarin"),
    ],
)
def test_a_bracket_too_many_takes_no_other_with_it(text: str, form: str) -> None:
    assert normal(text) == form


def test_brackets_of_different_kinds_are_no_pair() -> None:
    assert normal("(a] b") == "a] b"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("HER2+", "her2+"),
        ("HER2-", "her2-"),
        ("HER2−", "her2-"),
        ("HER2-.", "her2-"),
        ("HER2+.", "her2+"),
        ("(HER2-)", "her2-"),
        ("“HER2-”,", "her2-"),
        ("Ca++", "ca++"),
        ("Na+/K+", "na+/k+"),
        ("IgG(+)", "igg(+)"),
        ("IgG(-)", "igg(-)"),
    ],
)
def test_a_sign_at_the_end_of_a_word_stays(text: str, form: str) -> None:
    assert normal(text) == form


def test_a_dash_that_ends_a_phrase_is_no_sign() -> None:
    assert normal("fever -") == normal("fever —") == "fever"


@pytest.mark.parametrize(
    ("text", "other"),
    [
        pytest.param(
            "-2.5", "2.5",
        ),
        pytest.param(
            "92%", "92",
        ),
        ("+2.5", "2.5"),
        ("≥ 5", "5"),
        ("5 °C", "5 C"),
        ("type 1", "type 2"),
        ("HER2+", "HER2-"),
        ("HER2+", "HER2"),
        ("HER2-", "HER2"),
        ("IL-6", "IL6"),
        ("1.5 mg", "15 mg"),
        ("patient's", "patients"),
    ],
)  # fmt: skip
def test_what_means_something_else_stays_different(text: str, other: str) -> None:
    assert normal(text) != normal(other)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("the patient", "patient"),
        ("The Patient", "patient"),
        ("a 34-year-old", "a 34-year-old"),
        ("a fever", "fever"),
        ("an infection", "infection"),
        ("“The patient”", "patient"),
        ("the the flu", "flu"),
        # A first letter that is no article.
        ("a fib", "a fib"),
        ("A. fumigatus", "a. fumigatus"),
        ("A1c", "a1c"),
        ("vitamin a", "vitamin a"),
        ("theophylline", "theophylline"),
        ("the", "the"),
    ],
)
def test_a_leading_article_makes_no_other_name(text: str, name: str) -> None:
    assert normal(text) == name


@pytest.mark.parametrize("text", ["This", "it", "Now", "they", "the former", "“these”", "It."])
def test_pointing_words_alone_name_nothing(text: str) -> None:
    assert points_only(text)


@pytest.mark.parametrize("text", ["WHO", "US", "IT", "this finding", "fever", "thisism", "he-ne"])
def test_names_that_look_like_pointing_words_are_names(text: str) -> None:
    assert not points_only(text)


def test_an_acute_accent_is_taken_for_a_quote() -> None:
    assert normal("´fever´") == normal("`fever`")


@pytest.mark.parametrize(
    "text", [".", "...", "?", "()", '""', "«»", "-", "--", "[.]", "%", "*", "/"]
)
def test_a_text_of_nothing_but_punctuation_keeps_it(text: str) -> None:
    assert normal(text) == text


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\0", "\u3000"])
def test_of_an_empty_text_nothing_is_left(text: str) -> None:
    assert normal(text) == ""


@settings(max_examples=500)
@given(TEXTS)
@example("´a´")
@example("(a) b)")
@example("a\u0345\u0301")
def test_a_compared_form_is_its_own_compared_form(text: str) -> None:
    form = normal(text)
    assert normal(form) == form


@settings(max_examples=500)
@given(TEXTS)
def test_a_compared_form_is_one_line_without_needless_space(text: str) -> None:
    form = normal(text)
    assert not any(unicodedata.category(one) == "Cc" for one in form)
    assert form == " ".join(form.split())


@settings(max_examples=500)
@given(TEXTS)
def test_only_white_space_has_no_compared_form(text: str) -> None:
    blank = all(one.isspace() or unicodedata.category(one) == "Cc" for one in text)
    # An accent that stands alone becomes a space and a mark, which is not nothing.
    assert (normal(text) == "") == blank


@settings(max_examples=500)
@given(TEXTS, st.sampled_from(["", " ", "\n", "\t  "]), st.sampled_from(["", " ", "\0", "\u2003"]))
def test_space_around_a_text_changes_nothing(text: str, before: str, after: str) -> None:
    assert normal(f"{before}{text}{after}") == normal(text)


@settings(max_examples=500)
@given(TEXTS.filter(is_said), st.sampled_from(QUOTES), st.sampled_from(["", ".", " ;", "!?"]))
def test_quotes_around_a_text_change_nothing(text: str, quotes: tuple[str, str], mark: str) -> None:
    opening, closing = quotes
    # A combining mark at the start would join the quote, and make it another character.
    if unicodedata.combining(unicodedata.normalize("NFKC", text)[0]):
        text = f"a{text}"
    assert normal(f" {opening}{text}{closing}{mark}") == normal(text)


@settings(max_examples=500)
@given(WORDS.filter(lambda text: text.count("(") == text.count("[") == 0))
def test_brackets_around_a_text_change_nothing(text: str) -> None:
    assert normal(f"({text})") == normal(f"[{text}].") == normal(text)


@settings(max_examples=500)
@given(st.text(st.characters(categories=["Lu", "Ll", "Nd"]), min_size=1))
def test_letters_and_digits_are_never_lost(text: str) -> None:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    form = normal(f"({text}).")
    # Not all of what letters turn into is a letter: "Ŀ" is "l" and a dot.
    assert [*filter(str.isalnum, form)] == [*filter(str.isalnum, folded)]


@settings(max_examples=500)
@given(WORDS, st.sampled_from("+-"), st.sampled_from(["", ".", ")", '"', " ;"]))
def test_signs_tell_words_apart_whatever_follows(word: str, sign: str, after: str) -> None:
    other = "-" if sign == "+" else "+"
    forms = {normal(f"{word}{end}{after}") for end in ("", sign, other)}
    assert len(forms) == 3


def colliding(names: Iterable[str]) -> dict[str, set[str]]:
    """Return the names by compared form, where more than one has it."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name in names:
        found[normal(name)].add(name)
    return {form: spellings for form, spellings in found.items() if len(spellings) > 1}


@pytest.mark.parametrize("file", TAU)
def test_real_extractors_names_lose_nothing_but_their_case(file: str) -> None:
    names = {
        row[part] for row in real_data.rows(file) for part in ("Subject", "Relation", "Object")
    }
    assert len(names) > 50
    # They end in brackets and quotes, and all of these belong to something inside.
    assert {normal(name) for name in names} == {name.casefold() for name in names}


def test_names_of_three_extractors_are_equal_only_up_to_case() -> None:
    names = {
        row[part]
        for file in TAU
        for row in real_data.rows(file)
        for part in ("Subject", "Relation", "Object")
    }
    found = colliding(names)
    # All were read and judged: spellings of tau, CDK5, Alzheimer disease and MESH.
    assert len(found) == 8
    assert all(len({name.casefold() for name in names}) == 1 for names in found.values())


def test_a_symbol_and_a_quoted_symbol_are_two_names() -> None:
    # Two real spellings; to join them is for alias merging, which keeps a record of it.
    assert normal("proteinAbundance(HGNC:Tau)") != normal('proteinAbundance(HGNC:"Tau")')


def test_names_of_published_graphs_are_equal_only_up_to_case_and_hyphen() -> None:
    names = {
        part
        for row in real_data.rows("medceg_example.jsonl")
        for triplet in row["graph"]["triplets"]
        for part in triplet
    }
    assert colliding(names) == {
        "elevated c-reactive protein": {
            "elevated C-reactive protein",
            "elevated C\u2011reactive protein",
        },
        "trisomy 13": {"Trisomy 13", "trisomy 13"},
    }
