"""Answers as text: rows in the four result formats of SPARQL 1.1, triples in formats of RDF.

XML cannot hold every text: what it cannot hold is refused, never left out.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable
from typing import Any, Final
from xml.parsers.expat import ExpatError, ParserCreate

from pyoxigraph import (
    BlankNode,
    Literal,
    NamedNode,
    Quad,
    QueryResultsFormat,
    RdfFormat,
    Triple,
    parse_query_results,
)

from groundtrace.errors import InputError
from groundtrace.knowledge.ask.answering import Answer
from groundtrace.knowledge.rdf.formats import write_quads
from groundtrace.knowledge.rdf.terms import PREFIXES

_STRING: Final = PREFIXES["xsd"] + "string"
_EDGE = re.compile(r">[ \t\n\r]+|[ \t\n\r]+<|\r")
_SPACE = re.compile(r"[ \t\n\r]")
_LINE_ENDS = {code: f"\\u{code:04X}" for code in (0x85, 0x2028, 0x2029)}
"""Some readers of TSV end a line at these, too."""

_ROOT = re.compile(rb'(<rdf:RDF)((?: xmlns:[\w-]+="[^"]*")+)')


def rows_json(answer: Answer) -> str:
    """Return rows, or the truth, as SPARQL 1.1 Query Results JSON; one row a line.

    Args:
        answer: Of SELECT or ASK.

    Raises:
        InputError: it has triples.
    """
    if _is_truth(answer):
        return f'{{"head":{{}},"boolean":{_truth(answer)}}}\n'
    head = _json({"vars": answer.variables})
    rows = ",\n".join(
        _json({name: _term_json(term) for name, term in _bound(answer, row)}) for row in answer.rows
    )
    return f'{{"head":{head},"results":{{"bindings":[\n{rows}\n]}}}}\n'


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _term_json(term: Any) -> dict[str, Any]:
    if isinstance(term, NamedNode):
        return {"type": "uri", "value": term.value}
    if isinstance(term, BlankNode):
        return {"type": "bnode", "value": term.value}
    if isinstance(term, Triple):
        parts = {"subject": term.subject, "predicate": term.predicate, "object": term.object}
        value = {name: _term_json(part) for name, part in parts.items()}
        return {"type": "triple", "value": value}
    return {"type": "literal", "value": term.value, **_kind(term)}


def _kind(literal: Literal) -> dict[str, str]:
    """Return what is said of a literal beside its value."""
    if literal.language is not None:
        direction = literal.direction
        return {"xml:lang": literal.language} | ({"its:dir": direction.value} if direction else {})
    return {} if literal.datatype.value == _STRING else {"datatype": literal.datatype.value}


def rows_xml(answer: Answer) -> str:
    """Return rows, or the truth, as SPARQL Query Results XML.

    Args:
        answer: Of SELECT or ASK.

    Raises:
        InputError: it has triples, or a text with characters that XML cannot hold.
    """
    # A carriage return would become a line feed, and some readers of results strip spaces at the
    # edges of a text, unless these are written as numbers.
    text = _EDGE.sub(_numbered, _serialized(answer, QueryResultsFormat.XML)) + "\n"
    _check_xml(text.encode())
    return text


def _numbered(space: re.Match[str]) -> str:
    """Return space in XML as numbers, and the tags around it as they are."""
    return _SPACE.sub(lambda found: f"&#{ord(found[0])};", space[0])


def _serialized(answer: Answer, format_: QueryResultsFormat) -> str:
    """Return rows, or the truth, as the RDF library writes it; rows come to it as JSON.

    Raises:
        InputError: it has triples.
    """
    solutions: Any = parse_query_results(rows_json(answer), QueryResultsFormat.JSON)
    content: bytes = solutions.serialize(format=format_)
    return content.decode()


def _check_xml(content: bytes) -> None:
    """Refuse what no XML parser would read.

    Raises:
        InputError: a text or name cannot be written.
    """
    try:
        ParserCreate().Parse(content, True)
    except ExpatError as error:
        line = content.split(b"\n")[error.lineno - 1]
        around = line[max(error.offset - 40, 0) : error.offset + 1].decode(errors="replace")
        raise InputError(
            f"XML cannot hold this answer: it has a character or name that XML does not allow, "
            f"after {around!r}; ask for another format, such as JSON or N-Triples"
        ) from None


def rows_csv(answer: Answer) -> str:
    """Return rows as SPARQL 1.1 CSV: plain values, kinds of terms are lost.

    Values are written as they are: a spreadsheet may take one that starts with "=" for a formula.

    Args:
        answer: Of SELECT or ASK; the standard has no form for the latter: "true" or "false".

    Raises:
        InputError: it has triples.
    """
    if _is_truth(answer):
        return f"{_truth(answer)}\r\n"
    # The RDF library would not quote a comma within a triple.
    output = io.StringIO(newline="")
    lines = csv.writer(output)
    lines.writerow(answer.variables)
    lines.writerows([_plain(term) for term in row] for row in answer.rows)
    return output.getvalue()


def _plain(term: Any) -> str:
    if term is None:
        return ""
    if isinstance(term, Triple):
        return " ".join(_plain(part) for part in (term.subject, term.predicate, term.object))
    return str(term) if isinstance(term, BlankNode) else str(term.value)


def rows_tsv(answer: Answer) -> str:
    """Return rows as SPARQL 1.1 TSV: terms as in Turtle.

    Args:
        answer: Of SELECT or ASK; the standard has no form for the latter: "true" or "false".

    Raises:
        InputError: it has triples.
    """
    if _is_truth(answer):
        return f"{_truth(answer)}\n"
    return _serialized(answer, QueryResultsFormat.TSV).translate(_LINE_ENDS)


def triples_written(answer: Answer, format_: RdfFormat) -> bytes:
    """Return triples as RDF, sorted, each once.

    Args:
        answer: Of CONSTRUCT or DESCRIBE.
        format_: One of :data:`groundtrace.knowledge.rdf.formats.FORMATS`.

    Raises:
        InputError: it has no triples, or some that the format cannot hold.
    """
    if answer.form != "triples":
        raise InputError("the query selects rows: as RDF there is only what CONSTRUCT brings")
    output = io.BytesIO()
    try:
        write_quads(_sorted(answer.rows), output, format_)
    except OSError as error:
        raise InputError(f"{format_.name} cannot hold this answer: {error}") from None
    content = output.getvalue()
    if format_ != RdfFormat.RDF_XML:
        return content
    content = _ROOT.sub(_sorted_root, content, count=1).replace(b"\r", b"&#13;")
    _check_xml(content)
    return content


def _sorted(rows: Iterable[tuple[Any, ...]]) -> list[Quad]:
    return [Quad(*row) for row in sorted(set(rows), key=lambda row: [str(term) for term in row])]


def _sorted_root(found: "re.Match[bytes]") -> bytes:
    """Return the start of RDF/XML with its prefixes in one order."""
    return found[1] + b"".join(b" " + name for name in sorted(found[2].split()))


def _is_truth(answer: Answer) -> bool:
    """Return whether an answer is true or false; the alternative is rows.

    Raises:
        InputError: it has triples.
    """
    if answer.form == "triples":
        raise InputError("the query makes RDF: expected a format of RDF, such as Turtle")
    return answer.form == "truth"


def _truth(answer: Answer) -> str:
    return "true" if answer.truth else "false"


def _bound(answer: Answer, row: tuple[Any, ...]) -> Iterable[tuple[str, Any]]:
    named = zip(answer.variables, row, strict=True)
    return ((name, term) for name, term in named if term is not None)


ROW_WRITERS: Final[dict[str, Callable[[Answer], str]]] = {
    "application/sparql-results+json": rows_json,
    "application/sparql-results+xml": rows_xml,
    "text/csv": rows_csv,
    "text/tab-separated-values": rows_tsv,
    "application/json": rows_json,
    "application/xml": rows_xml,
    "text/xml": rows_xml,
}
"""By media type; the first is what those get who do not mind."""

TRIPLE_FORMATS: Final[dict[str, RdfFormat]] = {
    "application/n-triples": RdfFormat.N_TRIPLES,
    "text/turtle": RdfFormat.TURTLE,
    "application/rdf+xml": RdfFormat.RDF_XML,
    "application/ld+json": RdfFormat.JSON_LD,
    "application/x-turtle": RdfFormat.TURTLE,
    "application/json": RdfFormat.JSON_LD,
    "application/xml": RdfFormat.RDF_XML,
    "text/xml": RdfFormat.RDF_XML,
}
"""By media type; the first is what those get who do not mind."""
