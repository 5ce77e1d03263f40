"""``groundtrace serve`` as a process, and how it is asked."""

import json
import os
import re
import socket
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Headers = dict[str, str]


@dataclass
class Reply:
    """What came back."""

    status: int
    headers: Any
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def media_type(self) -> str:
        return str(self.headers.get_content_type())


@dataclass
class Server:
    """A running endpoint."""

    process: "subprocess.Popen[str]"
    url: str
    said: str

    @property
    def sparql(self) -> str:
        return f"{self.url}sparql"

    @property
    def port(self) -> int:
        return urllib.parse.urlsplit(self.url).port or 0

    def get(self, query: str, accept: str | None = None, **headers: str) -> Reply:
        url = f"{self.sparql}?{urllib.parse.urlencode({'query': query})}"
        return fetched(url, None, headers | ({"Accept": accept} if accept else {}))

    def post(self, body: str | bytes, kind: str = "application/sparql-query") -> Reply:
        content = body.encode() if isinstance(body, str) else body
        return fetched(self.sparql, content, {"Content-Type": kind})

    def rows(self, query: str) -> Any:
        reply = self.get(query)
        assert reply.status == 200, reply.text
        return json.loads(reply.body)["results"]["bindings"]

    def sent(self, query: str) -> socket.socket:
        """Send a query without waiting for the answer."""
        connection = socket.create_connection(("127.0.0.1", self.port))
        head = f"POST /sparql HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(query)}\r\n"
        connection.sendall(f"{head}Content-Type: application/sparql-query\r\n\r\n{query}".encode())
        return connection

    def children(self) -> list[int]:
        listed = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return [int(child) for file in listed for child in file.read_text().split()]


def fetched(url: str, body: bytes | None = None, headers: Headers | None = None) -> Reply:
    request = urllib.request.Request(url, body, headers or {})  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=60) as reply:  # noqa: S310
            return Reply(reply.status, reply.headers, reply.read())
    except urllib.error.HTTPError as error:
        with error:
            return Reply(error.code, error.headers, error.read())


@contextmanager
def serving(*arguments: str | Path) -> Iterator[Server]:
    process = subprocess.Popen(
        [sys.executable, "-m", "groundtrace", "serve", "--port", "0", *map(str, arguments)],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONWARNINGS": "error"},
    )
    try:
        assert process.stderr is not None
        said = ""
        while (found := re.search(r" at (http://\S+/), SPARQL", said)) is None:
            line = process.stderr.readline()
            assert line, said
            said += line
        yield Server(process, found[1], said)
        assert process.poll() is None, process.stderr.read()
    finally:
        process.kill()
        process.communicate()
