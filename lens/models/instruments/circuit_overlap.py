"""Circuit overlap: whether two axes are written by the same heads and MLPs, beside what halves of one axis share."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from lens.instrument import instrument
from lens.models.inspection import Inspection
from lens.models.price import ANATOMY
from lens.models.summaries import quantity, unreadable
from lens.names import kebab
from lens.reading import Columns, Declined, Interval, Label, Measured, Quantity, Result

if TYPE_CHECKING:
    import numpy as np

    from lens.models.anatomy import Anatomy

LEAST = 20  # prompts an axis needs: ten in each half
DRAWS = 400
PERMUTED = 200
TOPS = (0.02, 0.05, 0.1, 0.2, 0.5)  # shares of all places
_UNIT = "weighted Jaccard"


class _Axis(NamedTuple):
    """`halves[side]`: the sizes of every place's part, a row a cluster mean, [clusters, places]."""

    name: str
    halves: tuple[np.ndarray, np.ndarray]

    @property
    def whole(self) -> np.ndarray:
        import numpy as np

        found: np.ndarray = np.concatenate(self.halves).mean(axis=0)
        return found


@instrument(
    "circuit-overlap",
    subjects="models",
    title="Circuit overlap",
    quantity="how far the heads and MLPs that write two axes are the same, against halves of one axis",
    unit=_UNIT,
    needs="grader.forward",
    cost="the reward lens's",
    version=1,
    order=75,
    declines="with fewer than two axes of 20 prompts, and where there is no stream to read",
    source="weighted Jaccard (Ružička 1958) of mean attribution sizes; hypergeometric null of top-k overlap",
    price=ANATOMY,
)
def circuit_overlap(inspection: Inspection) -> Result:
    """A circuit is the mean size of what every head and MLP writes of an axis's margins. All overlaps are of halves
    (prompts in turn), so that `between` two axes and the `ceiling` within one axis are read on as many pairs.

    `between` the mean over pairs of axes, `ceiling` over axes, `gap` = ceiling − between, `null` the mean overlap with
    the places permuted and its 95th percentile in `null.high`. Tables `overlaps` (two axes a row) and `top` (shared
    members of the top k, with the hypergeometric expectation).
    """
    if (declined := unreadable(inspection)) is not None:
        return Result(declined)
    from lens.models.anatomy import anatomy

    body = anatomy(inspection)
    axes = [axis for axis in _axes(body) if min(map(len, axis.halves)) >= LEAST // 2]
    if len(axes) < 2:
        return Result(
            Declined(
                "corpus_inadequate",
                f"{len(axes)} axes have pairs of {LEAST} prompts, and an overlap needs two",
                f"give pairs with an axis column, {LEAST} prompts or more on each",
            )
        )
    found = _overlaps(axes)
    redrawn = _redrawn(axes, inspection.seed)
    pairs = body.pairs
    fields: dict[str, Quantity | Label | Declined] = {}
    for name, kind in (("gap", "difference"), ("between", "ratio"), ("ceiling", "ratio")):
        draws = sorted(row[name] for row in redrawn)
        low, high = draws[round(0.025 * (DRAWS - 1))], draws[round(0.975 * (DRAWS - 1))]
        interval = Interval(low, high, "cluster-bootstrap")
        control = {"gap": "null", "between": "ceiling", "ceiling": "null"}[name]
        fields[name] = quantity(found[name], interval, pairs, unit=_UNIT, kind=kind, control=control)  # type: ignore[arg-type]
    null = _null(axes, inspection.seed)
    middle, top = sum(null) / len(null), sorted(null)[round(0.95 * (len(null) - 1))]
    spread = Interval(min(null), max(null), "permutation")
    fields["null"] = Quantity(middle, unit=_UNIT, kind="ratio", interval=spread, n=len(null), note="places permuted")
    fields["null.high"] = Quantity(top, unit=_UNIT, kind="ratio", n=len(null), note="95th percentile")
    fields["axes"] = Label(", ".join(axis.name for axis in axes))
    scope = f"{len(axes)} axes, {axes[0].whole.size} heads and MLPs; what is written straight into the head"
    return Result(Measured(fields, "gap", scope), {"overlaps": _table(axes), "top": _top(axes)})


def circuit(body: Anatomy) -> np.ndarray:
    """The size of what every head, then every MLP, writes of each pair's margin: [P, L·H + L]."""
    import numpy as np

    heads = body.side_difference(body.heads).reshape(len(body.pairs), -1)
    mlps = body.side_difference(body.parts)[:, 2:-1:2]
    sizes: np.ndarray = np.abs(np.concatenate([heads, mlps], axis=1))
    return sizes


def _axes(body: Anatomy) -> list[_Axis]:
    import numpy as np

    from lens.stats.clusters import grouped

    sizes = circuit(body)
    found = []
    for name in dict.fromkeys(pair.axis for pair in body.pairs if pair.axis):
        which = [at for at, pair in enumerate(body.pairs) if pair.axis == name]
        groups = grouped([body.pairs[at].cluster for at in which])
        means = np.array([sizes[np.asarray(which)[group]].mean(axis=0) for group in groups])
        found.append(_Axis(name, (means[0::2], means[1::2])))
    return found


def _overlaps(axes: list[_Axis]) -> dict[str, float]:
    means = [[half.mean(axis=0) for half in axis.halves] for axis in axes]
    return _summary(means)


def _summary(means: list[list[np.ndarray]]) -> dict[str, float]:
    """Of each axis's two half circuits."""
    from lens.stats.overlap import jaccard

    ceiling = [jaccard(*halves) for halves in means]
    between = [(jaccard(one[0], other[1]) + jaccard(one[1], other[0])) / 2 for one, other in combinations(means, 2)]
    top, low = math.fsum(ceiling) / len(ceiling), math.fsum(between) / len(between)
    return {"ceiling": top, "between": low, "gap": top - low}


def _redrawn(axes: list[_Axis], seed: int) -> list[dict[str, float]]:
    """The same with clusters redrawn inside their halves: a cluster never stands on both sides."""
    import numpy as np

    rng = np.random.default_rng(seed)
    draws = []
    for _ in range(DRAWS):
        means = [[half[rng.integers(0, len(half), len(half))].mean(axis=0) for half in axis.halves] for axis in axes]
        draws.append(_summary(means))
    return draws


def _null(axes: list[_Axis], seed: int) -> list[float]:
    """Overlap of one axis's half with another's whose places are permuted."""
    import numpy as np

    from lens.stats.overlap import jaccard

    rng = np.random.default_rng(seed)
    couples = list(combinations(axes, 2))
    found = []
    for at in range(PERMUTED):
        one, other = couples[at % len(couples)]
        found.append(jaccard(one.halves[0].mean(axis=0), rng.permutation(other.halves[1].mean(axis=0))))
    return found


def _table(axes: list[_Axis]) -> Columns:
    """One row two axes, also an axis with itself: its halves."""
    from lens.stats.overlap import jaccard

    table: Columns = {"first": [], "second": [], "overlap": [], "prompts": []}
    means = {axis.name: [half.mean(axis=0) for half in axis.halves] for axis in axes}
    for one in axes:
        for other in axes:
            a, b = means[one.name], means[other.name]
            value = (jaccard(a[0], b[1]) + jaccard(a[1], b[0])) / 2
            row = (kebab(one.name), kebab(other.name), value, sum(map(len, other.halves)))
            for column, cell in zip(table.values(), row, strict=True):
                column.append(cell)
    return table


def _top(axes: list[_Axis]) -> Columns:
    from lens.stats.overlap import top_shared

    table: Columns = {
        name: [] for name in ("first", "second", "k", "places", "shared", "expected", "p", "halves-shared")
    }
    for one, other in combinations(axes, 2):
        for share in TOPS:
            k = max(1, round(share * one.whole.size))
            found = top_shared(one.halves[0].mean(axis=0), other.halves[1].mean(axis=0), k)
            own = top_shared(one.halves[0].mean(axis=0), one.halves[1].mean(axis=0), k)
            row = (kebab(one.name), kebab(other.name), *found, own.shared)
            for column, cell in zip(table.values(), row, strict=True):
                column.append(cell)
    return table
