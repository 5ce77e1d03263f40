"""What to tell somebody whose query finds nothing."""

import difflib
import re
from collections.abc import Iterator
from functools import cache

from groundtrace.knowledge.ask.answering import Request
from groundtrace.knowledge.ask.asker import Asker
from groundtrace.knowledge.ontology_files import ontology_directory

_TERM = re.compile(r"\bgt:([A-Za-z]\w*)")
_ID = re.compile(r"VALUES \?id \{ (?!UNDEF)(.*) \}\n")


@cache
def ontology_terms() -> frozenset[str]:
    """Return the names of all terms of the ontology."""
    text = (ontology_directory() / "groundtrace.ttl").read_text(encoding="utf-8")
    return frozenset(_TERM.findall(text))


def hints(asker: Asker, request: Request) -> Iterator[str]:
    """Yield what may be wrong with a query that found nothing.

    Raises:
        GroundtraceError: the source cannot be asked any more.
    """
    if request.trusted:
        named = _ID.search(request.query)
        if named:
            known = asker.ask(Request(f"ASK {{ ?record dcterms:identifier {named[1]} }}", True))
            if not known.truth:
                yield f"there is no record of the id {named[1]}"
        return
    for name in dict.fromkeys(_TERM.findall(request.query)):
        if name not in ontology_terms():
            near = difflib.get_close_matches(name, ontology_terms(), n=1)
            yield f"gt:{name} is not in the ontology" + (
                f"; did you mean gt:{near[0]}?" if near else ""
            )
    if not re.search(r"\bGRAPH\b", request.query, re.IGNORECASE):
        yield (
            "all but the catalogue stands in graphs, one for each record: write "
            "GRAPH ?record { … } around what is asked of it"
        )
