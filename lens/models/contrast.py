"""What a component writes of the margin beside what noising it does to the margin, pair by pair: the two sides of
faithfulness, for the model, for untrained copies of it and for random heads on its trunk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens.models.anatomy import ids_of
from lens.models.controls import RANDOM_HEADS, random_heads, seen, stacked
from lens.models.inspection import Inspection
from lens.models.pairs import Pair

if TYPE_CHECKING:
    import numpy as np
    import torch

    from lens.models.trunk import PairTrace, Readout, Trunk


@dataclass(frozen=True)
class Contrast:
    """P pairs, J = 2 L components of every block (attn.0, mlp.0, …), R heads: the model's own, then random ones."""

    pairs: tuple[Pair, ...]
    tokens: np.ndarray  # [P, 2]
    margins: np.ndarray  # [R, P]
    parts: np.ndarray  # [R, P, J]: c_j(chosen) − c_j(rejected)
    effects: np.ndarray  # [R, P, J]: noising, ru
    depths: np.ndarray  # [P, L + 1]: noising the stream at the readout token alone, by depth, own head

    def matched(self) -> np.ndarray:
        """Which pairs have sides of equal length, [P]."""
        return self.tokens[:, 0] == self.tokens[:, 1]  # type: ignore[no-any-return]


def contrast(inspection: Inspection) -> Contrast:
    """The sampled pairs through the model, with its own and random heads, once an inspection."""
    return inspection.remember("contrast", lambda: _read(inspection, None, RANDOM_HEADS))


def untrained_contrasts(inspection: Inspection) -> list[Contrast]:
    """The same pairs through every re-initialised copy."""
    return inspection.remember(
        "untrained contrasts", lambda: [_read(inspection, control, 0) for control in range(inspection.controls)]
    )


def _read(inspection: Inspection, control: int | None, heads: int) -> Contrast:
    import numpy as np

    pairs = inspection.spread()
    found = inspection.over(compare, pairs, control=control, heads=heads, seed=inspection.seed)
    tokens, depths = (np.array([one[key] for one in found], float) for key in ("tokens", "depths"))
    margins, parts, effects = (
        np.moveaxis(np.array([one[key] for one in found], float), 1, 0) for key in ("margins", "parts", "effects")
    )
    return Contrast(pairs, tokens, margins, parts, effects, depths)


def compare(model: Any, pair: Pair, *, control: int | None, heads: int, seed: int) -> dict[str, Any]:
    """The job of one pair: the arrays of `Contrast` as lists."""
    import torch

    from lens.models.patch.effects import effects
    from lens.models.patch.sites import Site, components

    model = seen(model, control)
    trunk: Trunk = model.trunk
    sides = ids_of(model, pair)
    both = trunk.pair(*sides)
    readouts = [trunk.readout, *random_heads(trunk, heads, seed)]
    column = [Site("stream", layer, 0) for layer in range(trunk.layers + 1)]
    with torch.no_grad():
        ends = [side.h[-1][-1] for side in (both.chosen, both.rejected)]
        margins = [float(head.reward(ends[0]) - head.reward(ends[1])) for head in readouts]
        return {
            "tokens": [len(ids) for ids in sides],
            "margins": margins,
            "parts": _parts(readouts, both).tolist(),
            "effects": effects(trunk, both, "noising", components(trunk.layers)[1:], readouts=readouts).tolist(),
            "depths": effects(trunk, both, "noising", column)[0].tolist(),
        }


def _parts(readouts: list[Readout], both: PairTrace) -> torch.Tensor:
    """[R, 2 L], each side with its own σ."""
    import torch

    w = stacked(readouts)
    written = []
    for side in (both.chosen, both.rejected):
        added = [part[-1] for pair in zip(side.attn, side.mlp, strict=True) for part in pair]
        written.append(w @ torch.stack(added).float().T / readouts[0].sigma(side.h[-1][-1]))
    return written[0] - written[1]
