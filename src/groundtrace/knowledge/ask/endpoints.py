"""Ask a server that speaks the SPARQL 1.1 protocol."""

import http.client
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

from pyoxigraph import QueryResultsFormat, RdfFormat, Store, parse, parse_query_results

from groundtrace.errors import GroundtraceError, InputError, ModelError
from groundtrace.knowledge.ask.engine import answered, judged
from groundtrace.phrases import clean

LARGEST_ANSWER = 512 * 1024**2
"""Bytes that an endpoint may send."""

ENDPOINT_SECONDS = 600.0
MORE_HEADER = "X-Groundtrace-More"
"""Set by our own endpoint where it cut an answer at the row limit."""

ACCEPTED = "application/sparql-results+json, application/n-triples;q=0.9"


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Keeps to the server that the user named."""

    def redirect_request(self, *arguments: Any, **options: Any) -> None:
        return None


class Endpoint:
    """A server; queries are judged before they are sent."""

    def __init__(self, url: str) -> None:
        """Take an address; nothing is sent yet.

        Args:
            url: With http or https.

        Raises:
            InputError: it is no such address.
        """
        try:
            scheme = urllib.parse.urlsplit(url).scheme
        except ValueError:
            scheme = ""
        if scheme not in ("http", "https"):
            raise InputError(f"endpoint: expected an address with http or https, got {url!r}")
        self._url = url
        self._opener = urllib.request.build_opener(_NoRedirects)
        self.cut = False

    def answer(self, query: str, trusted: bool) -> Any:
        """Return the server's results.

        Args:
            query: In SPARQL 1.1.
            trusted: Whether it need not be judged.

        Raises:
            InputError: the query is refused, by us or by the server.
            ModelError: the server could not be used, or sent no answer.
        """
        # What cannot be read is told here, with its place: the server counts lines otherwise.
        answered(Store(), query, trusted)
        request = urllib.request.Request(  # noqa: S310 - the scheme was checked.
            self._url,
            data=urllib.parse.urlencode({"query": judged(query, trusted)}).encode(),
            headers={"Accept": ACCEPTED},
        )
        try:
            with self._opener.open(request, timeout=ENDPOINT_SECONDS) as reply:
                content = reply.read(LARGEST_ANSWER + 1)
                media_type = reply.headers.get_content_type()
                self.cut = reply.headers.get(MORE_HEADER) == "true"
                whole = not reply.length
        except urllib.error.HTTPError as error:
            raise _refused(self._url, error) from None
        except (OSError, ValueError, http.client.HTTPException) as error:
            reason = clean(str(getattr(error, "reason", None) or error))
            raise ModelError(f"{self._url} cannot be reached: {reason}") from None
        if not whole and len(content) <= LARGEST_ANSWER:
            raise ModelError(f"{self._url} broke off in the middle of its answer")
        if len(content) > LARGEST_ANSWER:
            raise ModelError(f"{self._url} sent more than {LARGEST_ANSWER:,} bytes")
        return _read(self._url, content, media_type)


def _refused(url: str, error: urllib.error.HTTPError) -> GroundtraceError:
    try:
        told = error.read(2_000).decode(errors="replace").strip()
    except (OSError, ValueError, http.client.HTTPException):
        told = ""
    if 300 <= error.code < 400:
        target = error.headers.get("Location", "")
        return ModelError(f"{url} refers to {target!r}: name that address if you trust it")
    kind = InputError if error.code == 400 else ModelError
    if error.code in (404, 405):
        told += "; is that the address of its SPARQL endpoint? Ours is /sparql"
    told = "\n".join(clean(line) for line in f"{error.reason}: {told}".splitlines())
    return kind(f"{url} answers {error.code} {told}".rstrip(": "))


def _read(url: str, content: bytes, media_type: str) -> Any:
    """Return an endpoint's answer as a store would.

    Raises:
        ModelError: it is none.
    """
    results = QueryResultsFormat.from_media_type(media_type)
    triples = RdfFormat.from_media_type(media_type)
    try:
        if results is not None:
            return parse_query_results(content, results)
        if triples is not None:
            return iter([quad.triple for quad in parse(content, triples)])
    except (SyntaxError, ValueError, OSError) as error:
        raise unreadable(url, error) from None
    raise ModelError(f"{url} sent {clean(media_type)}, which is no answer to a query")


def unreadable(url: str, error: Exception) -> ModelError:
    """Return what is wrong with an answer of an endpoint that is none."""
    return ModelError(f"{url} sent an answer that cannot be read: {clean(str(error))[:200]}")
