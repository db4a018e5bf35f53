"""Contestedness: whether a network holds how far raters disagree about a pair, beyond how close the pair is."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING

from lens.instrument import instrument
from lens.models.disagreement import Asked, asked, disagreement
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
    version=2,
    order=370,
    declines="where nobody's votes are known; for networks without a trunk; under 20 prompts",
    source="cross-fitted ridge on swap-symmetric features; Spearman's partial correlation; null of one utility's votes",
    price=together(STREAMS, each_pair(0.01)),
)
def contestedness(inspection: Inspection) -> Result:
    """Decode how far raters disagree from the streams of both replies, on prompts the probe was not fitted on.

    The probe reads h_a + h_b and |h_a − h_b| two thirds of the way, which swapping the replies leaves as they are, as
    it leaves a disagreement: 1 less twice the distance of the votes from even. `correlation` Spearman's of what it says
    with the disagreement, `partial` the same given |margin|, since close pairs are contested. `correlation.null` and
    `dealt.null` are the 95th percentiles of the two with the disagreements dealt to pairs at random, the probe fitted
    again each time, beside `*.null-mean`. Under one utility disagreement is how close a pair is to the raters, which a
    network knows with an error and a probe reads beyond its margin; so the control of `partial` is `partial.null`, the
    same where the one utility linear in the streams that fits the votes best casts votes of its own, as many on every
    pair. `verdict` held (the partial is above that) or not told from one utility. The public index fits a direction of
    the difference, which is odd under the swap, on the rows it is read on.
    """
    if (refused := unreadable(inspection)) is not None:
        return Result(refused)
    known = asked(inspection)
    if isinstance(known, Declined):
        return Result(known)
    pairs = [pair for pair in inspection.used_pairs().unique if pair.number in known]
    if (refused := few(pairs, least=BOOTSTRAPPED)) is not None:
        return Result(refused)
    votes = [known[pair.number] for pair in pairs]
    if len({abs(2 * one.share - 1) for one in votes}) < 2:
        return Result(
            Declined(
                "corpus_inadequate", "raters disagree alike about every pair", "give votes on pairs that differ more"
            )
        )
    fields = _fields(inspection, pairs, votes)
    scope = f"{len(pairs)} pairs of {inspection.pairs.name} with votes"
    return Result(Measured(fields, "partial", scope))


def _fields(inspection: Inspection, pairs: Sequence[Pair], votes: Sequence[Asked]) -> Fields:
    import numpy as np

    from lens.stats.correlation import spearman
    from lens.stats.permute import NULLS, across, null

    found = streams(inspection)
    rows = found.rows(pairs)
    at = middle(found.layers[-1])
    h = found.at(at)[rows]
    clusters = [pair.cluster for pair in pairs]
    margins = np.abs(found.rewards[rows, 0] - found.rewards[rows, 1])
    shares, of = np.array(votes, float).T
    real = disagreement(shares)
    dealt = real[across(len(pairs), seed=inspection.seed)]
    targets = np.vstack([real, dealt, _cast(h[:, 0] - h[:, 1], shares, of, seed=inspection.seed)]).T
    said = decoded(symmetric(h), targets, clusters)
    tables = [np.stack([said[:, k], targets[:, k], margins], axis=1) for k in range(targets.shape[1])]

    def alone(some: np.ndarray) -> float:
        return spearman(some[:, 0].tolist(), some[:, 1].tolist())

    def given(some: np.ndarray) -> float:
        return partial(some[:, 0], some[:, 1], some[:, 2])

    at_random, one = "disagreements dealt to pairs at random", "votes cast by the one utility that fits them best"
    fields: Fields = {"layer": Label(f"before block {at} of {found.layers[-1]}")}
    for name, statistic, unit in (("correlation", alone, "over pairs"), ("partial", given, "given the margin")):
        fields[name] = _told(inspection, tables[0], clusters, statistic, name, unit)
    for name, statistic, unit, some, what in (
        ("correlation", alone, "over pairs", tables[1 : NULLS + 1], at_random),
        ("dealt", given, "given the margin", tables[1 : NULLS + 1], at_random),
        ("partial", given, "given the margin", tables[NULLS + 1 :], one),
    ):
        nulls = null([statistic(each) for each in some])
        fields |= null_fields(name, nulls, unit, "correlation", what=what)
    held = above(fields["partial"], fields["partial.null"])
    fields["verdict"] = Label("held" if held else "not told from one utility")
    return fields


def _cast(apart: np.ndarray, shares: np.ndarray, of: np.ndarray, *, seed: int) -> np.ndarray:
    """Disagreements [nulls, P] of as many raters, who all have the utility that fits their votes best."""
    import numpy as np

    from lens.stats.permute import NULLS
    from lens.stats.utility import utility

    chance = 1 / (1 + np.exp(-np.clip(utility(apart, shares, of), -30, 30)))
    return disagreement(np.random.default_rng(seed).binomial(of.astype(int), chance, (NULLS, len(of))) / of)


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
