"""Which queries rdflib may answer: it has a parser of its own, which is asked what it reads."""

import threading
from typing import Any

from groundtrace.errors import InputError

_REFUSED = ("ServiceGraphPattern", "DatasetClause")
_parsing = threading.Lock()
"""rdflib's parser breaks for good if two threads use it first at the same time."""


def judge_for_rdflib(query: str) -> None:
    """Refuse a query in which rdflib reads what is refused, though the store's parser does not.

    Args:
        query: As it was prepared and judged.

    Raises:
        InputError: it is refused, or rdflib cannot read it.
    """
    from rdflib.plugins.sparql.parser import parseQuery

    try:
        with _parsing:
            tree = parseQuery(query)
    except RecursionError:
        raise InputError("the query is too deeply nested, or too long") from None
    except Exception as error:
        raise InputError(f"rdflib cannot read the query: {error}") from None
    if found := _constructs(tree).intersection(_REFUSED):
        raise InputError(f"the query is refused: rdflib reads {', '.join(sorted(found))} in it")


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
