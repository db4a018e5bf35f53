"""The model and the pairs every patching benchmark runs on, whoever runs them: 12 layers, d = 512, 128 tokens of which
the pair shares 64, weights from a seed. Imported by scripts in environments that hold torch and transformers.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

LAYERS, WIDTH, HEADS, TOKENS, SHARED, VOCABULARY = 12, 512, 8, 128, 64, 1000
BATCH = 16  # pairs of the plain forward that is the unit


def model() -> Any:
    """A Llama reward model, fp32, in evaluation mode; one thread."""
    return llama(LAYERS, WIDTH, HEADS, 1408)


def llama(layers: int, width: int, heads: int, inner: int) -> Any:
    """One of this shape, its weights from seed 0."""
    import transformers

    torch.set_num_threads(1)
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=VOCABULARY,
        hidden_size=width,
        intermediate_size=inner,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=heads,
        max_position_embeddings=256,
        num_labels=1,
        pad_token_id=0,
    )
    return transformers.AutoModelForSequenceClassification.from_config(config).eval().requires_grad_(False)


def pairs(count: int) -> list[tuple[list[int], list[int]]]:
    """Chosen and rejected ids of equal length, their first 64 alike."""
    made = torch.Generator().manual_seed(1)
    found = []
    for _ in range(count):
        ids = torch.randint(1, VOCABULARY, (SHARED + 2 * (TOKENS - SHARED),), generator=made).tolist()
        found.append((ids[:TOKENS], ids[:SHARED] + ids[TOKENS:]))
    return found


def cpu(work: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds of this process, and what the work gave."""
    began = time.process_time()
    result = work()
    return time.process_time() - began, result


@torch.no_grad()
def plain(network: Any) -> float:
    """CPU seconds a pair's side costs in one plain batch forward: the unit F, least of three."""
    ids = torch.tensor([chosen for chosen, _ in pairs(BATCH)])
    network(input_ids=ids)
    return min(cpu(lambda: network(input_ids=ids))[0] for _ in range(3)) / BATCH


def folder(network: Any, place: Path) -> Path:
    """The model saved as a Hugging Face folder with a tokenizer of numbers."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    words = {"<pad>": 0} | {str(number): number for number in range(1, VOCABULARY)}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="<pad>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    network.save_pretrained(place)
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<pad>").save_pretrained(place)
    return place


def text(ids: list[int]) -> str:
    return " ".join(map(str, ids))
