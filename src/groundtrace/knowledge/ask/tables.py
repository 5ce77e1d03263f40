"""Answers for people: tables on a terminal, and frames for pandas."""

from typing import Any

from pyoxigraph import BlankNode, Literal, NamedNode
from rich.console import Console
from rich.table import Table
from rich.text import Text

from groundtrace.errors import InputError, missing_package
from groundtrace.knowledge.ask.answering import Answer
from groundtrace.knowledge.rdf.terms import ID, PREFIXES
from groundtrace.phrases import clean, counted
from groundtrace.show.console import printed_text

LONGEST_CELL = 2_000
"""Characters shown of one value; other formats hold all of it."""

_XSD = PREFIXES["xsd"]
_SHORTEST_FIRST = sorted(PREFIXES.items(), key=lambda pair: -len(pair[1]))


def answer_text(answer: Answer, *, width: int, colour: bool) -> str:
    """Return an answer as text for a terminal.

    Args:
        width: Columns, from 40.
        colour: Whether to colour it.
    """
    if answer.form == "truth":
        return "yes\n" if answer.truth else "no\n"
    if answer.form == "triples":
        lines = sorted(" ".join(map(shown, row)) for row in answer.rows)
        return "".join(f"{line} .\n" for line in lines)

    def show(console: Console) -> None:
        table = Table(box=None, pad_edge=False, header_style="bold")
        for place, name in enumerate(answer.variables):
            numbers = bool(answer.rows) and all(_is_number(row[place]) for row in answer.rows)
            table.add_column(name, justify="right" if numbers else "left", overflow="fold")
        for row in answer.rows:
            table.add_row(*(Text(shown(term)) for term in row))
        if answer.rows:
            console.print(table)
        console.print(Text(counted(len(answer.rows), "row"), style="dim"))

    return printed_text(show, width, colour).rstrip("\n") + "\n"


def shown(term: Any) -> str:
    """Return a term as people read it: texts bare, IRIs as short as can be.

    Args:
        term: Of RDF; None where a variable is unbound.
    """
    if term is None:
        return ""
    if isinstance(term, Literal):
        cut = f" … ({len(term.value):,} characters)" if len(term.value) > LONGEST_CELL else ""
        return clean(term.value[:LONGEST_CELL]) + cut
    if isinstance(term, BlankNode):
        return f"_:{term.value}"
    return clean(short(term.value)) if isinstance(term, NamedNode) else clean(str(term))


def short(iri: str) -> str:
    """Return an IRI as short as it can be told.

    Args:
        iri: Ours lose their beginning; others get a prefix, if one is known.
    """
    for prefix, start in _SHORTEST_FIRST:
        if iri.startswith(start):
            return f"{prefix}:{iri.removeprefix(start)}"
    return iri.removeprefix(ID) if iri.startswith(ID) else f"<{iri}>"


def _is_number(term: Any) -> bool:
    return isinstance(term, Literal) and term.datatype.value in (
        f"{_XSD}integer",
        f"{_XSD}double",
        f"{_XSD}decimal",
    )


def frame(answer: Answer) -> Any:
    """Return an answer as a pandas data frame; numbers and truth values as such.

    Args:
        answer: With rows or triples.

    Raises:
        InputError: the answer is yes or no.
        ModelError: pandas is not installed.
    """
    if answer.form == "truth":
        raise InputError("ASK is answered by yes or no (.truth), which makes no table")
    try:
        import pandas
    except ImportError as error:
        raise missing_package("data frames need", "tables", error.name) from None
    names = answer.variables or ["subject", "predicate", "object"]
    rows = [[_plain(term) for term in row] for row in answer.rows]
    return pandas.DataFrame(rows, columns=names)


def _plain(term: Any) -> Any:
    """Return a term as a Python value."""
    if not isinstance(term, Literal):
        return None if term is None else getattr(term, "value", str(term))
    kind = term.datatype.value.removeprefix(_XSD)
    if kind == "integer":
        return int(term.value)
    if kind in ("double", "decimal", "float"):
        return float(term.value)
    return term.value in ("true", "1") if kind == "boolean" else term.value
