"""One pass a pair: where the reward stands at every depth, and what every component and head writes of it.

Read at the readout token of either side. w = w_r ⊙ γ, σ(h) = √(mean h² + ε), L blocks, H heads.
    own[l]     w·h_l/σ(h_l) + b, l = 0 (embedding) … L: the head applied at that depth
    frozen[l]  w·h_l/σ(h_L) + b: the part of the reward that is written by then
    parts[j]   w·o_j/σ(h_L) for what each component adds to the stream: embedding, attention and MLP by layer, and b
    heads[l,h] the same of one head's slice of the output projection, through the frozen post-norm where there is one
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens.models.controls import seen
from lens.models.inspection import Inspection
from lens.models.pairs import Pair

if TYPE_CHECKING:
    import numpy as np
    import torch

    from lens.models.trunk import Trace, Trunk

TOLERANCE = {"float32": 1e-4}  # of max(1, |r|), above which parts aren't the reward's
TOLERANCE_HALF = 3e-2


@dataclass(frozen=True)
class Anatomy:
    """The passes of P pairs; the second axis is the side, chosen then rejected."""

    pairs: tuple[Pair, ...]
    rewards: np.ndarray  # [P, 2]
    tokens: np.ndarray  # [P, 2]
    own: np.ndarray  # [P, 2, L + 1]
    frozen: np.ndarray  # [P, 2, L + 1]
    parts: np.ndarray  # [P, 2, 2 L + 2]
    heads: np.ndarray  # [P, 2, L, H]

    @property
    def layers(self) -> int:
        return int(self.own.shape[2]) - 1

    @property
    def margins(self) -> np.ndarray:
        """[P]."""
        return self.side_difference(self.rewards)

    @property
    def completeness(self) -> float:
        """The largest |reward − Σ parts| in units of max(1, |reward|)."""
        import numpy as np

        return float(np.max(np.abs(self.residuals) / np.maximum(1.0, np.abs(self.rewards))))

    @property
    def residuals(self) -> np.ndarray:
        """reward − Σ parts, ru: [P, 2]."""
        import numpy as np

        return self.rewards - self.parts.sum(axis=2, dtype=np.float32)  # type: ignore[no-any-return]

    @property
    def clusters(self) -> list[str]:
        return [pair.cluster for pair in self.pairs]

    def side_difference(self, what: np.ndarray) -> np.ndarray:
        """Chosen − rejected of any of the arrays, each with its own σ: the margin's part."""
        return what[:, 0] - what[:, 1]  # type: ignore[no-any-return]

    def matched(self) -> np.ndarray:
        """Which pairs are as long on one side as on the other, [P]."""
        return self.tokens[:, 0] == self.tokens[:, 1]  # type: ignore[no-any-return]

    def only(self, which: Any) -> Anatomy:
        """The pairs a mask keeps."""
        pairs = tuple(pair for pair, kept in zip(self.pairs, which, strict=True) if kept)
        arrays = (self.rewards, self.tokens, self.own, self.frozen, self.parts, self.heads)
        return Anatomy(pairs, *(array[which] for array in arrays))


def names(layers: int) -> list[str]:
    """The components in the order of `parts`: embed, attn.0, mlp.0, …, bias."""
    return ["embed", *(f"{kind}.{layer}" for layer in range(layers) for kind in ("attn", "mlp")), "bias"]


def tolerance(dtype: str) -> float:
    return TOLERANCE.get(dtype, TOLERANCE_HALF)


def anatomy(inspection: Inspection) -> Anatomy:
    """Every unique pair's pass, once an inspection. Needs a class-A model."""
    return inspection.remember("anatomy", lambda: _read(inspection, inspection.used_pairs().unique))


def untrained_anatomy(inspection: Inspection) -> list[Anatomy]:
    """The sampled pairs' passes through each re-initialised copy, once an inspection."""
    return inspection.remember(
        "untrained anatomy",
        lambda: [_read(inspection, inspection.spread(), control) for control in range(inspection.controls)],
    )


def _read(inspection: Inspection, pairs: tuple[Pair, ...], control: int | None = None) -> Anatomy:
    import numpy as np

    found = inspection.over(dissect, pairs, control=control)
    keys = ("rewards", "tokens", "own", "frozen", "parts", "heads")
    return Anatomy(pairs, *(np.array([one[key] for one in found], float) for key in keys))


def ids_of(model: Any, pair: Pair) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Both sides' ids up to and with the token the reward is read at."""
    chosen, rejected = (model.scored(model.encode(pair.prompt, reply)) for reply in (pair.chosen, pair.rejected))
    return chosen, rejected


def dissect(model: Any, pair: Pair, *, control: int | None = None) -> dict[str, Any]:
    """The job of one pair: the arrays of `Anatomy` as lists, of the model or of its untrained copy."""
    model = seen(model, control)
    sides = ids_of(model, pair)
    traces = model.trunk.pair(*sides)
    found = [_side(model.trunk, trace) for trace in (traces.chosen, traces.rejected)]
    return {key: [one[key] for one in found] for key in found[0]} | {"tokens": [len(ids) for ids in sides]}


def _side(trunk: Trunk, trace: Trace) -> dict[str, Any]:
    import torch

    readout, stream = trunk.readout, trace.last.float()
    with torch.no_grad():
        sigma = readout.sigma(stream[-1])
        added = [trace.h[0], *(part for both in zip(trace.attn, trace.mlp, strict=True) for part in both)]
        parts = torch.stack([part[-1] for part in added]).float() @ readout.w / sigma
        heads = torch.stack([head_parts(trunk, trace, layer, readout.w) for layer in range(trunk.layers)]) / sigma
        return {
            "rewards": trace.reward,
            "own": readout.reward(stream).tolist(),
            "frozen": (stream @ readout.w / sigma + readout.b).tolist(),
            "parts": [*parts.tolist(), readout.b],
            "heads": heads.tolist(),
        }


def head_parts(trunk: Trunk, trace: Trace, layer: int, w: torch.Tensor) -> torch.Tensor:
    """w·(what each head adds to the stream at the readout token), before σ: [H], fp32."""
    from lens.models.network import weight

    block, z = trunk.blocks[layer], trace.z[layer][-1:]
    row = w if block.attn_post is None else w * held(block.attn_post, block.o(z.reshape(1, -1))[0])
    inside = row @ weight(block.o).float()
    return (inside * z.float().reshape(-1)).view(trunk.heads, trunk.head_dim).sum(dim=1)


def held(norm: Any, out: torch.Tensor) -> torch.Tensor:
    """What a norm multiplies `out` [d] by, its size held where it is: γ/σ(out), fp32."""
    import torch

    eps = float(norm.eps)
    gamma = norm(torch.ones_like(out)).float() * (1.0 + eps) ** 0.5
    return gamma / torch.sqrt(out.float().pow(2).mean() + eps)  # type: ignore[no-any-return]
