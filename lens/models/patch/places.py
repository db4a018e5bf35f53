"""Where the library's modules hold a network's sites, found by the names its families give their parts.

A site is a module's output, or its input. What counts as added by attention or by an MLP is what the block adds to the
stream: after the post-norm where there is one (Gemma-2), before the norm that follows the sum where there is one
(BERT). Heads are slices of the input of attention's output projection.
"""

from __future__ import annotations

from functools import cached_property
from operator import attrgetter
from typing import Any

from torch import nn

from lens.errors import UsageError
from lens.models.patch.sites import Site

ATTENTION = ("self_attn", "attention.output.dense", "attention.out_lin", "attention.dense", "attn")
PROJECTION = (
    "self_attn.o_proj", "self_attn.out_proj", "self_attn.dense", "attention.output.dense", "attention.out_lin",
    "attention.dense", "attn.Wo", "attn.c_proj",
)  # fmt: skip
MLP = ("mlp", "output.dense", "ffn", "fc2")
NORMED_AFTER = {"attn": "post_attention_layernorm", "mlp": "post_feedforward_layernorm"}
NORMED_BEFORE = "pre_feedforward_layernorm"  # its presence tells the two meanings of post_attention_layernorm apart


class Places:
    """The sites of one network. Raises UsageError where its blocks can't be told."""

    def __init__(self, network: Any) -> None:
        self.config = network.config.get_text_config()
        self.layers = blocks(network)
        self.heads: int = self.config.num_attention_heads

    def module(self, site: Site) -> tuple[Any, bool]:
        """The module whose output (or, where the flag is set, input) is the site."""
        if site.kind == "embed":
            return self.layers[0], True
        if site.kind == "stream" and site.layer == len(self.layers):
            return self.layers[-1], False
        layer = self.layers[site.layer]
        if site.kind == "stream":
            return layer, True
        if site.kind == "head":
            return _part(layer, PROJECTION, site), True
        if self.normed_after:
            return getattr(layer, NORMED_AFTER[site.kind]), False
        return _part(layer, ATTENTION if site.kind == "attn" else MLP, site), False

    @cached_property
    def normed_after(self) -> bool:
        return hasattr(self.layers[0], NORMED_BEFORE)


def blocks(network: Any) -> list[Any]:
    """The network's blocks in order: its one list of modules that is as long as its config says it is deep."""
    depth = network.config.get_text_config().num_hidden_layers
    for module in network.base_model.modules():
        if isinstance(module, nn.ModuleList) and len(module) == depth:
            return list(module)
    raise UsageError(
        f"the {depth} blocks of a {type(network).__name__} can't be told from its modules",
        remedy="report this architecture; what needs no look inside (preference, bias) is measured all the same",
    )


def _part(layer: Any, names: tuple[str, ...], site: Site) -> Any:
    for name in names:
        try:
            return attrgetter(name)(layer)
        except AttributeError:
            continue
    raise UsageError(
        f"{site.name} can't be told in a {type(layer).__name__}",
        remedy="report this architecture; the stream before every block can be patched all the same",
    )
