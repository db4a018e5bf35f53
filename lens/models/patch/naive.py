"""The same grids by hooks on the library's own forward, one whole pass a patch: the control of the schedule,
and how networks without exact forms are patched.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor

from lens.models.model import Encoded
from lens.models.patch.sites import Site


class Places:
    """Where the library's modules hold a decoder's sites. `post`: what is added to the stream passes a norm first."""

    def __init__(self, network: Any) -> None:
        self.base = network.model
        self.layers = list(self.base.layers)
        self.post = hasattr(self.layers[0], "pre_feedforward_layernorm")

    def module(self, site: Site) -> tuple[Any, bool]:
        """The module whose output (or, where the flag is set, input) is the site."""
        if site.kind == "embed":
            return self.base.embed_tokens, False
        if site.kind == "stream" and site.layer == len(self.layers):
            return self.base.norm, True
        layer = self.layers[site.layer]
        match site.kind:
            case "attn":
                return (layer.post_attention_layernorm if self.post else layer.self_attn), False
            case "mlp":
                return (layer.post_feedforward_layernorm if self.post else layer.mlp), False
            case "head":
                return layer.self_attn.o_proj, True
            case _:
                return layer, True


@torch.no_grad()
def patched(model: Any, base: Encoded, source: Encoded, sites: Sequence[Site], aligned: int) -> list[float]:
    """The reward of `base` with each site's last `aligned` positions taken from `source`'s pass, ru.

    One pass of `source` a site and one of `base`: nothing is kept between sites.
    """
    places = Places(model.network)
    return [_one(model, places, base, source, site, aligned) for site in sites]


def _one(model: Any, places: Places, base: Encoded, source: Encoded, site: Site, aligned: int) -> float:
    module, before = places.module(site)
    seen: list[Tensor] = []
    with _watch(module, before, lambda value: seen.append(value.clone())):
        model.rewards([source])
    with _watch(module, before, lambda value: _write(value, seen[0], site, aligned, places)):
        return float(model.rewards([base])[0])


def _write(value: Tensor, given: Tensor, site: Site, aligned: int, places: Places) -> None:
    """Put the given values over the last positions of `value` [1, T, …], in place."""
    if site.kind == "stream":
        value[0, -1 - site.number] = given[0, -1 - site.number]
    elif site.kind == "head":
        width = places.layers[site.layer].self_attn.head_dim
        part = slice(site.number * width, (site.number + 1) * width)
        value[0, -aligned:, part] = given[0, -aligned:, part]
    else:
        value[0, -aligned:] = given[0, -aligned:]


@contextmanager
def _watch(module: Any, before: bool, look: Any) -> Iterator[None]:
    """`look(tensor)` at a module's input or output, which it may change in place."""

    def on_input(_module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        look(args[0] if args else kwargs["hidden_states"])

    def on_output(_module: Any, _args: Any, output: Any) -> None:
        look(output[0] if isinstance(output, tuple) else output)

    if before:
        handle = module.register_forward_pre_hook(on_input, with_kwargs=True)
    else:
        handle = module.register_forward_hook(on_output)
    try:
        yield
    finally:
        handle.remove()
