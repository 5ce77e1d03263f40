"""One step of training with TRL, and one call by verl: a tiny model, on the CPU.

Opt-in: ``pytest -m train`` in an environment that has TRL or verl. They want different versions
of transformers, so that each test is skipped where its trainer is missing.
"""

import asyncio
import json
import math
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy
import pytest

from groundtrace import LabellingSettings, ModelError
from groundtrace.trainers.audit_scorer import AuditScorer, AuditScorerSettings
from groundtrace.trainers.graph_scorer import Extract, GraphScorer, GraphScorerSettings
from groundtrace.trainers.trl import AsyncTrlReward, TrlReward
from tests.test_trainers import (
    EXACT,
    EXPECTED,
    FAILING,
    GOOD,
    HALF,
    HALF_PROCESS,
    KEYS,
    REFERENCE,
    WRONG,
    GraphServer,
)
from tests.tiny_models import make_chat_model

# Trainers and what they import warn of each other.
pytestmark = [pytest.mark.train, pytest.mark.filterwarnings("ignore")]

Kind = type[TrlReward] | type[AsyncTrlReward]


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HF_HUB_OFFLINE", "HF_HUB_DISABLE_TELEMETRY", "TRL_EXPERIMENTAL_SILENCE"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "false")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")


@pytest.fixture
def server() -> Iterator[GraphServer]:
    with GraphServer().running() as running:
        assert isinstance(running, GraphServer)
        yield running


# --- TRL


@pytest.fixture
def trl(offline: None) -> Any:
    return pytest.importorskip("trl")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("trl")
    folder = tmp_path_factory.mktemp("models") / "tiny"
    make_chat_model(folder)
    return folder


class Step:
    """One step of GRPO: four completions of one prompt."""

    def __init__(self, trl: Any, model: Path, folder: Path, reward: Any, prompt: Any) -> None:
        import transformers

        datasets = pytest.importorskip("datasets")
        library: Any = transformers
        row = {"prompt": prompt, "reference": REFERENCE, "graph": json.dumps(REFERENCE)}
        trainer = trl.GRPOTrainer(
            model=library.AutoModelForCausalLM.from_pretrained(model),
            processing_class=library.AutoTokenizer.from_pretrained(model, padding_side="left"),
            reward_funcs=reward,
            train_dataset=datasets.Dataset.from_list([{**row, "answer": "B", "hint": None}]),
            args=trl.GRPOConfig(
                output_dir=str(folder),
                max_steps=1,
                num_generations=4,
                per_device_train_batch_size=4,
                max_completion_length=16,
                learning_rate=1e-3,
                logging_steps=1,
                save_strategy="no",
                report_to=[],
                use_cpu=True,
                bf16=False,
                disable_tqdm=True,
                seed=0,
            ),
        )
        before = {name: one.clone() for name, one in trainer.model.named_parameters()}
        trainer.train()
        assert trainer.state.global_step == 1
        after = dict(trainer.model.named_parameters())
        self.change = max(float((after[name] - before[name]).abs().max()) for name in before)
        self.finite = all(bool(one.isfinite().all()) for one in after.values())
        self.logged: dict[str, Any] = trainer.state.log_history[0]


PROMPTS = [
    "The cat sat on",
    [
        {"role": "system", "content": "Answer with one letter."},
        {"role": "user", "content": "The cat sat on"},
    ],
]
prompts = pytest.mark.parametrize("prompt", PROMPTS, ids=["text", "messages"])
kinds = pytest.mark.parametrize("kind", [TrlReward, AsyncTrlReward])


class InTurn:
    """Extracts one thing after the other, whatever it is shown: random models say nothing."""

    def __init__(self, *results: Any) -> None:
        self.shown: list[str] = []
        self._results = iter(results)
        self._lock = threading.Lock()

    def __call__(self, thinking: str) -> Sequence[Sequence[str]]:
        with self._lock:
            self.shown.append(thinking)
            result = next(self._results)
        if isinstance(result, Exception):
            raise result
        found: Sequence[Sequence[str]] = result
        return found


def process_of(extract: Extract) -> GraphScorer:
    return GraphScorer(GraphScorerSettings(extract=extract, rewards=EXACT, part="process"))


@kinds
@prompts
@pytest.mark.parametrize("column", ["reference", "graph"])
def test_a_step_is_done_with_what_could_be_scored(
    trl: Any, model: Path, tmp_path: Path, kind: Kind, prompt: Any, column: str
) -> None:
    lost = RuntimeError("no luck today")
    extract = InTurn(REFERENCE, lost, REFERENCE[:1], lost)
    reward = kind(process_of(extract), name="mine", reference=column)
    step = Step(trl, model, tmp_path, reward, prompt)
    assert len(set(extract.shown)) == 4
    # The two that have no score are in no mean.
    assert step.logged["rewards/mine/mean"] == pytest.approx((1 + HALF_PROCESS) / 2)
    assert step.logged["reward"] == pytest.approx((1 + HALF_PROCESS) / 2)
    assert step.logged["mine/process"] == pytest.approx((1 + HALF_PROCESS) / 2)
    assert step.logged["mine/node_coverage"] == pytest.approx((1 + 2 / 3) / 2)
    assert step.logged["mine/unscored"] == 0.5
    assert step.change > 0
    assert step.finite


@kinds
def test_a_step_without_any_score_changes_nothing(
    trl: Any, model: Path, tmp_path: Path, kind: Kind
) -> None:
    extract = InTurn(*[RuntimeError("no luck today")] * 4)
    step = Step(trl, model, tmp_path, kind(process_of(extract), name="mine"), PROMPTS[0])
    assert step.logged["mine/unscored"] == 1.0
    assert "mine/process" not in step.logged
    assert step.change == 0
    assert step.finite


def test_two_rewards_of_one_step_are_told_apart(
    trl: Any, model: Path, tmp_path: Path, server: GraphServer
) -> None:
    extract = InTurn(REFERENCE, REFERENCE, REFERENCE[:1], RuntimeError("no luck today"))
    labelling = LabellingSettings(labeller="openai", models=("m",), base_url=server.url)
    rewards = [
        TrlReward(process_of(extract), name="graphs"),
        AsyncTrlReward(AuditScorer(AuditScorerSettings(labelling)), name="audits"),
    ]
    logged = Step(trl, model, tmp_path, rewards, PROMPTS[1]).logged
    assert logged["rewards/graphs/mean"] == pytest.approx((1 + 1 + HALF_PROCESS) / 3)
    assert (logged["graphs/unscored"], logged["audits/unscored"]) == (0.25, 0.0)
    assert logged["audits/segments"] >= 1
    assert 0 <= logged["rewards/audits/mean"] <= 1


# --- verl


@pytest.fixture
def verl(offline: None) -> Any:
    return pytest.importorskip("verl")


class Texts:
    """A tokenizer that knows one token for each of our responses."""

    known = (*EXPECTED, FAILING)

    def decode(self, ids: Any, skip_special_tokens: bool = True) -> str:
        return "".join(self.known[int(one) - 1] for one in ids if int(one) > 0)


def configuration(server: GraphServer, name: str = "compute_score", **changes: Any) -> Any:
    omegaconf = pytest.importorskip("omegaconf")
    options = {"models": ["m"], "base_url": server.url, "embedding": "exact", **changes}
    function = {"path": "pkg://groundtrace.trainers.verl", "name": name, "reward_kwargs": options}
    return omegaconf.OmegaConf.create(
        {
            "reward": {
                "num_workers": 1,
                "custom_reward_function": function,
                "reward_manager": {"source": "register", "name": "naive"},
                "reward_model": {"enable": False},
            }
        }
    )


def batch(verl: Any, responses: Sequence[str], reference: Any = REFERENCE) -> Any:
    """Return responses as verl holds them: of one token, then padding."""
    import torch

    tensordict = pytest.importorskip("tensordict")
    count = len(responses)
    tokens = [[Texts.known.index(text) + 1, 0] for text in responses]
    tensors = {
        "prompts": torch.tensor([[0, 1]] * count),
        "responses": torch.tensor(tokens),
        "attention_mask": torch.tensor([[0, 1, 1, 0]] * count),
    }
    truth = {"style": "rule", "ground_truth": reference}
    others: dict[str, list[Any]] = {
        "data_source": ["mine"] * count,
        "reward_model": [truth] * count,
        "extra_info": [{"answer": "B", "index": number} for number in range(count)],
    }
    return verl.DataProto(
        batch=tensordict.TensorDict(tensors, batch_size=count),
        non_tensor_batch={
            name: numpy.fromiter(values, dtype=object, count=count)
            for name, values in others.items()
        },
    )


def run_single(verl: Any, config: Any, data: Any, **more: Any) -> tuple[Any, list[dict[str, Any]]]:
    """Score a batch as verl's reward loop does, each sample by itself and all at once."""
    reward = pytest.importorskip("verl.trainer.ppo.reward")

    async def run() -> tuple[Any, list[dict[str, Any]]]:
        # The manager takes the loop that runs when it is made.
        manager = reward.load_reward_manager(config, Texts(), **more)
        assert not manager.is_async_reward_score
        singles = (manager.run_single(data[place : place + 1]) for place in range(len(data)))
        return manager, list(await asyncio.gather(*singles))

    return asyncio.run(run())


def test_verl_finds_the_function_in_the_package(verl: Any, server: GraphServer) -> None:
    reward = pytest.importorskip("verl.trainer.ppo.reward")
    function = reward.get_custom_reward_fn(configuration(server))
    found = function(
        data_source="mine",
        solution_str=HALF,
        ground_truth=REFERENCE,
        extra_info={"answer": "B", "num_turns": None, "rollout_reward_scores": {}},
    )
    assert list(found) == KEYS
    assert found["score"] == pytest.approx(EXPECTED[HALF])
    assert server.rationales.total() == 1


@pytest.mark.parametrize(
    "more", [{}, {"reward_router_address": "127.0.0.1:1"}], ids=["alone", "with a router"]
)
def test_the_reward_loop_of_verl_gets_every_score(
    verl: Any, server: GraphServer, more: dict[str, Any]
) -> None:
    responses = [GOOD, FAILING, HALF, WRONG, GOOD]
    data = batch(verl, responses)
    manager, found = run_single(verl, configuration(server, unscored=0.25), data, **more)
    expected = [EXPECTED.get(text, 0.25) for text in responses]
    assert [one["reward_score"] for one in found] == pytest.approx(expected)
    assert [list(one["reward_extra_info"]) for one in found] == [KEYS] * 5
    tensor = manager.assemble_rm_scores(data, [one["reward_score"] for one in found])
    # The reward stands at the last token of a response.
    assert tensor[:, 0].tolist() == pytest.approx(expected)
    assert tensor[:, 1].tolist() == [0.0] * 5


def test_the_components_can_be_gathered_and_averaged_by_verl(
    verl: Any, server: GraphServer
) -> None:
    metrics = pytest.importorskip("verl.trainer.ppo.metric_utils")
    data = batch(verl, [FAILING, GOOD, HALF])
    _, found = run_single(verl, configuration(server, unscored=0.25), data)
    infos = [one["reward_extra_info"] for one in found]
    # As verl's reward loop gathers them after its ray.get.
    gathered = {key: numpy.array([info[key] for info in infos]) for key in infos[0]}
    assert gathered["score"].dtype == float
    lists = {key: values.tolist() for key, values in gathered.items()}
    summary = metrics.process_validation_metrics(["mine"] * 3, ["u"] * 3, lists)["mine"]
    assert summary["score"]["mean@3"] == pytest.approx((0.25 + 1 + EXPECTED[HALF]) / 3)
    # What failed has no process, and is in no mean.
    assert summary["process"]["mean@2"] == pytest.approx((1 + HALF_PROCESS) / 2)
    assert all(math.isfinite(value) for one in summary.values() for value in one.values())


def test_the_reward_loop_of_verl_ends_with_a_hint(verl: Any, server: GraphServer) -> None:
    with pytest.raises(ModelError, match="unscored"):
        run_single(verl, configuration(server), batch(verl, [GOOD, FAILING]))


def test_the_batch_manager_of_verl_gets_every_score(verl: Any, server: GraphServer) -> None:
    reward = pytest.importorskip("verl.trainer.ppo.reward")
    managers = pytest.importorskip("verl.workers.reward_manager.batch")
    function = reward.get_custom_reward_fn(configuration(server, "compute_scores", unscored=0.25))
    manager = managers.BatchRewardManager(Texts(), num_examine=0, compute_score=function)
    responses = [GOOD, FAILING, HALF, WRONG, GOOD]
    found = manager(batch(verl, responses), return_dict=True)
    expected = [EXPECTED.get(text, 0.25) for text in responses]
    assert found["reward_tensor"][:, 0].tolist() == pytest.approx(expected)
    assert list(found["reward_extra_info"]) == KEYS
    statuses = ["scored", "failed", "scored", "scored", "scored"]
    assert found["reward_extra_info"]["status"] == statuses
