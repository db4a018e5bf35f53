"""A reward model of the shape of Llama-3.1-8B with random weights on one GPU, bf16 with an fp32 head: tokens a second,
and the share of the rate at which the same card multiplies large matrices.

Without a GPU the reading is `not_run`. `SMALL` is the same code on a CPU at a size for tests.
"""

from __future__ import annotations

import statistics
import time
from typing import Any, NamedTuple

from lens.reading import Declined

REMEDY = "on a machine with a GPU of 40 GiB or more: python -m bench gpu --write"


class Shape(NamedTuple):
    """Of the model and of its texts."""

    width: int
    inner: int
    layers: int
    heads: int
    kv_heads: int
    vocabulary: int
    texts: int
    tokens: int


LARGE = Shape(4096, 14336, 32, 32, 8, 128256, 256, 1024)
SMALL = Shape(64, 128, 2, 4, 2, 100, 8, 32)


def run() -> list[dict[str, Any]] | Declined:
    """Two rows, or why there are none."""
    import torch

    if not torch.cuda.is_available():
        return Declined("not_run", "no GPU was at hand when the benchmarks were run", REMEDY, needs="a CUDA device")
    return rates(LARGE, "cuda", torch.cuda.get_device_name())


def rates(shape: Shape, device: str, card: str) -> list[dict[str, Any]]:
    """Scoring texts, and a component grid on one pair."""
    model = _model(shape, device)
    texts = _texts(shape)
    peak = _multiplication(device, shape.width)
    scoring = _seconds(lambda: model.rewards(texts), device)
    tokens = shape.texts * shape.tokens
    flops = tokens * _flops_a_token(shape)
    copies, grid = _grid(model, shape, device)
    return [
        _row("scoring", tokens / scoring, flops / scoring / peak, card, f"{shape.texts} × {shape.tokens} tokens"),
        _row(
            "component-grid", copies / grid, copies * _flops_a_token(shape) / grid / peak, card,
            "tokens that pass through every block, of patched copies of one pair that shares half its tokens",
        ),
    ]  # fmt: skip


def _row(name: str, rate: float, share: float, card: str, note: str) -> dict[str, Any]:
    return {
        "name": name,
        "ours": rate,
        "peer": rate / share,
        "peer_version": f"what the card's own matrix products would allow ({card})",
        "ratio": 1 / share,
        "unit": "tokens a second",
        "note": note,
    }


def _model(shape: Shape, device: str) -> Any:
    import torch
    import transformers

    from lens.models.scalar import Row, ScalarModel

    config = transformers.LlamaConfig(
        vocab_size=shape.vocabulary,
        hidden_size=shape.width,
        intermediate_size=shape.inner,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.kv_heads,
        max_position_embeddings=4 * shape.tokens,
        num_labels=1,
        pad_token_id=0,
    )
    torch.manual_seed(0)
    with torch.device(device):
        dtype = torch.bfloat16 if device == "cuda" else torch.float32
        network = transformers.AutoModelForSequenceClassification.from_config(config, dtype=dtype)
    return ScalarModel(
        slug="random-weights", title="random weights", spec="", fingerprint="", licence="", family="A", device=device,
        dtype=str(dtype).rpartition(".")[2], network=network.eval().requires_grad_(False), row=Row(0),
        writer=None,  # the texts are token ids already
    )  # fmt: skip


def _texts(shape: Shape) -> list[Any]:
    import torch

    from lens.models.model import Encoded

    made = torch.Generator().manual_seed(1)
    ids = torch.randint(1, shape.vocabulary, (shape.texts, shape.tokens), generator=made).tolist()
    return [Encoded(tuple(one), shape.tokens // 2) for one in ids]


def _grid(model: Any, shape: Shape, device: str) -> tuple[int, float]:
    """Tokens of whole passes' worth that the copies take through the blocks, and the seconds."""
    from lens.models.patch import sites
    from lens.models.patch.schedule import Base, Source, patched

    one, other = _texts(shape)[:2]
    half = shape.tokens // 2
    trunk = model.trunk
    pair = trunk.pair(one.ids, one.ids[:half] + other.ids[half:])
    grid = sites.components(trunk.layers)
    base, source = Base(pair.chosen, pair.shared), Source.of(pair.rejected)
    seconds = _seconds(lambda: patched(trunk, base, source, grid), device)
    passed = sum(shape.layers - max(0, site.layer) for site in grid) / shape.layers
    return round(passed * half), seconds


def _seconds(work: Any, device: str) -> float:
    """The median of three runs by the clock, after one."""
    import torch

    taken = []
    for _ in range(4):
        began = time.perf_counter()
        work()
        if device == "cuda":
            torch.cuda.synchronize()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken[1:])


def _multiplication(device: str, width: int) -> float:
    """Floating-point operations a second of a large matrix product on this device, in the model's dtype."""
    import torch

    dtype = torch.bfloat16 if device == "cuda" else torch.float32
    size = 2 * width
    a, b = (torch.randn(size, size, device=device, dtype=dtype) for _ in range(2))
    return 2 * size**3 * 16 / _seconds(lambda: [a @ b for _ in range(16)], device)


def _flops_a_token(shape: Shape) -> float:
    """Of the matrix products of every block, two a weight, and of attention over half the text on average."""
    head = shape.width // shape.heads
    weights = 2 * shape.width**2 + 2 * shape.width * shape.kv_heads * head + 3 * shape.width * shape.inner
    return shape.layers * (2.0 * weights + 2 * shape.tokens * shape.width)
