"""The component grid by nnsight, one trace a site over the whole batch: prints JSON."""

from __future__ import annotations

import json
import sys

import patch_model
import torch
from nnsight import NNsight


@torch.no_grad()
def main(count: int) -> None:
    network = patch_model.model()
    told = {"unit": patch_model.plain(network), "pairs": count}
    texts = patch_model.pairs(count)
    chosen, rejected = (torch.tensor([pair[side] for pair in texts]) for side in (0, 1))

    def grid() -> list[list[float]]:
        wrapped = NNsight(network)
        attn, mlp, found = [], [], []
        with wrapped.trace(input_ids=rejected):
            for layer in wrapped.model.layers:
                attn.append(layer.self_attn.output[0].save())
                mlp.append(layer.mlp.output.save())
        with wrapped.trace(input_ids=chosen):
            wrapped.output.logits.save()
        for at in range(patch_model.LAYERS):
            with wrapped.trace(input_ids=chosen):
                wrapped.model.layers[at].self_attn.output[0][:] = attn[at]
                logits = wrapped.output.logits.save()
            found.append(logits[:, 0].tolist())
            with wrapped.trace(input_ids=chosen):
                wrapped.model.layers[at].mlp.output[:] = mlp[at]
                logits = wrapped.output.logits.save()
            found.append(logits[:, 0].tolist())
        return found

    told["component"], told["first"] = patch_model.cpu(grid)
    print(json.dumps(told))


if __name__ == "__main__":
    main(int(sys.argv[1]))
