"""A query only reads what it is asked on: nothing is changed, fetched, or read from files."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import Literal, Store

from groundtrace.errors import InputError
from groundtrace.knowledge.ask.answering import Request
from groundtrace.knowledge.ask.asker import Asker
from groundtrace.knowledge.ask.questions import bound, read_question
from groundtrace.knowledge.ask.sources import Source
from tests.command import DATA
from tests.loopback import Listener, listening
from tests.test_questions_parameters import HOSTILE, QUESTION

REFUSALS = "the query (is refused|cannot be read|holds .* which can be read in two ways|escapes a)"
COUNT = "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }"
# URL is an address where somebody listens, FILE a file of RDF.
CALL = "SERVICE <URL> { ?s ?p ?o }"
ESCAPED = "".join(f"\\u{ord(letter):04x}" for letter in "SERVICE")
SERVICES = {
    "plain": f"SELECT * {{ {CALL} }}",
    "in small letters": f"select * {{ {CALL.lower().replace('url', 'URL')} }}",
    "silent": "SELECT * { SERVICE SILENT <URL> { ?s ?p ?o } }",
    "ask": f"ASK {{ {CALL} }}",
    "construct": f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ {CALL} }}",
    "describe": f"DESCRIBE ?s {{ {CALL} }}",
    "in a subselect": f"SELECT * {{ {{ SELECT * {{ {CALL} }} LIMIT 1 }} }}",
    "in an OPTIONAL": f"SELECT * {{ OPTIONAL {{ ?a ?b ?c . {CALL} }} }}",
    "in a MINUS": f"SELECT * {{ ?s ?p ?o MINUS {{ {CALL} }} }}",
    "in a UNION": f"SELECT * {{ {{ ?s ?p ?o }} UNION {{ {CALL} }} }}",
    "in an EXISTS": f"SELECT * {{ ?s ?p ?o FILTER EXISTS {{ {CALL} }} }}",
    "in a NOT EXISTS": f"SELECT * {{ ?s ?p ?o FILTER (!true || NOT EXISTS {{ {CALL} }}) }}",
    "in an EXISTS that is selected": f"SELECT (EXISTS {{ {CALL} }} AS ?x) {{ }}",
    "in a HAVING": f"SELECT ?s {{ ?s ?p ?o }} GROUP BY ?s HAVING (EXISTS {{ {CALL} }})",
    "in an ORDER BY": f"SELECT * {{ ?s ?p ?o }} ORDER BY (EXISTS {{ {CALL} }})",
    "in a graph": f"SELECT * {{ GRAPH ?g {{ {CALL} }} }}",
    "deep down": f"SELECT * {{ {'{' * 40} {CALL} {'}' * 40} }}",
    "by a variable": "SELECT * { VALUES ?where { <URL> } SERVICE ?where { ?s ?p ?o } }",
    "by a prefix": "PREFIX x: <URL> SELECT * { SERVICE x: { ?s ?p ?o } }",
    "by a base": "BASE <URL> SELECT * { SERVICE <y> { ?s ?p ?o } }",
    "behind a comment that a carriage return ends": f"SELECT * {{ # \r {CALL} \n }}",
    "behind a comment and both ends": f"SELECT * {{ # \r\n {CALL} \n }}",
    "behind an escaped quote": f'SELECT * {{ BIND ("\\"" AS ?x) {CALL} BIND (" #" AS ?y) }}',
}

# What two parsers may read differently: a backslash that is an escape itself, so that the text
# seems to go on for who decodes first.
BETWEEN = "(QUOTE\\u005cQUOTE AS ?x) CALL BIND (QUOTE AS ?y) } #QUOTE AS ?z) }"
DIFFERENT = {
    "an escaped backslash": BETWEEN,
    "an escaped backslash, in eight digits": BETWEEN.replace("\\u005c", "\\U0000005C"),
    "a backslash before an escape": BETWEEN.replace("\\u005c", "\\\\u005c"),
    "a backslash before an escaped quote": BETWEEN.replace("\\u005c", "\\\\u0022"),
    "an escaped quote": BETWEEN.replace("\\u005cQUOTE", "a\\u0022"),
    "an escaped line end": BETWEEN.replace("\\u005c", "\\u000a"),
    "eight digits that are four": BETWEEN.replace("\\u005c", "\\u0000005c"),
    "three of them": BETWEEN.replace("\\u005c", "\\u005c" * 3),
    "both kinds": BETWEEN.replace("\\u005c", "\\\\\\u005c"),
}
HIDDEN = {
    "an escaped word": f"{ESCAPED} <URL> {{ ?s ?p ?o }}",
    "an escaped letter": "\\u0053ERVICE <URL> { ?s ?p ?o }",
    "an escaped carriage return": "# \\u000d CALL \n",
    "an escaped line feed": "# \\u000a CALL \n",
    "a form feed": "# \f CALL \n",
    "a next line": "# \x85 CALL \n",
    "a line separator": "# \u2028 CALL \n",
    "an escaped number sign": "\\u0023 CALL \n",
    "a number sign in an IRI": "?a <urn:x#y> ?b . CALL \n",
    "a number sign after less than": "FILTER (1 <2#) CALL\n) CALL \n",
}

FROMS = {
    "from a server": "SELECT * FROM <URL> { ?s ?p ?o }",
    "from a file": "SELECT * FROM <FILE> { ?s ?p ?o }",
    "from a named one": "SELECT * FROM NAMED <URL> { GRAPH ?g { ?s ?p ?o } }",
    "from a named file": "SELECT * FROM NAMED <FILE> { GRAPH ?g { ?s ?p ?o } }",
    "from both": "SELECT * FROM <FILE> FROM NAMED <URL> { ?s ?p ?o }",
    "ask": "ASK FROM <FILE> { ?s ?p ?o }",
    "construct": "CONSTRUCT { ?s ?p ?o } FROM <FILE> WHERE { ?s ?p ?o }",
    "construct, briefly": "CONSTRUCT FROM <FILE> WHERE { ?s ?p ?o }",
    "describe": "DESCRIBE <urn:a> FROM <FILE>",
    "behind a comment": "SELECT * # \r FROM <FILE> \n { ?s ?p ?o }",
}

UPDATES = {
    "LOAD": "LOAD <URL>",
    "LOAD of a file": "LOAD SILENT <FILE> INTO GRAPH <urn:g>",
    "INSERT DATA": "INSERT DATA { <urn:a> <urn:b> <urn:c> }",
    "DELETE DATA": "DELETE DATA { <urn:a> <urn:b> <urn:c> }",
    "DELETE WHERE": "DELETE WHERE { GRAPH ?g { ?s ?p ?o } }",
    "DELETE": "DELETE { GRAPH ?g { ?s ?p ?o } } WHERE { GRAPH ?g { ?s ?p ?o } }",
    "INSERT": "INSERT { ?s ?p 1 } WHERE { GRAPH ?g { ?s ?p ?o } }",
    "both": "DELETE { ?s ?p ?o } INSERT { ?o ?p ?s } WHERE { ?s ?p ?o }",
    "WITH": "WITH <urn:g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }",
    "USING": "INSERT { ?s ?p ?o } USING <URL> WHERE { ?s ?p ?o }",
    "CLEAR": "CLEAR ALL",
    "DROP": "DROP SILENT NAMED",
    "CREATE": "CREATE GRAPH <urn:g>",
    "ADD": "ADD DEFAULT TO <urn:g>",
    "MOVE": "MOVE DEFAULT TO <urn:g>",
    "COPY": "COPY DEFAULT TO <urn:g>",
    "several": "CREATE GRAPH <urn:g> ; CLEAR ALL ; LOAD <URL>",
    "a prefix first": "PREFIX x: <urn:x#>\nCLEAR ALL",
    "a comment first": "# SELECT * { ?s ?p ?o }\nCLEAR ALL",
    "a service in it": f"INSERT {{ ?s ?p ?o }} WHERE {{ {CALL} }}",
}


@pytest.fixture(scope="module")
def asker() -> Iterator[Asker]:
    with Asker(Source((str(DATA / "clinical.json"),))) as one:
        yield one


@pytest.fixture(scope="module")
def listener() -> Iterator[Listener]:
    with listening() as one:
        yield one


@pytest.fixture
def filled(listener: Listener, tmp_path: Path) -> "Iterator[Filled]":
    """Give what fills the places in a query, and make sure that nobody was called."""
    path = tmp_path / "private.nt"
    path.write_text("<urn:a> <urn:b> <urn:c> .\n", encoding="utf-8")
    before = listener.connections
    yield Filled(listener.url, path.as_uri())
    assert listener.connections == before


class Filled:
    """Fills the places in a query."""

    def __init__(self, url: str, file: str) -> None:
        self._url, self._file = url, file

    def __call__(self, query: str) -> str:
        called = query.replace("CALL", CALL).replace("URL", self._url)
        return called.replace("FILE", self._file)


def size(asker: Asker) -> int:
    return int(asker.ask(Request(COUNT)).rows[0][0].value)


def refused(asker: Asker, query: str) -> str:
    """Return why a query is refused; the asker goes on."""
    with pytest.raises(InputError) as told:
        asker.ask(Request(query), 20)
    assert size(asker) > 100
    return str(told.value)


def test_the_listener_would_see_a_call(listener: Listener) -> None:
    """Without a judge, and in a process that has a network."""
    before = listener.connections
    answer: Any = Store().query(Filled(listener.url, "")(SERVICES["plain"]))
    with pytest.raises((OSError, RuntimeError)):
        list(answer)
    assert listener.connections > before


@pytest.mark.parametrize("name", SERVICES)
def test_no_service_is_called(name: str, asker: Asker, filled: Filled) -> None:
    message = refused(asker, filled(SERVICES[name]))
    assert "SERVICE asks another server, and nothing is fetched for a query" in message


@pytest.mark.parametrize("quote", ['"', "'", '"""', "'''"])
@pytest.mark.parametrize("name", DIFFERENT)
def test_no_service_is_called_that_one_parser_takes_for_text(
    name: str, quote: str, asker: Asker, filled: Filled
) -> None:
    query = filled(f"SELECT * {{ BIND {DIFFERENT[name].replace('QUOTE', quote)}")
    assert_without_harm(asker, query)


@pytest.mark.parametrize("name", HIDDEN)
def test_no_service_is_called_that_is_hidden(name: str, asker: Asker, filled: Filled) -> None:
    assert_without_harm(asker, filled(f"SELECT * {{ {HIDDEN[name]} }}"))


def assert_without_harm(asker: Asker, query: str) -> None:
    """Ask a query that may be refused or answered, but must not call anybody."""
    try:
        answer = asker.ask(Request(query), 20)
    except InputError as error:
        assert re.match(REFUSALS, str(error))
    else:
        assert answer.form == "rows"
    assert size(asker) > 100


ESCAPES = {
    "FROM": "SELECT * \\u0046ROM <FILE> { ?s ?p ?o }",
    "FROM NAMED": "SELECT * FROM \\u004eAMED <URL> { GRAPH ?g { ?s ?p ?o } }",
    "CLEAR": "\\u0043LEAR ALL",
    "LOAD": "\\U0000004cOAD <URL>",
}


@pytest.mark.parametrize("name", ESCAPES)
def test_words_in_escapes_are_refused(name: str, asker: Asker, filled: Filled) -> None:
    assert re.match(REFUSALS, refused(asker, filled(ESCAPES[name])))


@pytest.mark.parametrize("name", FROMS)
def test_no_other_graph_is_read(name: str, asker: Asker, filled: Filled) -> None:
    message = refused(asker, filled(FROMS[name]))
    assert "FROM reads another graph or file, and nothing is fetched for a query" in message


@pytest.mark.parametrize("name", UPDATES)
def test_nothing_is_changed(name: str, asker: Asker, filled: Filled) -> None:
    before = size(asker)
    message = refused(asker, filled(UPDATES[name]))
    assert message.startswith("the query is refused: it is an update; only questions are answered")
    assert size(asker) == before


@pytest.mark.parametrize("trailing", ["; CLEAR ALL", "; LOAD <URL>", "SELECT * { ?s ?p ?o }", "}"])
def test_nothing_stands_after_a_query(trailing: str, asker: Asker, filled: Filled) -> None:
    message = refused(asker, filled(f"SELECT * {{ ?s ?p ?o }} {trailing}"))
    assert message.startswith("the query cannot be read at line 1, column")


@pytest.mark.parametrize("value", HOSTILE)
def test_a_value_for_a_query_of_ones_own_is_a_value(
    value: str, asker: Asker, filled: Filled, tmp_path: Path
) -> None:
    path = tmp_path / "echo.rq"
    path.write_text(QUESTION, encoding="utf-8")
    query = bound(read_question(path), {"text": filled(value)})
    if re.search(r"\\[uU]", str(Literal(value))):  # What may be read in two ways is not read.
        assert re.match(REFUSALS, refused(asker, query))
    else:
        assert asker.ask(Request(query)).rows == [(Literal(filled(value)), None, None)]


def test_prefixes_of_ones_own_mean_what_they_say(asker: Asker) -> None:
    for query in (
        "PREFIX gt: <urn:own#> SELECT (STR(gt:text) AS ?x) { }",
        "PREFIX gt: <urn:other#> PREFIX gt: <urn:own#> SELECT (STR(gt:text) AS ?x) { }",
        "BASE <urn:own#> PREFIX gt: <urn:own#> SELECT (STR(gt:text) AS ?x) { }",
    ):
        assert asker.ask(Request(query)).rows == [(Literal("urn:own#text"),)]
    ours = asker.ask(Request("SELECT (STR(gt:text) AS ?x) { }")).rows
    assert ours == [(Literal("https://w3id.org/groundtrace/ontology#text"),)]
