"""Places of a trunk that can be patched, and the grids made of them."""

from __future__ import annotations

from typing import Literal, NamedTuple

Grid = Literal["component", "head", "position"]


class Site(NamedTuple):
    """One place. `layer` is −1 for the embedding; `number` is the head, or for `stream` the position counted back
    from the readout token (0 is the readout)."""

    kind: Literal["embed", "attn", "mlp", "head", "stream"]
    layer: int
    number: int = -1

    @property
    def name(self) -> str:
        """`embed`, `attn.3`, `mlp.3`, `head.3.0`, `stream.3-0`."""
        if self.kind == "embed":
            return "embed"
        tail = {"head": f".{self.number}", "stream": f"-{self.number}"}.get(self.kind, "")
        return f"{self.kind}.{self.layer}{tail}"


def components(layers: int) -> list[Site]:
    """The embedding and every attention and MLP: together they make up the stream."""
    return [Site("embed", -1)] + [Site(kind, layer) for layer in range(layers) for kind in ("attn", "mlp")]


def heads(layers: int, count: int) -> list[Site]:
    return [Site("head", layer, head) for layer in range(layers) for head in range(count)]


def stream(layers: int, aligned: int) -> list[Site]:
    """The stream before every block (and, as `layers`, after the last) at each aligned position.

    After the last block only the readout token reaches the head: its other positions are zero by structure and
    are not listed here.
    """
    return [Site("stream", layer, back) for layer in range(layers) for back in range(aligned)] + [
        Site("stream", layers, 0)
    ]
