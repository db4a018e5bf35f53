"""The stream at the readout token, at three depths, of both sides of every pair: what concepts are fitted on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens.models.anatomy import ids_of
from lens.models.inspection import Inspection
from lens.models.pairs import Pair
from lens.models.price import forwards, once

if TYPE_CHECKING:
    import numpy as np

STREAMS = once("streams", forwards(2))


@dataclass(frozen=True)
class Streams:
    """P pairs; the second axis is the side, chosen then rejected, the third the layer."""

    pairs: tuple[Pair, ...]
    layers: tuple[int, ...]
    h: np.ndarray  # [P, 2, layers, d], fp64 of what the network holds
    rewards: np.ndarray  # [P, 2]

    def at(self, layer: int) -> np.ndarray:
        """[P, 2, d]."""
        return self.h[:, :, self.layers.index(layer)]

    def rows(self, pairs: Sequence[Pair]) -> list[int]:
        """Where some of the pairs stand."""
        places = {pair.number: at for at, pair in enumerate(self.pairs)}
        return [places[pair.number] for pair in pairs]


def depths(layers: int) -> tuple[int, ...]:
    """A third, two thirds and all of the way through L blocks."""
    return tuple(sorted({max(1, round(layers / 3)), max(1, round(2 * layers / 3)), layers}))


def middle(layers: int) -> int:
    """Two thirds of the way: where concepts are steered and the rest of the network still answers."""
    return max(1, round(2 * layers / 3))


def streams(inspection: Inspection) -> Streams:
    """Of all unique pairs, once an inspection. Needs a class-A model."""
    return inspection.remember("streams", lambda: _read(inspection))


def normed(inspection: Inspection, found: Streams) -> tuple[np.ndarray, np.ndarray]:
    """What the head sees: x = h_L/σ(h_L), fp64 [P, 2, d], and its row w: reward = w·x + b."""
    import numpy as np

    trunk = inspection.model.trunk
    assert trunk is not None
    h = found.at(found.layers[-1])
    sigma = np.sqrt((h**2).mean(axis=2, keepdims=True) + trunk.readout.eps)
    return h / sigma, trunk.readout.w.double().cpu().numpy()


def _read(inspection: Inspection) -> Streams:
    import numpy as np

    pairs = inspection.used_pairs().unique
    trunk = inspection.model.trunk
    assert trunk is not None
    layers = depths(trunk.layers)
    found = inspection.over(stand, pairs, layers=list(layers))
    h = np.stack([unpacked(one["h"], 2, len(layers), trunk.width) for one in found])
    return Streams(pairs, layers, h, np.array([one["rewards"] for one in found], float))


def stand(model: Any, pair: Pair, *, layers: list[int]) -> dict[str, Any]:
    """The job of one pair: the streams [2, layers, d] as packed floats, and both rewards."""
    import torch

    traces = model.trunk.pair(*ids_of(model, pair))
    sides = (traces.chosen, traces.rejected)
    return {
        "h": packed(torch.stack([trace.last[layers] for trace in sides])),
        "rewards": [trace.reward for trace in sides],
    }


def packed(tensor: Any) -> bytes:
    """A tensor as little-endian fp32."""
    return tensor.detach().float().cpu().numpy().astype("<f4").tobytes()  # type: ignore[no-any-return]


def unpacked(data: bytes, *shape: int) -> np.ndarray:
    """What `packed` wrote, as fp64."""
    import numpy as np

    return np.frombuffer(data, "<f4").astype(float).reshape(shape)
