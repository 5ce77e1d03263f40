"""From the answers of all voters to one label."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from groundtrace.chat.settings import Voter
from groundtrace.labelling.candidates import Candidate
from groundtrace.labelling.questions import LabelAnswer
from groundtrace.models.trace import Relation
from groundtrace.vocabulary import LABELS, Label


def relation_of(
    candidate: Candidate, voters: Sequence[Voter], answers: Sequence[LabelAnswer]
) -> Relation:
    """Return the relation that some answers make.

    The label with most votes wins, among equals the weaker one. If answers are missing and could
    change that, the relation is unlabelled. The probability is the voter's own, or the label's
    share of the votes where there are several.

    Args:
        voters: Who was asked; at least one.
        answers: One per voter, in order.
    """
    errors = [answer.error for answer in answers if answer.label is None and answer.error]
    label = majority([answer.label for answer in answers])
    if len(answers) == 1:
        probability, extra = answers[0].probability, {}
    else:
        cast = [answer.label for answer in answers if answer.label]
        probability = cast.count(label) / len(cast) if label else None
        extra = {"votes": [_vote(*pair) for pair in zip(voters, answers, strict=True)]}
    error = None
    if label is None:
        error = errors[0] if errors else "the voters gave no answer"
        if len(answers) > 1:
            error = f"{len(errors)} of {len(answers)} votes are missing: {error}"
    return Relation.model_validate(
        {
            "premises": candidate.premises,
            "target": candidate.target,
            "label": label,
            "probability": probability,
            "error": error,
            **extra,
        }
    )


def majority(votes: Sequence[Label | None]) -> Label | None:
    """Return the label with most votes, the weakest among equals; None if it is not certain.

    Args:
        votes: None stands for a vote that is missing.
    """
    counts = Counter(vote for vote in votes if vote)
    missing = len(votes) - counts.total()
    if not counts:
        return None
    winners = {
        _winner(counts + Counter({label: missing})) for label in (LABELS if missing else LABELS[:1])
    }
    return winners.pop() if len(winners) == 1 else None


def _winner(counts: Counter[Label]) -> Label:
    return max(reversed(LABELS), key=lambda label: (counts[label], -LABELS.index(label)))


def _vote(voter: Voter, answer: LabelAnswer) -> dict[str, Any]:
    """Return one vote as it is kept beside the relation."""
    vote = {"model": voter.model, "sample": voter.sample, "label": answer.label}
    if answer.probability is not None:
        vote["probability"] = answer.probability
    if answer.label is None:
        vote["error"] = answer.error
    return vote
