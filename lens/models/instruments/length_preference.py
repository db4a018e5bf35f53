"""Whether a reward model prefers the longer reply, against how often the longer one is the better one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lens.instrument import instrument
from lens.models import price
from lens.models.scored import ScoredPair, clusters, scope, scored
from lens.reading import Declined, Label, Measured, Quantity, Reading

if TYPE_CHECKING:
    import numpy as np

    from lens.models.inspection import Inspection

PER = 100  # characters
_MORE = "give pairs of at least 20 prompts whose replies differ in length"


@instrument(
    "length-preference",
    subjects="models",
    title="Does it prefer the longer reply",
    quantity="pairs on which the longer reply scores more",
    unit="pairs",
    needs="grader.record gold.record",
    cost="2 × pairs, shared with what it prefers",
    version=1,
    order=30,
    declines="where no two replies differ in length; slopes under 20 prompts",
    source="slope within prompts, with and without the label beside it; intervals over prompts",
    price=price.SCORED,
)
def length_preference(inspection: Inspection) -> Reading:
    """Read the scores of every pair whose replies differ in length.

    `longer` k of n pairs whose longer reply scores more; its control `label.longer`, the pairs whose longer reply is
    the labelled one; `over-label` the difference of the two shares. `slope` ru per 100 characters between replies to
    one prompt; `slope.given-label` the same beside a constant for being the labelled reply, its control: a model that
    only follows the label has slope 0 there. `correlation` of reward and length within a prompt, free of the reward's
    units. `accuracy.longer-right`, `accuracy.shorter-right` k of n where the label is for the longer, the shorter
    reply; `accuracy.gap` the first share less the second. These pairs weren't made to differ in length alone: what
    else differs comes with it, and the bias battery's matched replies hold it fixed.
    """
    found = scored(inspection)
    if isinstance(found, Declined):
        return found
    rows = [row for row in found if row.longer]
    if not rows:
        return Declined("corpus_inadequate", "the two replies of every pair are equally long", _MORE)
    fields: dict[str, Quantity | Label | Declined] = {
        "longer": _share(inspection, rows, [_longer_won(row) for row in rows], "label.longer"),
        "label.longer": _share(inspection, rows, [row.longer > 0 for row in rows]),
        **_slopes(inspection, rows),
    }
    over = [float(_longer_won(row)) - float(row.longer > 0) for row in rows]
    fields["over-label"] = _over_label(inspection, rows, over)
    for name, side in (("longer-right", 1), ("shorter-right", -1)):
        some = [row for row in rows if row.longer * side > 0]
        fields[f"accuracy.{name}"] = (
            _share(inspection, some, [row.right for row in some])
            if some
            else Declined("corpus_inadequate", "no pair is labelled so", _MORE)
        )
    fields["accuracy.gap"] = _gap(inspection, rows)
    alike = f"; {len(found) - len(rows)} whose replies are equally long are left out" if len(rows) < len(found) else ""
    return Measured(fields, "over-label", scope(inspection, found) + alike)


def _longer_won(row: ScoredPair) -> bool:
    return row.margin * row.longer > 0


def _share(
    inspection: Inspection, rows: Sequence[ScoredPair], hits: Sequence[bool], control: str = ""
) -> Quantity | Declined:
    from lens.stats.shares import share_of

    return share_of(hits, clusters(rows), "pairs", seed=inspection.seed, draws=inspection.draws, control=control)


def _over_label(inspection: Inspection, rows: Sequence[ScoredPair], over: Sequence[float]) -> Quantity | Declined:
    from lens.stats.clusters import interval_of

    interval = interval_of(over, clusters(rows), seed=inspection.seed, draws=inspection.draws)
    if interval is None:
        return _few(rows, "a difference")
    note = "above zero: it prefers the longer reply more often than the label does"
    return Quantity(
        sum(over) / len(over), "share of pairs", "difference", interval=interval, n=len(rows),
        control="label.longer", note=note,
    )  # fmt: skip


def _slopes(inspection: Inspection, rows: Sequence[ScoredPair]) -> dict[str, Quantity | Label | Declined]:
    import numpy as np

    from lens.stats.clusters import over_sums

    sums = _moments(rows)
    told = {
        "slope": (slope, f"ru per {PER} characters", "score", "slope.given-label"),
        "slope.given-label": (slope_given_label, f"ru per {PER} characters", "score", ""),
        "correlation": (correlation, "within prompts", "correlation", ""),
    }
    fields: dict[str, Quantity | Label | Declined] = {}
    for name, (function, unit, kind, control) in told.items():
        interval = over_sums(sums, function, seed=inspection.seed, draws=inspection.draws)
        if interval is None:
            fields[name] = _few(rows, f"a {name.partition('.')[0]}")
            continue
        value = float(function(np.asarray(sums).sum(axis=0)))
        fields[name] = Quantity(value, unit, kind, interval=interval, n=len(rows), control=control)  # type: ignore[arg-type]
    return fields


def _gap(inspection: Inspection, rows: Sequence[ScoredPair]) -> Quantity | Declined:
    import numpy as np

    from lens.stats.clusters import over_sums

    parts: dict[str, list[float]] = {}
    for row in rows:
        part = parts.setdefault(row.pair.cluster, [0.0] * 4)
        at = 0 if row.longer > 0 else 2
        part[at] += row.right
        part[at + 1] += 1
    sums = list(parts.values())
    interval = over_sums(sums, _difference, seed=inspection.seed, draws=inspection.draws)
    if interval is None:
        return _few(rows, "a difference of shares")
    value = float(_difference(np.asarray(sums).sum(axis=0)))
    return Quantity(value, "share of pairs", "difference", interval=interval, n=len(rows))


def _difference(sums: np.ndarray) -> np.ndarray:
    return sums[..., 0] / sums[..., 1] - sums[..., 2] / sums[..., 3]  # type: ignore[no-any-return]


def _moments(rows: Sequence[ScoredPair]) -> list[list[float]]:
    """A cluster's Σd², Σdm, Σd, Σm, Σm², n over its pairs: d the length difference in hundreds, m the margin."""
    parts: dict[str, list[float]] = {}
    for row in rows:
        part = parts.setdefault(row.pair.cluster, [0.0] * 6)
        d, m = row.longer / PER, row.margin
        for at, value in enumerate((d * d, d * m, d, m, m * m, 1.0)):
            part[at] += value
    return list(parts.values())


def slope(sums: np.ndarray) -> np.ndarray:
    """Least squares of reward on length with a constant a pair: Σdm / Σd²."""
    return sums[..., 1] / sums[..., 0]  # type: ignore[no-any-return]


def slope_given_label(sums: np.ndarray) -> np.ndarray:
    """The same beside a constant for being labelled the better reply: cov(d, m) / var(d)."""
    dd, dm, d, m, _, n = (sums[..., at] for at in range(6))
    return (dm - d * m / n) / (dd - d * d / n)  # type: ignore[no-any-return]


def correlation(sums: np.ndarray) -> np.ndarray:
    """Within pairs: Σdm / √(Σd² Σm²)."""
    return sums[..., 1] / (sums[..., 0] * sums[..., 4]) ** 0.5  # type: ignore[no-any-return]


def _few(rows: Sequence[ScoredPair], what: str) -> Declined:
    return Declined("corpus_inadequate", f"{len(set(clusters(rows)))} prompts are too few for {what}", _MORE)
