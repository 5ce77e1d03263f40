"""The labeller that classifies on this machine, with a three-way natural language inference model.

It needs no server and no language model, and it is weaker: such models are trained on pairs of
short sentences, know no "implied", and guess it here from a middling probability of entailment.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from groundtrace.chat.settings import Voter
from groundtrace.errors import InputError, ModelError, missing_package
from groundtrace.labelling.labeller_bases import BatchLabeller
from groundtrace.labelling.questions import LabelAnswer, LabelQuestion
from groundtrace.labelling.settings import LabellingSettings
from groundtrace.vocabulary import Label

DECIMALS = 4
"""Of a probability: beyond, it depends on what else was classified at the same time."""

_CLASSES = {"entail": "entailment", "neutral": "neutral", "contradict": "contradiction"}


class _Model(NamedTuple):
    tokenizer: Any
    network: Any
    classes: list[str]
    """Position in the output to entailment, neutral or contradiction."""
    length: int
    """Tokens that it can read."""


class Labeller(BatchLabeller):
    """Classifies premises and conclusion as a pair of sentences."""

    at_once = 32

    def __init__(self, settings: LabellingSettings) -> None:
        """Check the settings; loads no model yet.

        Raises:
            InputError: no model is named, or a setting cannot be used.
            ModelError: transformers or torch is not installed.
        """
        super().__init__(settings)
        if settings.votes > 1:
            raise InputError("--votes: a classifier always answers the same; name several models")
        if not 0 <= settings.implied_at <= settings.entailment_at <= 1:
            raise InputError(
                "expected 0 <= --implied-at <= --entailment-at <= 1, "
                f"got {settings.implied_at:g} and {settings.entailment_at:g}"
            )
        try:
            import torch
            import transformers
        except ModuleNotFoundError as error:
            raise missing_package("the labeller nli needs", "nli", error.name) from None
        self._torch: Any = torch
        self._transformers: Any = transformers
        self._models: dict[str, _Model] = {}

    def settings(self) -> dict[str, Any]:
        """Return what is recorded with the result."""
        return {
            "labeller": "nli",
            "models": list(self._settings.models),
            "entailment_at": self._settings.entailment_at,
            "implied_at": self._settings.implied_at,
        }

    def key(self, premises: Sequence[str], conclusion: str, voter: Voter) -> bytes:
        """Return a hash of everything that shapes the answer; 32 bytes."""
        thresholds = [self._settings.entailment_at, self._settings.implied_at]
        shape = ["nli", list(premises), conclusion, voter.model, thresholds]
        return hashlib.sha256(json.dumps(shape).encode()).digest()

    def answers(
        self, questions: Sequence[LabelQuestion]
    ) -> list[tuple[LabelQuestion, LabelAnswer]]:
        """Classify questions, model by model.

        Raises:
            ModelError: a model cannot be loaded, or is no three-way classifier.
        """
        answered: list[tuple[LabelQuestion, LabelAnswer]] = []
        for name in self._settings.models:
            batch = [question for question in questions if question.voter.model == name]
            if batch:
                answered += zip(batch, self._answers(self._load(name), batch), strict=True)
        return answered

    def _load(self, name: str) -> _Model:
        if name not in self._models:
            try:
                tokenizer = self._transformers.AutoTokenizer.from_pretrained(name)
                kind = self._transformers.AutoModelForSequenceClassification
                network = kind.from_pretrained(name).eval()
            except (OSError, ValueError, ImportError, KeyError, RuntimeError) as error:
                words = " ".join(str(error).split())
                raise ModelError(f"the model {name!r} cannot be loaded: {words}") from None
            if self._torch.cuda.is_available():
                network = network.cuda()
            length = min(tokenizer.model_max_length, _positions(network.config))
            classes = _classes(name, network.config.id2label)
            self._models[name] = _Model(tokenizer, network, classes, length)
        return self._models[name]

    def _answers(self, model: _Model, questions: Sequence[LabelQuestion]) -> list[LabelAnswer]:
        """Return an answer per question; those that are too long are not classified."""
        pairs = [(" ".join(question.premises), question.conclusion) for question in questions]
        sizes = [len(model.tokenizer(*pair)["input_ids"]) for pair in pairs]
        fitting = [pair for pair, size in zip(pairs, sizes, strict=True) if size <= model.length]
        found = iter(self._probabilities(model, fitting))
        return [
            self._answer(dict(zip(model.classes, next(found), strict=True)), size)
            if size <= model.length
            else LabelAnswer(
                None, error=f"too long: {size:,} tokens, the model takes {model.length:,}"
            )
            for size in sizes
        ]

    def _probabilities(self, model: _Model, pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
        """Return the probability of each class for each pair."""
        if not pairs:
            return []
        first, second = zip(*pairs, strict=True)
        inputs = model.tokenizer(list(first), list(second), padding=True, return_tensors="pt")
        with self._torch.inference_mode():
            logits = model.network(**inputs.to(model.network.device)).logits
        rows: list[list[float]] = logits.float().softmax(-1).tolist()
        return rows

    def _answer(self, probability: dict[str, float], size: int) -> LabelAnswer:
        settings = self._settings
        entailed, contradicted = probability["entailment"], probability["contradiction"]
        label: Label
        if entailed >= settings.entailment_at:
            label, share = "entailment", entailed
        elif contradicted >= settings.entailment_at:
            label, share = "contradiction", contradicted
        elif entailed >= settings.implied_at:
            label, share = "implied", entailed
        else:
            label, share = "neutral", probability["neutral"]
        return LabelAnswer(label, round(share, DECIMALS), None, 1, size, 0)


def _positions(config: Any) -> int:
    """Return how many tokens a network has places for; very many if it does not say."""
    return int(getattr(config, "max_position_embeddings", None) or 2**31)


def _classes(name: str, labels: dict[int, str]) -> list[str]:
    """Return what each output of a model means, as its own configuration says.

    Raises:
        ModelError: it does not say, or has other classes.
    """
    found = [
        next((meaning for start, meaning in _CLASSES.items() if start in label.lower()), "")
        for _, label in sorted(labels.items())
    ]
    if sorted(found) != sorted(_CLASSES.values()):
        shown = ", ".join(label for _, label in sorted(labels.items()))
        raise ModelError(
            f"the model {name!r} is no three-way classifier: its classes are {shown}; "
            "expected entailment, neutral and contradiction"
        )
    return found
