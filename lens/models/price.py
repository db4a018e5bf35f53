"""What an instrument for reward models will cost: a few texts' forwards timed, times the forwards it will make.

They are timed alone and in a batch: where a network is so small that calling it is most of the work, a text of a batch
costs much less."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lens.price import Price as Price
from lens.price import cpu_seconds
from lens.reading import Declined

if TYPE_CHECKING:
    from lens.models.inspection import Inspection
    from lens.models.model import Encoded

PROBED = 4  # pairs
BATCH = 32  # texts timed together
ENOUGH = 2.0  # CPU seconds of one text, above which a probe is that text
BACKWARD = 2.0  # forwards that a backward pass costs
LEAST = 0.1  # CPU seconds of the intervals of an instrument that asks nothing


@dataclass(frozen=True)
class Probe:
    """CPU seconds of one text's forward alone, of its backward and of its share of a batch, on pairs spread over the
    file; `layers`, `heads`, `width` and `tokens` (of the reply) size the grids, 0 where there is no trunk."""

    forward: float
    backward: float
    batched: float
    layers: int = 0
    heads: int = 0
    width: int = 0
    tokens: int = 0
    priced: set[str] = field(default_factory=set)  # shared work that has been priced


Pricing = Callable[["Inspection", Probe], "Price | Declined"]


def probe(inspection: Inspection) -> Probe:
    """Time a few texts one by one and together, the first of them once before. A record of scores costs nothing."""
    model, pairs = inspection.model, inspection.pairs.unique
    if model.family == "scores":
        return Probe(0.0, 0.0, 0.0)
    some = [pairs[i * len(pairs) // min(PROBED, len(pairs))] for i in range(min(PROBED, len(pairs)))]
    texts = [model.encode(pair.prompt, reply) for pair in some for reply in (pair.chosen, pair.rejected)]
    if not texts:
        return Probe(0.0, 0.0, 0.0)

    def spent(*batches: list[Encoded]) -> float:
        began = cpu_seconds()
        for batch in batches:
            model.rewards(batch)
        return (cpu_seconds() - began) / sum(map(len, batches))

    forward = batched = spent(texts[:1])
    if forward < ENOUGH:
        forward = spent(*([text] for text in texts))
        batched = min(forward, spent((texts * (BATCH // len(texts) + 1))[:BATCH]))
    if model.trunk is None:
        return Probe(forward, BACKWARD * forward, batched)
    tokens = sum(len(text) - text.response for text in texts) // len(texts)
    trunk = model.trunk
    return Probe(forward, BACKWARD * forward, batched, trunk.layers, trunk.heads, trunk.width, max(1, tokens))


def forwards(per_pair: float, *, sampled: bool = False, copies: bool = False) -> Pricing:
    """Pricing of `per_pair` forwards on each unique pair, or on the sampled ones; with `copies`, on those through every
    re-initialised copy."""

    def price(inspection: Inspection, probe: Probe) -> Price:
        pairs = len(inspection.pairs.unique)
        pairs = min(pairs, inspection.sample) if sampled or copies else pairs
        count = per_pair * pairs * (inspection.controls if copies else 1)
        return Price(LEAST + count * probe.forward, round(count))

    return price


def texts(each: float) -> Pricing:
    """Pricing of `each` texts a unique pair, scored in batches."""

    def price(inspection: Inspection, probe: Probe) -> Price:
        count = round(each * len(inspection.pairs.unique))
        return Price(LEAST + count * probe.batched, count)

    return price


def fixed(seconds: float) -> Pricing:
    """Pricing of statistics alone: CPU seconds of many resampled intervals or fits."""

    def price(_inspection: Inspection, _probe: Probe) -> Price:
        return Price(seconds, 0)

    return price


def each_pair(seconds: float) -> Pricing:
    """Pricing of statistics whose resampled fits grow with the pairs: CPU seconds a unique pair."""

    def price(inspection: Inspection, _probe: Probe) -> Price:
        return Price(seconds * len(inspection.pairs.unique), 0)

    return price


def once(key: str, pricing: Pricing) -> Pricing:
    """Pricing of work that several instruments share: the first of them pays."""

    def price(inspection: Inspection, probe: Probe) -> Price | Declined:
        if key in probe.priced:
            return Price(LEAST, 0)
        probe.priced.add(key)
        return pricing(inspection, probe)

    return price


def together(*pricings: Pricing) -> Pricing:
    """Pricing of several pieces of work; declined with the first of them that is."""

    def price(inspection: Inspection, probe: Probe) -> Price | Declined:
        seconds, calls = 0.0, 0
        for pricing in pricings:
            part = pricing(inspection, probe)
            if isinstance(part, Declined):
                return part
            seconds, calls = seconds + part.seconds, calls + part.calls
        return Price(seconds, calls)

    return price


def _contrast(inspection: Inspection, probe: Probe) -> Price:
    """A pair's passes, every component and the readout's stream at every depth noised, for the model and each copy."""
    pairs = (1 + inspection.controls) * min(len(inspection.pairs.unique), inspection.sample)
    return Price(pairs * (2 * probe.forward + 0.9 * probe.layers * probe.batched), 2 * pairs)


SCORED = once("scored pairs", texts(2))
ANATOMY = once("anatomy", forwards(2))
COPIES = once("untrained anatomy", forwards(2, copies=True))
CONTRAST = once("contrast", _contrast)


def free(_inspection: Inspection, _probe: Probe) -> Price:
    """Pricing of an instrument that asks the model nothing new."""
    return Price(LEAST, 0)
