"""Tiny random policies and the runs they make: rollouts sampled, scored and trained on here, as a trainer does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch
import transformers
from gram_records import ON_POLICY, opened

from lens.runs.record import Record
from lens.runs.writer import Writer

torch.set_num_threads(1)
LETTERS = "abcdefghijklmnopqrstuvwxyz 0123456789"
_SPECIAL = ["<pad>", "<s>", "</s>"]
PROMPTS = ("count the letters", "say a word", "two and two")
GROUP = 4
LONGEST = 7


def tokenizer() -> Any:
    """One token a character; a beginning token goes before plain text."""
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, processors

    inner = Tokenizer(models.WordLevel({token: at for at, token in enumerate([*_SPECIAL, *LETTERS])}))
    inner.pre_tokenizer = pre_tokenizers.Split(Regex("."), "isolated")
    inner.decoder = decoders.Fuse()
    inner.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token="<pad>", bos_token="<s>", eos_token="</s>", clean_up_tokenization_spaces=False
    )


def network(kind: str = "llama", *, seed: int = 0, **config: Any) -> Any:
    """A causal network of a known family, random, in fp32 and evaluation mode."""
    own: dict[str, Any] = {
        "vocab_size": len(LETTERS) + 3, "hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2,
        "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 4, "max_position_embeddings": 64,
        "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2,
    }  # fmt: skip
    if kind == "gpt2":
        own = {"vocab_size": len(LETTERS) + 3, "n_embd": 16, "n_layer": 2, "n_head": 4, "n_positions": 64}
        own |= {"bos_token_id": 1, "eos_token_id": 2}
    if kind in ("llama", "qwen2", "mistral", "mixtral"):
        own.pop("head_dim", None)
    made = transformers.AutoConfig.for_model(kind, **own | config)
    torch.manual_seed(seed)
    found = transformers.AutoModelForCausalLM.from_config(made, attn_implementation="eager").eval()
    with torch.no_grad():
        for one in found.parameters():
            one.add_(torch.randn_like(one) * 0.2)  # away from a start at which every token is alike
    return found.requires_grad_(False)


def saved(made: Any, folder: Path) -> Path:
    made.save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    return folder


def sampled(made: Any, prompts: Sequence[str], *, seed: int) -> list[dict[str, Any]]:
    """GROUP responses a prompt, token by token, scored; the end token is dropped from the text."""
    words, draw = tokenizer(), torch.Generator().manual_seed(seed)
    rows = []
    for prompt in prompts:
        for _ in range(GROUP):
            ids, total, new = list(words(prompt)["input_ids"]), 0.0, []
            while len(new) < LONGEST and (not new or new[-1] != 2):
                with torch.no_grad():
                    logits = made(input_ids=torch.tensor([ids])).logits[0, -1].double()
                logits[:2] = -torch.inf  # neither padding nor a beginning
                token = int(torch.multinomial(torch.softmax(logits, 0), 1, generator=draw))
                new.append(token)
                ids.append(token)
            total = logp_of(made, ids[: -len(new)], new)
            text = "".join(LETTERS[token - 3] for token in new if token > 2)
            rows.append({"prompt": prompt, "completion": text, "tokens": len(new), "logp_old": total, "ids": new})
    return rows


def logp_of(made: Any, before: list[int], new: list[int]) -> float:
    with torch.no_grad():
        logps = torch.log_softmax(made(input_ids=torch.tensor([before + new])).logits[0].double(), -1)
    return sum(float(logps[len(before) - 1 + at, token]) for at, token in enumerate(new))


def advantages(rewards: Sequence[float]) -> list[float]:
    """By group, (r - mean) / (sd + 1e-4), Bessel's correction."""
    groups = np.asarray(rewards, float).reshape(-1, GROUP)
    spread = groups.std(axis=1, ddof=1, keepdims=True) + 1e-4
    return ((groups - groups.mean(axis=1, keepdims=True)) / spread).ravel().tolist()  # type: ignore[no-any-return]


def run(
    folder: Path, steps: dict[int, list[dict[str, Any]]], *, config: dict[str, Any] | None = None,
    drop: Sequence[str] = (), series: dict[int, dict[str, float]] | None = None, **changed: Any,
) -> Record:  # fmt: skip
    """A record of sampled rollouts; each row also needs `advantage`. `drop` are columns that weren't recorded."""
    folder.mkdir(parents=True, exist_ok=True)
    writer = Writer(folder, folder)
    for step, rows in steps.items():
        columns: dict[str, Any] = {
            "step": step,
            "group": [at // GROUP for at in range(len(rows))],
            "prompt_text": [row["prompt"] for row in rows],
            "completion_text": [row["completion"] for row in rows],
            **{name: [row[name] for row in rows] for name in ("advantage", "tokens", "logp_old")},
        }
        writer.rollouts(folder / f"{step}.jsonl", {name: one for name, one in columns.items() if name not in drop})
    for step, values in (series or {}).items():
        writer.series(step, values)
    told = {"loss": "dapo", "batch_size": len(PROMPTS) * GROUP, "learning_rate": 0.01, **changed}
    writer.settings = msgspec.structs.replace(ON_POLICY, **told)
    return opened(writer, folder.name, config or {"max_completion_length": LONGEST})
