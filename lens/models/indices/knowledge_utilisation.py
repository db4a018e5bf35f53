"""Knowledge and utilisation: what can be read off a network, beside what its reward takes from there."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from lens.instrument import instrument
from lens.models.anatomy import ids_of
from lens.models.axes import by_axis
from lens.models.concept import spread as some_of
from lens.models.drawn import natural
from lens.models.nulls import Fields
from lens.models.price import LEAST, Probe
from lens.models.scale import MARGIN, constant, spread
from lens.models.streams import STREAMS, Streams, middle, packed, streams, unpacked
from lens.models.summaries import few, unreadable
from lens.price import Price
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result
from lens.stats.clusters import BOOTSTRAPPED
from lens.stats.permute import NULLS

if TYPE_CHECKING:
    import numpy as np

    from lens.models.inspection import Inspection
    from lens.models.pairs import Pair


class Decoded(NamedTuple):
    """`right` [P, 2]: which replies a probe fitted on other clusters puts on their side; the rest over permutations."""

    right: np.ndarray
    null_mean: float
    null_high: float

    @property
    def accuracy(self) -> float:
        """Balanced: every pair has one reply of either side."""
        return float(self.right.mean())


def decode(h: np.ndarray, clusters: Sequence[Hashable], *, seed: int) -> Decoded:
    """Balanced accuracy of a cross-fitted ridge probe of the side, `h` [P, 2, d] with the property first.

    The probe is fitted again on 200 draws of labels, turned at random cluster by cluster.
    """
    import numpy as np

    from lens.stats.crossfit import folds
    from lens.stats.ridge import ridge

    p, _, d = h.shape
    turned = turns(clusters, seed=seed)
    labels = np.concatenate([np.ones((1, p)), turned]).T  # [P, 1 + NULLS]: the sign of the first reply
    targets = np.stack([labels, -labels], axis=1)  # [P, 2, 1 + NULLS]
    right = np.zeros(targets.shape, bool)
    for inside in folds(clusters):
        others = np.setdiff1d(np.arange(p), inside)
        rows = h[others].reshape(-1, d)
        centre = rows.mean(axis=0)
        said = ridge(rows - centre, targets[others].reshape(len(rows), -1), h[inside].reshape(-1, d) - centre)
        right[inside] = said.reshape(len(inside), 2, -1) * targets[inside] > 0
    shares = right.mean(axis=(0, 1))
    return Decoded(right[:, :, 0], float(shares[1:].mean()), float(np.quantile(shares[1:], 0.95)))


def turns(clusters: Sequence[Hashable], *, seed: int) -> np.ndarray:
    """Signs [NULLS, P], one a cluster and draw."""
    import numpy as np

    order = {cluster: at for at, cluster in enumerate(dict.fromkeys(clusters))}
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], (NULLS, len(order)))
    found: np.ndarray = signs[:, [order[cluster] for cluster in clusters]]
    return found


def shifts(h: np.ndarray, clusters: Sequence[Hashable]) -> tuple[np.ndarray, list[int]]:
    """Δμ of each fold [folds, d], the difference of class means over the pairs of the others; and each pair's fold."""
    import numpy as np

    from lens.stats.crossfit import folds

    differences = h[:, 0] - h[:, 1]
    found, fold = [], [0] * len(h)
    for number, inside in enumerate(folds(clusters)):
        found.append(np.delete(differences, inside, axis=0).mean(axis=0))
        for row in inside:
            fold[row] = number
    return np.stack(found), fold


def verdict(known: bool, changes: Sequence[float], scale: float) -> str:
    """In words, from `changes` of the reward, one a cluster: "used" beyond ±0.1 scale, "unused" shown to be within it.

    >>> verdict(True, [0.01, -0.01, 0.0, 0.02, -0.02, 0.01, 0.0, 0.0], 1.0)
    'known, unused'
    """
    from lens.stats.beyond import beyond
    from lens.stats.tost import tost

    margin = MARGIN * scale
    if beyond(changes, margin) < 0.05:
        return "known, used" if known else "used"
    if known and tost(changes, margin).equivalent:
        return "known, unused"
    return "not told"


def _price(inspection: Inspection, probe: Probe) -> Price | Declined:
    if (refused := unreadable(inspection)) is not None:
        return refused
    axes = by_axis(inspection.pairs.unique)
    thin = {name: short for name, some in axes.items() if (short := few(some, least=BOOTSTRAPPED)) is not None}
    if len(thin) == len(axes):
        return next(iter(thin.values()))
    price = STREAMS(inspection, probe)
    if isinstance(price, Declined):
        return price
    count = sum(min(len(some), inspection.sample) for name, some in axes.items() if name not in thin)
    return Price(price.seconds + LEAST + count * (probe.forward + 8 * probe.batched), price.calls + count)


@instrument(
    "knowledge-utilisation",
    subjects="models",
    title="What it knows and doesn't use",
    quantity="properties that can be read off the network and that its reward takes nothing from",
    unit="properties",
    needs="grader.forward",
    cost="3 × pairs, two thirds of it shared with concepts",
    version=2,
    order=390,
    declines="for networks without a trunk; a property under 20 prompts; where no reward differs in a prompt",
    source="cross-fitted probes beside class-mean interventions; two one-sided tests; conventions A2 to A4 and A7",
    price=_price,
)
def knowledge_utilisation(inspection: Inspection) -> Result:
    """Place each axis in a plane: can it be decoded two thirds of the way, and does the reward move with it?

    An axis P: `P.decode` balanced accuracy of a linear probe at the readout token, k of n replies of other prompts than
    fitted on, its controls `P.null` and `P.null-mean`, the 95th percentile and mean with labels turned at random;
    `P.mediate` (r(h + Δμ) − r(h))/s_r, signed, the dose being the class-mean shift of other prompts, on replies that
    lack P, its control `P.mediate.null` the 95th percentile of its size for shifts of turned labels; `P.verdict` known
    and used, known and unused (decodable above its null, and shown within ±0.1 s_r), used, or not told. `unused` counts
    the second, k of n axes; `scale` s_r, ru. Only what passes through the readout token is seen. The public index is a
    difference of two ranks within the battery: the gaps add to 0, and some property always shows one.
    """
    if (refused := unreadable(inspection)) is not None:
        return Result(refused)
    axes = by_axis(inspection.used_pairs().unique)
    thin = {name: short for name, some in axes.items() if (short := few(some, least=BOOTSTRAPPED)) is not None}
    kept = {name: some for name, some in axes.items() if name not in thin}
    if not kept:
        return Result(next(iter(thin.values())))
    found = streams(inspection)
    s_r = _scale(found)
    if s_r == 0:
        return Result(constant())
    at = middle(found.layers[-1])
    fields: Fields = {f"{name}.decode": short for name, short in thin.items()}
    for name, some in kept.items():
        part = _axis(inspection, found, name, some, at, s_r)
        fields |= {f"{name}.{key}": value for key, value in part.items()}
    said = [fields[f"{name}.verdict"] for name in kept]
    unused = sum(one == Label("known, unused") for one in said)
    fields["unused"] = Quantity(unused, "properties", "count", of=len(kept))
    fields["scale"] = Quantity(s_r, "ru", "score", note="s_r: rewards inside a prompt")
    fields["layer"] = Label(f"before block {at} of {found.layers[-1]}")
    scope = f"{len(kept)} axes of {inspection.pairs.name}, at the readout token"
    return Result(Measured(fields, "unused", scope), {"plane": _table(fields, list(kept))})


def _scale(found: Streams) -> float:
    rows = found.rows(natural(found.pairs))
    return spread([found.rewards[row].tolist() for row in rows])


def _axis(inspection: Inspection, found: Streams, name: str, pairs: Sequence[Pair], at: int, s_r: float) -> Fields:
    import numpy as np

    from lens.stats.means import cluster_means, mean_of
    from lens.stats.shares import share_of

    clusters = [pair.cluster for pair in pairs]
    h = found.at(at)[found.rows(pairs)]
    decoded = decode(h, clusters, seed=inspection.seed)
    right = [bool(one) for row in decoded.right for one in row]
    drawn = [cluster for cluster in clusters for _ in range(2)]
    decode_field = share_of(
        right, drawn, "decodings", seed=inspection.seed, draws=inspection.draws, control=f"{name}.null"
    )
    some = some_of(pairs, inspection.sample)
    moved = _moved(inspection, h, pairs, some, at)
    own, null = moved[:, 0] / s_r, np.abs(moved[:, 1:].mean(axis=0)) / s_r
    units = [pair.cluster for pair in some]
    interval = decode_field.interval if isinstance(decode_field, Quantity) else None
    known = interval is not None and interval.low > decoded.null_high
    return {
        "decode": decode_field,
        "null": Quantity(decoded.null_high, "of decodings", "proportion", n=NULLS, note="95th percentile"),
        "null-mean": Quantity(decoded.null_mean, "of decodings", "proportion", n=NULLS),
        "mediate": mean_of(
            own.tolist(), units, "s_r", seed=inspection.seed, draws=inspection.draws, control=f"{name}.mediate.null",
            note="s_r taken as it was found",
        ),
        "mediate.null": Quantity(float(np.quantile(null, 0.95)), "s_r", "difference", n=NULLS, note="95th percentile"),
        "verdict": Label(verdict(known, cluster_means(own.tolist(), units), 1.0)),
    }  # fmt: skip


def _moved(inspection: Inspection, h: np.ndarray, pairs: Sequence[Pair], some: Sequence[Pair], at: int) -> np.ndarray:
    """[some, 1 + NULLS]: change of reward by the Δμ of each pair's fold, then by those of turned labels."""
    import numpy as np

    clusters = [pair.cluster for pair in pairs]
    turned = turns(clusters, seed=inspection.seed) @ (h[:, 0] - h[:, 1]) / len(h)
    own, fold = shifts(h, clusters)
    jobs = inspection.over(
        shifted, some, forwards=1, layer=at, own=own.astype("<f4").tobytes(),
        fold={str(pair.number): number for pair, number in zip(pairs, fold, strict=True)},
        turned=turned.astype("<f4").tobytes(),
    )  # fmt: skip
    return np.stack([unpacked(one, 1 + NULLS) for one in jobs])


def shifted(model: Any, pair: Pair, *, layer: int, own: bytes, fold: dict[str, int], turned: bytes) -> bytes:
    """The job of one pair: what its fold's shift, then every turned one, adds to the reward of its rejected reply."""
    import numpy as np
    import torch

    from lens.models.resume import resume

    trunk = model.trunk
    trace = trunk.trace(ids_of(model, pair)[1])
    mine = unpacked(own, -1, trunk.width)[[fold[str(pair.number)]]]
    added = np.concatenate([mine, unpacked(turned, NULLS, trunk.width)])
    h = trace.h[layer][-1].float() + torch.tensor(added, dtype=torch.float32, device=trace.h[0].device)
    return packed(resume(trunk, trace, (), layer, h) - trace.reward)


def _table(fields: Fields, axes: Sequence[str]) -> Columns:
    def of(axis: str, key: str) -> Quantity | None:
        found = fields[f"{axis}.{key}"]
        return found if isinstance(found, Quantity) else None

    decodes, mediates = [of(axis, "decode") for axis in axes], [of(axis, "mediate") for axis in axes]
    verdicts = [fields[f"{axis}.verdict"] for axis in axes]
    return {
        "axis": list(axes),
        "decode": [one.value / one.of if one and one.of else None for one in decodes],
        "mediate": [one.value if one else None for one in mediates],
        "verdict": [one.value if isinstance(one, Label) else "" for one in verdicts],
    }
