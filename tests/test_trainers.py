"""Rewards as trainers call them: no trainer is needed here, tests/test_training.py has them."""

import asyncio
import inspect
import json
import math
import pickle
import re
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.responses import Response

import groundtrace
from groundtrace import InputError, LabellingSettings, ModelError
from groundtrace.chat import attempts
from groundtrace.chat.settings import ServerSettings
from groundtrace.embedding.settings import EmbeddingSettings
from groundtrace.graphs.triplets import triplets_from
from groundtrace.rewards.answers import thinking_of
from groundtrace.rewards.settings import RewardSettings
from groundtrace.segmentation.segmenter import trace_from_raw
from groundtrace.trainers import verl
from groundtrace.trainers.audit_scorer import AuditScorer, AuditScorerSettings
from groundtrace.trainers.graph_scorer import Extract, GraphScorer, GraphScorerSettings
from groundtrace.trainers.scoring import Sample
from groundtrace.trainers.trl import AsyncTrlReward, TrlReward
from tests.fake_server import Asked, FakeServer, Hang, Spoken, letter_of, refusal
from tests.waiting import wait_until

REFERENCE = [["fever", "suggests", "infection"], ["infection", "needs", "antibiotics"]]
GOOD = "<think>fever suggests infection. infection needs antibiotics.</think>\\boxed{B}"
HALF = "<think>fever suggests infection.</think>\\boxed{B}"
WRONG = "<think>fever suggests infection. infection needs antibiotics.</think>\\boxed{A}"
BARE = "fever suggests infection. infection needs antibiotics."
SILENT = "<think></think>\\boxed{B}"
FAILING = "<think>this one is refused.</think>\\boxed{B}"
SLOW = "<think>this one takes ages.</think>\\boxed{B}"

# By hand: two of three nodes, one of two triplets, which hang together as a chain of one.
HALF_PROCESS = 0.5 * 2 / 3 + 0.3 * 1 / 2 + 0.2 * 1 / 2
EXPECTED = {
    GOOD: 1.0,
    HALF: 0.2 + 0.6 + 0.2 * HALF_PROCESS,
    WRONG: 0.2 + 0.2,
    BARE: 0.2,
    # A thinking part that is empty is not well formed.
    SILENT: 0.6,
}
EXACT = RewardSettings(embedding=EmbeddingSettings(name="exact"), details=False)
AGES = 60.0
_TAGGED = re.compile(r"<(rationale|correct|response)((?:-\d+)?)>\n(.*?)\n</\1\2>", re.DOTALL)


def triplets_in(thinking: str) -> list[list[str]]:
    """Extract as the function and the server of these tests do: sentences of three words."""
    if "refused" in thinking:
        raise ValueError("this one is refused")
    return [words for one in thinking.split(".") if len(words := one.split()) == 3]


@dataclass
class GraphServer(FakeServer):
    """A chat server that also extracts triplets and judges answers."""

    rationales: Counter[str] = field(default_factory=Counter)
    hung: list[str] = field(default_factory=list)
    """Rationales that were answered after ages."""

    async def _answer(self, request: Request) -> Response:
        body = await request.json()
        text = body["messages"][-1]["content"]
        texts = {name: inner for name, _, inner in _TAGGED.findall(text)}
        if "response" in texts:
            return self.completion(body, "yes" if texts["correct"] in texts["response"] else "no")
        if "rationale" not in texts:
            return await super()._answer(request)
        rationale = texts["rationale"]
        self.rationales[rationale] += 1
        if "ages" in rationale:
            await asyncio.sleep(AGES)
            self.hung.append(rationale)
        if "refused" in rationale:
            return refusal(400, "this one is refused")
        if "babble" in rationale:
            return self.completion(body, "The rationale states a lot.")
        found = [
            dict(zip(("subject", "predicate", "object"), triplet, strict=True))
            for triplet in triplets_in(rationale)
        ]
        return self.completion(body, json.dumps({"triplets": found}))


_kept: list[Any] = []
"""A scorer has no way to close its connections: one that is dropped makes Python complain."""


@pytest.fixture
def server() -> Iterator[GraphServer]:
    with GraphServer().running() as running:
        assert isinstance(running, GraphServer)
        yield running


@dataclass
class Ages:
    """An extraction that takes ages for some texts, and ends with the test."""

    over: threading.Event = field(default_factory=threading.Event)
    ended: list[str] = field(default_factory=list)

    def __call__(self, thinking: str) -> list[list[str]]:
        if "ages" in thinking:
            self.over.wait(AGES)
            self.ended.append(thinking)
        return triplets_in(thinking)


@pytest.fixture
def ages() -> Iterator[Ages]:
    one = Ages()
    yield one
    one.over.set()


def scorer(extract: Extract | None = triplets_in, **changes: Any) -> GraphScorer:
    return GraphScorer(GraphScorerSettings(**{"extract": extract, "rewards": EXACT, **changes}))


def served(server: FakeServer, **changes: Any) -> GraphScorer:
    asked = ServerSettings(models=("m",), base_url=server.url, timeout=AGES, retries=2)
    made = scorer(**{"extract": None, "server": asked, **changes})
    _kept.append(made)
    return made


def sample(response: str, **changes: Any) -> Sample:
    fields = {"question": "What now?", "reference": REFERENCE, "answer": "B"}
    return Sample(response=response, **{**fields, **changes})


Kind = type[TrlReward] | type[AsyncTrlReward]
both_kinds = pytest.mark.parametrize("kind", [TrlReward, AsyncTrlReward])


def called(
    reward: TrlReward, completions: Sequence[Any], prompt: Any = "What now?", **changes: Any
) -> list[float | None]:
    """Call a reward function with the keywords that TRL 1.16 gives, all of them."""
    count = len(completions)
    keywords: dict[str, Any] = {
        "prompts": [prompt] * count,
        "completions": list(completions),
        "completion_ids": [[1, 2, 3]] * count,
        "reference": [REFERENCE] * count,
        "answer": ["B"] * count,
        "other_column": [None] * count,
        "trainer_state": SimpleNamespace(global_step=0),
        "log_extra": lambda column, values: None,
        "log_metric": lambda name, value: None,
    }
    found: Any = reward(**{**keywords, **changes})
    if not inspect.isawaitable(found):
        assert isinstance(found, list)
        return found

    async def awaited() -> Any:
        return await found

    return list(asyncio.run(awaited()))


# --- TRL: what it gives, and what it gets


@both_kinds
def test_texts_are_scored_as_computed_by_hand(kind: Kind) -> None:
    assert called(kind(scorer()), [*EXPECTED]) == pytest.approx([*EXPECTED.values()])


@both_kinds
def test_messages_are_scored_like_texts(kind: Kind) -> None:
    prompt = [
        {"role": "system", "content": "You are a physician."},
        {"role": "user", "content": "What now?"},
    ]
    completions = [[{"role": "assistant", "content": text}] for text in EXPECTED]
    found = called(kind(scorer()), completions, prompt)
    assert found == pytest.approx([*EXPECTED.values()])


@pytest.mark.parametrize("name", ["reasoning_content", "thinking"])
def test_thinking_apart_from_the_content_is_thinking(name: str) -> None:
    thinking = BARE
    completion = [{"role": "assistant", name: thinking, "content": "\\boxed{B}"}]
    assert called(TrlReward(scorer()), [completion]) == [1.0]


def test_a_content_in_parts_is_read_as_one_text() -> None:
    parts = [{"type": "text", "text": GOOD[:20]}, {"type": "text", "text": GOOD[20:]}]
    assert called(TrlReward(scorer()), [[{"role": "assistant", "content": parts}]]) == [1.0]


def test_the_last_turn_of_several_is_scored() -> None:
    turns = [
        {"role": "assistant", "content": WRONG},
        {"role": "tool", "content": "nothing found"},
        {"role": "assistant", "content": GOOD},
        {"role": "tool", "content": "done"},
    ]
    assert called(TrlReward(scorer()), [turns]) == [1.0]


def test_options_are_read_from_the_last_message_of_the_user() -> None:
    prompt = [
        {"role": "user", "content": "A: antibiotics\nB: rest"},
        {"role": "assistant", "content": "Which?"},
        {"role": "user", "content": "A: rest\nB: antibiotics"},
    ]
    by_text = GOOD.replace("\\boxed{B}", "\\boxed{antibiotics}")
    completion = [{"role": "assistant", "content": by_text}]
    assert called(TrlReward(scorer()), [completion], prompt) == [1.0]
    assert called(TrlReward(scorer()), [completion], prompt[:1]) == [pytest.approx(0.4)]


@pytest.mark.parametrize("ending", ["<think>", "<think>\n"])
def test_a_prompt_that_ends_in_the_opening_tag_opens_the_thinking(ending: str) -> None:
    rest = GOOD.removeprefix("<think>")
    assert called(TrlReward(scorer()), [rest], f"What now?{ending}") == [1.0]
    # A text that starts inside the thinking is told by its closing tag, but not to the letter.
    assert called(TrlReward(scorer()), [rest]) == [1.0]
    verbatim = scorer(rewards=replace(EXACT, compat="medceg"))
    assert called(TrlReward(verbatim), [rest]) == [pytest.approx(0.8)]


def test_a_chat_template_that_opens_the_thinking_is_told_by_a_setting() -> None:
    rest = [{"role": "assistant", "content": GOOD.removeprefix("<think>")}]
    prompt = [{"role": "user", "content": "What now?"}]
    assert called(TrlReward(scorer(), opened=True), [rest], prompt) == [1.0]
    unclosed = [{"role": "assistant", "content": "fever suggests infection. \\boxed{B}"}]
    assert called(TrlReward(scorer(part="accuracy")), [unclosed], prompt) == [1.0]
    assert called(TrlReward(scorer(part="accuracy"), opened=True), [unclosed], prompt) == [0.0]


def test_thinking_apart_from_the_content_is_not_opened_twice() -> None:
    thinking = BARE
    completion = [{"role": "assistant", "reasoning_content": thinking, "content": "\\boxed{B}"}]
    prompt = [{"role": "user", "content": "What now?"}]
    assert called(TrlReward(scorer(), opened=True), [completion], prompt) == [1.0]


def test_a_part_without_a_text_adds_nothing() -> None:
    # datasets gives every part the fields of all parts, None where a part lacks one.
    content = [{"type": "image", "text": None}, {"type": "text", "text": GOOD}]
    completion = [{"role": "assistant", "content": content}]
    assert called(TrlReward(scorer()), [completion]) == [1.0]


def test_references_may_be_json_and_columns_may_have_other_names() -> None:
    reward = TrlReward(scorer(), reference="graph", answer="solution", name="mine")
    columns = {"reference": [None], "answer": [None], "solution": ["B"]}
    assert reward.__name__ == "mine"
    assert called(reward, [GOOD], graph=[json.dumps(REFERENCE)], **columns) == [1.0]


def test_completions_alone_are_enough_to_be_called() -> None:
    reward = TrlReward(scorer())
    assert reward([GOOD], reference=[REFERENCE], answer=["B"]) == [1.0]
    assert reward([]) == []
    with pytest.raises(InputError, match="no column 'reference'; it has answer"):
        reward([GOOD], answer=["B"])
    with pytest.raises(InputError, match="no column 'answer'"):
        reward([GOOD], reference=[REFERENCE])


@both_kinds
def test_no_completions_have_no_scores(kind: Kind) -> None:
    assert called(kind(scorer()), []) == []


@pytest.mark.parametrize("values", ["B", ["B"], ["B"] * 3])
def test_a_column_of_another_length_is_refused(values: Any) -> None:
    with pytest.raises(InputError, match=r"answer.*expected 2 values"):
        called(TrlReward(scorer()), [GOOD, HALF], answer=values)


def test_one_component_can_be_the_reward() -> None:
    reward = TrlReward(scorer(part="process"))
    assert called(reward, [GOOD, HALF, BARE]) == pytest.approx([1.0, HALF_PROCESS, 1.0])
    # The process is known without an answer; the whole reward is not.
    assert called(reward, [GOOD], answer=[None]) == [1.0]
    assert called(TrlReward(scorer()), [GOOD], answer=[None]) == [None]


def test_settings_that_cannot_be_used_are_refused() -> None:
    with pytest.raises(InputError, match=r"part.*'proces'.*process"):
        scorer(part="proces")
    with pytest.raises(InputError, match="nothing extracts"):
        scorer(None)


# --- what has no score


def raising(thinking: str) -> list[list[str]]:
    raise RuntimeError("no luck today")


def exiting(thinking: str) -> list[list[str]]:
    raise SystemExit(3)


def nothing(thinking: str) -> Any:
    return None


def a_number(thinking: str) -> Any:
    return 42


def words_only(thinking: str) -> Any:
    return "fever suggests infection"


def an_answer_of_a_server(thinking: str) -> Any:
    return {"triplets": REFERENCE}


def pairs(thinking: str) -> Any:
    return [["fever", "infection"]]


def late_in_the_list(thinking: str) -> Any:
    def items() -> Iterator[list[str]]:
        yield REFERENCE[0]
        raise RuntimeError("no luck today")

    return items()


@both_kinds
@pytest.mark.parametrize(
    "bad",
    [
        raising,
        exiting,
        nothing,
        pytest.param(a_number),
        pytest.param(late_in_the_list),
        pytest.param(words_only),
        pytest.param(an_answer_of_a_server),
        pytest.param(pairs),
    ],
)
def test_an_extraction_that_goes_wrong_leaves_the_others_alone(kind: Kind, bad: Extract) -> None:
    def extract(thinking: str) -> Any:
        return bad(thinking) if "refused" in thinking else triplets_in(thinking)

    found = called(kind(scorer(extract)), [GOOD, FAILING, HALF])
    assert found == [1.0, None, pytest.approx(EXPECTED[HALF])]


def test_why_there_is_no_score_is_told() -> None:
    late = sample(FAILING)
    without = sample(GOOD, reference=None)
    failed, unscorable = scorer().score([late, without])
    assert (failed.value, failed.status) == (None, "failed")
    assert "this one is refused" in (failed.error or "")
    assert (unscorable.value, unscorable.status) == (None, "unscorable")
    assert "reference" in (unscorable.error or "")
    assert tuple(failed.parts) == tuple(unscorable.parts) == GraphScorer.parts


@both_kinds
@pytest.mark.parametrize(
    "reference",
    [
        None,
        [],
        {},
        "",
        "[",
        "null",
        b"\xff",
        "[" * 3000,
        7,
        {1, 2},
        [1, math.nan],
        [REFERENCE],
        [["fever", "suggests", "fever"]],
        pytest.param([["fever\ud800", "suggests", "infection"]]),
        pytest.param([...]),
        pytest.param([{"fever": {1: b"\xff"}}]),
    ],
    ids=lambda value: ascii(value)[:30],
)
def test_a_reference_that_is_none_leaves_the_others_alone(kind: Kind, reference: Any) -> None:
    found = called(kind(scorer()), [GOOD, GOOD], reference=[reference, REFERENCE])
    assert found == [None, 1.0]


def test_a_reference_may_come_as_an_array() -> None:
    # Pandas reads lists from parquet files so.
    array = numpy.array(REFERENCE, dtype=object)
    assert scorer().score([sample(GOOD, reference=array)])[0].value == 1.0


def test_half_a_character_leaves_the_others_alone() -> None:
    found = called(TrlReward(scorer()), [f"{GOOD}\ud800", GOOD])
    assert found == [None, 1.0]


def test_an_error_in_half_characters_is_told_all_the_same() -> None:
    def extract(thinking: str) -> Any:
        raise ValueError("\ud800")

    (failed,) = scorer(extract).score([sample(GOOD)])
    assert (failed.value, failed.status) == (None, "failed")


def test_a_graph_that_is_too_large_leaves_the_others_alone() -> None:
    def extract(thinking: str) -> list[list[str]]:
        if "refused" in thinking:
            return [[f"a{number}", "is", "b"] for number in range(20_001)]
        return triplets_in(thinking)

    good, large = scorer(extract).score([sample(GOOD), sample(FAILING)])
    assert good.value == 1.0
    assert (large.value, large.status) == (None, "failed")
    assert "20,001" in (large.error or "")


pieces = st.sampled_from(
    ["<think>", "</think>", "\\boxed{", "B", "}", "## Thinking", "fever suggests infection.", "\n"]
)


def understood(completion: str) -> bool:
    """Say whether what the function finds in a completion is nothing, or has a triplet."""
    items = triplets_in(thinking_of(completion).strip())
    return not items or bool(triplets_from(items, "").kept)


@settings(max_examples=150)
@given(
    st.lists(
        st.tuples(
            st.lists(pieces | st.text(max_size=5), max_size=8).map("".join),
            st.sampled_from([REFERENCE, json.dumps(REFERENCE), None, [["a", "b"]], "{"]),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_every_text_has_a_score_in_its_range_if_its_reference_is_good(
    rows: list[tuple[str, Any]],
) -> None:
    completions = [completion for completion, _ in rows]
    references = [reference for _, reference in rows]
    found = called(
        TrlReward(SHARED),
        completions,
        reference=references,
        answer=["B"] * len(rows),
    )
    for value, (completion, reference) in zip(found, rows, strict=True):
        usable = reference in (REFERENCE, json.dumps(REFERENCE)) and understood(completion)
        assert (value is not None and 0 <= value <= 1) if usable else value is None


SHARED = scorer(time_limit=AGES)


# --- time


@both_kinds
def test_one_that_takes_ages_does_not_hold_up_the_others(kind: Kind, ages: Ages) -> None:
    slow = scorer(ages, time_limit=1.5)
    # The first call ever also loads clingo, which is not what is limited here.
    slow.score([sample(GOOD)])
    found = called(kind(slow), [GOOD, SLOW, HALF])
    assert not ages.ended
    assert found == [1.0, None, pytest.approx(EXPECTED[HALF])]
    (late,) = slow.score([sample(SLOW)])
    assert (late.status, late.parts["accuracy"]) == ("failed", 1.0)
    assert "1.5 s" in (late.error or "")


def test_many_that_take_ages_do_not_hold_up_the_others(ages: Ages) -> None:
    slow = scorer(ages, time_limit=1.5)
    slow.score([sample(GOOD)])
    many = [SLOW.replace("ages", f"ages {number}") for number in range(70)]
    found = slow.score([sample(GOOD), *map(sample, many)])
    assert [one.value for one in found] == [1.0] + [None] * 70
    # Nor those of the next batch, which come while the others still hang.
    assert slow.score([sample(HALF)])[0].value == pytest.approx(EXPECTED[HALF])


def test_a_server_that_takes_ages_does_not_hold_up_the_others(server: GraphServer) -> None:
    slow = served(server, time_limit=3.0)
    slow.score([sample(GOOD)])
    found = called(TrlReward(slow), [GOOD, SLOW, HALF])
    assert not server.hung
    assert found == [1.0, None, pytest.approx(EXPECTED[HALF])]


def test_a_completion_that_repeats_itself_does_not_hold_up_the_others() -> None:
    slow = scorer(time_limit=1.0)
    slow.score([sample(GOOD)])
    found = slow.score([sample(GOOD), sample("\\boxed{" * 2500)])
    assert [one.status for one in found] == ["scored", "scored"]


# --- each once, and from any thread


def test_equal_completions_are_extracted_once() -> None:
    counts: Counter[str] = Counter()

    def extract(thinking: str) -> list[list[str]]:
        counts[thinking] += 1
        return triplets_in(thinking)

    found = called(TrlReward(scorer(extract)), [GOOD, HALF, GOOD, GOOD, HALF])
    half = pytest.approx(EXPECTED[HALF])
    assert found == [1.0, half, 1.0, 1.0, half]
    assert sorted(counts.values()) == [1, 1]


def test_equal_completions_with_other_references_have_scores_of_their_own() -> None:
    references = [REFERENCE, REFERENCE[:1], REFERENCE]
    found = called(TrlReward(scorer()), [HALF] * 3, reference=references, answer=["B", "B", "A"])
    assert found == pytest.approx([EXPECTED[HALF], 1.0, EXPECTED[HALF] - 0.6])


def test_nothing_is_extracted_where_nothing_was_thought() -> None:
    # The function would raise, and a raised error is no score.
    assert called(TrlReward(scorer(raising)), [SILENT]) == pytest.approx([0.6])


def variants(count: int) -> list[Sample]:
    """Samples with scores that differ: each has a reference of its own."""
    return [
        sample(
            (GOOD, HALF, WRONG, FAILING)[number % 4],
            reference=[
                *REFERENCE,
                *(["infection", "needs", f"bed {one}"] for one in range(number)),
            ],
        )
        for number in range(count)
    ]


def test_many_threads_get_the_scores_of_one() -> None:
    samples = variants(48)
    alone = [scorer().score([one])[0].value for one in samples]
    assert len(set(alone)) > 20
    shared = scorer(time_limit=AGES)
    start = threading.Barrier(16)

    def work(first: int) -> list[float | None]:
        start.wait(AGES)
        return [one.value for one in shared.score(samples[first::16])]

    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(work, range(16)))
    for first, values in enumerate(found):
        assert values == alone[first::16]


@both_kinds
def test_an_adapter_survives_a_journey_to_another_process(kind: Kind) -> None:
    reward = kind(scorer(part="process"), reference="graph", name="mine", opened=True)
    rest = GOOD.removeprefix("<think>")
    before = called(reward, [rest], graph=[REFERENCE])
    again = pickle.loads(pickle.dumps(reward))  # noqa: S301 - our own
    assert type(again) is kind
    assert again.__name__ == "mine"
    assert called(again, [rest], graph=[REFERENCE]) == before == [1.0]


def test_an_adapter_that_has_asked_a_server_survives_it_too(server: GraphServer) -> None:
    reward = TrlReward(served(server))
    before = called(reward, [HALF])
    again = pickle.loads(pickle.dumps(reward))  # noqa: S301 - our own
    _kept.append(again)
    assert called(again, [HALF]) == before == [pytest.approx(EXPECTED[HALF])]
    # It starts afresh, also in what it remembers.
    assert set(server.rationales.values()) == {2}


# --- what TRL logs


def logged(reward: TrlReward, completions: Sequence[str], **columns: Any) -> dict[str, float]:
    seen: list[tuple[str, float]] = []
    called(reward, completions, log_metric=lambda *one: seen.append(one), **columns)
    assert len(dict(seen)) == len(seen)
    return dict(seen)


@both_kinds
def test_means_of_components_are_logged(kind: Kind) -> None:
    found = logged(kind(scorer(), name="mine"), [GOOD, HALF, FAILING, GOOD])
    assert found.keys() == {f"mine/{name}" for name in (*GraphScorer.parts, "unscored")}
    assert found["mine/node_coverage"] == pytest.approx((1 + 2 / 3 + 1) / 3)
    assert found["mine/process"] == pytest.approx((1 + HALF_PROCESS + 1) / 3)
    assert found["mine/unscored"] == 0.25


def test_a_sample_without_a_score_is_in_no_mean() -> None:
    failing = "this one is refused."
    found = logged(TrlReward(scorer()), [GOOD, HALF, failing, GOOD])
    assert found["groundtrace/format"] == 1.0
    assert found["groundtrace/accuracy"] == 1.0


def test_of_nothing_no_mean_is_logged() -> None:
    found = logged(TrlReward(scorer(raising)), [GOOD], reference=["["])
    assert found == {"groundtrace/unscored": 1.0}


# --- a server extracts and judges


@both_kinds
def test_a_server_and_a_function_give_the_same_scores(kind: Kind, server: GraphServer) -> None:
    found = called(kind(served(server)), [*EXPECTED])
    assert found == pytest.approx([*EXPECTED.values()])
    assert set(server.rationales) == {BARE, "fever suggests infection."}
    assert set(server.rationales.values()) == {1}


@pytest.mark.parametrize("word", ["refused", "babble"])
def test_what_a_server_cannot_extract_leaves_the_others_alone(
    server: GraphServer, word: str
) -> None:
    bad = f"<think>this is {word}.</think>\\boxed{{B}}"
    found = called(TrlReward(served(server)), [GOOD, bad, HALF])
    assert found == [1.0, None, pytest.approx(EXPECTED[HALF])]


def test_open_answers_are_judged_by_the_server(server: GraphServer) -> None:
    right = GOOD.replace("\\boxed{B}", "I would give antibiotics at once.")
    wrong = GOOD.replace("\\boxed{B}", "I would give nothing.")
    for one in (served(server), served(server, extract=triplets_in)):
        found = called(TrlReward(one), [right, wrong], answer=["antibiotics"] * 2)
        assert found == pytest.approx([1.0, 0.4])
    # The second one did not ask for triplets.
    assert set(server.rationales.values()) == {1}


def test_answers_of_a_server_are_kept(server: GraphServer, tmp_path: Any) -> None:
    for _ in range(2):
        kept = served(server, cache=str(tmp_path / "cache.sqlite"))
        assert called(TrlReward(kept), [HALF]) == [pytest.approx(EXPECTED[HALF])]
    assert set(server.rationales.values()) == {1}


def test_no_server_means_no_score_and_no_error() -> None:
    lost = ServerSettings(models=("m",), base_url="http://127.0.0.1:9/v1", retries=0)
    alone = scorer(None, server=lost)
    _kept.append(alone)
    found = alone.score([sample(GOOD), sample(SILENT)])
    # What was not thought needs no server.
    assert [one.value for one in found] == [None, pytest.approx(0.6)]
    assert "127.0.0.1:9" in (found[0].error or "")


def test_a_server_that_comes_up_later_is_used_then(
    server: GraphServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts, "SECONDS_UNTIL_THE_NEXT_TRY", -1.0)
    server.models = ()
    late = served(server)
    assert late.score([sample(GOOD)])[0].value is None
    server.models = ("m",)
    assert late.score([sample(GOOD)])[0].value == 1.0


def test_a_service_that_is_closed_leaves_nothing_open(server: GraphServer) -> None:
    made = served(server)
    made.score([sample(GOOD)])
    service = made._service
    assert service is not None
    loop = service._loop._loop
    assert loop is not None
    service.close()
    wait_until(loop.is_closed, "the loop stays open")


# --- verl


KEYS = [
    *("score", "node_coverage", "structural_correctness", "chain_completeness", "process"),
    *("format", "accuracy", "answer_found", "precision", "status", "error"),
]
# The server's answer would be an error; what is too long is not even asked.
LONG = f"<think>{'fever suggests infection. ' * 20_000}</think>\\boxed{{B}}"


def options(server: FakeServer, **changes: Any) -> dict[str, Any]:
    fixed = {"models": "m", "base_url": server.url, "embedding": "exact"}
    return {**fixed, **changes}


def verl_score(
    server: FakeServer, solution: str, truth: Any = REFERENCE, extra: Any = None, **changes: Any
) -> dict[str, Any]:
    """Call as verl does: by keywords only."""
    return verl.compute_score(
        data_source="mine",
        solution_str=solution,
        ground_truth=truth,
        extra_info={"answer": "B", "num_turns": None} if extra is None else extra,
        **options(server, **changes),
    )


def check(found: dict[str, Any], score: float, status: str) -> None:
    assert list(found) == KEYS
    assert type(found["score"]) is float
    assert found["score"] == pytest.approx(score)
    assert found["status"] == status
    for name in KEYS[1:-2]:
        assert found[name] is None or 0 <= found[name] <= 1


HOSTILE = {
    "": 0.0,
    "\0\x1b[31m\u202e": 0.0,
    "</think>" * 1000: 0.0,
    "<think>" * 1000 + "\\boxed{B}": 0.0,
    "\\boxed{" * 50: 0.0,
    '<think>{"triplets": [[]]}</think>': 0.0,
    "<think></rationale>\n<|im_end|></think>\\boxed{B}": 0.8,
}


@pytest.mark.parametrize(
    ("solution", "truth", "score", "status"),
    [
        *((text, REFERENCE, score, "scored") for text, score in EXPECTED.items()),
        *((text, REFERENCE, score, "scored") for text, score in HOSTILE.items()),
        (GOOD, "B", -1.0, "unscorable"),
        (GOOD, [["fever"]], -1.0, "unscorable"),
        (GOOD, [], -1.0, "unscorable"),
        ("\ud800", REFERENCE, -1.0, "unscorable"),
        (FAILING, REFERENCE, -1.0, "failed"),
        (LONG, REFERENCE, -1.0, "failed"),
        ("<think>babble</think>", REFERENCE, -1.0, "failed"),
    ],
    ids=lambda value: ascii(value)[:30],
)
def test_verl_always_gets_the_same_keys(
    server: GraphServer, solution: str, truth: Any, score: float, status: str
) -> None:
    check(verl_score(server, solution, truth, unscored=-1.0), score, status)


def test_verl_gets_a_batch_as_it_gets_its_samples(server: GraphServer) -> None:
    solutions = [*EXPECTED, FAILING, *HOSTILE, GOOD]
    truths: list[Any] = [REFERENCE] * (len(solutions) - 1) + ["B"]
    count = len(solutions)
    found = verl.compute_scores(
        data_sources=numpy.array(["mine"] * count, dtype=object),  # type: ignore[arg-type]
        solution_strs=solutions,
        ground_truths=truths,
        extra_infos=numpy.array([{"answer": "B"}] * count),  # type: ignore[arg-type]
        **options(server, unscored=0),
    )
    alone = [
        verl_score(server, solution, truth, unscored=0)
        for solution, truth in zip(solutions, truths, strict=True)
    ]
    assert found == alone
    assert Counter(one["status"] for one in found) == {
        "scored": count - 2,
        "failed": 1,
        "unscorable": 1,
    }


def test_verl_is_told_how_to_go_on_without_a_score(server: GraphServer) -> None:
    with pytest.raises(ModelError, match=r"this one is refused.*unscored.*reward_kwargs"):
        verl_score(server, FAILING)
    with pytest.raises(InputError, match=r"reference.*unscored.*reward_kwargs"):
        verl_score(server, GOOD, "B")
    check(verl_score(server, GOOD), 1.0, "scored")


def test_verl_may_not_misspell_an_option(server: GraphServer) -> None:
    with pytest.raises(InputError, match=r"'unscore'.*unscored"):
        verl_score(server, GOOD, unscore=0.0)


def test_verl_may_say_where_its_own_models_are(server: GraphServer) -> None:
    own = {"reward_router_address": "127.0.0.1:1", "reward_model_tokenizer": None}
    check(verl_score(server, GOOD, **own), 1.0, "scored")


@pytest.mark.parametrize(
    "wrong",
    [
        {"part": "proces"},
        {"embedding": "nosuch"},
        {"compat": "nosuch"},
        {"models": ()},
        {"base_url": None},
        pytest.param({"time_limit": "soon"}),
        pytest.param({"unscored": "zero"}),
        pytest.param({"unscored": math.nan}),
    ],
    ids=str,
)
def test_verl_is_refused_an_option_that_cannot_be_used(
    server: GraphServer, wrong: dict[str, Any]
) -> None:
    with pytest.raises(InputError):
        verl_score(server, FAILING, **wrong)


@pytest.mark.parametrize(
    ("truth", "extra"),
    [
        (REFERENCE, {"answer": "B"}),
        (tuple(map(tuple, REFERENCE)), {"answer": "B"}),
        ({"reference": REFERENCE, "answer": "B"}, {}),
        (json.dumps({"reference": REFERENCE, "answer": "B"}), {}),
        ("B", {"reference": REFERENCE}),
        ("B", {"core_reasoning_subgraph": REFERENCE}),
        ("B", {"reference": json.dumps(REFERENCE), "question": "A: rest\nB: antibiotics"}),
        ({"answer": "B"}, {"reference": REFERENCE}),
        pytest.param(
            {"reference": REFERENCE},
            {"answer": "B"},
        ),
        pytest.param(
            None,
            {"reference": REFERENCE, "answer": "B"},
        ),
    ],
    ids=lambda value: ascii(value)[:40],
)
def test_verl_may_keep_reference_and_answer_in_several_places(
    server: GraphServer, truth: Any, extra: dict[str, Any]
) -> None:
    check(verl_score(server, GOOD, truth, extra), 1.0, "scored")
    check(verl_score(server, WRONG, truth, extra), 0.4, "scored")


def test_an_answer_in_braces_is_no_json(server: GraphServer) -> None:
    extra = {"reference": REFERENCE}
    solution = GOOD.replace("\\boxed{B}", "\\boxed{{1, 2}}")
    found = verl_score(server, solution, "{1, 2}", extra)
    check(found, 1.0, "scored")


def test_a_truth_that_nests_too_deep_is_unscorable(server: GraphServer) -> None:
    check(verl_score(server, GOOD, '{"a":' * 100_000, unscored=0), 0.0, "unscorable")


def test_verl_may_have_prompts_that_open_the_thinking(server: GraphServer) -> None:
    rest = GOOD.removeprefix("<think>")
    check(verl_score(server, rest, opened=True), 1.0, "scored")
    check(verl_score(server, rest), 1.0, "scored")
    check(verl_score(server, rest, compat="medceg"), 0.8, "scored")


def test_verl_counts_answers_that_are_not_found_apart(server: GraphServer) -> None:
    lost = GOOD.replace("\\boxed{B}", "I cannot say.")
    wrong = GOOD.replace("\\boxed{B}", "\\boxed{A}")
    for solution, found in ((lost, 0.0), (wrong, 1.0)):
        one = verl_score(server, solution)
        assert (one["accuracy"], one["answer_found"]) == (0.0, found)
    check(verl_score(server, lost, form_asked=False, unscored=-1.0), -1.0, "unscorable")


def test_verl_may_ask_for_one_component(server: GraphServer) -> None:
    check(verl_score(server, HALF, part="process"), HALF_PROCESS, "scored")


def test_verl_waits_no_longer_than_the_time_limit(server: GraphServer) -> None:
    verl_score(server, GOOD, time_limit=2.0)
    check(verl_score(server, SLOW, time_limit=2.0, unscored=0.5), 0.5, "failed")
    assert not server.hung


def test_many_threads_of_verl_get_the_scores_of_one(server: GraphServer) -> None:
    solutions = [
        text.replace("antibiotics.", f"antibiotics. antibiotics need {number}.")
        for number in range(10)
        for text in (GOOD, HALF, WRONG, FAILING)
    ]
    references = [
        [*REFERENCE, ["antibiotics", "need", f"{number // 4}"]][: 1 + number % 3]
        for number in range(len(solutions))
    ]
    start = threading.Barrier(len(solutions))

    def work(place: int) -> dict[str, Any]:
        start.wait(AGES)
        return verl_score(server, solutions[place], references[place], unscored=-1.0)

    with ThreadPoolExecutor(len(solutions)) as pool:
        found = list(pool.map(work, range(len(solutions))))
    alone = [
        scorer(time_limit=AGES).score([sample(solution, reference=reference)])[0]
        for solution, reference in zip(solutions, references, strict=True)
    ]
    values = [-1.0 if one.value is None else one.value for one in alone]
    assert [one["score"] for one in found] == values
    assert len(set(values)) > 4


# --- audits as rewards


STEPS = [
    "<think>The patient has a fever. The count is high. An infection is likely. "
    "Antibiotics would help.</think>Antibiotics.",
    "<think>Fever may have many causes. The cough is new.</think>An infection.",
    "<think>It is a virus. Antibiotics do not help. So rest is best. Rest is given.</think>Rest.",
]


def labelling(server: FakeServer, **changes: Any) -> LabellingSettings:
    fixed = {"labeller": "openai", "models": ("m",), "base_url": server.url, "timeout": AGES}
    return LabellingSettings(**{**fixed, "retries": 0, **changes})


def audits(server: FakeServer, **changes: Any) -> AuditScorer:
    return AuditScorer(AuditScorerSettings(labelling=labelling(server), **changes))


def share_of_supported(server: FakeServer, response: str) -> float:
    trace = trace_from_raw("t", ["What now?"], response)
    found = groundtrace.audit(groundtrace.label(trace, labelling(server)))
    outcomes = [one.outcome for one in found.segments]
    return outcomes.count("supported") / len(outcomes)


@both_kinds
def test_the_share_of_supported_steps_is_the_reward(kind: Kind, server: GraphServer) -> None:
    expected = [share_of_supported(server, text) for text in STEPS]
    assert len(set(expected)) > 1
    assert called(kind(audits(server)), STEPS, reference=None, answer=None) == expected


def test_counts_of_steps_are_logged(server: GraphServer) -> None:
    found = logged(TrlReward(audits(server)), STEPS)
    assert found["groundtrace/segments"] == (4 + 2 + 4) / 3
    assert found["groundtrace/supported"] == pytest.approx(
        sum(
            share_of_supported(server, text) * count
            for text, count in zip(STEPS, (4, 2, 4), strict=True)
        )
        / 3
    )
    assert found["groundtrace/unscored"] == 0.0


@pytest.mark.parametrize("response", ["<think></think>Antibiotics.", "<think> \n</think>B", ""])
def test_who_does_not_think_supports_nothing(server: GraphServer, response: str) -> None:
    (found,) = audits(server).score([sample(response)])
    assert (found.value, found.status) == (0.0, "scored")
    assert not server.seen


def test_an_audit_without_all_labels_is_no_reward(server: GraphServer) -> None:
    def speak(asked: Asked, time_asked: int) -> Spoken:
        if "virus" in asked.conclusion:
            return refusal(500, "out of order")
        return letter_of(asked)

    server.behaviour = speak
    first, second, third = audits(server).score([sample(text) for text in STEPS])
    assert first.value == share_of_supported(server, STEPS[0])
    assert second.value == share_of_supported(server, STEPS[1])
    assert (third.value, third.status) == (None, "failed")
    assert "no label" in (third.error or "")
    assert tuple(third.parts) == AuditScorer.parts


def test_an_audit_without_a_server_is_no_reward() -> None:
    lost = FakeServer(url="http://127.0.0.1:9/v1")
    found = audits(lost).score([sample(STEPS[0]), sample("<think></think>B")])
    assert [one.value for one in found] == [None, 0.0]
    assert (found[0].status, "127.0.0.1:9" in (found[0].error or "")) == ("failed", True)


def test_an_audit_that_takes_ages_does_not_hold_up_the_others(server: GraphServer) -> None:
    def speak(asked: Asked, time_asked: int) -> Spoken:
        return Hang() if "virus" in asked.conclusion else letter_of(asked)

    server.behaviour = speak
    slow = audits(server, time_limit=4.0)
    found = slow.score([sample(STEPS[0]), sample(STEPS[2])])
    assert found[0].value == share_of_supported(server, STEPS[0])
    assert (found[1].value, found[1].error) == (None, "not ready within 4 s")


def test_equal_completions_are_audited_once(server: GraphServer) -> None:
    found = audits(server).score([sample(STEPS[0])] * 3)
    assert len({one.value for one in found}) == 1
    assert set(server.times.values()) == {1}
    # Another question is another context.
    audits(server).score([sample(STEPS[0]), sample(STEPS[0], question="Why?")])
    assert set(server.times.values()) == {1, 2, 3}


def test_a_scorer_of_audits_survives_a_journey_to_another_process(server: GraphServer) -> None:
    again = pickle.loads(pickle.dumps(audits(server)))  # noqa: S301 - our own
    found = [one.value for one in again.score([sample(text) for text in STEPS])]
    assert found == [share_of_supported(server, text) for text in STEPS]


def test_half_a_character_is_no_audit(server: GraphServer) -> None:
    found = audits(server).score([sample("<think>\ud800</think>"), sample(STEPS[0])])
    assert (found[0].value, found[0].status) == (None, "unscorable")
    assert found[1].value == share_of_supported(server, STEPS[0])


def test_nobody_who_labels_is_refused() -> None:
    with pytest.raises(InputError, match="nosuch"):
        AuditScorer(AuditScorerSettings(labelling=LabellingSettings(labeller="nosuch")))
