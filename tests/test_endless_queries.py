"""A query that would take too long or too much is ended, and the next one is answered."""

from collections.abc import Iterator

import pytest

from groundtrace.errors import GroundtraceError, InputError, LimitError
from groundtrace.knowledge.ask.answering import Answer, Request
from groundtrace.knowledge.ask.asker import Asker
from groundtrace.knowledge.ask.judgement import LONGEST_QUERY
from groundtrace.knowledge.ask.sources import Source
from tests.command import DATA
from tests.test_hostile_queries import size

SECONDS = 1.0

ALL = "GRAPH ?g{0} {{ ?s{0} ?p{0} ?o{0} }}"
PRODUCT = " ".join(ALL.format(number) for number in range(4))
"""Ten thousand million rows."""

PATHS = " ".join(f"?a{n} (!gt:none|!^gt:none)* ?b{n} ." for n in range(4))
ENDLESS = {
    "a count of a product": f"SELECT (COUNT(*) AS ?n) {{ {PRODUCT} }}",
    "a product of paths": f"SELECT (COUNT(*) AS ?n) {{ GRAPH ?g {{ {PATHS} }} }}",
    "ORDER BY": f"SELECT * {{ {PRODUCT} }} ORDER BY ?o3 ?o2 ?o1 LIMIT 1",
    "DISTINCT": f"SELECT DISTINCT ?s0 ?o1 ?o2 ?o3 {{ {PRODUCT} }} OFFSET 1000000000",
    "GROUP_CONCAT": f"SELECT (GROUP_CONCAT(?o0) AS ?x) {{ {PRODUCT} }}",
}


def deep(before: str, inner: str, after: str, times: int = 3000) -> str:
    return f"{before * times}{inner}{after * times}"


LARGE = {
    "nested groups": f"SELECT * {{ {deep('{', '?s ?p ?o', '}')} }}",
    "parentheses": f"SELECT * {{ FILTER {deep('(', '1', ')')} }}",
    "parentheses in a path": f"ASK {{ ?s {deep('(', 'gt:a', ')*')} ?o }}",
    "signs": f"SELECT * {{ FILTER ({deep('!', 'true', '')}) }}",
    "nested OPTIONALs": f"SELECT * {{ {deep('OPTIONAL { ?s ?p ?o ', '', '}', 1000)} }}",
    "nested NOT EXISTS": f"SELECT * {{ {deep('FILTER NOT EXISTS { ?s ?p ?o ', '', '}', 1000)} }}",
    "nested subselects": f"SELECT * {{ {deep('{ SELECT * { ', '?s ?p ?o', '} }', 1000)} }}",
    "nested blank nodes": f"ASK {{ ?s ?p {deep('[ ?p ', '1', ']', 1000)} }}",
    "nested lists": f"ASK {{ ?s ?p {deep('( ', '', ')', 1000)} }}",
    "triples": f"ASK {{ {' '.join(f'?s{n} ?p{n} ?s{n + 1} .' for n in range(2000))} }}",
    "steps of a path": f"ASK {{ ?s {'/'.join(['gt:a'] * 3000)} ?o }}",
    "open groups": f"SELECT * {'{' * 3000}",
}


@pytest.fixture(scope="module")
def asker() -> Iterator[Asker]:
    with Asker(Source((str(DATA / "clinical.json"),))) as one:
        size(one)  # The first query waits for the parser to be loaded.
        yield one


def told(asker: Asker, query: str, seconds: float = 30.0) -> Answer | GroundtraceError:
    """Return an answer, or the reason why there is none; either comes, and life goes on."""
    try:
        found: Answer | GroundtraceError = asker.ask(Request(query, most_rows=100), seconds)
    except (InputError, LimitError) as error:
        found = error
    assert size(asker) > 100
    return found


@pytest.mark.parametrize("name", ENDLESS)
def test_a_query_without_end_is_ended(name: str, asker: Asker) -> None:
    found = told(asker, ENDLESS[name], SECONDS)
    assert isinstance(found, LimitError)
    assert str(found) == ("ended after 1 seconds; ask for less, or allow more time (--time-limit)")


def test_a_product_is_cut_at_the_limit_of_rows(asker: Asker) -> None:
    for query in (
        f"SELECT * {{ {PRODUCT} }}",
        f"CONSTRUCT {{ ?s0 ?p1 ?o2 }} WHERE {{ {PRODUCT} }}",
    ):
        found = told(asker, query)
        assert isinstance(found, Answer)
        assert len(found.rows) == 100
        assert found.more


@pytest.mark.parametrize("name", LARGE)
def test_a_query_of_any_shape_is_answered_refused_or_ended(name: str, asker: Asker) -> None:
    found = told(asker, LARGE[name], SECONDS)
    if isinstance(found, InputError):
        told_why = (
            "the query is too deeply nested, or too long",
            "the query cannot be read at line 1",
        )
        assert str(found).startswith(told_why)
    elif isinstance(found, LimitError):
        assert str(found).startswith(
            ("ended after 1 seconds", "the query was ended: it needs more")
        )


@pytest.mark.parametrize("text", ["x" * 10_000_000, f"SELECT * {{ }} # {'é' * LONGEST_QUERY}"])
def test_a_text_that_is_too_long_is_refused(text: str, asker: Asker) -> None:
    assert str(told(asker, text)) == (
        f"the query has {len(text):,} characters; at most {LONGEST_QUERY:,}"
    )


def test_a_text_that_is_just_short_enough_is_answered(asker: Asker) -> None:
    query = "SELECT (STRLEN('FILL') AS ?n) { }"
    filled = query.replace("FILL", "é" * (LONGEST_QUERY - len(query) + 4))
    assert len(filled) == LONGEST_QUERY
    found = told(asker, filled)
    assert isinstance(found, Answer)
    assert int(found.rows[0][0].value) == LONGEST_QUERY - len(query) + 4


NO_QUERY = {
    "nothing": ("", "the query is empty"),
    "space": (" \r\n\t ", "the query is empty"),
    "a comment": ("# only this", "the query is empty"),
    "comments": ("# only\n\n# this\n", "the query is empty"),
    "a NUL": ("\0", "the query cannot be read at line 1, column 1:"),
    "a NUL within": ("SELECT\0* { }", "the query cannot be read at line 1, column 7:"),
    "a second byte order mark": ("\ufeff\ufeffASK { }", "the query cannot be read at line 1, col"),
    "UTF-16": ("A\0S\0K\0{\0}\0", "the query cannot be read at line 1, column 2:"),
    "half a character": ("ASK { ?s ?p '\ud800' }", "the query is no Unicode text: it holds half"),
    "half, escaped": ("ASK { ?s ?p '\\ud800' }", "the query escapes half of a character"),
    "no character": ("ASK { ?s ?p '\\UFFFFFFFF' }", "the query holds "),
    "bytes": (bytes(range(256)).decode("latin-1"), "the query cannot be read at line 1, column 1"),
    "prose": ("Why is the sky blue?", "the query cannot be read at line 1, column "),
    "JSON": ('{"id": 1}', "the query cannot be read at line 1, column "),
    "an unknown prefix": ("ASK {\n  ?s foo:p ?o }", "the query cannot be read at line 2, column"),
    "an unknown function": ("SELECT (<urn:f>(1) AS ?x) { }", "the query cannot be answered"),
}


def test_a_byte_order_mark_in_front_is_skipped(asker: Asker) -> None:
    found = told(asker, "\ufeffASK { }")
    assert isinstance(found, Answer)
    assert found.truth


@pytest.mark.parametrize("name", NO_QUERY)
def test_what_is_no_query_is_told(name: str, asker: Asker) -> None:
    query, message = NO_QUERY[name]
    found = told(asker, query)
    assert isinstance(found, InputError)
    assert str(found).startswith(message)
