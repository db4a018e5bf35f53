"""Both grids by plain hooks, one whole batch forward a site: prints JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

import patch_model
import torch


@torch.no_grad()
def main(count: int, heads: int) -> None:
    network = patch_model.model()
    told: dict[str, Any] = {"unit": patch_model.plain(network), "pairs": count, "head_pairs": heads}
    width = patch_model.WIDTH // patch_model.HEADS
    attentions = [layer.self_attn for layer in network.model.layers]
    components = [module for layer in network.model.layers for module in (layer.self_attn, layer.mlp)]

    def kept(modules: list[Any], ids: torch.Tensor, before: bool) -> list[torch.Tensor]:
        seen: dict[int, torch.Tensor] = {}

        def look(at: int) -> Any:
            if before:
                return lambda _m, args: seen.__setitem__(at, args[0])
            return lambda _m, _a, out: seen.__setitem__(at, out[0] if isinstance(out, tuple) else out)

        handles = [
            module.register_forward_pre_hook(look(at)) if before else module.register_forward_hook(look(at))
            for at, module in enumerate(modules)
        ]
        network(input_ids=ids)
        for handle in handles:
            handle.remove()
        return [seen[at] for at in range(len(modules))]

    def component(pairs: list[tuple[list[int], list[int]]]) -> list[list[float]]:
        chosen, rejected = (torch.tensor([pair[side] for pair in pairs]) for side in (0, 1))
        given = kept(components, rejected, before=False)
        network(input_ids=chosen)
        found = []
        for module, value in zip(components, given, strict=True):
            put = lambda _m, _a, out, value=value: (value, *out[1:]) if isinstance(out, tuple) else value  # noqa: E731
            handle = module.register_forward_hook(put)
            found.append(network(input_ids=chosen).logits[:, 0].tolist())
            handle.remove()
        return found

    def head(pairs: list[tuple[list[int], list[int]]]) -> list[list[float]]:
        chosen, rejected = (torch.tensor([pair[side] for pair in pairs]) for side in (0, 1))
        outputs = [attention.o_proj for attention in attentions]
        given = kept(outputs, rejected, before=True)
        found = []
        for module, value in zip(outputs, given, strict=True):
            for number in range(patch_model.HEADS):
                part = slice(number * width, (number + 1) * width)

                def put(_m: Any, args: Any, part: slice = part, value: torch.Tensor = value) -> Any:
                    mixed = args[0].clone()
                    mixed[..., part] = value[..., part]
                    return (mixed,)

                handle = module.register_forward_pre_hook(put)
                found.append(network(input_ids=chosen).logits[:, 0].tolist())
                handle.remove()
        return found

    told["component"], told["first"] = patch_model.cpu(lambda: component(patch_model.pairs(count)))
    told["head"], _ = patch_model.cpu(lambda: head(patch_model.pairs(heads)))
    print(json.dumps(told))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
