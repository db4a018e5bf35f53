"""Contestedness: whether a network holds how far raters disagree about a pair, beyond how close the pair is."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING

from lens.instrument import instrument
from lens.models.disagreement import disagreement
from lens.models.nulls import Fields, above, null_fields
from lens.models.price import each_pair, together
from lens.models.streams import STREAMS, middle, streams
from lens.models.summaries import few, unreadable
from lens.reading import Declined, Label, Measured, Quantity, Result
from lens.stats.clusters import BOOTSTRAPPED

if TYPE_CHECKING:
    import numpy as np

    from lens.models.inspection import Inspection
    from lens.models.pairs import Pair

    Statistic = Callable[[np.ndarray], float]


def symmetric(h: np.ndarray) -> np.ndarray:
    """Features that swapping a pair's replies leaves as they are: h [P, 2, d] -> [P, 2d], h_a + h_b and |h_a − h_b|.

    >>> import numpy as np
    >>> symmetric(np.array([[[1.0], [4.0]]])).tolist() == symmetric(np.array([[[4.0], [1.0]]])).tolist()
    True
    """
    import numpy as np

    return np.concatenate([h[:, 0] + h[:, 1], np.abs(h[:, 0] - h[:, 1])], axis=1)


def decoded(features: np.ndarray, targets: np.ndarray, clusters: Sequence[Hashable]) -> np.ndarray:
    """Cross-fitted ridge predictions of targets [P, T] from features [P, F]: [P, T], fitted on other clusters.

    Each is less the mean of the targets it was fitted on, which is low just where those held out are high.
    """
    import numpy as np

    from lens.stats.crossfit import folds
    from lens.stats.ridge import ridge

    found = np.zeros_like(targets, dtype=float)
    for inside in folds(clusters):
        others = np.setdiff1d(np.arange(len(targets)), inside)
        centre, mean = features[others].mean(axis=0), targets[others].mean(axis=0)
        found[inside] = ridge(features[others] - centre, targets[others] - mean, features[inside] - centre)
    return found


def partial(one: np.ndarray, other: np.ndarray, given: np.ndarray) -> float:
    """Spearman's partial correlation of two columns given a third; NaN where one doesn't vary beyond it."""
    import numpy as np
    from scipy.stats import rankdata

    from lens.stats.correlation import pearson

    ranks = [rankdata(column) - (len(column) + 1) / 2 for column in (one, other, given)]
    size = float(ranks[2] @ ranks[2])
    if size == 0:
        return pearson(ranks[0].tolist(), ranks[1].tolist())
    rest = [column - ranks[2] * float(column @ ranks[2]) / size for column in ranks[:2]]
    if any(np.allclose(column, 0) for column in rest):
        return float("nan")
    return pearson(rest[0].tolist(), rest[1].tolist())


@instrument(
    "contestedness",
    subjects="models",
    title="Does it know what is contested",
    quantity="correlation of what a probe reads off both replies with how far raters disagree, the margin held",
    unit="given the margin",
    needs="grader.forward",
    cost="2 × pairs, shared with concepts",
    version=1,
    order=370,
    declines="where nobody's votes are known; for networks without a trunk; under 20 prompts",
    source="cross-fitted ridge on swap-symmetric features; Spearman's partial correlation; conventions A2 and A3",
    price=together(STREAMS, each_pair(0.01)),
)
def contestedness(inspection: Inspection) -> Result:
    """Decode how far raters disagree from the streams of both replies, on prompts the probe was not fitted on.

    The probe reads h_a + h_b and |h_a − h_b| two thirds of the way, which swapping the replies leaves as they are, as
    it leaves a disagreement: 1 less twice the distance of the votes from even. `correlation` Spearman's of what it says
    with the disagreement, `partial` the same given |margin|, since close pairs are contested; their controls
    `correlation.null` and `partial.null` the 95th percentile with the disagreements dealt to pairs at random, the probe
    fitted again each time, beside `*.null-mean`. `verdict` held (the partial is above its null) or not told: where the
    reward has noise that raters don't share, how close a pair is to them can be read beyond the margin too, so that
    held is no proof of two camps. The public index fits a direction of the difference, which is odd under the swap, on
    the rows it is read on.
    """
    if (refused := unreadable(inspection)) is not None:
        return Result(refused)
    known = disagreement(inspection)
    if isinstance(known, Declined):
        return Result(known)
    pairs = [pair for pair in inspection.used_pairs().unique if pair.number in known]
    if (refused := few(pairs, least=BOOTSTRAPPED)) is not None:
        return Result(refused)
    if len({known[pair.number] for pair in pairs}) < 2:
        return Result(
            Declined(
                "corpus_inadequate", "raters disagree alike about every pair", "give votes on pairs that differ more"
            )
        )
    fields = _fields(inspection, pairs, [known[pair.number] for pair in pairs])
    scope = f"{len(pairs)} pairs of {inspection.pairs.name} with votes"
    return Result(Measured(fields, "partial", scope))


def _fields(inspection: Inspection, pairs: Sequence[Pair], disagreements: Sequence[float]) -> Fields:
    import numpy as np

    from lens.stats.correlation import spearman
    from lens.stats.permute import across, null

    found = streams(inspection)
    rows = found.rows(pairs)
    at = middle(found.layers[-1])
    clusters = [pair.cluster for pair in pairs]
    contested = np.array(disagreements, float)
    margins = np.abs(found.rewards[rows, 0] - found.rewards[rows, 1])
    dealt = np.stack([contested, *(contested[order] for order in across(len(pairs), seed=inspection.seed))], axis=1)
    said = decoded(symmetric(found.at(at)[rows]), dealt, clusters)
    statistics: dict[str, Statistic] = {
        "correlation": lambda some: spearman(some[:, 0].tolist(), some[:, 1].tolist()),
        "partial": lambda some: partial(some[:, 0], some[:, 1], some[:, 2]),
    }
    fields: Fields = {"layer": Label(f"before block {at} of {found.layers[-1]}")}
    for name, statistic in statistics.items():
        unit = "given the margin" if name == "partial" else "over pairs"
        table = [np.stack([said[:, k], dealt[:, k], margins], axis=1) for k in range(dealt.shape[1])]
        fields[name] = _told(inspection, table[0], clusters, statistic, name, unit)
        nulls = null([statistic(one) for one in table[1:]])
        fields |= null_fields(name, nulls, unit, "correlation", what="disagreements dealt to pairs at random")
    fields["verdict"] = Label("held" if above(fields["partial"], fields["partial.null"]) else "not told")
    return fields


def _told(
    inspection: Inspection, rows: np.ndarray, clusters: Sequence[str], statistic: Statistic, name: str, unit: str
) -> Quantity | Declined:
    from lens.stats.clusters import interval_of
    from lens.stats.means import quantity

    ends = interval_of(rows.tolist(), clusters, statistic, seed=inspection.seed, draws=inspection.draws)
    return quantity(
        statistic(rows), ends, unit, kind="correlation", clusters=len(set(clusters)), n=len(rows),
        control=f"{name}.null",
    )  # fmt: skip
