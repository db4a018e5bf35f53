"""What an instrument for reward models will cost: a few texts' forwards timed, times the forwards it will make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lens.price import Price as Price
from lens.price import cpu_seconds
from lens.reading import Declined

if TYPE_CHECKING:
    from lens.models.inspection import Inspection

PROBED = 4  # pairs
BACKWARD = 2.0  # forwards that a backward pass costs
LEAST = 0.02  # CPU seconds of an instrument that asks nothing


@dataclass(frozen=True)
class Probe:
    """CPU seconds of one text's forward, and of one backward, on pairs spread over the file; `layers`, `heads` and
    `tokens` (of the reply) size the grids, 0 where there is no trunk."""

    forward: float
    backward: float
    layers: int = 0
    heads: int = 0
    tokens: int = 0
    priced: set[str] = field(default_factory=set)  # shared work that has been priced


Pricing = Callable[["Inspection", Probe], "Price | Declined"]


def probe(inspection: Inspection) -> Probe:
    """Time a few texts one by one, the first of them once before. A record of scores costs nothing to ask."""
    model, pairs = inspection.model, inspection.pairs.unique
    if model.family == "scores":
        return Probe(0.0, 0.0)
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


def forwards(per_pair: float, *, sampled: bool = False, copies: bool = False) -> Pricing:
    """Pricing of `per_pair` forwards on each unique pair, or on the sampled ones; with `copies`, on those through every
    re-initialised copy."""

    def price(inspection: Inspection, probe: Probe) -> Price:
        pairs = len(inspection.pairs.unique)
        pairs = min(pairs, inspection.sample) if sampled or copies else pairs
        count = per_pair * pairs * (inspection.controls if copies else 1)
        return Price(LEAST + count * probe.forward, round(count))

    return price


def once(key: str, pricing: Pricing) -> Pricing:
    """Pricing of work that several instruments share: the first of them pays."""

    def price(inspection: Inspection, probe: Probe) -> Price | Declined:
        if key in probe.priced:
            return Price(0.0, 0)
        probe.priced.add(key)
        return pricing(inspection, probe)

    return price


def together(*pricings: Pricing) -> Pricing:
    """Pricing of several pieces of work; declined with the first of them that is."""

    def price(inspection: Inspection, probe: Probe) -> Price | Declined:
        seconds, calls = LEAST, 0
        for pricing in pricings:
            part = pricing(inspection, probe)
            if isinstance(part, Declined):
                return part
            seconds, calls = seconds + part.seconds, calls + part.calls
        return Price(seconds, calls)

    return price


ANATOMY = once("anatomy", forwards(2))
COPIES = once("untrained anatomy", forwards(2, copies=True))


def free(_inspection: Inspection, _probe: Probe) -> Price:
    """Pricing of an instrument that asks the model nothing new."""
    return Price(LEAST, 0)
