"""The component grid by TransformerLens on a causal language model of the same shape, one hooked pass a site over the
whole batch: prints JSON. It has no reward head, so only its speed is read.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import patch_model
import torch
from transformer_lens import TransformerBridge
from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM


@torch.no_grad()
def main(count: int) -> None:
    same = patch_model.model()
    told = {"unit": patch_model.plain(same), "pairs": count}
    texts = patch_model.pairs(count)
    chosen, rejected = (torch.tensor([pair[side] for pair in texts]) for side in (0, 1))
    with tempfile.TemporaryDirectory() as place:
        tokenizer = AutoTokenizer.from_pretrained(str(patch_model.folder(same, Path(place))))
        language = LlamaForCausalLM(LlamaConfig(**same.config.to_dict() | {"architectures": ["LlamaForCausalLM"]}))
        language.save_pretrained(place)
        network = TransformerBridge.boot_transformers(
            place, hf_model=language.eval(), tokenizer=tokenizer, device="cpu"
        )
    names = [f"blocks.{at}.{part}.hook_out" for at in range(patch_model.LAYERS) for part in ("attn", "mlp")]

    def grid() -> list[list[float]]:
        _, kept = network.run_with_cache(rejected, names_filter=lambda name: name in names)
        network(chosen)
        found = []
        for name in names:
            logits = network.run_with_hooks(chosen, fwd_hooks=[(name, lambda _value, name=name, **_: kept[name])])
            found.append(logits[:, -1, 0].tolist())
        return found

    told["component"], found = patch_model.cpu(grid)
    assert len({row[0] for row in found}) > 1, "no hook took effect"
    print(json.dumps(told))


if __name__ == "__main__":
    main(int(sys.argv[1]))
