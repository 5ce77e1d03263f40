"""Tiny models with random weights, made on the spot: no download, and nonsense for answers."""

import json
from pathlib import Path
from typing import Any

VOCABULARY_SIZE = 500
POSITIONS = 8192
SENTENCES = (
    "The cat sat on the mat while the dog slept by the door.",
    "Do the premises support the conclusion, or do they contradict it?",
    "Answer with one letter: E for entailment, I for implied, N for neutral.",
    "A conclusion that the premises rule out is answered with the letter C.",
)
CHAT_TEMPLATE = (
    "{{ bos_token }}"
    "{% for message in messages %}"
    "{{ '<|' + message['role'] + '|>' + message['content'] + eos_token }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
)


def tokenizer(length: int) -> Any:
    """Train a byte-level tokenizer: it can encode every text."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    roles = ["<|system|>", "<|user|>", "<|assistant|>"]
    trained: Any = Tokenizer(models.BPE())
    trained.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trained.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY_SIZE,
        min_frequency=1,
        special_tokens=["<pad>", "<s>", "</s>", *roles],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    trained.train_from_iterator(SENTENCES, trainer)
    kind: Any = PreTrainedTokenizerFast
    fast = kind(
        tokenizer_object=trained,
        bos_token="<s>",
        eos_token="</s>",
        pad_token="<pad>",
        model_max_length=length,
    )
    fast.chat_template = CHAT_TEMPLATE
    return fast


def make_chat_model(folder: Path) -> None:
    """Write a causal language model whose answers depend on the prompt."""
    import torch
    import transformers

    library: Any = transformers
    words = tokenizer(POSITIONS)
    config = library.LlamaConfig(
        vocab_size=len(words),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=POSITIONS,
        initializer_range=0.3,
        bos_token_id=words.bos_token_id,
        eos_token_id=words.eos_token_id,
        pad_token_id=words.pad_token_id,
        dtype=torch.float32,
    )
    torch.manual_seed(0)
    library.LlamaForCausalLM(config).save_pretrained(folder)
    words.save_pretrained(folder)


def make_classifier(folder: Path, labels: list[str], length: int = 256) -> None:
    """Write a classifier of pairs of sentences with these classes, in this order."""
    import torch
    import transformers

    library: Any = transformers
    words = tokenizer(length)
    config = library.BertConfig(
        vocab_size=len(words),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=length,
        initializer_range=0.6,
        pad_token_id=words.pad_token_id,
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
    )
    torch.manual_seed(0)
    library.BertForSequenceClassification(config).save_pretrained(folder)
    words.save_pretrained(folder)


def rename_classes(folder: Path, labels: list[str]) -> None:
    """Call the classes of a classifier otherwise, without touching its weights."""
    path = folder / "config.json"
    config = json.loads(path.read_text())
    config["id2label"] = {str(number): label for number, label in enumerate(labels)}
    config["label2id"] = {label: number for number, label in enumerate(labels)}
    path.write_text(json.dumps(config))
