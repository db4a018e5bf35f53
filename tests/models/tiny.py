"""Tiny random models of every architecture, saved as a person would have them: config, safetensors, a tokenizer.

Weights are drawn several times wider than the library draws them, so that rewards differ by text and every part of
the network (post-norms, soft caps, windows, per-head norms) shows in them.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import torch
import transformers

SPECIAL = {"pad": "<pad>", "bos": "<s>", "eos": "</s>", "unk": "<unk>"}
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,:;!?+-*/=()'\"\n<>|_#"
VOCABULARY = len(SPECIAL) + len(LETTERS)
TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] }}{{ eos_token }}{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
CONTEXT = 256

DECODERS = ("llama", "mistral", "qwen2", "qwen3", "gemma2")
ENCODERS = ("modernbert", "bert", "gpt2")  # read as class B: bidirectional, or of a layout without exact forms here

_COMMON: dict[str, Any] = {
    "vocab_size": VOCABULARY,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "max_position_embeddings": CONTEXT,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
_OWN: dict[str, dict[str, Any]] = {
    "llama": {"num_key_value_heads": 2},
    "mistral": {"num_key_value_heads": 2, "sliding_window": 9, "head_dim": 8},
    "qwen2": {"num_key_value_heads": 2, "use_sliding_window": True, "sliding_window": 9, "max_window_layers": 1},
    "qwen3": {"num_key_value_heads": 2, "head_dim": 16},
    "gemma2": {
        "num_key_value_heads": 2,
        "head_dim": 16,
        "query_pre_attn_scalar": 16,
        "sliding_window": 9,
        "attn_logit_softcapping": 5.0,
        "final_logit_softcapping": 3.0,
    },
    "modernbert": {"local_attention": 8, "global_attn_every_n_layers": 2, "cls_token_id": 1, "sep_token_id": 2},
    "bert": {"type_vocab_size": 2},
    "gpt2": {"n_embd": 32, "n_layer": 3, "n_head": 4, "n_positions": CONTEXT, "n_inner": 48},
}
_HEADS = {
    "reward": "AutoModelForSequenceClassification",
    "tokens": "AutoModelForTokenClassification",
    "causal": "AutoModelForCausalLM",
}
_GPT2_TAKES_OTHERS = ("hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads")


_folders: list[Path] = []


def keep_in(folder: Path) -> None:
    """Models that several tests share are written into `folder` from here on."""
    _folders[:] = [folder]


def new_folder(name: str) -> Path:
    """A new empty folder for a model that several tests share."""
    (folder,) = _folders
    return Path(tempfile.mkdtemp(dir=folder, prefix=f"{name}-"))


def build(
    folder: Path,
    architecture: str,
    head: str = "reward",
    *,
    seed: int = 0,
    template: bool = True,
    width: float = 0.25,
    dtype: torch.dtype = torch.float32,
    **config: Any,
) -> Path:
    """A saved model of `architecture` with random weights, and the character tokenizer beside it."""
    network = random(architecture, head, seed=seed, width=width, **config).to(dtype)
    network.save_pretrained(folder)
    if architecture == "qwen2":
        bytewise(template=template).save_pretrained(folder)
    else:
        encoder = architecture in ("bert", "modernbert")
        tokenizer(template=template and architecture != "bert", encoder=encoder).save_pretrained(folder)
    return folder


def random(architecture: str, head: str = "reward", *, seed: int = 0, width: float = 0.25, **config: Any) -> Any:
    """The library's network alone, in fp32 and evaluation mode."""
    own = {**_COMMON, **({"num_labels": 1} if head != "causal" else {}), **_OWN[architecture], **config}
    if architecture == "gpt2":
        own = {name: value for name, value in own.items() if name not in _GPT2_TAKES_OTHERS}
    made = transformers.AutoConfig.for_model(architecture, **own)
    network = getattr(transformers, _HEADS[head]).from_config(made, attn_implementation="eager").eval()
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, tensor in network.named_parameters():
            spread = torch.randn(tensor.shape, generator=generator) * width
            tensor.copy_(1 + spread if "norm" in name.lower() and name.endswith("weight") else spread)
    return network


def tokenizer(*, template: bool = True, encoder: bool = False) -> Any:
    """One token a character; a BOS is added by the tokenizer too, so that a template's can be doubled."""
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers, processors

    vocabulary = {token: i for i, token in enumerate([*SPECIAL.values(), *LETTERS])}
    inner = Tokenizer(models.WordLevel(vocabulary, unk_token=SPECIAL["unk"]))
    inner.pre_tokenizer = pre_tokenizers.Split(Regex(r"[\s\S]"), "isolated")
    bos, eos = (SPECIAL["bos"], 1), (SPECIAL["eos"], 2)
    if encoder:
        single, pair = f"{bos[0]} $A {eos[0]}", f"{bos[0]} $A {eos[0]} $B:1 {eos[0]}:1"
    else:
        single, pair = f"{bos[0]} $A", f"{bos[0]} $A $B"
    inner.post_processor = processors.TemplateProcessing(single=single, pair=pair, special_tokens=[bos, eos])
    made = transformers.PreTrainedTokenizerFast(
        tokenizer_object=inner,
        pad_token=SPECIAL["pad"],
        bos_token=SPECIAL["bos"],
        eos_token=SPECIAL["eos"],
        unk_token=SPECIAL["unk"],
        **({"cls_token": SPECIAL["bos"], "sep_token": SPECIAL["eos"]} if encoder else {}),
    )
    if template:
        made.chat_template = TEMPLATE
    return made


def bytewise(*, template: bool = True) -> Any:
    """The same tokens as the library insists on writing them for Qwen2: as bytes, without a BOS of the tokenizer's."""
    told = {" ": "Ġ", "\n": "Ċ"}
    vocabulary = {token: i for i, token in enumerate([*SPECIAL.values(), *(told.get(one, one) for one in LETTERS)])}
    names = {f"{name}_token": token for name, token in SPECIAL.items()}
    made = transformers.Qwen2Tokenizer(vocab=vocabulary, merges=[], **names)
    if template:
        made.chat_template = TEMPLATE
    return made


TEXTS = (
    ("What is 2 + 3?", "5"),
    ("What is 2 + 3?", "The sum of two and three is 5, I think."),
    ("Name a colour.", "Red."),
    ("Name a colour.", "Blue; or green! There are many of them, and nobody has to choose just one."),
    ("Say nothing.", ""),
    ("a", "b"),
)
