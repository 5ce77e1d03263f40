"""The endpoint, as a process that is asked over HTTP."""

import asyncio
import base64
import csv
import hashlib
import html
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from xml.parsers.expat import ParserCreate

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import Graph
from rdflib.plugins.stores.sparqlstore import SPARQLStore

from groundtrace.errors import InputError
from groundtrace.knowledge.ask import results
from groundtrace.knowledge.ask.answering import Answer
from groundtrace.knowledge.ask.asker import ask
from groundtrace.knowledge.ask.asker_pool import Askers, StoppableAsker
from groundtrace.knowledge.ask.sources import Source
from groundtrace.knowledge.serve.endpoint import Limits, Service, application
from tests.command import DATA, groundtrace
from tests.served import Headers, Reply, Server, fetched, serving
from tests.waiting import PATIENCE, runs, wait_until

SLOW = (
    "SELECT (COUNT(*) AS ?n) { "
    + " ".join(f"GRAPH ?g{n} {{ ?s{n} ?p{n} ?o{n} }}" for n in range(5))
    + " }"
)
ROWS = "SELECT ?s ?p ?o { GRAPH ?g { ?s ?p ?o } } ORDER BY ?s ?p ?o LIMIT 9"
EDGES = "CONSTRUCT { ?a gt:leadsTo ?b } { GRAPH ?g { ?a gt:leadsTo ?b } }"
TEXT = "SELECT ?text { <urn:x> <urn:text> ?text }"
HOSTILE = (
    " <script>alert(1)</script> \"'&amp;`\\,;\t\n\r\n\rΕλληνικά non\u2011breaking \U0001f600 \x85 "
)
CONTROL = "\x00\x01\x1b[31m\x7f\ufffe"


def parsed(content: bytes, format_: ox.QueryResultsFormat) -> list[ox.QuerySolution]:
    found = ox.parse_query_results(content, format_)
    assert isinstance(found, ox.QuerySolutions)
    return list(found)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    folder = tmp_path_factory.mktemp("serving")
    traces = sorted(DATA.glob("[acl]*.json"))
    audits, kb, odd = (folder / name for name in ("audits.jsonl", "kb.trig", "odd.nt"))
    assert groundtrace("audit", *traces, "--format", "jsonl", "--out", audits).returncode == 0
    graph = DATA / "graphs" / "graph.json"
    assert groundtrace("export", *traces, audits, graph, "--out", kb).returncode == 0
    said = {"text": HOSTILE, "control": CONTROL}
    triples = [
        ox.Triple(ox.NamedNode("urn:x"), ox.NamedNode(f"urn:{name}"), ox.Literal(text))
        for name, text in said.items()
    ]
    ox.serialize(triples, odd, ox.RdfFormat.N_TRIPLES)
    return str(kb), str(odd)


@pytest.fixture(scope="module")
def server(files: tuple[str, ...]) -> Iterator[Server]:
    with serving(*files) as running:
        yield running


@pytest.fixture(scope="module")
def hasty(files: tuple[str, ...]) -> Iterator[Server]:
    with serving(*files, "--time-limit", "3", "--limit", "3") as running:
        yield running


# --- the protocol


def test_every_way_to_ask_brings_the_same(server: Server, files: tuple[str, ...]) -> None:
    form = urllib.parse.urlencode({"query": ROWS})
    replies = [
        server.get(ROWS),
        server.post(form, "application/x-www-form-urlencoded"),
        server.post(ROWS, "application/sparql-query; charset=utf-8"),
    ]
    assert [reply.status for reply in replies] == [200, 200, 200]
    assert len({reply.body for reply in replies}) == 1
    assert replies[0].media_type == "application/sparql-results+json"
    expected = ask(Source(files), ROWS)
    found = parsed(replies[0].body, ox.QueryResultsFormat.JSON)
    assert [tuple(row) for row in found] == expected.rows


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        (None, "application/sparql-results+json"),
        ("*/*", "application/sparql-results+json"),
        ("application/json", "application/json"),
        ("application/sparql-results+xml", "application/sparql-results+xml"),
        ("text/csv", "text/csv"),
        ("text/tab-separated-values", "text/tab-separated-values"),
        ("text/*;q=0.5, application/xml;q=0.9, */*;q=0.1", "application/xml"),
        ("application/sparql-results+json;q=0, */*", "application/sparql-results+xml"),
        ("text/html,application/xhtml+xml,*/*;q=0.8", "application/sparql-results+json"),
        ("text/turtle", None),
        ("image/png", None),
        ("text/csv;q=0", None),
    ],
)
def test_rows_come_in_the_format_that_is_asked_for(
    server: Server, accept: str | None, expected: str | None
) -> None:
    for query in (ROWS, "ASK { ?s ?p ?o }"):
        reply = server.get(query, accept)
        assert reply.status == (200 if expected else 406)
        assert reply.media_type == (expected or "text/plain")


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        (None, "application/n-triples"),
        ("application/n-triples", "application/n-triples"),
        ("text/turtle", "text/turtle"),
        ("application/rdf+xml", "application/rdf+xml"),
        ("application/ld+json", "application/ld+json"),
        ("text/csv", None),
    ],
)
def test_triples_come_in_the_format_that_is_asked_for(
    server: Server, files: tuple[str, ...], accept: str | None, expected: str | None
) -> None:
    reply = server.get(EDGES, accept)
    assert reply.status == (200 if expected else 406)
    if expected:
        assert reply.media_type == expected
        format_ = ox.RdfFormat.from_media_type(expected)
        assert format_ is not None
        found = {tuple(quad.triple) for quad in ox.parse(reply.body, format_)}
        assert found == set(ask(Source(files), EDGES).rows)
        assert found


QUERIES = [ROWS, EDGES, TEXT, "ASK { ?s a gt:Audit }", "ASK { <urn:none> ?p ?o }", "SELECT * {}"]


@pytest.mark.parametrize("query", QUERIES)
def test_our_own_client_gets_what_files_bring(
    server: Server, files: tuple[str, ...], query: str
) -> None:
    def content(answer: Answer) -> Any:
        return answer._replace(rows=sorted(answer.rows, key=str))

    assert content(ask(Source(endpoint=server.sparql), query)) == content(ask(Source(files), query))


@pytest.mark.parametrize("method", ["GET", "POST", "POST_FORM"])
@pytest.mark.parametrize("format_", ["json", "xml"])
def test_rdflib_gets_what_files_bring(server: Server, method: Any, format_: str) -> None:
    graph = Graph(SPARQLStore(server.sparql, method=method, returnFormat=format_))
    (found,) = graph.query(TEXT)
    assert str(found[0]) == HOSTILE  # type: ignore[index]


# --- what is refused


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("SELECT * { SERVICE <http://127.0.0.1:PORT/> { ?s ?p ?o } }", "SERVICE"),
        ("SELECT * { \\u0053ERVICE <http://127.0.0.1:PORT/> { ?s ?p ?o } }", "SERVICE"),
        ("SELECT * FROM <http://127.0.0.1:PORT/> { ?s ?p ?o }", "FROM"),
        ("SELECT * FROM NAMED <file:///etc/passwd> { GRAPH ?g { ?s ?p ?o } }", "FROM"),
        ("LOAD <http://127.0.0.1:PORT/>", "update"),
        ("INSERT DATA { <urn:a> <urn:b> <urn:c> }", "update"),
        ("DELETE WHERE { ?s ?p ?o }", "update"),
        ("CLEAR ALL", "update"),
        ("SELECT * {\n  ?s nobody:knows ?o }", "line 2, column"),
        ("SELECT * {\n  ?s ?p }", "line 2, column"),
        ("", "empty"),
    ],
)
def test_queries_that_do_more_than_read_are_refused(server: Server, query: str, told: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.2)
        reply = server.get(query.replace("PORT", str(listener.getsockname()[1])))
        assert (reply.status, reply.media_type) == (400, "text/plain")
        assert told in reply.text
        with pytest.raises(TimeoutError):
            listener.accept()


@pytest.mark.parametrize(
    ("target", "body", "kind", "status", "told"),
    [
        ("?query=ASK%7B%7D&default-graph-uri=urn:g", None, "", 400, "default-graph-uri"),
        ("?query=ASK%7B%7D&named-graph-uri=", None, "", 400, "named-graph-uri"),
        ("?default-graph-uri=urn:g", "ASK {}", "application/sparql-query", 400, "default-graph"),
        ("", "update=CLEAR+ALL", "application/x-www-form-urlencoded", 400, "updates are refused"),
        ("", "CLEAR ALL", "application/sparql-update", 400, "updates are refused"),
        ("", None, "", 400, "expected one parameter named query"),
        ("?query=ASK%7B%7D&query=ASK%7B%7D", None, "", 400, "got 2"),
        ("?query=%FF", None, "", 400, "UTF-8"),
        ("", b"ASK { \xff }", "application/sparql-query", 400, "UTF-8"),
        ("", "{}", "application/json", 415, "application/sparql-query"),
        ("", "ASK {}" + " " * 200_000, "application/sparql-query", 413, "200,000 bytes"),
        ("", "ASK {}" + " " * 3_000_000, "application/sparql-query", 413, "200,000 bytes"),
        ("", "ASK {}" + " " * 150_000, "application/sparql-query", 400, "100,000"),
    ],
)
def test_requests_outside_the_protocol_are_refused(
    server: Server, target: str, body: str | bytes | None, kind: str, status: int, told: str
) -> None:
    content = body.encode() if isinstance(body, str) else body
    reply = fetched(server.sparql + target, content, {"Content-Type": kind} if kind else {})
    assert (reply.status, reply.media_type) == (status, "text/plain")
    assert told in reply.text


def test_only_get_and_post_are_known(server: Server) -> None:
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH"):
        request = urllib.request.Request(server.sparql, method=method)  # noqa: S310
        with pytest.raises(urllib.error.HTTPError, match="405"):
            urllib.request.urlopen(request)  # noqa: S310


def test_pages_of_other_sites_get_nothing(server: Server) -> None:
    own = server.url.removesuffix("/")
    port = server.port
    strangers: list[Headers] = [
        {"Host": "evil.example"},
        {"Host": f"evil.example:{port}"},
        {"Host": f"localhost.evil.example:{port}"},
        {"Host": f"localhost@evil.example:{port}"},
        {"Host": "192.168.1.7"},
        {"Host": ""},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": f"http://localhost:{port + 1}"},
        {"Sec-Fetch-Site": "cross-site"},
    ]
    for headers in strangers:
        reply = server.get("ASK {}", None, **headers)
        assert reply.status == 403, headers
        assert b"boolean" not in reply.body
    users: list[Headers] = [
        {"Host": f"localhost:{port}"},
        {"Host": "LOCALHOST"},
        {"Host": f"[::1]:{port}"},
        {"Host": "localhost:9999"},
        {"Origin": own},
        {"Sec-Fetch-Site": "same-origin", "Origin": own},
        {"Sec-Fetch-Site": "none"},
    ]
    for headers in users:
        reply = server.get("ASK {}", None, **headers)
        assert reply.status == 200, headers
        assert not [name for name in reply.headers if name.lower().startswith("access-control")]
        assert reply.headers["X-Content-Type-Options"] == "nosniff"


# --- limits


def test_a_query_that_never_ends_is_ended_while_others_are_answered(hasty: Server) -> None:
    found: list[Reply] = []
    slow = threading.Thread(target=lambda: found.append(hasty.get(SLOW)))
    slow.start()
    time.sleep(0.3)
    assert hasty.rows("SELECT ?s { ?s a gt:Audit } LIMIT 1")
    assert not found
    slow.join()
    assert found[0].status == 504
    assert "ended after 3 seconds" in found[0].text
    for _ in range(3):  # Each asker answers again, the one that was ended too.
        assert hasty.rows("SELECT ?s { ?s a gt:Audit } LIMIT 1")


def test_a_cut_answer_says_so(hasty: Server) -> None:
    query = "SELECT ?s { ?s a ?kind } LIMIT "
    whole, cut = hasty.get(f"{query}3"), hasty.get(f"{query}4")
    assert whole.headers["X-Groundtrace-More"] is None
    assert cut.headers["X-Groundtrace-More"] == "true"
    assert whole.body == cut.body
    cut = hasty.get(EDGES)
    assert (cut.headers["X-Groundtrace-More"], cut.body.count(b"\n")) == ("true", 3)


def test_without_a_limit_nothing_is_cut(files: tuple[str, ...]) -> None:
    with serving(*files, "--limit", "0", "--jobs", "1") as server:
        product = "SELECT ?n ?m { GRAPH ?g { ?s gt:index ?n . ?t gt:premise ?m } } "
        reply = server.get(f"{product} LIMIT 12000")
        assert reply.headers["X-Groundtrace-More"] is None
        count = int(server.rows(f"SELECT (COUNT(*) AS ?c) {{ {{ {product} }} }}")[0]["c"]["value"])
        assert len(json.loads(reply.body)["results"]["bindings"]) == min(count, 12_000)


def test_a_client_that_goes_away_and_a_queue_that_is_full(files: tuple[str, ...]) -> None:
    with serving(*files, "--jobs", "1", "--time-limit", "60") as server:
        with ExitStack() as open_:
            for _ in range(65):  # One is answered, 64 wait.
                open_.enter_context(server.sent(SLOW))
            time.sleep(1)
            reply = server.get("ASK {}")
            assert (reply.status, reply.headers["Retry-After"]) == (503, "5")
            assert "waiting" in reply.text
        wait_until(lambda: server.get("ASK {}").status == 200, "the queue stays full")


class Broken(Askers):
    """Nobody answers: there is a fault."""

    def __init__(self) -> None:
        super().__init__(Source(), 0)

    @asynccontextmanager
    async def free(self, patience: float) -> AsyncIterator[StoppableAsker]:
        raise ZeroDivisionError("a fault")
        yield


def test_a_fault_is_told_to_both_sides() -> None:
    told: list[str] = []
    app = application(Service(Broken(), "127.0.0.1", Limits(), "kb", told.append))
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/sparql",
        "query_string": b"query=ASK{}",
        "headers": [(b"host", b"localhost")],
    }
    sent: list[Any] = []

    async def receive() -> Any:
        await asyncio.sleep(60)

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))  # type: ignore[arg-type]
    assert sent[0]["status"] == 500
    assert b"unexpected ZeroDivisionError" in sent[1]["body"]
    assert "please report it" in told[0]


# --- contents


def test_hostile_texts_arrive_as_they_are(server: Server) -> None:
    def body(accept: str) -> bytes:
        reply = server.get(TEXT, accept)
        assert reply.status == 200
        return reply.body

    formats = {
        "application/sparql-results+json": ox.QueryResultsFormat.JSON,
        "application/sparql-results+xml": ox.QueryResultsFormat.XML,
        "text/tab-separated-values": ox.QueryResultsFormat.TSV,
    }
    for media_type, format_ in formats.items():
        (row,) = parsed(body(media_type), format_)
        assert row["text"] == ox.Literal(HOSTILE)
    text = body("text/csv").decode()
    assert list(csv.reader(io.StringIO(text, newline=""))) == [["text"], [HOSTILE]]


def test_what_xml_cannot_hold_is_refused_there_only(server: Server) -> None:
    query = TEXT.replace("urn:text", "urn:control")
    for accept in ("application/sparql-results+json", "text/tab-separated-values"):
        reply = server.get(query, accept)
        format_ = ox.QueryResultsFormat.from_media_type(accept)
        assert format_ is not None
        (row,) = parsed(reply.body, format_)
        assert row["text"] == ox.Literal(CONTROL)
    assert CONTROL in server.get(query, "text/csv").text
    reply = server.get(query, "application/sparql-results+xml")
    assert reply.status == 406
    assert "XML cannot hold this answer" in reply.text
    triples = "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o . FILTER(?s = <urn:x>) }"
    assert server.get(triples, "application/rdf+xml").status == 406
    assert server.get(triples, "application/ld+json").status == 200


texts = st.text(st.characters(exclude_categories=["Cs"])) | st.text(
    " \t\r\n\"',\\&<>]a\x85\u2028\x0b"
)
literals = (
    st.builds(ox.Literal, texts)
    | st.builds(lambda text: ox.Literal(text, language="en-GB"), texts)
    | st.builds(lambda text: ox.Literal(text, datatype=ox.NamedNode("urn:d&")), texts)
    | st.integers().map(ox.Literal)
)
iris = st.sampled_from([ox.NamedNode("http://e/a?b&c'd\u2028é"), ox.NamedNode("urn:x")])
terms = literals | iris | st.just(ox.BlankNode("b1")) | st.builds(ox.Triple, iris, iris, literals)
bound = st.none() | terms


@settings(max_examples=300)
@given(st.lists(st.tuples(bound, bound)))
def test_rows_are_read_back_as_they_were(rows: list[tuple[Any, ...]]) -> None:
    answer = Answer("rows", ["a", "b"], rows, None, False)
    written = {
        ox.QueryResultsFormat.JSON: results.rows_json(answer),
        ox.QueryResultsFormat.TSV: results.rows_tsv(answer),
    }
    with suppress(InputError):
        written[ox.QueryResultsFormat.XML] = results.rows_xml(answer)
    for format_, text in written.items():
        assert [tuple(row) for row in parsed(text.encode(), format_)] == rows
    table = list(csv.reader(io.StringIO(results.rows_csv(answer), newline="")))
    assert table[0] == ["a", "b"]
    for line, row in zip(table[1:], rows, strict=True):
        for found, term in zip(line, row, strict=True):
            if isinstance(term, ox.Literal | ox.NamedNode):
                assert found == term.value


predicates = st.sampled_from(
    [ox.NamedNode("urn:p"), ox.NamedNode("urn:1"), ox.NamedNode("http://e/")]
)


@settings(max_examples=300)
@given(st.lists(st.tuples(iris, predicates, literals | iris)))
def test_triples_are_read_back_as_they_were(rows: list[tuple[Any, ...]]) -> None:
    answer = Answer("triples", [], rows, None, False)
    for format_ in dict.fromkeys(results.TRIPLE_FORMATS.values()):
        try:
            written = results.triples_written(answer, format_)
        except InputError:
            assert format_ == ox.RdfFormat.RDF_XML
            continue
        assert {tuple(quad.triple) for quad in ox.parse(written, format_)} == set(rows)
        if format_ == ox.RdfFormat.RDF_XML:
            ParserCreate().Parse(written, True)
        shuffled = answer._replace(rows=rows[::-1] + rows)
        assert results.triples_written(shuffled, format_) == written


@pytest.mark.parametrize("truth", [True, False])
def test_a_truth_is_read_back(truth: bool) -> None:
    answer = Answer("truth", [], [], truth, False)
    for format_, write in (
        (ox.QueryResultsFormat.JSON, results.rows_json),
        (ox.QueryResultsFormat.XML, results.rows_xml),
        (ox.QueryResultsFormat.TSV, results.rows_tsv),
    ):
        assert bool(ox.parse_query_results(write(answer), format_)) is truth
    assert results.rows_csv(answer) == f"{str(truth).lower()}\r\n"


def test_rows_are_no_triples_and_triples_no_rows() -> None:
    triples, rows = Answer("triples", [], [], None, False), Answer("rows", [], [], None, False)
    for write in dict.fromkeys(results.ROW_WRITERS.values()):
        with pytest.raises(InputError, match="expected a format of RDF"):
            write(triples)
    with pytest.raises(InputError, match="CONSTRUCT"):
        results.triples_written(rows, ox.RdfFormat.TURTLE)


# --- the page


def test_the_page_runs_its_own_script_and_loads_nothing(server: Server) -> None:
    page = fetched(server.url)
    assert (page.status, page.media_type) == (200, "text/html")
    policy = page.headers["Content-Security-Policy"]
    for kind in ("script", "style"):
        (inner,) = re.findall(rf"<{kind}>(.*?)</{kind}>", page.text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inner.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    for danger in ("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "{{"):
        assert danger not in page.text
    assert not re.search(r'(?:src|href)=(?!"(?:data:,|#))', page.text)
    assert "60 seconds and 10,000 rows" in page.text
    assert "kb.trig" in page.text


def test_the_examples_of_the_page_are_answered(server: Server) -> None:
    page = fetched(server.url).text
    examples = re.findall(
        r'href="#(\w+)">[^<]+</a>\n<pre hidden id="(\w+)">(.*?)</pre>', page, re.S
    )
    assert len(examples) >= 4
    for link, name, query in examples:
        assert link == name
        reply = server.get(html.unescape(query))
        assert (reply.status, reply.text.count("\n") > 4) == (200, True), name


# --- the process


def test_what_is_exported_meanwhile_is_seen(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    assert groundtrace("export", DATA / "lease.json", "--store", folder).returncode == 0
    query = "SELECT ?id { ?t a gt:Trace ; dcterms:identifier ?id }"
    with serving("--store", folder) as server:
        assert len(server.rows(query)) == 1
        for count, name in enumerate(("clinical.json", "algebra.json"), 2):
            assert groundtrace("export", DATA / name, "--store", folder).returncode == 0
            assert [len(server.rows(query)) for _ in range(4)] == [count] * 4


def killed(server: Server) -> None:
    for child in server.children():
        if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
            os.kill(child, signal.SIGKILL)
    time.sleep(0.2)


def test_a_process_that_was_killed_is_started_again(tmp_path: Path) -> None:
    file = tmp_path / "one.nt"
    file.write_text("<urn:a> <urn:b> <urn:c> .\n")
    with serving(file) as server:
        killed(server)
        assert [server.get("ASK {}").status for _ in range(3)] == [200] * 3
        file.unlink()
        killed(server)
        reply = server.get("ASK {}")
        assert reply.status == 503
        assert "one.nt" in reply.text


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 0)])
def test_it_ends_with_all_its_processes(
    files: tuple[str, ...], number: signal.Signals, code: int
) -> None:
    with serving(*files) as server:
        children = server.children()
        assert len(children) >= 2
        with server.sent(SLOW), server.sent(SLOW), server.sent(SLOW):
            time.sleep(0.5)
            server.process.send_signal(number)
            assert server.process.wait(PATIENCE) == code
        wait_until(lambda: not any(map(runs, children)), "a child outlived the server")
        assert server.process.stderr is not None
        said = server.process.stderr.read()
        assert "Traceback" not in said
        server.process.poll = lambda: None  # type: ignore[method-assign]


def refused(*arguments: str | Path) -> str:
    result = subprocess.run(
        [sys.executable, "-m", "groundtrace", "serve", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    return result.stderr


def test_what_cannot_be_served_is_said_at_the_start(server: Server, tmp_path: Path) -> None:
    lease = DATA / "lease.json"
    assert f"--port {server.port}: in use" in refused(lease, "--port", str(server.port))
    assert "--host nowhere.invalid" in refused(lease, "--host", "nowhere.invalid")
    assert "expected files, or --store DIR" in refused()
    assert "expected files, or --store DIR" in refused(lease, "--store", tmp_path)
    assert "none.trig" in refused(tmp_path / "none.trig", "--port", "0")
    assert "holds no knowledge base" in refused("--store", tmp_path, "--port", "0")
    assert "expected a file" in refused("-")


def test_other_machines_are_let_in_only_with_a_warning(files: tuple[str, ...]) -> None:
    with serving(*files, "--host", "0.0.0.0", "--jobs", "1") as server:  # noqa: S104
        assert "there is no password" in server.said
        url = f"http://127.0.0.1:{server.port}/sparql?query=ASK%7B%7D"
        assert fetched(url, None, {"Host": "192.168.1.7:80"}).status == 200
        assert fetched(url, None, {"Host": "evil.example"}).status == 403
