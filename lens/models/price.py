"""What an instrument for reward models will cost: a few texts' forwards timed, times the forwards it will make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens.price import Price, cpu_seconds
from lens.reading import Declined

if TYPE_CHECKING:
    from lens.models.inspection import Inspection

PROBED = 4  # pairs
BACKWARD = 2.0  # forwards that a backward pass costs
LEAST = 0.02  # CPU seconds of an instrument that asks nothing


@dataclass(frozen=True)
class Probe:
    """CPU seconds of one text's forward, and of one backward, on pairs spread over the file; `layers`, `heads` and
    `tokens` (after what a pair begins with alike) size the grids, 0 where there is no trunk."""

    forward: float
    backward: float
    layers: int = 0
    heads: int = 0
    tokens: int = 0


Pricing = Callable[["Inspection", Probe], "Price | Declined"]


def probe(inspection: Inspection) -> Probe:
    """Time a few texts one by one, the first of them once before."""
    model, pairs = inspection.model, inspection.pairs.unique
    some = [pairs[i * len(pairs) // min(PROBED, len(pairs))] for i in range(min(PROBED, len(pairs)))]
    texts = [model.encode(pair.prompt, reply) for pair in some for reply in (pair.chosen, pair.rejected)]
    if not texts:
        return Probe(0.0, 0.0)
    model.rewards(texts[:1])
    began = cpu_seconds()
    for text in texts:
        model.rewards([text])
    forward = (cpu_seconds() - began) / len(texts)
    if model.trunk is None:
        return Probe(forward, BACKWARD * forward)
    tokens = sum(len(text) - text.response for text in texts) // len(texts)
    return Probe(forward, BACKWARD * forward, model.trunk.layers, model.trunk.heads, max(1, tokens))


def forwards(per_pair: float, *, sampled: bool = False, controls: bool = False) -> Pricing:
    """Pricing of an instrument that makes `per_pair` forwards on each unique pair, or on the sampled ones, and with
    `controls` as many again on every re-initialised copy."""

    def price(inspection: Inspection, probe: Probe) -> Price:
        pairs = len(inspection.pairs.unique)
        pairs = min(pairs, inspection.sample) if sampled else pairs
        count = per_pair * pairs * (1 + (inspection.controls if controls else 0))
        return Price(LEAST + count * probe.forward, round(count))

    return price


def free(_inspection: Inspection, _probe: Probe) -> Price:
    """Pricing of an instrument that asks the model nothing new."""
    return Price(LEAST, 0)
