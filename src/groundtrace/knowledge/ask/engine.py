"""Let a store answer a query that was judged."""

from functools import lru_cache
from typing import Any

from pyoxigraph import Store

from groundtrace.errors import InputError
from groundtrace.knowledge.ask.judgement import judge, prepared, told_by_store


@lru_cache(maxsize=256)
def judged(query: str, trusted: bool) -> str:
    """Return a query ready to be answered.

    Args:
        query: In SPARQL 1.1.
        trusted: Whether it need not be judged.

    Raises:
        InputError: it is refused.
    """
    ready = prepared(query, trusted)
    if not trusted:
        judge(ready)
    return ready


def answered(store: Store, query: str, trusted: bool) -> Any:
    """Return a store's results, which are computed as they are read.

    Args:
        query: In SPARQL 1.1.
        trusted: Whether it need not be judged.

    Raises:
        InputError: the query is refused or cannot be answered.
    """
    ready = judged(query, trusted)
    try:
        return store.query(ready)
    except SyntaxError as error:
        raise told_by_store(ready, error) from None
    except RuntimeError as error:
        raise unanswerable(error) from None


def unanswerable(error: RuntimeError) -> InputError:
    """Return what the store means that cannot answer a query."""
    if "orrupt" in str(error):
        return InputError("the knowledge base is damaged: make it again from the records")
    return InputError(f"the query cannot be answered: {error}")
