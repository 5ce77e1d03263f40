"""Reward functions for TRL's ``GRPOTrainer``.

TRL calls them with keywords: prompts, completions, every other column of the dataset, and a few
helpers of its own. None means "not scored": TRL leaves such completions out.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from groundtrace.errors import InputError
from groundtrace.trainers.scoring import Sample, Scored, Scorer, log_unscored

Chat = Sequence[Mapping[str, Any]]
"""Messages with a role and a content."""

_OPENING = "<think>"


class TrlReward:
    """A reward function. Logged under its name, its components as ``name/component``."""

    def __init__(
        self,
        scorer: Scorer,
        *,
        reference: str = "reference",
        answer: str = "answer",
        name: str = "groundtrace",
        opened: bool = False,
    ) -> None:
        """Take what scores.

        Args:
            reference: The column that holds critical evidence graphs: lists of lists of three
                texts, or their JSON text.
            answer: The column that holds right answers.
            opened: Whether the prompt has opened the thinking part already, as some chat
                templates do, so that completions only close it.
        """
        self._scorer = scorer
        self._reference = reference
        self._answer = answer
        self._opened = opened
        self.__name__ = name

    def __call__(
        self, completions: Sequence[str | Chat], prompts: Any = None, **columns: Any
    ) -> list[float | None]:
        """Return one reward per completion, None where there is no score.

        Args:
            prompts: Likewise, one for each.
            columns: Of the dataset, one value for each, and helpers of TRL.

        Raises:
            InputError: a column is missing, or does not have one value for each completion.
        """
        samples = self._samples(completions, prompts, columns)
        return self._values(self._scorer.score(samples), columns.get("log_metric"))

    def _samples(
        self, completions: Sequence[str | Chat], prompts: Any, columns: Mapping[str, Any]
    ) -> list[Sample]:
        asked = prompts if prompts is not None else [""] * len(completions)
        named = {"reference": self._reference, "answer": self._answer}
        for need in self._scorer.needs:
            if completions and named[need] not in columns:
                found = ", ".join(sorted(columns)) or "none"
                raise InputError(f"the dataset has no column {named[need]!r}; it has {found}")
        references = self._column(self._reference, columns, len(completions))
        answers = self._column(self._answer, columns, len(completions))
        return [
            Sample(
                response=self._response(completion, prompt),
                question=_last_of("user", prompt),
                reference=reference,
                answer=None if answer is None else str(answer),
            )
            for completion, prompt, reference, answer in zip(
                completions, asked, references, answers, strict=True
            )
        ]

    def _column(self, name: str, columns: Mapping[str, Any], count: int) -> Sequence[Any]:
        values = columns.get(name)
        if values is None:
            return [None] * count
        if isinstance(values, str) or len(values) != count:
            raise InputError(f"column {name!r}: expected {count} values, one per completion")
        found: Sequence[Any] = values
        return found

    def _response(self, completion: str | Chat, prompt: str | Chat) -> str:
        text = completion if isinstance(completion, str) else _last_of("assistant", completion)
        ended = isinstance(prompt, str) and prompt.rstrip().endswith(_OPENING)
        opened = (self._opened or ended) and not text.lstrip().startswith(_OPENING)
        return f"{_OPENING}{text}" if opened else text

    def _values(self, scored: Sequence[Scored], log: Any) -> list[float | None]:
        """Return the rewards, logged."""
        log_unscored(scored)
        if callable(log) and scored:
            self._log(scored, log)
        return [one.value for one in scored]

    def _log(self, scored: Sequence[Scored], log: Any) -> None:
        """Log the mean of each component over what has a score."""
        with_score = [one for one in scored if one.value is not None]
        for name in self._scorer.parts:
            values = [part for one in with_score if (part := one.parts[name]) is not None]
            if values:
                log(f"{self.__name__}/{name}", sum(values) / len(values))
        log(f"{self.__name__}/unscored", sum(one.value is None for one in scored) / len(scored))


class AsyncTrlReward(TrlReward):
    """The same reward function as a coroutine: TRL awaits all such functions side by side."""

    async def __call__(  # type: ignore[override]
        self, completions: Sequence[str | Chat], prompts: Any = None, **columns: Any
    ) -> list[float | None]:
        """Return one reward per completion, None where there is no score.

        Args:
            prompts: Likewise, one for each.
            columns: Of the dataset, one value for each, and helpers of TRL.

        Raises:
            InputError: a column is missing, or does not have one value for each completion.
        """
        samples = self._samples(completions, prompts, columns)
        scored = await asyncio.to_thread(self._scorer.score, samples)
        return self._values(scored, columns.get("log_metric"))


def _last_of(role: str, chat: str | Chat) -> str:
    """Return the text of the last message of a role, its separate thinking in tags."""
    if isinstance(chat, str):
        return chat
    for message in reversed(chat or ()):
        if isinstance(message, Mapping) and message.get("role", role) == role:
            thinking = message.get("reasoning_content") or message.get("thinking")
            text = _text(message.get("content"))
            return f"{_OPENING}{_text(thinking)}</think>{text}" if thinking else text
    return ""


def _text(content: Any) -> str:
    """Return a content as text: it may be a list of parts, or nothing."""
    if isinstance(content, list | tuple):
        texts = (part.get("text") for part in content if isinstance(part, Mapping))
        return "".join(str(text) for text in texts if text is not None)
    return "" if content is None else str(content)
