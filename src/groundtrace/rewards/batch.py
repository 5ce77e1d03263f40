"""Score many cases in child processes that can be ended."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Generic

from groundtrace.files.reading import Record
from groundtrace.graphs.cases import case_of
from groundtrace.models.reward import Reward, RewardCase
from groundtrace.processes.pool import Done, Output, attempted
from groundtrace.rewards.rewarder import Rewarder
from groundtrace.rewards.settings import RewardSettings


@dataclass(frozen=True)
class Scoring(Generic[Output]):
    """Scores cases, as work for child processes.

    Attributes:
        render: Makes the output of one reward, in the child process; must be picklable.
        settings: How rewards are made.
    """

    render: Callable[[Reward], Output]
    settings: RewardSettings = field(default_factory=RewardSettings)

    @property
    def untrusted(self) -> bool:
        """Whether a user's rules must be tried first."""
        return bool(self.settings.overlays)

    def prepare(self) -> None:
        """Say what makes every reward impossible.

        Raises:
            InputError: a setting cannot be used.
            ModelError: a package that is needed is not installed.
            RuleError: an overlay is faulty.
        """
        _rewarder(self.settings)

    def check(self) -> None:
        """Try the guard rules without a case.

        Raises:
            RuleError: they are faulty.
        """
        _rewarder(self.settings).check()

    def do(self, records: list[Record]) -> list[Done[Output]]:
        """Return what becomes of some records; they are scored together where that is possible."""
        try:
            cases = [case_of(record, RewardCase) for record in records]
            return [
                self._done(reward) for reward in _rewarder(self.settings).score(cases, strict=True)
            ]
        except Exception:  # One of them cannot be used; the others can.
            return [attempted(partial(self._alone, record)) for record in records]

    def _alone(self, record: Record) -> Done[Output]:
        case = case_of(record, RewardCase)
        return self._done(_rewarder(self.settings).score([case], strict=True)[0])

    def _done(self, reward: Reward) -> Done[Output]:
        counts = {reward.status: 1, "answers not found": int(reward.answer_found is False)}
        return Done(reward.id, counts, self.render(reward), None)


@cache
def _rewarder(settings: RewardSettings) -> Rewarder:
    return Rewarder(settings)
