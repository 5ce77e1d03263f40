"""The labeller that asks a chat server, against a real HTTP server on loopback."""

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import JSONResponse, Response

import groundtrace
from groundtrace import Candidates, InputError, LabellingSettings, ModelError
from groundtrace.models.trace import Relation, Trace
from tests.fake_server import (
    Asked,
    Behaviour,
    Dropped,
    FakeServer,
    Hang,
    Spoken,
    letter_of,
    refusal,
    well_behaved,
)

LABELS = {"E": "entailment", "I": "implied", "N": "neutral", "C": "contradiction"}
TRACE = {"id": "t", "segments": ["The context.", "one", "two", "three", "four"]}
QUESTIONS = 20


def settings(server: FakeServer, **changes: Any) -> LabellingSettings:
    fields = {"labeller": "openai", "models": ("m",), "base_url": server.url, "timeout": 20.0}
    return LabellingSettings(**{**fields, "retries": 2, **changes})


def labelled(server: FakeServer, **changes: Any) -> list[Relation]:
    trace = groundtrace.label(TRACE, settings(server, **changes))
    assert trace.relations is not None
    assert len(trace.relations) == QUESTIONS
    return trace.relations


def expected(relation: Relation, model: str = "m") -> str:
    texts = [str(text) for text in TRACE["segments"]]
    premises = tuple(texts[premise - 1] for premise in relation.premises)
    return LABELS[letter_of(Asked(premises, texts[relation.target - 1], model, None, {}))]


def check(relations: list[Relation]) -> None:
    assert [one.label for one in relations] == [expected(one) for one in relations]


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer().running() as running:
        yield running


# --- how a server is made to answer with a letter


def test_structured_choices(server: FakeServer) -> None:
    check(labelled(server))
    (probe,) = server.probes
    assert "zorvex" not in json.dumps(probe["messages"])
    assert all("structured_outputs" in asked.body for asked in server.seen)
    assert {asked.body["temperature"] for asked in server.seen} == {0}


def test_a_server_that_ignores_the_field_is_found_out(server: FakeServer) -> None:
    server.obeys = ("response_format",)
    check(labelled(server))
    assert len(server.probes) == 2
    assert all("structured_outputs" not in asked.body for asked in server.seen)
    assert all("response_format" in asked.body for asked in server.seen)


def test_a_server_that_obeys_nothing_is_parsed(server: FakeServer) -> None:
    server.obeys = ()
    server.behaviour = lambda asked, _: f"Answer: {letter_of(asked)}"
    check(labelled(server))
    assert len(server.probes) == 3
    fields = {"structured_outputs", "response_format"}
    assert not any(fields & asked.body.keys() for asked in server.seen)


@pytest.mark.parametrize(
    ("refuses", "absent", "present"),
    [
        (("structured_outputs",), "structured_outputs", "response_format"),
        (("logprobs",), "logprobs", "structured_outputs"),
        (("structured_outputs", "response_format", "logprobs"), "response_format", "max_tokens"),
    ],
)
def test_a_field_that_is_refused_is_left_out(
    server: FakeServer, refuses: tuple[str, ...], absent: str, present: str
) -> None:
    server.refuses, server.obeys = refuses, ("structured_outputs", "response_format")
    check(labelled(server))
    assert all(absent not in asked.body and present in asked.body for asked in server.seen)


@pytest.mark.parametrize(
    "words",
    [
        "Unsupported parameter: use 'max_completion_tokens' instead.",
        "Unrecognized request argument supplied: max_tokens",
    ],
)
def test_the_newer_name_of_the_limit_is_used_where_the_old_one_is_refused(
    server: FakeServer, words: str
) -> None:
    answer = server._answer

    async def newer(request: Any) -> Response:
        if "max_tokens" in await request.json():
            return refusal(400, words)
        return await answer(request)

    server._answer = newer  # type: ignore[method-assign]
    check(labelled(server))
    assert all("max_completion_tokens" in asked.body for asked in server.seen)


def test_a_limit_that_is_too_large_is_lowered(server: FakeServer) -> None:
    answer = server._answer

    async def narrow(request: Any) -> Response:
        if (await request.json())["max_tokens"] > 1000:
            return refusal(400, "max_tokens=4096 cannot be greater than max_model_len=1024.")
        return await answer(request)

    server._answer = narrow  # type: ignore[method-assign]
    check(labelled(server))
    assert {asked.body["max_tokens"] for asked in server.seen} == {512}


def test_a_field_that_is_forbidden_is_no_refused_key(server: FakeServer) -> None:
    answer = server._answer

    async def strict(request: Any) -> Response:
        if "logprobs" in await request.json():
            return refusal(403, "You are not allowed to request logprobs from this model")
        return await answer(request)

    server._answer = strict  # type: ignore[method-assign]
    check(labelled(server))


def test_label_probabilities_are_kept(server: FakeServer) -> None:
    server.logprobs = True
    for relation in labelled(server):
        assert relation.probability == pytest.approx(2.01 / (2.01 + 3), abs=0.01)


# --- what a server may say


def json_answer(asked: Asked) -> Spoken:
    return f'```json\n{{"label": "{letter_of(asked)}"}}\n```'


def thinking(asked: Asked) -> Spoken:
    return f"<think>Is it E? Or rather C, a contradiction?</think>\n\n{letter_of(asked)}"


def lower_case(asked: Asked) -> Spoken:
    return letter_of(asked).lower()


def word(asked: Asked) -> Spoken:
    return LABELS[letter_of(asked)].upper()


@pytest.mark.parametrize("say", [json_answer, thinking, lower_case, word])
def test_answers_that_can_be_read(server: FakeServer, say: Callable[[Asked], Spoken]) -> None:
    server.obeys = ()
    server.behaviour = lambda asked, _: say(asked)
    check(labelled(server))


def cut(server: FakeServer, asked: Asked) -> Spoken:
    return server.completion(asked.body, "Entail", "length")


def filtered(server: FakeServer, asked: Asked) -> Spoken:
    return server.completion(asked.body, "E", "content_filter")


def html(server: FakeServer, asked: Asked) -> Spoken:
    return Response("<html>Bad gateway, but with status 200</html>", media_type="text/html")


def no_choices(server: FakeServer, asked: Asked) -> Spoken:
    return Response('{"choices": []}', media_type="application/json")


def half_json(server: FakeServer, asked: Asked) -> Spoken:
    return Response('{"choices": [{"mess', media_type="application/json")


def a_list(server: FakeServer, asked: Asked) -> Spoken:
    return Response("[1, 2]", media_type="application/json")


def odd_types(server: FakeServer, asked: Asked) -> Spoken:
    body = {"choices": [{"message": {"content": {"label": "E"}}, "logprobs": 3}], "usage": "many"}
    return Response(json.dumps(body), media_type="application/json")


def message(server: FakeServer, asked: Asked, **fields: Any) -> Spoken:
    body = json.loads(bytes(server.completion(asked.body, None).body))
    body["choices"][0]["message"].update(fields)
    return JSONResponse(body)


def page(server: FakeServer, asked: Asked) -> Response:
    text = "<html><head><style>p {}</style></head><p>Access &amp; use denied</p></html>"
    return Response(text, 403, media_type="text/html")


JSON_TYPE = {"content-type": "application/json"}
UNUSABLE: list[tuple[Callable[[FakeServer, Asked], Spoken], str]] = [
    (lambda server, asked: None, "the answer is empty"),
    (
        lambda server, asked: message(server, asked, reasoning_content="Does it hold? Perhaps"),
        "the model reasoned and gave no answer: raise the limit of tokens (--max-output-tokens)",
    ),
    (
        lambda server, asked: message(server, asked, content="", reasoning="E"),
        "the model reasoned and gave no answer",
    ),
    (
        lambda server, asked: message(server, asked, content=[{"type": "image", "url": "E"}]),
        "the answer is no text but list",
    ),
    (
        page,
        "a proxy or firewall, not the server, refuses it: status 403: Access & use denied",
    ),
    (lambda server, asked: "Perhaps", "the answer is none of C, E, I, N: 'Perhaps'"),
    (lambda server, asked: "NONCONTRADICTION", "the answer is none of C, E, I, N"),
    (lambda server, asked: "<think>E, because", "the answer ends inside its thinking part"),
    (cut, "the answer was cut at the limit on output tokens"),
    (filtered, "the model declined to answer"),
    (html, "the reply holds no answer"),
    (
        lambda server, asked: JSONResponse({"error": {"message": "no credits", "code": 402}}),
        "the server says: no credits",
    ),
    (
        lambda server, asked: Response(b'{"error": {"message": "\\ud800"}}', 400, JSON_TYPE),
        "refuses it: status 400: ?",
    ),
    (
        lambda server, asked: Response("[" * 200_000, media_type="application/json"),
        "the reply cannot be read",
    ),
    (
        lambda server, asked: "my key is sk-in-the-environment",
        "the answer is none of C, E, I, N: 'my key is …'",
    ),
    (no_choices, "the reply holds no answer"),
    (half_json, "the reply cannot be read"),
    (a_list, "the reply"),
    (odd_types, "the answer is no text but dict"),
    (lambda server, asked: refusal(500, "out of memory"), "status 500: out of memory"),
    (lambda server, asked: refusal(503, "busy", **{"retry-after": "0"}), "status 503: busy"),
    (lambda server, asked: refusal(429, "slow down"), "status 429: slow down"),
    (
        lambda server, asked: refusal(400, "context length exceeded"),
        "the server refuses it: status",
    ),
    (lambda server, asked: refusal(403, "flagged as violent"), "refuses it: status 403: flagged"),
    (lambda server, asked: refusal(413, "too large"), "the server finds it too long"),
    (lambda server, asked: Dropped(), "the connection failed"),
    (lambda server, asked: Hang(), "no answer within 2 s"),
]


@pytest.mark.parametrize(("say", "problem"), UNUSABLE)
def test_one_relation_without_an_answer_does_not_stop_the_others(
    server: FakeServer,
    monkeypatch: pytest.MonkeyPatch,
    say: Callable[[FakeServer, Asked], Spoken],
    problem: str,
) -> None:
    def behaviour(asked: Asked, time_asked: int) -> Spoken:
        if (asked.premises, asked.conclusion) == (("one", "two"), "three"):
            return say(server, asked)
        return letter_of(asked)

    server.behaviour = behaviour
    monkeypatch.setenv("GROUNDTRACE_API_KEY", "sk-in-the-environment")
    # A server that hangs is waited for in each try.
    relations = labelled(server, timeout=2.0, retries=0 if "within" in problem else 1)
    (bad,) = [one for one in relations if (one.premises, one.target) == ((2, 3), 4)]
    assert bad.label is None
    assert bad.error is not None
    assert problem in bad.error
    check([one for one in relations if one is not bad])


def third_time(bad: Callable[[], Spoken]) -> Behaviour:
    return lambda asked, time_asked: bad() if time_asked < 2 else letter_of(asked)


@pytest.mark.parametrize(
    "bad",
    [
        lambda: refusal(500, "out of memory"),
        lambda: refusal(429, "slow down", **{"retry-after": "0.2"}),
        Dropped,
        lambda: None,
        lambda: "Perhaps",
    ],
)
def test_a_failure_that_passes_is_survived(server: FakeServer, bad: Callable[[], Spoken]) -> None:
    server.behaviour = third_time(bad)
    check(labelled(server))
    assert set(server.times.values()) == {3}


def test_retry_after_is_obeyed(server: FakeServer) -> None:
    times: dict[tuple[Any, ...], list[float]] = {}

    def behaviour(asked: Asked, time_asked: int) -> Spoken:
        times.setdefault(asked.content, []).append(time.monotonic())
        return refusal(429, "slow", **{"retry-after": "0.9"}) if not time_asked else "E"

    server.behaviour = behaviour
    labelled(server)
    assert all(second - first > 0.85 for first, second in times.values())


def test_it_works_where_an_event_loop_runs(server: FakeServer) -> None:
    """As in a notebook."""

    async def cell() -> list[Relation]:
        return labelled(server)

    check(asyncio.run(cell()))


@pytest.mark.parametrize(
    "parts",
    [
        [{"type": "text", "text": "{}"}],
        [
            {"type": "thinking", "thinking": "E? I?"},
            {"type": "text", "text": "**{}"},
            {"type": "text", "text": "**"},
        ],
    ],
)
def test_an_answer_in_parts_is_read(server: FakeServer, parts: list[dict[str, str]]) -> None:
    def behaviour(asked: Asked, time_asked: int) -> Spoken:
        filled = json.loads(json.dumps(parts).replace("{}", letter_of(asked)))
        return message(server, asked, content=filled)

    server.behaviour = behaviour
    check(labelled(server))


# --- votes


def test_several_models_vote(server: FakeServer) -> None:
    server.models = ("m", "n", "o")
    relations = labelled(server, models=("m", "n", "o"))
    assert len(server.probes) == 3
    for relation in relations:
        votes = relation.meta["votes"]
        assert [vote["model"] for vote in votes] == ["m", "n", "o"]
        assert [vote["label"] for vote in votes] == [expected(relation, one) for one in "mno"]


def test_several_samples_are_drawn_apart(server: FakeServer) -> None:
    relations = labelled(server, votes=3)
    assert len(server.seen) == 3 * QUESTIONS
    assert {asked.seed for asked in server.seen} == {0, 1, 2}
    assert {asked.body["temperature"] for asked in server.seen} == {0.7}
    assert all(len(relation.meta["votes"]) == 3 for relation in relations)


# --- length


def test_a_text_is_never_cut(server: FakeServer) -> None:
    long = "word " * 10_000
    trace = groundtrace.label({"segments": ["c", long, "end"]}, settings(server))
    assert [(one.premises, one.target, one.label is None) for one in trace.relations or ()] == [
        ((1,), 2, True),
        ((1,), 3, False),
        ((2,), 3, True),
        ((1, 2), 3, True),
    ]
    (first, *_) = [one for one in trace.relations or () if one.label is None]
    assert first.error is not None
    assert first.error.startswith("too long: about 12,")
    assert len(server.seen) == 1


def test_the_servers_own_length_counts(server: FakeServer) -> None:
    server.length = 600
    trace = groundtrace.label({"segments": ["c", "word " * 400]}, settings(server))
    assert trace.relations
    assert trace.relations[0].label is None
    assert "the model takes 600" in (trace.relations[0].error or "")


def test_a_server_that_cuts_silently_is_found_out(server: FakeServer) -> None:
    def behaviour(asked: Asked, time_asked: int) -> Spoken:
        reply = server.completion(asked.body, "E")
        body = json.loads(bytes(reply.body))
        body["usage"]["prompt_tokens"] = 64
        return Response(json.dumps(body), media_type="application/json")

    server.behaviour = behaviour
    trace = groundtrace.label({"segments": ["c", "word " * 1000]}, settings(server))
    assert trace.relations
    assert trace.relations[0].label is None
    assert "it cuts long prompts" in (trace.relations[0].error or "")


def test_a_count_of_one_token_is_no_sign_that_a_prompt_was_cut(server: FakeServer) -> None:
    def behaviour(asked: Asked, time_asked: int) -> Spoken:
        body = json.loads(bytes(server.completion(asked.body, letter_of(asked)).body))
        body["usage"]["prompt_tokens"] = 1
        return JSONResponse(body)

    server.behaviour = behaviour
    check(labelled(server))


# --- no server, no key, no model


def test_no_server(server: FakeServer) -> None:
    url = "http://127.0.0.1:9/v1"
    with pytest.raises(ModelError, match=f"{url} cannot be used: the connection failed"):
        labelled(server, base_url=url)


def test_a_model_that_the_server_lacks(server: FakeServer) -> None:
    with pytest.raises(ModelError, match=r"has no model 'other'.* it offers m$"):
        labelled(server, models=("other",))


def test_an_address_without_its_end(server: FakeServer) -> None:
    with pytest.raises(ModelError, match="most addresses end in /v1"):
        labelled(server, base_url=server.url.removesuffix("/v1"))


def test_one_model_may_be_named_alone(server: FakeServer) -> None:
    check(labelled(server, models="m"))


def test_a_raw_record_that_is_not_whole(server: FakeServer) -> None:
    with pytest.raises(InputError, match="context: field required in a raw record"):
        groundtrace.label({"response": "x"}, settings(server))


def test_a_key_is_wanted_sent_and_never_shown(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "sk-very-secret"
    monkeypatch.setenv("MY_KEY", key)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-secret")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer sk-of-somebody-else")
    check(labelled(server, key_variable="MY_KEY"))
    assert {one["authorization"] for one in server.headers} == {f"Bearer {key}"}
    assert "secret" not in str(server.headers).replace(key, "")
    assert "somebody" not in str(server.headers)

    async def refuse(request: Any) -> Response:
        return refusal(401, f"Incorrect API key provided: {key}")

    server._answer = refuse  # type: ignore[method-assign]
    with pytest.raises(ModelError) as caught:
        labelled(server, key_variable="MY_KEY")
    assert key not in str(caught.value)
    assert "MY_KEY" in str(caught.value)


def test_the_page_of_a_proxy_is_no_refused_key(server: FakeServer) -> None:
    async def refuse(request: Any) -> Response:
        return page(server, Asked((), "", "m", None, {}))

    server._answer = refuse  # type: ignore[method-assign]
    with pytest.raises(ModelError, match=r"a proxy or firewall.* Access & use denied") as caught:
        labelled(server)
    assert "key" not in str(caught.value)


@pytest.mark.parametrize("key", ["café-secret", "ab\ncd-secret", "ab cd"])
def test_a_key_that_is_none(server: FakeServer, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setenv("GROUNDTRACE_API_KEY", key)
    with pytest.raises(InputError, match="holds characters that no key has") as caught:
        labelled(server)
    assert "secret" not in str(caught.value)


def test_a_proxy_does_not_see_what_is_not_encrypted(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeServer().running(alone=True) as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url.removesuffix("/v1"))
        check(labelled(server))
        assert not proxy.headers


@pytest.mark.parametrize(
    "models", [{"data": 5}, True, {"data": [{"id": "m", "max_model_len": True}]}, None]
)
def test_an_odd_list_of_models(server: FakeServer, models: object) -> None:
    async def listed(request: Any) -> Response:
        return JSONResponse(models)

    server.list_models = listed  # type: ignore[method-assign]
    with server.running():
        check(labelled(server))


@pytest.mark.parametrize("token", [None, 5, {"E": 1}])
def test_odd_log_probabilities(server: FakeServer, token: object) -> None:
    def behaviour(asked: Asked, time_asked: int) -> Spoken:
        body = json.loads(bytes(server.completion(asked.body, "E").body))
        entry = {"token": token, "logprob": "many", "top_logprobs": [{"token": token}]}
        body["choices"][0]["logprobs"] = {"content": [entry, {"token": "E", "logprob": 0}]}
        body["usage"] = {"prompt_tokens": 10**30, "completion_tokens": "x"}
        return JSONResponse(body)

    server.behaviour = behaviour
    assert all(one.label == "entailment" and one.probability is None for one in labelled(server))


@pytest.mark.parametrize("url", ["http://256.1.1.1/v1", f"http://{'a' * 70_000}/v1"])
def test_an_address_that_is_none(server: FakeServer, url: str) -> None:
    with pytest.raises(ModelError, match="cannot be used"):
        labelled(server, base_url=url, retries=0)


def test_a_server_that_goes_away_ends_the_run_and_loses_nothing(
    server: FakeServer, tmp_path: Path
) -> None:
    def behaviour(asked: Asked, time_asked: int) -> Spoken:
        return letter_of(asked) if len(server.seen) <= 30 else refusal(503, "going away")

    server.behaviour = behaviour
    trace = {"segments": [f"segment {n}" for n in range(12)]}
    cache = tmp_path / "answers.sqlite"
    with pytest.raises(ModelError, match="the server stopped answering: status 503: going away"):
        groundtrace.label(trace, settings(server, retries=0, concurrency=4), cache=cache)
    server.behaviour, server.seen = well_behaved, []
    finished = groundtrace.label(trace, settings(server), cache=cache)
    assert finished.relations
    assert all(one.label for one in finished.relations)
    assert len(server.seen) <= len(finished.relations) - 26


def test_texts_go_nowhere_else(server: FakeServer) -> None:
    """A redirect to another server is not followed."""
    with FakeServer().running(alone=True) as elsewhere:
        target = f"{elsewhere.url}/chat/completions"

        async def redirect(request: Any) -> Response:
            return Response(status_code=307, headers={"location": target})

        server._answer = redirect  # type: ignore[method-assign]
        with pytest.raises(ModelError, match="307"):
            labelled(server)
        assert not elsewhere.headers


# --- the settings


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"base_url": None}, "name one with --base-url"),
        ({"base_url": "localhost:8000"}, "expected an address such as"),
        ({"base_url": "ftp://localhost/"}, "expected an address such as"),
        ({"base_url": "http://"}, "expected an address such as"),
        ({"base_url": "http://[bad/v1"}, "expected an address such as"),
        ({"base_url": "http://u:secret@h/v1"}, "keys belong into the environment"),
        ({"models": ()}, "name one with --model"),
        ({"models": (), "labeller": "replay"}, "name a labeller with --labeller"),
        ({"models": ("m", "m")}, "names a model twice"),
        ({"votes": 0}, "--votes: expected 1 to 100, got 0"),
        ({"votes": 10**8}, "--votes: expected 1 to 100"),
        ({"models": ("",)}, "--model: expected a name"),
        ({"models": ("a\udcffb",)}, "--model: expected a name"),
        ({"votes": 2, "temperature": 0.0}, "at temperature 0 are the same answer"),
        ({"temperature": -1.0}, "--temperature: expected 0 to 2"),
        ({"temperature": float("nan")}, "--temperature"),
        ({"timeout": 0.0}, "--timeout"),
        ({"timeout": float("nan")}, "--timeout"),
        ({"concurrency": 0}, "--concurrency"),
        ({"retries": -1}, "--retries"),
        ({"labeller": "openia"}, "did you mean openai"),
        ({"labeller": "../evil"}, "there is no labeller"),
    ],
)
def test_settings_that_cannot_be_used(changes: dict[str, Any], expected: str) -> None:
    server = FakeServer(url="http://127.0.0.1:9/v1")
    with pytest.raises(InputError, match=expected):
        groundtrace.label(TRACE, settings(server, **changes))


# --- many traces


def test_many_traces_keep_their_order_and_share_answers(server: FakeServer) -> None:
    traces = [{"id": str(n), "segments": ["c", f"x{n % 3}"]} for n in range(50)]
    found = list(groundtrace.label_many(traces, settings(server)))
    assert [one.id for one in found if isinstance(one, Trace)] == [str(n) for n in range(50)]
    # Without a cache only questions that are under way at the same time are asked once.
    assert 3 <= len(server.seen) < 50


def test_calls_run_side_by_side_and_no_more_than_allowed(server: FakeServer) -> None:
    server.delay = 0.3
    labelled(server, concurrency=7)
    assert server.most_at_once == 7


def test_a_bad_trace_does_not_stop_the_others(server: FakeServer) -> None:
    traces: list[dict[str, Any]] = [TRACE, {"segments": 3}, {**TRACE, "id": "u"}]
    first, second, third = groundtrace.label_many(traces, settings(server))
    assert isinstance(first, Trace)
    assert isinstance(second, InputError)
    assert isinstance(third, Trace)


def test_labels_of_the_input_stay(server: FakeServer) -> None:
    given = [
        {"premises": [1], "target": 2, "label": "contradiction", "why": "by hand"},
        {"premises": [1, 2, 3], "target": 4, "label": "entailment"},
        {"premises": [2], "target": 3, "label": None, "error": "not before"},
        {"premises": [1, 2, 3], "target": 5, "label": None, "error": "asked elsewhere"},
    ]
    trace = groundtrace.label({**TRACE, "relations": given}, settings(server))
    assert trace.relations
    by_key = {(one.premises, one.target): one for one in trace.relations}
    assert by_key[(1, 2, 3), 5].error == "asked elsewhere"
    assert by_key[(1,), 2].label == "contradiction"
    assert by_key[(1,), 2].meta == {"why": "by hand"}
    assert by_key[(1, 2, 3), 4].label == "entailment"
    assert by_key[(2,), 3].label is not None
    assert len(server.seen) == QUESTIONS - 1


def test_how_a_trace_was_labelled_is_recorded(server: FakeServer) -> None:
    trace = groundtrace.label(TRACE, settings(server), candidates=Candidates("full", 1, 1))
    (record,) = trace.meta["labelling"]
    assert record.pop("prompt").startswith("sha256:")
    assert record == {
        "labeller": "openai",
        "models": ["m"],
        "votes": 1,
        "temperature": 0.0,
        "context_length": 8192,
        "max_output_tokens": 4096,
        "candidates": "full",
        "premises": [1, 1],
        "context_as_premise": True,
    }
    assert server.url not in trace.model_dump_json()
