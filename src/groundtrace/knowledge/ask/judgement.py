"""Which queries are answered: those that only read, and read nothing but the knowledge base.

What a query does is never looked up in its text: the parser that will read it judges it, too.
Where another engine answers, its own parser is asked as well; what two of them could read
differently is made equal before.
"""

import re
import sys

from pyoxigraph import DefaultGraph, Store

from groundtrace.errors import InputError
from groundtrace.knowledge.rdf.terms import ID, PREFIXES

LONGEST_QUERY = 100_000
"""Characters."""

_DECLARED = "".join(f"PREFIX {name}: <{iri}> " for name, iri in PREFIXES.items())
_HEADER = f"BASE <{ID}> {_DECLARED}\n"
LAST_ASCII = 127
_ESCAPE = re.compile(r"\\+(?:u(?P<short>[0-9A-Fa-f]{4})|U(?P<long>[0-9A-Fa-f]{8})|[uU])")
_LINE_ENDS = re.compile(r"\r\n?")
_PLACE = re.compile(r"\bat (\d+):(\d+)")
_SENTENCE = re.compile(r"The |Duplicat|Invalid|Unexpected|Aggregate|Variable")
_REFUSED = {
    "SERVICE": "SERVICE asks another server",
    "FROM": "FROM reads another graph or file",
}
_WORDS = re.compile("|".join(_REFUSED), re.IGNORECASE)
_LAST_WORD = re.compile(rf"({_WORDS.pattern})(?:\s|#[^\n]*\n)*\Z", re.IGNORECASE)
_LETTERS = "qxzwjkvyhgpubmcdlrnitoa"
"""Words of one of them four times are no words of SPARQL; e would go on after a number."""

_UPDATE = re.compile(
    r"(?:\s|#[^\n]*\n|BASE\s*<[^>]*>|PREFIX\s*[^\s<]*\s*<[^>]*>)*"
    r"(?:INSERT|DELETE|LOAD|CLEAR|DROP|CREATE|ADD|MOVE|COPY|WITH)\b",
    re.IGNORECASE,
)
_UPDATES = "only questions are answered: SELECT, ASK, CONSTRUCT and DESCRIBE change nothing"


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
    query = query.removeprefix("\ufeff")
    if not query.strip():
        raise InputError("the query is empty")
    if len(query) > LONGEST_QUERY:
        raise InputError(f"the query has {len(query):,} characters; at most {LONGEST_QUERY:,}")
    try:
        query.encode()
    except UnicodeEncodeError:
        raise InputError("the query is no Unicode text: it holds half of a character") from None
    one_line_end = _LINE_ENDS.sub("\n", query)
    before, nul, _ = one_line_end.partition("\0")
    if nul:
        line, column = before.count("\n") + 2, len(before) - before.rfind("\n")
        place = _shown(_HEADER + one_line_end, line, column)
        raise InputError(f"the query cannot be read {place}")
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
    if 0xD800 <= code <= 0xDFFF:
        raise InputError(f"the query escapes half of a character as {written}")
    if code <= LAST_ASCII and not character.isalnum():
        raise InputError(f"the query escapes a character as {written}: write the character itself")
    return character


def judge(query: str) -> None:
    """Refuse a query that does more than read, or cannot be read itself.

    What stands outside of texts, names and remarks is for the store's own parser to say: it reads
    the query with other words, which mean nothing, in place of those that are refused. Where these
    stand in a text, that makes no difference; where they were meant, it finds an error there.

    Args:
        query: As it was prepared.

    Raises:
        InputError: the query is refused; the message names line and column, where it can.
    """
    if _holds_nothing(query):
        raise InputError("the query is empty")
    error = _syntax_error(_disguised(query))
    if error is not None:
        raise _refusal(query, error)


def _disguised(query: str) -> str:
    """Return a query with another word for each that is refused, as long and in no other place."""
    letter = next((one for one in _LETTERS if one * 4 not in query.lower()), None)
    if letter is None:
        raise AssertionError("a query of this length cannot hold all of them")

    def other(word: re.Match[str]) -> str:
        return "".join(letter.upper() if one.isupper() else letter for one in word[0])

    return _WORDS.sub(other, query)


def _syntax_error(query: str) -> SyntaxError | None:
    """Return what the store's parser says against a query, which asks nobody else."""
    try:
        # Two options that exclude each other are refused when the query was read, and before it is
        # planned or answered.
        Store().query(query, use_default_graph_as_union=True, default_graph=DefaultGraph())
    except SyntaxError as error:
        return error
    except (ValueError, RuntimeError):
        return None
    return None


def _refusal(query: str, error: SyntaxError) -> InputError:
    """Return why a query is refused in which the parser found an error."""
    if place := _PLACE.search(_message(error)):
        lines = query.split("\n")[: int(place[1])]
        read = "\n".join([*lines[:-1], lines[-1][: int(place[2]) - 1]])
        # Where the query might have ended, the place is one further on.
        if word := _LAST_WORD.search(read) or _LAST_WORD.search(read[:-1]):
            reason = _REFUSED[word[1].upper()]
            return InputError(f"the query is refused: {reason}, and nothing is fetched for a query")
    if _UPDATE.match(query.removeprefix(_HEADER)):
        return InputError(f"the query is refused: it is an update; {_UPDATES}")
    return told_by_store(query, error)


def _message(error: Exception) -> str:
    return " ".join(str(getattr(error, "msg", None) or error).split())


def _holds_nothing(query: str) -> bool:
    """Say whether a query is nothing but remarks."""
    lines = query.removeprefix(_HEADER).split("\n")
    return all(not line.strip() or line.lstrip().startswith("#") for line in lines)


def told_by_store(query: str, error: Exception) -> InputError:
    """Return what the store says of a query that it cannot read.

    Args:
        error: As raised by the store.
    """
    message = _message(error)
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
