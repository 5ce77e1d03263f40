"""A server that is asked is not trusted: not with its answers, and not with where it sends us."""

import json
import socket
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode

from groundtrace.errors import GroundtraceError, InputError, LimitError, ModelError
from groundtrace.knowledge.ask.answering import Answer
from groundtrace.knowledge.ask.asker import ask
from groundtrace.knowledge.ask.judgement import prepared
from groundtrace.knowledge.ask.questions import our_questions
from groundtrace.knowledge.ask.sources import Source
from tests.command import groundtrace
from tests.loopback import endpoint, listening

pytestmark = pytest.mark.slow

JSON = {"Content-Type": "application/sparql-results+json; charset=utf-8"}
QUERY = "SELECT ?x { ?x a gt:Audit }"
ROWS = {
    "head": {"vars": ["x", "y"]},
    "results": {
        "bindings": [
            {"x": {"type": "uri", "value": "urn:a"}, "y": {"type": "literal", "value": "é\u2011"}},
            {"x": {"type": "uri", "value": "urn:b"}},
        ]
    },
}


def asked(url: str, query: str = QUERY, time_limit: float = 20) -> Answer:
    return ask(Source(endpoint=url), query, time_limit=time_limit)


def refused(url: str, query: str = QUERY) -> GroundtraceError:
    with pytest.raises(GroundtraceError) as told:
        asked(url, query)
    return told.value


def test_rows_come_from_a_server() -> None:
    with endpoint(json.dumps(ROWS).encode(), headers=JSON) as fake:
        answer = asked(fake.url)
        assert answer.variables == ["x", "y"]
        assert answer.rows == [
            (NamedNode("urn:a"), Literal("é\u2011")),
            (NamedNode("urn:b"), None),
        ]
        assert fake.queries == [prepared(QUERY)]


def test_truth_and_triples_come_from_a_server() -> None:
    with endpoint(b'{"head": {}, "boolean": true}', headers=JSON) as fake:
        assert asked(fake.url, "ASK { }").truth is True
    headers = {"Content-Type": "application/n-triples"}
    with endpoint(b"<urn:a> <urn:b> <urn:c> .\n", headers=headers) as fake:
        answer = asked(fake.url, "CONSTRUCT WHERE { ?s ?p ?o }")
        assert answer.form == "triples"
        assert answer.rows == [(NamedNode("urn:a"), NamedNode("urn:b"), NamedNode("urn:c"))]


def test_the_command_asks_a_server_named_questions_as_they_stand() -> None:
    body = json.dumps({"head": {"vars": ["id"]}, "results": {"bindings": []}}).encode()
    with endpoint(body, headers=JSON) as fake:
        result = groundtrace("query", "contradictions", "--endpoint", fake.url)
        assert (result.returncode, result.stdout) == (0, "0 rows\n")
        (question,) = (one for one in our_questions() if one.name == "contradictions")
        assert fake.queries == [prepared(question.query)]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { SERVICE <urn:x> { ?s ?p ?o } }",
        "CLEAR ALL",
        "SELECT * FROM <urn:x> { ?s ?p ?o }",
    ],
)
def test_a_query_is_judged_before_it_is_sent(query: str) -> None:
    with endpoint(json.dumps(ROWS).encode(), headers=JSON) as fake:
        assert str(refused(fake.url, query)).startswith("the query is refused")
        assert fake.queries == []


def test_the_exit_code_tells_a_server_that_is_not_there_from_a_wrong_address() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/sparql"
    result = groundtrace("query", "ancestors", "--endpoint", url)
    assert (result.returncode, result.stdout) == (3, "")
    assert result.stderr.startswith(f"groundtrace: {url} cannot be reached: ")
    assert "refused" in result.stderr
    result = groundtrace("query", "ancestors", "--endpoint", "file:///etc/passwd")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == (
        "groundtrace: endpoint: expected an address with http or https, got 'file:///etc/passwd'\n"
    )


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://127.0.0.1/", "data:,x", "127.0.0.1:80", "", "HTTPX://x"]
)
def test_only_addresses_of_the_web_are_asked(url: str) -> None:
    error = refused(url)
    assert isinstance(error, InputError)
    assert str(error) == f"endpoint: expected an address with http or https, got {url!r}"


@pytest.mark.parametrize(
    "url", ["http://", "http:///sparql", "http://127.0.0.1:99999/", "http://[x/"]
)
def test_an_address_of_nowhere_is_told(url: str) -> None:
    error = refused(url)
    assert type(error) in (InputError, ModelError)
    assert url in str(error) or "address" in str(error)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_nobody_is_sent_elsewhere(status: int) -> None:
    with (
        listening() as other,
        endpoint(b"moved", status, {"Location": other.url}) as fake,
    ):
        error = refused(fake.url)
        assert isinstance(error, ModelError)
        assert (
            str(error) == f"{fake.url} refers to {other.url!r}: name that address if you trust it"
        )
        assert other.connections == 0


def test_the_command_goes_nowhere_either() -> None:
    with listening() as other, endpoint(b"", 307, {"Location": other.url}) as fake:
        result = groundtrace("check", "--endpoint", fake.url, "--only", "critical-cycle")
        assert result.returncode == 3
        assert f"refers to {other.url!r}" in result.stderr
        assert other.connections == 0


ANSWERS: dict[str, tuple[bytes, int, dict[str, str], str]] = {
    "HTML": (
        b"<html>Log in</html>",
        200,
        {"Content-Type": "text/html"},
        "sent text/html, which is no answer to a query",
    ),
    "no type": (b"x", 200, {}, "sent "),
    "half of an answer": (
        json.dumps(ROWS).encode()[:-30],
        200,
        JSON,
        "sent an answer that cannot be read",
    ),
    "nothing": (b"", 200, JSON, "sent an answer that cannot be read"),
    "other JSON": (b'{"error": "x"}', 200, JSON, "sent an answer that cannot be read"),
    "bytes": (bytes(range(256)), 200, JSON, "sent an answer that cannot be read"),
    "half of the triples": (
        b"<urn:a> <urn:b> <urn:c> .\n<urn:a> <ur",
        200,
        {"Content-Type": "application/n-triples"},
        "sent an answer that cannot be read",
    ),
    "not found": (b"no such page", 404, {}, "answers 404 Not Found: no such page"),
    "a password": (b"", 401, {"WWW-Authenticate": "Basic"}, "answers 401 Unauthorized"),
    "an error": (b"x" * 9_000, 500, {}, f"answers 500 Internal Server Error: {'x' * 2000}"),
    "busy": (b"later", 503, {}, "answers 503 Service Unavailable: later"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_that_is_none_is_told(name: str) -> None:
    body, status, headers, message = ANSWERS[name]
    with endpoint(body, status, headers) as fake:
        error = refused(fake.url)
        assert isinstance(error, ModelError), error
        assert str(error).startswith(f"{fake.url} {message}")


def test_what_a_server_says_of_a_query_is_told() -> None:
    with endpoint(b"line 3: unknown function", 400) as fake:
        error = refused(fake.url)
        assert isinstance(error, InputError)
        assert str(error) == f"{fake.url} answers 400 Bad Request: line 3: unknown function"


def test_a_server_that_hangs_is_left_at_the_time_limit(tmp_path: Path) -> None:
    with endpoint(hangs=True) as fake:
        with pytest.raises(LimitError, match=r"ended after 0\.5 seconds"):
            asked(fake.url, time_limit=0.5)
        result = groundtrace(
            "query", "ancestors", "--endpoint", fake.url, "--time-limit", "0.5", cwd=tmp_path
        )
        assert result.returncode == 2
        assert result.stderr.startswith("groundtrace: ended after 0.5 seconds")
        assert len(fake.queries) == 2
