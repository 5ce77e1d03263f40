"""A parameter of a question is one term of the query, whatever its value holds."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib.plugins.sparql.parser import parseQuery
from rdflib.plugins.sparql.parserutils import CompValue

from groundtrace.errors import InputError
from groundtrace.knowledge.ask.questions import Question, bound, our_questions, read_question
from groundtrace.knowledge.rdf.terms import PREFIXES

QUESTION = """# Title: An echo
# Answers: what was given.
# Parameter: text (text): a text
# Parameter: number (number): a number
# Parameter: iri (iri): a resource
# Example: a | 1 | urn:b
SELECT ?text ?number ?iri WHERE {
  VALUES ?text { UNDEF }
  VALUES ?number { UNDEF }
  VALUES ?iri { UNDEF }
}
"""
HOSTILE = (
    '"} UNION { ?s ?p ?o } #',
    "'} UNION { ?s ?p ?o } #",
    '""" } UNION { ?s ?p ?o } #',
    "''' } UNION { ?s ?p ?o } #",
    "} SERVICE <http://127.0.0.1/> { ?s ?p ?o",
    "UNDEF } VALUES ?text { UNDEF",
    "\\",
    "\\\\",
    '\\"',
    "\\u0022 } UNION { ?s ?p ?o } #",
    "\\U00000022",
    "\\\\u0022",
    "\\u0041",
    "\\u005c",
    "\\n\\g<0>\\1",
    "a\nb\rc\r\nd\te",
    "",
    " ",
    "^^<http://www.w3.org/2001/XMLSchema#integer>",
    'x"@en',
    "Ελληνικά",
    "C\u2011reactive protein",
    "\u2028\u2029\x85\ufeff",
    "a\0b",
    "\x1b[31m",
    "\U0001f600",
    "{}%s$1",
    "x" * 20_000,
)


@pytest.fixture(scope="module")
def echo(tmp_path_factory: pytest.TempPathFactory) -> Question:
    path = tmp_path_factory.mktemp("own") / "echo.rq"
    path.write_text(QUESTION, encoding="utf-8")
    return read_question(path)


def answered(query: str) -> tuple[Any, ...]:
    """Return the one row of an echo."""
    solutions: Any = ox.Store().query(query)
    (row,) = solutions
    return tuple(row)


def literals(tree: Any) -> list[Any]:
    """Return the literals and IRIs that are data of a parsed query."""
    if isinstance(tree, CompValue):
        return [one for value in tree.values() for one in literals(value)]
    if isinstance(tree, rdflib.Literal):
        return [tree]
    if isinstance(tree, str) or not hasattr(tree, "__iter__"):
        return []
    return [one for value in tree for one in literals(value)]


def shape(tree: Any) -> Any:
    """Return a parsed query without its literals: what must be the same whatever is given."""
    if isinstance(tree, CompValue):
        return tree.name, [(name, shape(value)) for name, value in sorted(tree.items())]
    if isinstance(tree, rdflib.Literal):
        return "a literal"
    if isinstance(tree, str) or not hasattr(tree, "__iter__"):
        return str(tree)
    return [shape(one) for one in tree]


texts = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(st.characters(exclude_categories=["Cs"])),
    st.text(st.sampled_from("\\\"'{}<>#u0025c \n\r")),
)


@given(texts)
@settings(max_examples=400)
def test_a_text_comes_out_as_it_went_in(echo: Question, value: str) -> None:
    text, number, iri = answered(bound(echo, {"text": value}))
    assert text == ox.Literal(value)
    assert number is None
    assert iri is None


WITH_TEXTS = [
    (question, parameter.name)
    for question in our_questions()
    for parameter in question.parameters
    if parameter.sort == "text"
]


@cache
def parsed_plainly(question: Question, name: str) -> Any:
    return parseQuery(bound(question, {name: "x"}))


# For rdflib a backslash before "u0022" is half of an escape, even if it is escaped itself.
@given(st.sampled_from(WITH_TEXTS), texts.filter(lambda value: not re.search(r"\\[uU]", value)))
@settings(max_examples=100)
def test_a_text_is_one_literal_of_a_question(asked: tuple[Question, str], value: str) -> None:
    question, name = asked
    given_, plain = parseQuery(bound(question, {name: value})), parsed_plainly(question, name)
    assert shape(given_) == shape(plain)
    expected = [rdflib.Literal(value) if str(one) == "x" else one for one in literals(plain)]
    assert literals(given_) == expected
    assert rdflib.Literal(value) in expected


@given(st.integers(-(10**17), 10**17))
@settings(max_examples=50)
def test_a_number_comes_out_as_it_went_in(echo: Question, number: int) -> None:
    for spelled in (str(number), f" {number}\n"):
        assert answered(bound(echo, {"number": spelled}))[1] == ox.Literal(number)


@pytest.mark.parametrize(
    "value",
    ["", "one", "1.0", "1e3", "0x1", "+1", "1 2", "1}", "٣", "1" * 19, '1"', "UNDEF", "--1"],
)
def test_what_is_no_number_is_refused(echo: Question, value: str) -> None:
    with pytest.raises(InputError, match="echo: parameter number: expected a whole number, got"):
        bound(echo, {"number": value})


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("urn:x", "urn:x"),
        ("http://example.org/a#b?c=d", "http://example.org/a#b?c=d"),
        ("http://example.org/ΕλλάδαC\u2011r", "http://example.org/ΕλλάδαC\u2011r"),
        ("gt:Audit", f"{PREFIXES['gt']}Audit"),
        ("concept:fever-1", f"{PREFIXES['concept']}fever-1"),
        ("gt:", PREFIXES["gt"]),
    ],
)
def test_an_iri_is_taken_in_full_or_by_our_prefixes(
    echo: Question, value: str, expected: str
) -> None:
    assert answered(bound(echo, {"iri": value}))[2] == ox.NamedNode(expected)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "x",
        "<urn:x>",
        "urn:x> } SERVICE <http://127.0.0.1/",
        "urn:a b",
        "urn:\\u003e",
        "gt:a>",
        "gt:\\u003E } #",
        'urn:"',
        "urn:{}",
        "urn:\n",
        "urn:\0",
        "?x",
        "UNDEF",
    ],
)
def test_what_is_no_iri_is_refused(echo: Question, value: str) -> None:
    with pytest.raises(InputError, match="echo: parameter iri: expected an IRI, got"):
        bound(echo, {"iri": value})


@given(st.text(st.characters(exclude_categories=["Cs"])))
@settings(max_examples=200)
def test_an_iri_is_one_term_or_is_refused(echo: Question, value: str) -> None:
    try:
        query = bound(echo, {"iri": f"urn:{value}"})
    except InputError:
        return
    assert answered(query) == (None, None, ox.NamedNode(f"urn:{value}"))


@pytest.mark.parametrize("name", ["text", "number", "iri"])
@pytest.mark.parametrize("value", ["\ud800", "a\udcffb"])
def test_half_a_character_is_refused(echo: Question, name: str, value: str) -> None:
    with pytest.raises(InputError, match=f"echo: parameter {name}: expected Unicode text"):
        bound(echo, {name: value})


@pytest.mark.parametrize("name", ["id ", "ID", "id } UNION {", "", "x"])
def test_an_unknown_parameter_is_told_with_those_that_are_known(name: str) -> None:
    (question,) = (one for one in our_questions() if one.name == "why-supported")
    with pytest.raises(InputError) as told:
        bound(question, {name: "x"})
    message = f"why-supported: there is no parameter {name!r}; known are id, segment"
    assert str(told.value) == message
    (without,) = (one for one in our_questions() if one.name == "outcome-counts")
    with pytest.raises(InputError, match="there is no parameter 'id'; it has none"):
        bound(without, {"id": "x"})


def test_several_parameters_do_not_mix(echo: Question) -> None:
    slots = "VALUES ?number { UNDEF } VALUES ?iri { UNDEF }"
    values = {"text": slots, "number": "7", "iri": "urn:x"}
    for names in (["text", "number", "iri"], ["iri", "number", "text"]):
        given_ = {name: values[name] for name in names}
        row = answered(bound(echo, given_))
        assert row == (ox.Literal(slots), ox.Literal(7), ox.NamedNode("urn:x"))


WRONG = {
    "another sort": ("# Parameter: a (date): a day\n", "expected '# Parameter: NAME"),
    "no sort": ("# Parameter: a: a text\n", "expected '# Parameter: NAME"),
    "no words": ("# Parameter: a (text):\n", "expected '# Parameter: NAME"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_header_that_cannot_be_read_is_told(tmp_path: Path, wrong: str) -> None:
    header, message = WRONG[wrong]
    path = tmp_path / "own.rq"
    path.write_text(f"{header}SELECT ?a {{ VALUES ?a {{ UNDEF }} }}", encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(f"{path}: {message}")):
        read_question(path)


@pytest.mark.parametrize("slots", ["", "VALUES ?a {UNDEF}", "VALUES ?a { UNDEF } " * 2])
def test_a_parameter_without_its_one_slot_is_told(tmp_path: Path, slots: str) -> None:
    path = tmp_path / "own.rq"
    path.write_text(f"# Parameter: a (text): a text\nSELECT ?a {{ {slots} }}", encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(f"{path}: expected one line VALUES ?a")):
        bound(read_question(path), {"a": "x"})


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"\xff\xfe", "not valid UTF-8"), (None, "cannot be read: No such file")],
)
def test_a_file_that_cannot_be_read_is_told(
    tmp_path: Path, content: bytes | None, message: str
) -> None:
    path = tmp_path / "own.rq"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_question(path)
