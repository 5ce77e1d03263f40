"""Rewards, many at once: the scores of the MedCEG paper and what explains them.

This module composes; what is recalled the rules decide (asp/reward.lp, asp/guards.lp).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from groundtrace.embedding.vector_cache import VectorCache
from groundtrace.embedding.vectors import similarity
from groundtrace.errors import InputError, ModelError, SizeError
from groundtrace.graphs.cases import case_from
from groundtrace.graphs.guards import Guards
from groundtrace.graphs.triplets import triplets_from
from groundtrace.models.reward import Reward, RewardCase
from groundtrace.rewards.answers import (
    format_reward,
    gold_problem,
    is_multiple_choice,
    judge_answer,
    needs_judge,
)
from groundtrace.rewards.comparison import Comparer
from groundtrace.rewards.details import Graphs, add_details
from groundtrace.rewards.likeness_tables import Comparison, Matching
from groundtrace.rewards.limits import check_size
from groundtrace.rewards.settings import RewardSettings
from groundtrace.rules.rulebook import rulebook_for
from groundtrace.version import __version__

FAILURES_IN_A_ROW = 3


class Rewarder:
    """Scores one batch after another in the same way. For any number of threads."""

    def __init__(self, settings: RewardSettings | None = None) -> None:
        """Check the settings; nothing is embedded yet.

        Args:
            settings: How rewards are made.

        Raises:
            InputError: a setting cannot be used.
            ModelError: a package that is needed is not installed.
            RuleError: an overlay is faulty.
        """
        self.settings = chosen = settings or RewardSettings()
        if chosen.compat not in (None, "medceg"):
            raise InputError(f"compat: there is no {chosen.compat!r}; known is medceg")
        for name in ("entity_threshold", "relation_threshold"):
            if not 0 <= getattr(chosen, name) <= 1:
                raise InputError(f"{name}: expected a number in 0..1, got {getattr(chosen, name)}")
        self._verbatim = chosen.compat == "medceg"
        guarded = chosen.guards and not self._verbatim
        if chosen.overlays and not guarded:
            raise InputError("guard rules were given, but guards are switched off")
        store = VectorCache(Path(chosen.cache), refresh=chosen.refresh) if chosen.cache else None
        compared = similarity(chosen.embedding, store)
        self._rulebooks = [rulebook_for("reward")]
        guards = None
        if guarded:
            book = rulebook_for("guards", chosen.overlays)
            self._rulebooks.append(book)
            guards = Guards(book)
        self.guards = guards
        self.matching = Matching(
            compared, guards, chosen.entity_threshold, chosen.relation_threshold, self._verbatim
        )
        self._comparer = Comparer(self.matching)
        self._provenance = self._recorded()

    def check(self) -> None:
        """Try the guard rules on no text: what fails there fails always.

        Raises:
            RuleError: an overlay is faulty.
        """
        if self.guards is not None:
            self.guards.check()

    def score(
        self, cases: Sequence[RewardCase | Mapping[str, Any]], *, strict: bool = False
    ) -> list[Reward]:
        """Return one reward per case, in order; a case that cannot be used is ``failed``.

        Args:
            cases: Any number; what is generated must be there, not only the response. Mappings
                are read like JSON objects.
            strict: Whether a case that cannot be used is an error of the call.

        Raises:
            InputError: in a strict call, a case cannot be used, or has no generated graph and no
                reason why not.
            SizeError: in a strict call, a graph is too large to be compared in bounded memory.
            RuleError: a user's guard rule is faulty.
        """
        rewards: list[Reward] = []
        graphs: dict[int, Graphs] = {}
        for place, given in enumerate(cases):
            try:
                case = case_from(given, RewardCase)
                rewards.append(self._begun(case))
                both = self._graphs(case, rewards[place])
            except (InputError, SizeError) as error:
                if strict:
                    raise
                rewards[place:] = [Reward(id=_id_of(given), status="failed", error=str(error))]
                rewards[place].provenance = dict(self._provenance)
                continue
            if both is not None:
                graphs[place] = both
        for place, one in self._compared(graphs, rewards).items():
            self._fill(rewards[place], graphs[place], one)
        for reward in rewards:
            self._finish(reward)
        return rewards

    def _compared(
        self, graphs: Mapping[int, Graphs], rewards: Sequence[Reward]
    ) -> dict[int, Comparison]:
        """Return what came of the graphs; all together, or one by one if that fails."""
        try:
            found = self._comparer.compare([both.pair for both in graphs.values()])
            return dict(zip(graphs, found, strict=True))
        except ModelError as error:
            words = str(error)
        compared: dict[int, Comparison] = {}
        in_a_row = 0
        for place, both in graphs.items():
            # One text may be to blame; after a few failures it is the model or the server.
            if in_a_row < FAILURES_IN_A_ROW and len(graphs) > 1:
                try:
                    (compared[place],) = self._comparer.compare([both.pair])
                    in_a_row = 0
                    continue
                except ModelError as error:
                    words, in_a_row = str(error), in_a_row + 1
            _fail(rewards[place], words)
        return compared

    def _begun(self, case: RewardCase) -> Reward:
        """Return a reward with what does not need the graphs."""
        reward = Reward(id=case.id, meta=dict(case.model_extra or {}))
        reward.provenance = dict(self._provenance)
        if case.response is not None:
            reward.format = format_reward(case.response, case.style, verbatim=self._verbatim)
        if case.accuracy is not None:
            reward.accuracy = case.accuracy
            reward.accuracy_by = "option" if is_multiple_choice(case) else "judge"
        elif problem := gold_problem(case):
            reward.status, reward.error = "unscorable", problem
        elif case.failure is None or not needs_judge(case):
            self._judge(case, reward)
        return reward

    def _judge(self, case: RewardCase, reward: Reward) -> None:
        """Say whether the answer is right, or why that cannot be said."""
        asked = self.settings.form_asked
        try:
            judged = judge_answer(case, form_asked=asked, verbatim=self._verbatim)
        except ModelError as error:
            _fail(reward, str(error))
            return
        reward.accuracy, reward.answer_found = judged.accuracy, judged.found
        if judged.accuracy is not None:
            reward.accuracy_by = judged.by

    def _graphs(self, case: RewardCase, reward: Reward) -> Graphs | None:
        """Return what is to be compared, or None if the reward has its state already.

        Raises:
            InputError: nothing was generated, and nobody says why.
            SizeError: a graph is too large.
        """
        if case.generated is None and case.failure is None:
            raise InputError(
                "no generated graph to score; give `generated`, or a `response` and the model "
                "that extracts its triplets (--model)"
            )
        if reward.status == "unscorable":
            return None
        items = case.reference if isinstance(case.reference, list | tuple) else ()
        reference = triplets_from(items, "reference", verbatim=self._verbatim)
        reward.malformed += reference.malformed
        if not reference.kept:
            reward.status = "unscorable"
            reward.error = "no triplet in the reference" if items else _without(case.reference)
            return None
        if case.generated is None:
            _fail(reward, case.failure or "")
            return None
        if case.failure is not None:
            _fail(reward, case.failure)
        generated = triplets_from(case.generated, "generated", verbatim=self._verbatim)
        reward.malformed += generated.malformed
        reward.generated_triplets = len(generated.kept)
        check_size(len(generated.kept), len(reference.kept))
        return Graphs(generated, reference)

    def _fill(self, reward: Reward, graphs: Graphs, found: Comparison) -> None:
        """Turn counts into scores."""
        weights, size = self.settings.weights, len(graphs.reference.kept)
        coverage = sum(found.likeness) / len(found.likeness)
        reward.node_coverage = min(max(coverage, 0.0), 1.0)
        reward.structural_correctness = found.recalled_count / size
        reward.chain_completeness = found.chain / size
        reward.max_chain = found.longest_chain / size
        process = (
            weights.node * reward.node_coverage
            + weights.structure * reward.structural_correctness
            + weights.chain * reward.chain_completeness
        )
        reward.process = 1.0 if process >= weights.ceiling else min(process, 1.0)
        if graphs.generated.kept:
            reward.precision = found.telling_count / len(graphs.generated.kept)
            both = reward.precision + reward.structural_correctness
            reward.f1 = 2 * reward.precision * reward.structural_correctness / both if both else 0.0
        if self.settings.details:
            add_details(reward, graphs, found, self.matching)

    def _finish(self, reward: Reward) -> None:
        parts = (reward.format, reward.accuracy, reward.process)
        if reward.status == "scored" and None not in parts:
            weights = self.settings.weights
            total = sum(
                weight * (part or 0.0)
                for weight, part in zip(
                    (weights.format, weights.accuracy, weights.process), parts, strict=True
                )
            )
            reward.reward = min(total, 1.0)

    def _recorded(self) -> dict[str, Any]:
        """Return what shapes the scores."""
        settings = self.settings
        weights = settings.weights
        return {
            "version": __version__,
            "embedding": settings.embedding.name,
            **({"model": settings.embedding.model} if settings.embedding.model else {}),
            "entity_threshold": settings.entity_threshold,
            "relation_threshold": settings.relation_threshold,
            "weights": [weights.node, weights.structure, weights.chain],
            "ceiling": weights.ceiling,
            "reward_weights": [weights.format, weights.accuracy, weights.process],
            "guards": self.guards is not None,
            **({"compat": settings.compat} if settings.compat else {}),
            "overlays": list(settings.overlays),
            "rules": {
                name: digest for book in self._rulebooks for name, digest in book.hashes.items()
            },
        }


def reward(case: RewardCase | Mapping[str, Any], settings: RewardSettings | None = None) -> Reward:
    """Return the reward of one case; for many, keep a :class:`Rewarder` and give it all of them.

    Args:
        case: With a generated graph and a reference; a mapping is read like a JSON object.
        settings: How rewards are made.

    Raises:
        InputError: the case or a setting cannot be used.
        ModelError: a package that is needed is not installed.
        RuleError: a user's guard rule is faulty.
        SizeError: a graph is too large to be compared in bounded memory.

    Source: MedCEG paper, section 4.1.
    """
    return Rewarder(settings).score([case], strict=True)[0]


def _id_of(case: RewardCase | Mapping[str, Any]) -> str:
    """Return the name of a case, which may be none."""
    name = case.get("id") if isinstance(case, Mapping) else getattr(case, "id", None)
    return str(name) if isinstance(name, str | int) else "case"


def _without(reference: Any) -> str:
    """Return what is wrong with a reference that is no list, or an empty one."""
    if reference is None:
        return "the reference is missing"
    if isinstance(reference, list | tuple):
        return "the reference is empty"
    return f"the reference is no list of triplets but {type(reference).__name__}"


def _fail(reward: Reward, reason: str) -> None:
    reward.status, reward.error = "failed", reason
