"""Coverage disparity: whether a reward model is better on some parts of a set than on others, beyond sampling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lens.instrument import instrument
from lens.models.axes import axis_of
from lens.models.nulls import Fields, null_fields
from lens.models.price import SCORED, each_pair, together
from lens.models.scored import ScoredPair, scope, scored
from lens.names import kebab
from lens.reading import Columns, Declined, Interval, Label, Measured, Quantity, Result
from lens.stats.clusters import LEAST

if TYPE_CHECKING:
    from lens.models.inspection import Inspection
    from lens.stats.disparity import Disparity
    from lens.stats.permute import Null

Group = tuple[list[bool], list[str]]  # hits, and the drawn unit of each


def disparity_of(groups: Sequence[Group]) -> Disparity:
    """The index of groups of hits: logits of their shares, each with the variance that its drawn units allow.

    Where pairs of a unit go together, a share of n pairs counts as one of as many independent pairs as have its
    variance over units; never as more than n.
    """
    from lens.stats.disparity import disparity, logit

    found = []
    for hits, units in groups:
        n = effective(hits, units)
        found.append(logit(sum(hits) / len(hits) * n, n))
    return disparity([one for one, _ in found], [variance for _, variance in found])


def effective(hits: Sequence[bool], units: Sequence[str]) -> float:
    """Independent pairs that a share of clustered ones is worth: n where each pair is a unit of its own.

    >>> effective([True, True, False, False] * 5, [str(i // 2) for i in range(20)])
    9.0
    """
    import numpy as np

    from lens.stats.clusters import grouped

    n, groups = len(hits), grouped(units)
    share = sum(hits) / n
    if len(groups) in (1, n) or share in (0.0, 1.0):
        return float(len(groups))
    away = np.array([sum(hits[i] - share for i in group) for group in groups])
    variance = float((away**2).sum()) * len(groups) / (len(groups) - 1) / n**2
    return min(float(n), round(share * (1 - share) / variance, 9)) if variance else float(n)


def permuted(groups: Sequence[Group], *, seed: int) -> Null:
    """τ with the drawn units dealt to groups of the same sizes at random, 200 times."""
    import numpy as np

    from lens.stats.clusters import grouped
    from lens.stats.permute import NULLS, null

    units: list[Group] = []
    for hits, names in groups:
        units += [([hits[i] for i in some], [names[i] for i in some]) for some in grouped(names)]
    sizes = np.cumsum([len(set(names)) for _, names in groups])[:-1]
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(NULLS):
        dealt = np.split(rng.permutation(len(units)), sizes)
        found.append(disparity_of([_joined([units[i] for i in some]) for some in dealt]).tau)
    return null(found)


def _joined(units: Sequence[Group]) -> Group:
    return [hit for hits, _ in units for hit in hits], [name for _, names in units for name in names]


@instrument(
    "coverage-disparity",
    subjects="models",
    title="Is it as good everywhere",
    quantity="spread between parts of a set in how often the labelled reply scores more, beyond sampling",
    unit="logits",
    needs="grader.record gold.record",
    cost="2 × pairs, shared with what it prefers",
    version=1,
    order=330,
    declines="with one part alone; a part under 8 prompts; where parts are read on the same prompts",
    source="random effects of logits (DerSimonian and Laird 1986), interval by Q-profile (Viechtbauer 2007)",
    price=together(SCORED, each_pair(0.0007)),
)
def coverage_disparity(inspection: Inspection) -> Result:
    """Compare the parts of a set, or its axes where it has no parts.

    `disparity` τ, the standard deviation between parts of the logit of how often the model prefers the labelled reply,
    beyond what sampling gives, its control `null` the 95th percentile of τ with the drawn prompts dealt to the parts at
    random, beside `null-mean`; `p` that of equal parts, by Cochran's Q. A part c: `c.accuracy` k of n pairs, which for
    pairs is the area under the curve of chosen against rejected inside a prompt. `lowest` and `highest` name the range,
    which is described and not tested. The public index is the spread of the shares, which is above 0 by sampling alone.
    """
    rows = scored(inspection)
    if isinstance(rows, Declined):
        return Result(rows)
    parts = _parts(rows)
    thin = {name: some for name, some in parts.items() if len({row.pair.cluster for row in some}) < LEAST}
    read = {name: some for name, some in parts.items() if name not in thin}
    if (refused := _refused(read)) is not None:
        return Result(refused)
    groups = [([row.right for row in some], [row.pair.cluster for row in some]) for some in read.values()]
    found = disparity_of(groups)
    fields: Fields = {
        "disparity": Quantity(
            found.tau, "logits", "score", interval=Interval(found.low, found.high, "q-profile"), n=len(groups),
            control="null", note="n is the parts",
        ),
        "p": Quantity(found.p, "p", "proportion", n=len(groups), note="of equal parts"),
        **null_fields(
            "", permuted(groups, seed=inspection.seed), "logits", "score", what="prompts dealt to the parts at random"
        ),
    }  # fmt: skip
    shares = {name: sum(hits) / len(hits) for name, (hits, _) in zip(read, groups, strict=True)}
    for which, pick in (("lowest", min), ("highest", max)):
        fields[which] = Label(pick(shares, key=shares.__getitem__), "a range is described, not tested")
    for name, some in parts.items():
        fields[f"{name}.accuracy"] = _accuracy(inspection, some)
    return Result(Measured(fields, "disparity", scope(inspection, rows)), {"parts": _table(fields, read)})


def _parts(rows: Sequence[ScoredPair]) -> dict[str, list[ScoredPair]]:
    """By part; by axis where no pair names a part."""
    by_part = any(row.pair.part for row in rows)
    found: dict[str, list[ScoredPair]] = {}
    for row in rows:
        name = kebab(row.pair.part) if by_part and row.pair.part else "" if by_part else axis_of(row.pair)
        if name and (by_part or row.pair.axis):
            found.setdefault(name, []).append(row)
    return found


def _refused(read: dict[str, list[ScoredPair]]) -> Declined | None:
    if len(read) < 2:
        return Declined(
            "corpus_inadequate",
            f"{len(read)} part of the set has {LEAST} prompts: there is nothing to be disparate between",
            "give pairs with a column `subset` that names two parts or more, each of 8 prompts",
        )
    units = [{row.pair.cluster for row in some} for some in read.values()]
    if sum(map(len, units)) > len(set.union(*units)):
        return Declined(
            "assumption_violated",
            "the parts are read on the same prompts, so their shares are no independent draws",
            "give parts of different prompts, or read each part's accuracy: --instruments preference",
        )
    return None


def _accuracy(inspection: Inspection, some: Sequence[ScoredPair]) -> Quantity | Declined:
    from lens.stats.shares import share_of

    hits, units = [row.right for row in some], [row.pair.cluster for row in some]
    return share_of(hits, units, "pairs", seed=inspection.seed, draws=inspection.draws)


def _table(fields: Fields, read: dict[str, list[ScoredPair]]) -> Columns:
    shares = [fields[f"{name}.accuracy"] for name in read]
    ends = [one.interval if isinstance(one, Quantity) else None for one in shares]
    return {
        "part": list(read),
        "pairs": [len(some) for some in read.values()],
        "right": [sum(row.right for row in some) for some in read.values()],
        "low": [one.low if one else None for one in ends],
        "high": [one.high if one else None for one in ends],
    }
