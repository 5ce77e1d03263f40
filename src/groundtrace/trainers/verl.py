"""Reward functions for verl: name this module as ``pkg://groundtrace.trainers.verl``.

verl needs a finite number for every sample. What has no score therefore raises an error, unless
``unscored`` names the number that is to stand for it; ``status`` tells them apart either way.
"""

import json
import math
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from groundtrace.chat.settings import ServerSettings
from groundtrace.embedding.settings import KEY_VARIABLE, EmbeddingSettings
from groundtrace.errors import InputError, ModelError
from groundtrace.rewards.settings import RewardSettings
from groundtrace.trainers.graph_scorer import GraphScorer, GraphScorerSettings
from groundtrace.trainers.scoring import (
    DEFAULT_TIME_LIMIT,
    Sample,
    Scored,
    Scorer,
    log_unscored,
)

_FROM_VERL = ("reward_router_address", "reward_model_tokenizer")
_OPTIONS = (
    *("models", "base_url", "key_variable", "embedding", "embedding_model", "embedding_url"),
    "embedding_key_variable",
    *("guards", "compat", "part", "cache", "time_limit", "unscored", "opened"),
    "form_asked",
)
_scorers: dict[str, Scorer] = {}
_lock = threading.Lock()


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: Any,
    extra_info: Mapping[str, Any] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Return the reward of one sample and its components; always the same keys, ``score`` first.

    Args:
        solution_str: What the model wrote.
        ground_truth: The right answer; or the reference as a list of triplets; or a mapping, or
            its JSON text, with ``answer`` and ``reference``.
        extra_info: May hold ``question``, ``answer``, and the graph as ``reference`` or
            ``core_reasoning_subgraph``.
        options: verl's ``reward_kwargs``: models, base_url, key_variable, embedding,
            embedding_model, embedding_url, guards, compat, part, cache, time_limit (seconds),
            unscored (the number for what has no score), opened (the prompt opens the thinking),
            form_asked (whether an answer that cannot be found is wrong; true if not given).

    Raises:
        InputError: an option is unknown or cannot be used, or the sample has no usable reference
            and ``unscored`` is not given.
        ModelError: the sample could not be scored, and ``unscored`` is not given.
    """
    return compute_scores([data_source], [solution_str], [ground_truth], [extra_info], **options)[0]


def compute_scores(
    data_sources: Sequence[str],
    solution_strs: Sequence[str],
    ground_truths: Sequence[Any],
    extra_infos: Sequence[Mapping[str, Any] | None],
    **options: Any,
) -> list[dict[str, Any]]:
    """Return the rewards of a batch, for verl's batch reward manager; as :func:`compute_score`.

    Args:
        solution_strs: What the model wrote.

    Raises:
        InputError: an option cannot be used, or a sample cannot be scored.
        ModelError: a sample could not be scored.
    """
    chosen = _checked(options)
    opened = "<think>" if chosen.get("opened") else ""
    samples = [
        _sample(f"{opened}{solution}" if isinstance(solution, str) else None, truth, extra or {})
        for solution, truth, extra in zip(solution_strs, ground_truths, extra_infos, strict=True)
    ]
    scored = _scorer(chosen).score(samples)
    log_unscored(scored)
    return [_told(one, chosen.get("unscored")) for one in scored]


def _checked(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of ours.

    Raises:
        InputError: one is nobody's, or no number.
    """
    for name in options:
        if name not in (*_OPTIONS, *_FROM_VERL):
            raise InputError(f"there is no option {name!r}; known are {', '.join(_OPTIONS)}")
    chosen = {name: value for name, value in options.items() if name in _OPTIONS}
    for name in ("guards", "form_asked"):
        if not isinstance(chosen.get(name, True), bool):
            raise InputError(f"{name}: expected true or false, got {chosen[name]!r}")
    for name in ("time_limit", "unscored"):
        if chosen.get(name) is not None:
            chosen[name] = _number(name, chosen[name])
    return chosen


def _number(name: str, value: Any) -> float:
    """Return the value of an option as a number.

    Raises:
        InputError: it is none, or not finite.
    """
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{name}: expected a number, got {value!r}")
    return number


def _scorer(options: Mapping[str, Any]) -> Scorer:
    """Return the scorer of some options; one serves all threads of the process."""
    made_of = {name: one for name, one in options.items() if name not in ("unscored", "opened")}
    key = json.dumps(made_of, sort_keys=True, default=str)
    with _lock:
        if key not in _scorers:
            _scorers[key] = GraphScorer(_settings(made_of))
        return _scorers[key]


def _settings(options: Mapping[str, Any]) -> GraphScorerSettings:
    models = options.get("models") or ()
    key_variable = options.get("key_variable", "GROUNDTRACE_API_KEY")
    return GraphScorerSettings(
        server=ServerSettings(
            models=(models,) if isinstance(models, str) else tuple(models),
            base_url=options.get("base_url"),
            key_variable=key_variable,
        ),
        rewards=RewardSettings(
            embedding=EmbeddingSettings(
                name=options.get("embedding") or "use",
                model=options.get("embedding_model"),
                base_url=options.get("embedding_url"),
                key_variable=options.get("embedding_key_variable", KEY_VARIABLE),
            ),
            guards=bool(options.get("guards", True)),
            compat=options.get("compat"),
            form_asked=bool(options.get("form_asked", True)),
            details=False,
            cache=options.get("cache"),
        ),
        part=options.get("part", "reward"),
        cache=options.get("cache"),
        time_limit=float(options.get("time_limit") or DEFAULT_TIME_LIMIT),
    )


def _sample(response: str | None, truth: Any, extra: Mapping[str, Any]) -> Sample:
    found = truth.tolist() if hasattr(truth, "tolist") else truth
    if isinstance(truth, str) and truth.lstrip().startswith("{"):
        try:
            found = json.loads(truth)
        except (ValueError, RecursionError):
            found = truth.tolist() if hasattr(truth, "tolist") else truth
    if isinstance(found, list | tuple):
        found = {"reference": found}
    fields: Mapping[str, Any] = found if isinstance(found, Mapping) else {"answer": found}
    reference = fields.get("reference")
    for name in ("reference", "core_reasoning_subgraph"):
        reference = extra.get(name) if reference is None else reference
    answer = fields.get("answer")
    answer = extra.get("answer") if answer is None else answer
    return Sample(
        response=response,
        question=str(extra.get("question") or ""),
        reference=reference,
        answer=None if answer is None else str(answer),
    )


def _told(scored: Scored, unscored: float | None) -> dict[str, Any]:
    """Return a result as verl takes it: None where a component is missing, never NaN.

    Raises:
        InputError: it has no score, through the sample's fault, and no number stands for it.
        ModelError: likewise, through no fault of the sample.
    """
    value = scored.value if scored.value is not None else unscored
    if value is None:
        kind = InputError if scored.status == "unscorable" else ModelError
        raise kind(
            f"a sample has no score: {scored.error}; to go on without it, name the number that "
            "stands for it with unscored in reward_kwargs"
        )
    return {
        "score": float(value),
        **scored.parts,
        "status": scored.status,
        "error": scored.error or "",
    }
