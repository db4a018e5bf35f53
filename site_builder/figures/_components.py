"""Components of a network as marks: attention a disc, an MLP a square, the embedding an open disc."""

from __future__ import annotations

SYMBOLS = {"attn": "circle", "mlp": "square", "embed": "circle-open", "head": "circle"}
