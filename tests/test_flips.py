"""Predicates that run backwards: what says the same with its ends exchanged is recalled."""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from groundtrace.embedding.vectors import similarity
from groundtrace.errors import RuleError
from groundtrace.graphs.guards import Guards
from groundtrace.models.reward import Reward, RewardCase
from groundtrace.rewards.rewarder import Rewarder
from groundtrace.rewards.settings import RewardSettings
from groundtrace.rules.rulebook import rulebook_for
from groundtrace.show.graph_text import reward_text
from tests.graph_brute_force import scores

OURS = Rewarder()
Text3 = tuple[str, str, str]

CAUSES: Text3 = ("smoking", "causes", "lung cancer")
CAUSED: Text3 = ("lung cancer", "is caused by", "smoking")


def scored(
    generated: Sequence[Text3], reference: Sequence[Text3], rewarder: Rewarder = OURS
) -> Reward:
    case = RewardCase(generated=[*generated], reference=[*reference])
    return rewarder.score([case], strict=True)[0]


@pytest.mark.parametrize(
    ("reference", "generated", "recalled"),
    [
        (CAUSES, CAUSED, True),
        (CAUSED, CAUSES, True),
        (CAUSES, ("lung cancer", "results from", "smoking"), True),
        (CAUSES, ("Lung cancer", "Is caused  by", "smoking"), True),
        (("aspirin", "treats", "headache"), ("headache", "is treated with", "aspirin"), True),
        (("hand", "has part", "thumb"), ("thumb", "is part of", "hand"), True),
        (("fall", "precedes", "stroke"), ("stroke", "follows", "fall"), True),
        (("flu", "has symptom", "fever"), ("fever", "is a symptom of", "flu"), True),
        (CAUSES, ("lung cancer", "causes", "smoking"), False),
        (CAUSES, ("smoking", "is caused by", "lung cancer"), False),
        (CAUSED, ("smoking", "is caused by", "lung cancer"), False),
        (CAUSED, ("lung cancer", "causes", "smoking"), False),
        (CAUSES, ("lung cancer", "is not caused by", "smoking"), False),
        (CAUSES, ("lung cancer", "is prevented by", "smoking"), False),
        (CAUSES, ("lung cancer", "is inhibited by", "smoking"), False),
        (("aspirin", "treats", "headache"), ("headache", "is caused by", "aspirin"), False),
        (("aspirin", "inhibits", "clotting"), ("clotting", "leads to", "aspirin"), False),
        (("fall", "precedes", "stroke"), ("fall", "follows", "stroke"), False),
        (("fall", "stems from", "stroke"), ("stroke", "is due to", "fall"), False),
        (("fall", "occurs after", "stroke"), ("stroke", "follows", "fall"), False),
    ],
)
def test_what_is_turned_round(reference: Text3, generated: Text3, recalled: bool) -> None:
    reward = scored([generated], [reference])
    assert reward.structural_correctness == reward.precision == reward.f1 == float(recalled)
    assert [match.flipped for match in reward.matches] == [True] * recalled


def test_a_match_as_it_stands_is_no_flip() -> None:
    (match,) = scored([CAUSES], [CAUSES]).matches
    assert not match.flipped
    (match,) = scored([CAUSED], [CAUSED]).matches
    assert not match.flipped


def test_a_flip_is_no_further_triplet() -> None:
    reward = scored([CAUSED, ("rain", "wets", "streets")], [CAUSES])
    assert (reward.generated_triplets, reward.precision) == (2, 0.5)


def test_a_flip_is_reported_with_the_likeness_of_what_matches() -> None:
    reward = scored([CAUSED], [CAUSES])
    assert reward.matches[0].similarity == pytest.approx((1, 1, 1))
    shown = reward_text(reward, width=200, colour=False)
    assert "said as: lung cancer — is caused by → smoking (turned round; alike:" in shown


def test_the_looser_measure_takes_converses_for_the_same() -> None:
    assert scored([CAUSED], [CAUSES]).best_jaccard == 1.0


@pytest.mark.parametrize(
    "settings", [RewardSettings(compat="medceg"), RewardSettings(guards=False)]
)
def test_nothing_is_turned_in_compat_and_without_guards(settings: RewardSettings) -> None:
    reward = scored([CAUSED], [CAUSES], Rewarder(settings))
    assert (reward.structural_correctness, reward.matches) == (0.0, [])


def test_an_expert_switches_off_and_adds(tmp_path: Path) -> None:
    off = tmp_path / "off.lp"
    off.write_text("disabled(flips).")
    rewarder = Rewarder(RewardSettings(overlays=(str(off),)))
    assert scored([CAUSED], [CAUSES], rewarder).structural_correctness == 0.0
    more = tmp_path / "more.lp"
    more.write_text('converse("is owed to", "causes").')
    rewarder = Rewarder(RewardSettings(overlays=(str(more),)))
    said = ("lung cancer", "is owed to", "smoking")
    assert scored([said], [CAUSES], rewarder).structural_correctness == 1.0
    assert scored([said], [CAUSES]).structural_correctness == 0.0


def test_a_slip_in_the_table_is_named(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.lp"
    wrong.write_text('converse(stems_from, "causes").')
    with pytest.raises(RuleError, match="stems_from"):
        scored([CAUSED], [CAUSES], Rewarder(RewardSettings(overlays=(str(wrong),))))


def test_scores_equal_the_formulas_on_random_graphs() -> None:
    book = Guards(rulebook_for("guards"))
    converses = [(one, other) for one, others in book.converses().items() for other in others]
    predicates = ["causes", "leads to", "is caused by", "due to", "follows", "precedes", "treats"]
    predicates += ["is treated with", "triggers", "attributed to", "is preceded by", "suggests"]
    nodes = ["smoking", "tobacco smoking", "lung cancer", "cough", "severe cough"]
    texts = sorted({*predicates, *nodes, *(one for pair in converses for one in pair)})
    values = similarity().matrix(texts, texts).clip(0, 1)
    alike = {
        (one, other): 1.0 if one == other else float(values[row, column])
        for row, one in enumerate(texts)
        for column, other in enumerate(texts)
    }
    alike |= dict.fromkeys(book.unmatched(alike), 0.0)
    random_ = random.Random(11)

    def graph() -> list[Text3]:
        made: dict[Text3, None] = {}
        for _ in range(random_.randint(1, 7)):
            subject, object_ = random_.sample(nodes, 2)
            made[subject, random_.choice(predicates), object_] = None
        return list(made)

    pairs = [(graph(), graph()) for _ in range(300)]
    cases = [RewardCase(generated=[*mine], reference=[*theirs]) for mine, theirs in pairs]
    rewards = OURS.score(cases, strict=True)
    flips = 0
    for (mine, theirs), reward in zip(pairs, rewards, strict=True):
        expected = scores(mine, theirs, alike, 0.7, 0.6, converses=converses)
        actual = (
            reward.node_coverage,
            reward.structural_correctness,
            reward.chain_completeness,
            reward.max_chain,
            reward.precision,
        )
        assert actual == pytest.approx([*expected], abs=2e-6)
        flips += sum(match.flipped for match in reward.matches)
    assert flips > 50
