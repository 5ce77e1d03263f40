"""Completions scored against critical evidence graphs.

Source: MedCEG paper, section 4.1.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from groundtrace.chat.settings import ServerSettings
from groundtrace.errors import GroundtraceError, InputError
from groundtrace.graphs.cases import case_from
from groundtrace.graphs.triplets import triplets_from
from groundtrace.models.reward import Reward, RewardCase
from groundtrace.rewards.answers import thinking_of
from groundtrace.rewards.rewarder import Rewarder
from groundtrace.rewards.settings import RewardSettings
from groundtrace.trainers.scoring import (
    DEFAULT_TIME_LIMIT,
    Deadline,
    Sample,
    Scored,
    Threads,
    checked_time_limit,
    outcome,
    unscored,
)

PARTS: tuple[str, ...] = (
    "node_coverage",
    "structural_correctness",
    "chain_completeness",
    "process",
    "format",
    "accuracy",
    "answer_found",
    "precision",
)

_WITH_ANSWER = ("reward", "accuracy")
SECONDS_TO_SCORE = 60.0
"""For the scores of a batch, once its triplets are there."""

Extract = Callable[[str], Sequence[Sequence[str]]]
"""Returns the triplets of a thinking part; anything that it raises is a failure."""


@dataclass(frozen=True)
class GraphScorerSettings:
    """How completions are scored against critical evidence graphs.

    Attributes:
        server: Whose first model extracts triplets, and whose last one judges open answers.
        extract: Extracts triplets in place of a server; called in threads, several at once.
        rewards: How rewards are made; without details, since training needs the scores only.
            An answer that cannot be found is wrong, since prompts of training ask for a form,
            unless ``form_asked`` is False; then it has no score.
        part: Which score is the value: "reward", or one of the components.
        cache: A file of answers; None remembers nothing beyond the process.
        time_limit: Seconds that triplets and verdicts of a batch may take; what is not ready then
            has no score. The scores themselves take at most a minute more.
    """

    server: ServerSettings | None = None
    extract: Extract | None = None
    rewards: RewardSettings = field(default_factory=lambda: RewardSettings(details=False))
    part: str = "reward"
    cache: str | None = None
    time_limit: float = DEFAULT_TIME_LIMIT


class GraphScorer:
    """Scores completions against graphs. A copy in another process starts afresh."""

    parts = PARTS

    def __init__(self, settings: GraphScorerSettings) -> None:
        """Check the settings; contacts nobody.

        Args:
            settings: How completions are scored.

        Raises:
            InputError: a setting cannot be used, or nothing extracts triplets.
            ModelError: a package that is needed is not installed.
            RuleError: a guard rule is faulty.
        """
        if settings.part not in ("reward", *PARTS):
            known = ", ".join(("reward", *PARTS))
            raise InputError(f"part: there is no {settings.part!r}; known are {known}")
        if settings.server is None and settings.extract is None:
            raise InputError("nothing extracts triplets: give a server or a function")
        checked_time_limit(settings.time_limit)
        self.settings = settings
        self.needs: tuple[str, ...] = (
            ("reference", "answer") if settings.part in _WITH_ANSWER else ("reference",)
        )
        asked = settings.rewards.form_asked is not False
        self._rewarder = Rewarder(replace(settings.rewards, form_asked=asked))
        self._service = None
        if settings.server is not None:
            from groundtrace.chat.service import ChatService
            from groundtrace.chat.text_cache import TextCache

            store = TextCache(Path(settings.cache)) if settings.cache else None
            self._service = ChatService(settings.server, store)

    def __reduce__(self) -> tuple[type["GraphScorer"], tuple[GraphScorerSettings]]:
        """Start afresh in another process."""
        return type(self), (self.settings,)

    def score(self, samples: Sequence[Sample]) -> list[Scored]:
        """Return what came of each sample, in order; what went wrong stands in it."""
        deadline = Deadline(self.settings.time_limit)
        cases = [_case_of(sample) for sample in samples]
        keys = [_key_of(case, place) for place, case in enumerate(cases)]
        distinct = {
            key: case for key, case in zip(keys, cases, strict=True) if isinstance(case, RewardCase)
        }
        scored = self._scored(self._prepared(distinct, deadline), deadline)
        return [
            self._told(scored[key])
            if isinstance(case, RewardCase)
            else unscored(PARTS, "unscorable", case)
            for key, case in zip(keys, cases, strict=True)
        ]

    def close(self) -> None:
        """Close the connections to the server; it may be used again."""
        if self._service is not None:
            self._service.close()

    def _prepared(
        self, cases: Mapping[str, RewardCase], deadline: Deadline
    ) -> dict[str, RewardCase]:
        """Return the cases with their graphs and verdicts, or with why these are missing."""
        extract = self.settings.extract
        # Threads of this batch only: functions that hang must not take the turns of the next.
        threads = Threads()
        extracting = {
            key: threads.submit(_extracted, extract, thinking)
            for key, case in cases.items()
            if extract is not None and (thinking := thinking_of(case.response or "").strip())
        }
        found = self._asked(cases, deadline)
        deadline.wait(list(extracting.values()))
        for key in cases if extract is not None else ():
            found[key]["generated"] = []
            if key in extracting:
                found[key]["generated"], problem = outcome(extracting[key], deadline)
                if problem is not None:
                    found[key]["failure"] = f"no triplets could be extracted: {problem}"
        return {key: case.model_copy(update=found[key]) for key, case in cases.items()}

    def _asked(
        self, cases: Mapping[str, RewardCase], deadline: Deadline
    ) -> dict[str, dict[str, Any]]:
        """Return what the server's models found out about each case."""
        if self._service is None:
            return {key: {} for key in cases}
        from groundtrace.rewards.preparation import prepare

        by_server = self.settings.extract is None
        asked = {
            key: prepare(case, self._service, extract=by_server) for key, case in cases.items()
        }
        deadline.wait([future for one in asked.values() for future in one.futures])
        found: dict[str, dict[str, Any]] = {}
        for key, one in asked.items():
            late = [future for future in one.futures if not future.done()]
            try:
                found[key] = {"failure": deadline.missed} if late else one.result()
            except (GroundtraceError, CancelledError) as error:
                found[key] = {"failure": str(error) or "closed before it was ready"}
        return found

    def _scored(self, cases: Mapping[str, RewardCase], deadline: Deadline) -> dict[str, Reward]:
        """Return the reward of each case, all together if that is possible."""
        future = Threads().submit(self._score_all, list(cases.values()))
        # What was extracted in time is worth the time to load a model and embed new names.
        late = Deadline(max(deadline.left, SECONDS_TO_SCORE))
        late.wait([future])
        rewards, problem = outcome(future, late)
        if rewards is None:
            rewards = [_failed(case, problem or "") for case in cases.values()]
        return dict(zip(cases, rewards, strict=True))

    def _score_all(self, cases: Sequence[RewardCase]) -> list[Reward]:
        try:
            return self._rewarder.score(cases)
        except Exception:  # Whatever it is, it must not cost the others their scores.
            return [self._score_one(case) for case in cases]

    def _score_one(self, case: RewardCase) -> Reward:
        try:
            return self._rewarder.score([case])[0]
        except Exception as error:  # Likewise.
            return _failed(case, str(error) or type(error).__name__)

    def _told(self, reward: Reward) -> Scored:
        parts = {name: _number(getattr(reward, name)) for name in PARTS}
        if reward.status != "scored":
            return Scored(None, parts, reward.status, reward.error)
        value = getattr(reward, self.settings.part)
        if value is None:
            if reward.answer_found is False and reward.accuracy is None:
                reason = "no answer is found in the response, and the prompt asks for no form"
                return Scored(None, parts, "unscorable", reason)
            lacking = ", ".join(name for name in PARTS if parts[name] is None)
            return Scored(None, parts, "unscorable", f"there is no {lacking}")
        return Scored(value, parts, "scored", None)


def _number(value: float | bool | None) -> float | None:
    return None if value is None else float(value)


def _extracted(extract: Extract, thinking: str) -> list[Any]:
    """Return what a user's function finds.

    Raises:
        InputError: it returns no triplets, and no empty list either.
    """
    found = extract(thinking)
    if isinstance(found, str | bytes | Mapping) or not isinstance(found, Iterable):
        raise InputError(f"the function returned {type(found).__name__}, expected triplets")
    items = [*found]
    if items and not triplets_from(items, "extracted").kept:
        raise InputError("the function returned items, but none of them is a triplet")
    return items


def _key_of(case: RewardCase | str, place: int) -> str:
    """Return what equal cases have in common; a case that JSON cannot hold equals no other."""
    if isinstance(case, str):
        return ""
    try:
        return case.model_dump_json()
    except (ValueError, RecursionError):
        return f"case {place}"


def _case_of(sample: Sample) -> RewardCase | str:
    """Return a sample as a case, or why it is none."""
    reference = sample.reference
    try:
        if isinstance(reference, str | bytes):
            reference = from_json(reference)
        elif hasattr(reference, "tolist"):
            # As pandas reads lists from a file; what is in them may be arrays again.
            reference = [one.tolist() if hasattr(one, "tolist") else one for one in reference]
        fields = {
            "response": sample.response,
            "reference": reference,
            "answer": sample.answer,
            "question": sample.question,
        }
        return case_from(fields, RewardCase)
    except (GroundtraceError, ValueError, TypeError) as error:
        return str(error)


def _failed(case: RewardCase, reason: str) -> Reward:
    return Reward(id=case.id, status="failed", error=reason)
