"""Coherence: whether the criteria a reward is made of say different things."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lens.instrument import instrument
from lens.models.nulls import Fields, above, null_fields
from lens.models.price import forwards, once
from lens.models.summaries import few
from lens.models.terms import Objectives, objectives
from lens.names import kebab
from lens.reading import Columns, Declined, Interval, Label, Measured, Quantity, Result
from lens.stats.clusters import BOOTSTRAPPED

if TYPE_CHECKING:
    import numpy as np

    from lens.models.inspection import Inspection
    from lens.stats.permute import Null

RANKED = 1e-9  # of the largest eigenvalue: below it a dimension holds nothing


class Coherence(NamedTuple):
    """`largest` and `mean` size of μ over pairs of criteria; `rank` numerical rank of the table; `floor` the Welch
    bound that `largest` can't be under, 0 unless there are more criteria than dimensions."""

    largest: float
    mean: float
    rank: int
    floor: float


def coherence(table: np.ndarray) -> Coherence:
    """Of a table of within-prompt correlations [K, K].

    >>> import numpy as np
    >>> coherence(np.array([[1.0, -0.5], [-0.5, 1.0]])).largest
    0.5
    """
    import numpy as np

    k = len(table)
    off = np.abs(table[np.triu_indices(k, 1)])
    values = np.linalg.eigvalsh(table)
    rank = int((values > RANKED * values[-1]).sum())
    floor = ((k - rank) / (rank * (k - 1))) ** 0.5 if k > rank else 0.0
    return Coherence(float(off.max()), float(off.mean()), rank, floor)


def closest(differences: np.ndarray, clusters: Sequence[Hashable]) -> tuple[np.ndarray, list[tuple[int, int]]]:
    """What the largest size of μ is read from, on other clusters than the pair of criteria is chosen on.

    Rows [P, 3] of ±Δj Δk, Δj², Δk² for the pair (j, k) that is closest on the other folds, the sign that of μ there;
    and the pair that each fold chose. Σ first / √(Σ second · Σ third) is the cross-fitted size.
    """
    import numpy as np

    from lens.stats.crossfit import folds
    from lens.stats.within import correlations

    unit = differences / np.sqrt((differences**2).mean(axis=0))
    rows, picked = np.zeros((len(unit), 3)), []
    for inside in folds(clusters):
        table = correlations(np.delete(unit, inside, axis=0))
        upper = np.triu(np.abs(np.nan_to_num(table)), 1)
        j, k = (int(at) for at in np.unravel_index(int(np.argmax(upper)), table.shape))
        one, other = unit[inside, j], unit[inside, k]
        rows[inside] = np.stack([np.sign(table[j, k]) * one * other, one**2, other**2], axis=1)
        picked.append((j, k))
    return rows, picked


def size(sums: np.ndarray) -> np.ndarray:
    """Of sums over the rows of `closest`, in the last axis."""
    import numpy as np

    return sums[..., 0] / np.sqrt(sums[..., 1] * sums[..., 2])  # type: ignore[no-any-return]


@instrument(
    "coherence",
    subjects="models",
    title="Do its criteria say different things",
    quantity="largest size of the correlation, inside prompts, between two criteria of a reward",
    unit="within prompts",
    needs="grader.query",
    cost="6 × pairs, shared with its objectives",
    version=1,
    order=380,
    declines="for a reward of one score; under 20 prompts; where a criterion tells no two replies apart",
    source="mutual coherence in the metric of what the head reads; Welch 1974 for the floor; conventions A1 to A3",
    price=once("objectives", forwards(6)),
)
def coherence_index(inspection: Inspection) -> Result:
    """Correlate the criteria of a reward inside prompts: the cosines of their rows, whitened.

    `largest` the size of μ of the closest two, chosen on other prompts than it is read on (`closest` names those of all
    prompts, `agreed` k of n folds chose them), its control `largest.null` the 95th percentile with each criterion's
    rewards permuted inside prompts; `mean` over all pairs, with `mean.null`; the nulls' means beside. `dimensions` the
    numerical rank, of so many criteria; `floor` Welch's bound where there are more criteria than dimensions, which the
    largest size can't be under. `verdict` redundant (above the null) or not told from independent. The public flag is
    up for every set of criteria that isn't orthonormal.
    """
    found = objectives(inspection)
    if found is None:
        return Result(
            Declined(
                "not_applicable",
                "this reward is one score: it has no criteria beside each other",
                "read a rubric or a model of several objectives",
            )
        )
    if (refused := few(found.pairs, least=BOOTSTRAPPED)) is not None:
        return Result(refused)
    differences = found.scores[:, 0] - found.scores[:, 1]
    if differences.shape[1] < 2 or not differences.any(axis=0).all():
        return Result(
            Declined(
                "assumption_violated",
                "a criterion gives both replies of every pair the same score",
                "leave it out of the rubric, or give pairs that it tells apart",
            )
        )
    fields = _fields(inspection, found, differences)
    scope = f"{len(found.names)} criteria on {len(found.pairs)} pairs of {inspection.pairs.name}, inside prompts"
    return Result(Measured(fields, "largest", scope), {"criteria": _table(found, differences)})


def _fields(inspection: Inspection, found: Objectives, differences: np.ndarray) -> Fields:
    import numpy as np

    from lens.stats.clusters import grouped, over_sums_each
    from lens.stats.within import correlations

    clusters = [pair.cluster for pair in found.pairs]
    table = correlations(differences)
    read = coherence(table)
    rows, picked = closest(differences, clusters)
    products = np.einsum("pi,pj->pij", differences, differences).reshape(len(differences), -1)
    sums = np.array([np.concatenate([rows[g].sum(axis=0), products[g].sum(axis=0)]) for g in grouped(clusters)])
    ends = over_sums_each(sums, _both, seed=inspection.seed, draws=inspection.draws)
    j, k = (int(at) for at in np.unravel_index(int(np.argmax(np.triu(np.abs(table), 1))), table.shape))
    nulls = _nulls(differences, clusters, inspection.seed)

    def told(value: float, interval: Interval | None, control: str) -> Quantity | Declined:
        from lens.stats.means import quantity

        return quantity(
            value, interval, "within prompts", kind="correlation", clusters=len(set(clusters)), n=len(rows),
            control=control,
        )  # fmt: skip

    fields: Fields = {
        "largest": told(float(size(rows.sum(axis=0))), ends[0], "largest.null"),
        "mean": told(read.mean, ends[1], "mean.null"),
        "closest": Label(f"{found.names[j]} and {found.names[k]}"),
        "agreed": Quantity(picked.count((j, k)), "folds", "count", of=len(picked)),
        "dimensions": Quantity(read.rank, "dimensions", "count", of=len(found.names)),
    }
    if read.floor:
        fields["floor"] = Quantity(read.floor, "within prompts", "correlation", note="Welch's bound")
    for name, null in zip(("largest", "mean"), nulls, strict=True):
        what = "each criterion permuted inside prompts"
        fields |= null_fields(name, null, "within prompts", "correlation", what=what)
    redundant = above(fields["largest"], fields["largest.null"])
    fields["verdict"] = Label("redundant" if redundant else "not told from independent")
    return fields


def _both(sums: np.ndarray) -> np.ndarray:
    """The cross-fitted size and the mean one, from sums of `closest` and of products: [..., 2]."""
    import numpy as np

    k = round((sums.shape[-1] - 3) ** 0.5)
    table = sums[..., 3:].reshape(*sums.shape[:-1], k, k)
    length = np.sqrt(np.diagonal(table, axis1=-2, axis2=-1))
    cosines = np.abs(table / (length[..., :, None] * length[..., None, :]))
    upper = np.triu_indices(k, 1)
    return np.stack([size(sums[..., :3]), cosines[..., upper[0], upper[1]].mean(axis=-1)], axis=-1)


def _nulls(differences: np.ndarray, clusters: Sequence[Hashable], seed: int) -> tuple[Null, Null]:
    """The whole choice made again with each criterion's sides turned at random, cluster by cluster."""
    import numpy as np

    from lens.stats.clusters import grouped
    from lens.stats.permute import NULLS, null
    from lens.stats.within import correlations

    groups = grouped(clusters)
    member = np.zeros(len(differences), int)
    for at, group in enumerate(groups):
        member[group] = at
    rng = np.random.default_rng(seed)
    largest, mean = [], []
    for _ in range(NULLS):
        turned = differences * rng.choice([-1.0, 1.0], (len(groups), differences.shape[1]))[member]
        largest.append(float(size(closest(turned, clusters)[0].sum(axis=0))))
        mean.append(coherence(correlations(turned)).mean)
    return null(largest), null(mean)


def _table(found: Objectives, differences: np.ndarray) -> Columns:
    from lens.stats.within import correlations

    names = [kebab(name) for name in found.names]
    return {
        "criterion": [one for one in names for _ in names],
        "other": [other for _ in names for other in names],
        "correlation": correlations(differences).ravel().tolist(),
    }
