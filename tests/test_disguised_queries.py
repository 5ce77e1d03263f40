"""SERVICE in disguises that one of two parsers takes for a text or a comment: nothing goes out."""

import subprocess
import sys
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from groundtrace.errors import InputError
from groundtrace.knowledge.ask.answering import Request
from groundtrace.knowledge.ask.asker import Asker
from groundtrace.knowledge.ask.judgement import prepared
from groundtrace.knowledge.ask.sources import Source
from tests.command import DATA
from tests.loopback import Listener, listening

ESCAPES = [
    "\\u000A",
    "\\u000D",
    "\\U0000000A",
    "\\u0000000A",
    "\\u0022",
    "\\u0027",
    "\\U00000022",
    "\\u005C",
    "\\u003E",
    "\\u0023",
    "\\\\u0022",
    "\\\\\\u0022",
    "\\ud800",
    "\\UFFFFFFFF",
    "\\uXYZW",
]
FRAMES = [
    'SELECT * {{ # {escape} ?s ?p """\n {service} #"""\n }}',
    "SELECT * {{ # {escape} {service} \n }}",
    'SELECT * {{ ?s ?p "{escape} , " . {service} #"\n }}',
    "SELECT * {{ ?s ?p '{escape} , ' . {service} #'\n }}",
    'SELECT * {{ ?s ?p <http://a{escape}> , "> . {service} #"\n }}',
]


def service(listener: Listener) -> str:
    return f"SERVICE <{listener.url}> {{ ?a ?b ?c }}"


@pytest.fixture
def listener() -> Iterator[Listener]:
    with listening() as one:
        yield one


def test_no_escape_lets_a_service_through(listener: Listener) -> None:
    with Asker(Source(files=(str(DATA / "clinical.json"),))) as asker:
        for frame in FRAMES:
            for escape in ESCAPES:
                query = frame.format(escape=escape, service=service(listener))
                with pytest.raises(InputError):
                    asker.ask(Request(query))
        assert asker.ask(Request("ASK { ?trace a gt:Trace }")).truth
    assert listener.connections == 0


def test_escapes_of_letters_are_read(listener: Listener) -> None:
    with Asker(Source(files=(str(DATA / "clinical.json"),))) as asker:
        assert asker.ask(Request("ASK { ?tr\\u0061ce \\u0061 gt:Trace }")).truth
        assert asker.ask(Request('SELECT ("\\u2011\\u03b2" AS ?text) {}')).rows[0][0].value == "‑β"
        with pytest.raises(InputError, match="SERVICE"):
            asker.ask(Request(f"SELECT * {{ \\u0053{service(listener)[1:]} }}"))
    assert listener.connections == 0


def test_prepared_queries_hold_no_escape() -> None:
    assert "\\u" not in prepared('SELECT ("\\u0041" AS ?a) { } # \\u0042')


def test_a_query_that_slipped_through_would_find_no_network(listener: Listener) -> None:
    """The second lock, by itself; some systems do not offer it."""
    code = (
        "from groundtrace.processes.children import leave_the_network\n"
        "import socket, sys\n"
        "leave_the_network()\n"
        f"address = ('127.0.0.1', {urlsplit(listener.url).port})\n"
        "sys.exit(3 if socket.socket().connect_ex(address) else 0)\n"
    )
    result = subprocess.run([sys.executable, "-c", code], timeout=60)
    if result.returncode == 0:
        pytest.skip("this system does not let a process leave the network")
    assert result.returncode == 3
    assert listener.connections == 0
