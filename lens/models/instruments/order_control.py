"""Whether a score depends on what it was asked beside: the order of a pair's replies, or the rest of a batch."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from lens.instrument import instrument
from lens.models import price
from lens.models.pairs import Pair
from lens.models.scored import no_panel
from lens.reading import Columns, Declined, Label, Measured, Quantity, Reading, Result

if TYPE_CHECKING:
    from lens.models.inspection import Inspection
    from lens.models.scores import ScoresModel

_REMEDY = "score every pair in both orders, a row each, with a column `order`; or measure the model itself"


class Twice(NamedTuple):
    """A pair's two margins, and the largest change of one of its scores between them, ru."""

    pair: Pair
    first: float
    second: float
    change: float

    @property
    def verdict_changed(self) -> bool:
        return (self.first > 0) - (self.first < 0) != (self.second > 0) - (self.second < 0)


def _price(inspection: Inspection, probe: price.Probe) -> price.Price | Declined:
    if inspection.model.family == "scores":
        return price.free(inspection, probe)
    texts = 2 * min(len(inspection.pairs.unique), inspection.sample)
    return price.Price(texts * (probe.forward + probe.batched), 2 * texts)


@instrument(
    "order-control",
    subjects="models",
    title="Does the order matter",
    quantity="largest change of a score between the two orders of a pair",
    unit="ru",
    needs="grader.record",
    cost="4 × sampled pairs; none for a record",
    version=1,
    order=40,
    declines="on a record of one order",
    source="a scalar reward reads one reply at a time: any change is the serving's; batch floor as in reward-bench#137",
    price=_price,
)
def order_control(inspection: Inspection) -> Reading | Result:
    """Compare a pair's scores between the two orders of its replies.

    On a record: as it was written down. On a model here: each reply scored alone, and all of them in batches with every
    pair turned around: the floor below which an effect of this model at this dtype says nothing.
    `largest` change of a score, ru, over all texts, a census; its control `margin.median`, the median size of a margin.
    `changed` k of n pairs whose verdict (first, second, tie) differs; `moved` k of n with any change at all.
    Table `moved` (row, digest, first, second, change), the pairs that moved alone.
    """
    if (refused := no_panel(inspection)) is not None:
        return refused
    rows = _recorded(inspection) if inspection.model.family == "scores" else _measured(inspection)
    if not rows:
        told = f"{inspection.model.title} was recorded in one order of the replies"
        return Declined("record_incomplete", told, _REMEDY)
    if not all(math.isfinite(row.change) for row in rows):
        return Declined("assumption_violated", "a reward is no finite number", "check the weights, and --dtype float32")
    from lens.stats.shares import share_of

    drawn = [row.pair.cluster for row in rows]
    moved = [row for row in rows if row.change > 0]
    fields: dict[str, Quantity | Label | Declined] = {
        "largest": Quantity(
            max(row.change for row in rows), "ru", "score", n=2 * len(rows), control="margin.median",
            note="a census of the texts scored twice",
        ),
        "margin.median": Quantity(statistics.median(abs(row.first) for row in rows), "ru", "score", n=len(rows)),
        "changed": share_of([row.verdict_changed for row in rows], drawn, "pairs", seed=inspection.seed),
        "moved": share_of([row.change > 0 for row in rows], drawn, "pairs", seed=inspection.seed),
    }  # fmt: skip
    table: Columns = {
        "row": [row.pair.number for row in moved],
        "digest": [row.pair.digest[:16] for row in moved],
        "first": [row.first for row in moved],
        "second": [row.second for row in moved],
        "change": [row.change for row in moved],
    }
    how = (
        "as recorded in both orders"
        if inspection.model.family == "scores"
        else "each reply alone, and in batches turned"
    )
    return Result(Measured(fields, "largest", f"{len(rows)} pairs of {inspection.pairs.name}, {how}"), {"moved": table})


def _recorded(inspection: Inspection) -> list[Twice]:
    model: ScoresModel = inspection.model  # type: ignore[assignment]
    inspection.used |= {one.name: one for one in model.inputs}
    rows = []
    for pair in inspection.used_pairs().unique:
        orders = model.orders(pair)
        if len(orders) > 1:
            first, second = orders[:2]
            change = max(abs(first.chosen - second.chosen), abs(first.rejected - second.rejected))
            rows.append(Twice(pair, first.chosen - first.rejected, second.chosen - second.rejected, change))
    return rows


def _measured(inspection: Inspection) -> list[Twice]:
    model = inspection.model
    pairs = inspection.spread()
    chosen = [model.encode(pair.prompt, pair.chosen) for pair in pairs]
    rejected = [model.encode(pair.prompt, pair.rejected) for pair in pairs]
    turned = model.rewards([text for both in zip(rejected, chosen, strict=True) for text in both])
    inspection.advance(len(turned))
    rows = []
    for at, pair in enumerate(pairs):
        alone = [model.rewards([text])[0] for text in (chosen[at], rejected[at])]
        inspection.advance(2)
        rows.append(_twice(pair, alone, [turned[2 * at + 1], turned[2 * at]]))
    return rows


def _twice(pair: Pair, first: Sequence[float], second: Sequence[float]) -> Twice:
    change = max(abs(a - b) for a, b in zip(first, second, strict=True))
    return Twice(pair, first[0] - first[1], second[0] - second[1], change)
