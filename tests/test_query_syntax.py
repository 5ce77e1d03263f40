"""What the W3C's syntax tests call valid is judged valid, nothing else; and no work is wasted."""

from typing import Any

import pytest
from pyoxigraph import Store

from groundtrace.errors import InputError
from groundtrace.knowledge.ask import judgement
from groundtrace.knowledge.ask.judgement import judge, prepared
from groundtrace.knowledge.rdf.terms import ID
from tests.real_data import rows

REFUSED_ON_PURPOSE = {"syntax-query/syntax-construct-where-02.rq": "FROM reads another graph"}


def judged(query: str) -> str | None:
    """Return why a query is refused, if it is: by the judge, or by the engine that answers."""
    try:
        ready = prepared(query)
        judge(ready)
        Store().query(ready)
    except (InputError, SyntaxError) as error:
        return str(error)
    except RuntimeError as error:  # It is read, but no such function is known.
        assert "function" in str(error)
    return None


def test_the_public_syntax_tests() -> None:
    data = rows("sparql_syntax.jsonl")
    told = {one["name"]: judged(one["query"]) for one in data}
    assert len(told) == 94
    for name, reason in REFUSED_ON_PURPOSE.items():
        assert reason in str(told.pop(name))
    valid = {one["name"] for one in data if one["valid"]}
    wrong = {name: why for name, why in told.items() if (why is None) != (name in valid)}
    assert wrong == {}


ALIVE = [
    'SELECT ("SERVICE <urn:x> { }" AS ?x) {}',
    "SELECT ?service ?FROM { ?service <urn:FROM> ?FROM } # SERVICE <urn:x> {}",
    "PREFIX from: <urn:a#> PREFIX FROM: <urn:b#> SELECT * { from:service ?p FROM:SERVICE }",
    "SELECT * { ?s ?p ''' SERVICE <urn:x> { \\''' } ''', 'from' }",
    "SELECT * { ?s <http://example.org/SERVICE/from> ?o FILTER(?s<?o&&?o>?s) }",
    "SELECT ('qqqq' AS ?xxxx) { ?zzzz ?p 'service'@from }",
    "SELECT ?x { <trace/x> ?p ?x }",
    "SELECT (<urn:function>('service') AS ?x) {}",
]


@pytest.mark.parametrize("query", ALIVE)
def test_words_that_are_refused_may_stand_in_texts_and_names(query: str) -> None:
    assert judged(query) is None


SERVICE = "SERVICE <urn:x> { ?a ?b ?c }"
IN_DISGUISE = [
    f"SELECT * {{ VALUES ?x {{ '''' }} {SERVICE} }}",
    f'SELECT * {{ VALUES ?x {{ """" }} {SERVICE} }}',
    f"SELECT * {{ FILTER(?a<'x>') {SERVICE} FILTER('<' = '') }}",
    f"SELECT * {{ FILTER(1 <1#>'''\n) {SERVICE} #'''\n }}",
    "PREFIX : <urn:a#> SELECT * { SERVICE:x { } }",
    "PREFIX : <urn:a#> PREFIX qqqqqqq: <urn:a#> SELECT * { SERVICE:x { } }",
    "PREFIX : <urn:a#> PREFIX qqqq: <urn:a#> DESCRIBE ?x FROM:y { ?x ?y ?z }",
    "PREFIX : <urn:a#> PREFIX SERVICE: <urn:a#> SELECT * { SERVICE:x { } }",
    f"SELECT * {{ ?s ?p 1{SERVICE} }}",
    f"SELECT * {{ ?s ?p ''{SERVICE} }}",
    f"SELECT * {{ ?s ?p ''@en-x {SERVICE} }}",
    f"ASK {{ {{ {SERVICE} }} UNION {{ ''' }} }}",
]


@pytest.mark.parametrize("query", IN_DISGUISE)
def test_words_that_are_refused_are_found_wherever_they_are_meant(query: str) -> None:
    with pytest.raises(InputError, match=r"^the query (is refused|cannot be read)"):
        judge(prepared(query))


def test_relative_names_are_ours() -> None:
    answer: Any = Store().query(prepared("SELECT (STR(<trace/x>) AS ?x) {}"))
    assert [row["x"].value for row in answer] == [f"{ID}trace/x"]


def test_an_answer_is_neither_planned_nor_computed_to_judge_a_query(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Thirty servers within each other took seconds; a product without end takes for ever."""
    ends: list[str] = []

    class Watched:
        def query(self, query: str, **options: Any) -> None:
            try:
                Store().query(query, **options)
                ends.append("answered")
            except Exception as error:
                ends.append(type(error).__name__)
                raise

    monkeypatch.setattr(judgement, "Store", Watched)
    nested = "SERVICE <urn:x> { " * 30
    with pytest.raises(InputError, match="SERVICE asks another server"):
        judge(prepared(f"SELECT * {{ {nested} ?s ?p ?o {'} ' * 30} }}"))
    values = " ".join(f"VALUES ?x{n} {{ {'1 ' * 30} }}" for n in range(30))
    judge(prepared(f"ASK {{ {values} FILTER(?x0 > 1) }} # a service"))
    assert ends == ["SyntaxError", "ValueError"]
