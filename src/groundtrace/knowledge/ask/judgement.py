"""Which queries are answered: those that only read, and read nothing but the knowledge base.

The parsed query is judged, never its text. Two parsers read it: rdflib's to judge, the store's to
answer. What they could read differently is made equal before.
"""

import re
import sys
import threading
from typing import Any

from groundtrace.errors import InputError
from groundtrace.knowledge.rdf.terms import PREFIXES

LONGEST_QUERY = 100_000
"""Characters."""

_HEADER = "".join(f"PREFIX {name}: <{iri}> " for name, iri in PREFIXES.items()) + "\n"
LAST_ASCII = 127
_ESCAPE = re.compile(r"\\+(?:u(?P<short>[0-9A-Fa-f]{4})|U(?P<long>[0-9A-Fa-f]{8})|[uU])")
_LINE_ENDS = re.compile(r"\r\n?")
_PLACE = re.compile(r"\bat (\d+):(\d+)")
_SENTENCE = re.compile(r"The |Duplicat|Invalid|Unexpected|Aggregate|Variable")
_REFUSED = {
    "ServiceGraphPattern": "SERVICE asks another server",
    "DatasetClause": "FROM reads another graph or file",
}
_UPDATES = "only questions are answered: SELECT, ASK, CONSTRUCT and DESCRIBE change nothing"
_parsing = threading.Lock()
"""rdflib's parser breaks for good if two threads use it first at the same time."""


def prepared(query: str, trusted: bool = False) -> str:
    """Return a query as both parsers read it: our prefixes, one kind of line end, no escapes.

    For one parser a comment ends at a carriage return, or at an escape of a line end, for the
    other it does not: what is hidden behind it would be judged as a comment or a text, and then
    be obeyed.

    Args:
        query: As it was written.
        trusted: Whether it is one of ours, whose escapes the RDF library wrote.

    Raises:
        InputError: it is empty, too long, no Unicode text, or escapes a character that it should
            hold as it is.
    """
    if not query.strip():
        raise InputError("the query is empty")
    if len(query) > LONGEST_QUERY:
        raise InputError(f"the query has {len(query):,} characters; at most {LONGEST_QUERY:,}")
    try:
        query.encode()
    except UnicodeEncodeError:
        raise InputError("the query is no Unicode text: it holds half of a character") from None
    one_line_end = _LINE_ENDS.sub("\n", query)
    return _HEADER + (one_line_end if trusted else _ESCAPE.sub(_unescaped, one_line_end))


def _unescaped(escape: re.Match[str]) -> str:
    """Return the character that an escape stands for.

    Raises:
        InputError: the two parsers might read it differently.
    """
    written = escape[0]
    digits = escape["short"] or escape["long"]
    code = int(digits, 16) if digits else -1
    if written.startswith("\\\\") or not 0 <= code <= sys.maxunicode:
        raise InputError(f"the query holds {written[:12]}, which can be read in two ways")
    character = chr(code)
    if not (character.isalnum() or (code > LAST_ASCII and character.isprintable())):
        raise InputError(f"the query escapes a character as {written}: write the character itself")
    return character


def judge(query: str) -> None:
    """Refuse a query that does more than read, or cannot be read itself.

    Raises:
        InputError: the query is refused; the message names line and column, where it can.
    """
    found = _constructs(_parsed(query))
    for name, reason in _REFUSED.items():
        if name in found:
            raise InputError(f"the query is refused: {reason}, and nothing is fetched for a query")


def _parsed(query: str) -> Any:
    """Return the query as rdflib parses it.

    Raises:
        InputError: it is no query.
    """
    from pyparsing import ParseBaseException
    from rdflib.plugins.sparql.parser import parseQuery

    try:
        with _parsing:
            return parseQuery(query)
    except ParseBaseException as error:
        if _holds_nothing(query):
            raise InputError("the query is empty") from None
        if _is_update(query):
            raise InputError(f"the query is refused: it is an update; {_UPDATES}") from None
        place = _shown(query, error.lineno, error.column)
        raise InputError(f"the query cannot be read {place}") from None
    except RecursionError:
        raise InputError("the query is too deeply nested, or too long") from None
    except Exception as error:  # Such as an escape of a character that does not exist.
        raise InputError(f"the query cannot be read: {error}") from None


def _holds_nothing(query: str) -> bool:
    """Say whether a query is nothing but remarks."""
    lines = query.removeprefix(_HEADER).split("\n")
    return all(not line.strip() or line.lstrip().startswith("#") for line in lines)


def _is_update(query: str) -> bool:
    from rdflib.plugins.sparql.parser import parseUpdate

    try:
        with _parsing:
            parseUpdate(query)
    except Exception:
        return False
    return True


def _constructs(tree: Any) -> set[str]:
    """Return the names of all constructs in a parsed query."""
    from pyparsing import ParseResults
    from rdflib.plugins.sparql.parserutils import CompValue

    names: set[str] = set()
    waiting = [tree]
    while waiting:
        one = waiting.pop()
        if isinstance(one, CompValue):
            names.add(one.name)
            waiting.extend(one.values())
        elif isinstance(one, ParseResults | list | tuple | set):
            waiting.extend(one)
        elif isinstance(one, dict):
            waiting.extend(one.values())
    return names


def told_by_store(query: str, error: Exception) -> InputError:
    """Return what the store says of a query that it cannot read.

    Args:
        error: As raised by the store.
    """
    message = " ".join(str(getattr(error, "msg", None) or error).split())
    place = _PLACE.search(message)
    if place is None:
        return InputError(f"the query cannot be read: {message}")
    line, column = int(place[1]), int(place[2])
    return InputError(f"the query cannot be read {_shown(query, line, column)}{_reason(message)}")


def _reason(message: str) -> str:
    """Return what is of use in a parser's long list of all that it would have taken."""
    if "Prefix not found" in message:
        return f"\na prefix is not declared; known without PREFIX are {', '.join(PREFIXES)}"
    sentences = [part.strip() for part in message.split(",") if _SENTENCE.match(part.strip())]
    return f"\n{'; '.join(sentences)}" if sentences else ""


def _shown(query: str, line: int, column: int) -> str:
    """Return a place in a query as its user counts, with the line."""
    lines = query.split("\n")
    text = lines[line - 1] if line <= len(lines) else ""
    start = max(column - 60, 0)
    piece = text[start : start + 100]
    mark = " " * (min(column, len(text) + 1) - 1 - start)
    return f"at line {line - 1}, column {column}:\n  {piece}\n  {mark}^"
