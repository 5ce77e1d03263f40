"""The labeller that classifies, with a tiny model of random weights made here."""

from pathlib import Path
from typing import Any

import pytest

import groundtrace
from groundtrace import InputError, LabellingSettings, ModelError
from tests.tiny_models import make_classifier, rename_classes

torch: Any = pytest.importorskip("torch", reason="needs the extra nli")
transformers: Any = pytest.importorskip("transformers", reason="needs the extra nli")

pytestmark = pytest.mark.filterwarnings("default")

CLASSES = ["contradiction", "entailment", "neutral"]
TRACE = {"segments": ["The cat sat.", "The dog slept.", "A cat was there.", "No dog was awake."]}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("classifier")
    make_classifier(folder, CLASSES)
    return folder


def settings(model: Path, **changes: Any) -> LabellingSettings:
    return LabellingSettings(**{"labeller": "nli", "models": (str(model),), **changes})


def probabilities(model: Path, premises: list[str], conclusion: str) -> dict[str, float]:
    """Classify one pair, without the labeller."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(model)
    network = transformers.AutoModelForSequenceClassification.from_pretrained(model).eval()
    with torch.inference_mode():
        inputs = tokenizer(" ".join(premises), conclusion, return_tensors="pt")
        shares = network(**inputs).logits[0].softmax(-1).tolist()
    return {network.config.id2label[place]: share for place, share in enumerate(shares)}


def expected(shares: dict[str, float], high: float, low: float) -> str:
    if shares["entailment"] >= high:
        return "entailment"
    if shares["contradiction"] >= high:
        return "contradiction"
    return "implied" if shares["entailment"] >= low else "neutral"


@pytest.mark.parametrize(("high", "low"), [(0.8, 0.5), (0.4, 0.2), (0.1, 0.05), (1.0, 0.3)])
def test_the_thresholds_decide(model: Path, high: float, low: float) -> None:
    trace = groundtrace.label(TRACE, settings(model, entailment_at=high, implied_at=low))
    assert trace.relations
    assert len(trace.relations) == 10
    texts = TRACE["segments"]
    for relation in trace.relations:
        premises = [texts[premise - 1] for premise in relation.premises]
        shares = probabilities(model, premises, texts[relation.target - 1])
        assert relation.label == expected(shares, high, low)
        kind = "entailment" if relation.label == "implied" else relation.label
        assert relation.probability == pytest.approx(shares[str(kind)], abs=2e-4)


@pytest.mark.parametrize(
    "names",
    [
        ["ENTAILMENT", "NEUTRAL", "CONTRADICTION"],
        ["neutral", "contradiction", "entailment"],
        ["contradicts", "neutral", "entails"],
    ],
)
def test_the_order_of_the_classes_is_the_models_own(tmp_path: Path, names: list[str]) -> None:
    """The same weights with other names give other labels."""
    make_classifier(tmp_path, CLASSES)
    rename_classes(tmp_path, names)
    place = next(n for n, name in enumerate(names) if name.lower().startswith("entail"))
    trace = groundtrace.label(TRACE, settings(tmp_path, entailment_at=0.4, implied_at=0.2))
    for relation in trace.relations or ():
        texts = TRACE["segments"]
        premises = [texts[premise - 1] for premise in relation.premises]
        shares = probabilities(tmp_path, premises, texts[relation.target - 1])
        assert (relation.label == "entailment") == (shares[names[place]] >= 0.4)


@pytest.mark.parametrize(
    "names", [["LABEL_0", "LABEL_1", "LABEL_2"], ["entailment", "not_entailment", "neutral"]]
)
def test_classes_that_say_nothing_are_refused(tmp_path: Path, names: list[str]) -> None:
    make_classifier(tmp_path, CLASSES)
    rename_classes(tmp_path, names)
    with pytest.raises(ModelError, match=f"no three-way classifier: its classes are {names[0]}"):
        groundtrace.label(TRACE, settings(tmp_path))


def test_a_text_that_is_too_long_is_not_cut(model: Path) -> None:
    trace = groundtrace.label({"segments": ["c", "x" * 400, "end"]}, settings(model))
    labels = [(one.premises, one.target, one.label is None) for one in trace.relations or ()]
    assert labels == [((1,), 2, True), ((1,), 3, False), ((2,), 3, True), ((1, 2), 3, True)]
    assert trace.relations
    assert "too long: " in (trace.relations[0].error or "")
    assert "the model takes 256" in (trace.relations[0].error or "")


def test_several_models_vote(model: Path, tmp_path: Path) -> None:
    make_classifier(tmp_path, ["entailment", "neutral", "contradiction"])
    trace = groundtrace.label(TRACE, settings(model, models=(str(model), str(tmp_path))))
    for relation in trace.relations or ():
        assert [vote["model"] for vote in relation.meta["votes"]] == [str(model), str(tmp_path)]


def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be loaded"):
        groundtrace.label(TRACE, settings(tmp_path / "nothing"))


@pytest.mark.parametrize(
    "changes",
    [
        {"votes": 2},
        {"entailment_at": 0.3, "implied_at": 0.5},
        {"entailment_at": 1.5},
        {"implied_at": -0.1},
    ],
)
def test_settings_that_cannot_be_used(model: Path, changes: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        groundtrace.label(TRACE, settings(model, **changes))
