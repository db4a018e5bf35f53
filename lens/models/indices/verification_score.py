"""Verification score: how deep in the network a span of evidence is still what the reward hangs on."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lens.instrument import instrument
from lens.models.anatomy import ids_of
from lens.models.axes import ALL, by_axis, no_axes
from lens.models.concept import spread
from lens.models.drawn import NATURAL
from lens.models.nulls import Fields
from lens.models.price import LEAST, Probe
from lens.models.streams import packed, unpacked
from lens.models.summaries import few, listed, unreadable
from lens.price import Price
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result
from lens.stats.clusters import BOOTSTRAPPED

if TYPE_CHECKING:
    import numpy as np

    from lens.models.inspection import Inspection
    from lens.models.pairs import Pair

HALF = 0.5


def curve(recovered: np.ndarray, margins: np.ndarray) -> np.ndarray:
    """VS(l) = Σ_i recovered_il / Σ_i m_i of [P, L + 1] and [P]: [L + 1]."""
    found: np.ndarray = recovered.sum(axis=0) / margins.sum()
    return found


def hand_over(values: np.ndarray) -> np.ndarray:
    """The first l with VS(l) < ½, of curves in the last axis; L where there is none.

    >>> import numpy as np
    >>> int(hand_over(np.array([1.0, 0.9, 0.4, 0.6, 0.0])))
    2
    """
    import numpy as np

    under = values < HALF
    found: np.ndarray = np.where(under.any(axis=-1), under.argmax(axis=-1), values.shape[-1] - 1)
    return found


def _price(inspection: Inspection, probe: Probe) -> Price:
    pairs = min(inspection.sample * max(1, len(inspection.pairs.axes)), len(inspection.pairs.unique))
    return Price(LEAST + pairs * probe.forward * (2 + probe.layers), 2 * pairs)


@instrument(
    "verification-score",
    subjects="models",
    title="Where evidence leaves its words",
    quantity="depth at which what the reward hangs on has left the span that differs",
    unit="depth",
    needs="grader.forward",
    cost="2 + layers, × sampled twins",
    version=2,
    order=410,
    declines="without twins of equal length; an axis under 20 prompts, or whose margin isn't told from 0",
    source="span patching from clean to corrupt, layer by layer (Meng et al. 2022, arXiv:2202.05262); convention A5",
    price=_price,
)
def verification_score(inspection: Inspection) -> Result:
    """Put the clean span's stream into the corrupt twin, depth by depth, and see how much of the margin comes back.

    On twins of equal length in tokens, whose sides differ in a span: VS(l) = Σ [r(corrupt; span ← clean at l) −
    r(corrupt)] / Σ m. It is 1 at the embedding and 0 after the last block by construction, so that no single layer's
    value says anything; `start` and `end` are the largest deviations from that. An axis A: `A.hand-over` the depth l/L
    of the first l at which VS < ½, its control `A.elsewhere` the largest size of VS over depths with as many positions
    elsewhere patched; `A.twins` k of n pairs that are of equal length. Table `curves` (axis, layer, depth, score, low,
    high, elsewhere).
    """
    if (refused := unreadable(inspection)) is not None:
        return Result(refused)
    axes = {name: some for name, some in by_axis(inspection.used_pairs().unique).items() if name not in (ALL, *NATURAL)}
    if not axes:
        return Result(no_axes())
    fields: Fields = {}
    tables: list[Columns] = []
    off: list[tuple[float, float]] = []
    for name, pairs in axes.items():
        twins = [pair for pair in pairs if _equal(inspection, pair)]
        fields[f"{name}.twins"] = Quantity(len(twins), "twins", "count", of=len(pairs))
        if (refused := few(twins, "twins of equal length", BOOTSTRAPPED)) is not None:
            fields[f"{name}.hand-over"] = refused
            continue
        some = spread(twins, max(inspection.sample, BOOTSTRAPPED))
        part, table, ends = _axis(inspection, name, some)
        fields |= part
        tables.append(table)
        off.append(ends)
    read = [name for name in axes if isinstance(fields.get(f"{name}.hand-over"), Quantity)]
    if not read:
        return Result(next(one for name in axes if isinstance(one := fields[f"{name}.hand-over"], Declined)))
    for at, key in enumerate(("start", "end")):
        fields[key] = Quantity(max(one[at] for one in off), "ru", "difference", note="an identity's largest deviation")
    scope = (
        f"{len(read)} axes of equal-length twins, of {inspection.pairs.name}; the readout token is never in the span"
    )
    joined = {column: [value for table in tables for value in table[column]] for column in tables[0]}
    return Result(Measured(fields, f"{read[0]}.hand-over", scope), {"curves": joined})


def _equal(inspection: Inspection, pair: Pair) -> bool:
    """Whether both sides have one length in tokens, and end in the same."""
    clean, corrupt = ids_of(inspection.model, pair)
    return len(clean) == len(corrupt) and clean[-1] == corrupt[-1] and clean != corrupt


def _axis(inspection: Inspection, name: str, pairs: Sequence[Pair]) -> tuple[Fields, Columns, tuple[float, float]]:
    import numpy as np

    trunk = inspection.model.trunk
    assert trunk is not None
    depths = trunk.layers + 1
    jobs = inspection.over(patched, pairs, forwards=2 + trunk.layers, seed=inspection.seed)
    found = np.stack([unpacked(one, 2 * depths + 1) for one in jobs])
    own, elsewhere, margins = found[:, :depths], found[:, depths:-1], found[:, -1]
    off = float(np.abs(own[:, 0] - margins).max()), float(np.abs(own[:, -1]).max())
    values = curve(own, margins)
    ends = _ends(inspection, own, margins, pairs)
    other = curve(elsewhere, margins)
    depth = float(hand_over(values)) / trunk.layers
    fields: Fields = {f"{name}.hand-over": _depth(inspection, own, margins, pairs, depth, f"{name}.elsewhere")}
    if isinstance(fields[f"{name}.hand-over"], Quantity):
        fields[f"{name}.elsewhere"] = Quantity(
            float(np.abs(other).max()), "of the margin", "ratio", n=len(pairs), note="the largest over depths"
        )
        layer = int(hand_over(values))
        fields[f"{name}.layer"] = Label(f"before block {layer} of {trunk.layers}")
    table: Columns = {
        "axis": [name] * depths,
        "layer": list(range(depths)),
        "depth": [layer / trunk.layers for layer in range(depths)],
        "score": listed(values),
        "low": [one.low if one else None for one in ends],
        "high": [one.high if one else None for one in ends],
        "elsewhere": listed(other),
    }
    return fields, table, off


def _ends(inspection: Inspection, own: np.ndarray, margins: np.ndarray, pairs: Sequence[Pair]) -> list[Any]:
    """The interval of every layer's score; None where the margins aren't told from 0."""
    from lens.stats.ratio import ratio_of

    clusters = [pair.cluster for pair in pairs]
    return [
        ratio_of(column.tolist(), margins.tolist(), clusters, seed=inspection.seed, draws=inspection.draws).interval
        for column in own.T
    ]


def _depth(
    inspection: Inspection, own: np.ndarray, margins: np.ndarray, pairs: Sequence[Pair], depth: float, control: str
) -> Quantity | Declined:
    import numpy as np

    from lens.stats.clusters import grouped, over_sums
    from lens.stats.means import quantity
    from lens.stats.ratio import ratio_of

    clusters = [pair.cluster for pair in pairs]
    told = ratio_of(own[:, 0].tolist(), margins.tolist(), clusters, seed=inspection.seed, draws=inspection.draws)
    if told.interval is None:
        return Declined(
            "corpus_inadequate",
            "the margin of these twins isn't told from 0: there is nothing to hand over",
            "read an axis that this model pays for",
        )
    both = np.column_stack([own, margins])
    sums = [both[group].sum(axis=0).tolist() for group in grouped(clusters)]
    layers = own.shape[1] - 1

    def first(total: np.ndarray) -> np.ndarray:
        found: np.ndarray = hand_over(total[..., :-1] / total[..., -1:]) / layers
        return found

    ends = over_sums(sums, first, seed=inspection.seed, draws=inspection.draws)
    return quantity(
        depth, ends, "depth", kind="proportion", clusters=len(sums), n=len(pairs), control=control
    )  # fmt: skip


def patched(model: Any, pair: Pair, *, seed: int) -> bytes:
    """The job of one pair: what patching the span before each block gives back [L + 1], the same at other positions
    [L + 1], and the margin."""
    import torch

    trunk = model.trunk
    ids = ids_of(model, pair)
    clean, corrupt = (trunk.trace(one) for one in ids)
    span = [at for at, (one, other) in enumerate(zip(*ids, strict=True)) if one != other]
    free = [at for at in range(len(ids[0]) - 1) if at not in span]
    other = random.Random(f"{pair.digest} {seed}").sample(free, min(len(span), len(free)))
    found = torch.cat([spliced(trunk, clean, corrupt, places) for places in (span, other)])
    return packed(torch.cat([found - corrupt.reward, torch.tensor([clean.reward - corrupt.reward])]))


def spliced(trunk: Any, clean: Any, corrupt: Any, places: Sequence[int]) -> Any:
    """The corrupt text's reward with the clean stream at `places` before each block, and after the last: [L + 1].

    Rows join the batch where they are patched, so that every block runs once.
    """
    import torch

    rotary = trunk.positions(0, len(corrupt.h[0]))
    rows = corrupt.h[0][:0]
    with torch.no_grad():
        for layer in range(trunk.layers + 1):
            row = corrupt.h[layer].clone()
            row[list(places)] = clean.h[layer][list(places)]
            rows = torch.cat([rows.reshape(-1, *row.shape), row[None]])
            if layer < trunk.layers:
                z, _ = trunk.attend(layer, rows, rotary, None)
                mid = rows + trunk.project(layer, z)
                rows = mid + trunk.feed(layer, mid)
        return trunk.readout.reward(rows[:, -1]).float().cpu()
