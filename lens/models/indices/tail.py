"""Tail: whether the largest rewards thin out like a power, like an exponential, or end."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from lens.instrument import instrument
from lens.models.drawn import Drawn, drawn
from lens.models.nulls import Fields, null_fields
from lens.models.price import SCORED, each_pair, together
from lens.models.scale import constant
from lens.reading import Declined, Interval, Label, Measured, Quantity, Result

if TYPE_CHECKING:
    import numpy as np

    from lens.models.inspection import Inspection
    from lens.stats.pareto import Tail
    from lens.stats.permute import Null

THRESHOLDS = {"lower": 0.85, "middle": 0.9, "upper": 0.95}
EXCEEDANCES = 100  # least, over a threshold


def residuals(rewards: np.ndarray, prompts: Sequence[Hashable]) -> np.ndarray:
    """Rewards less their prompt's mean, times √(k/(k − 1)) for k replies: [m], prompts with one reply left out.

    >>> import numpy as np
    >>> (residuals(np.array([1.0, 3.0, 9.0]), "aab") ** 2).round(9).tolist()
    [2.0, 2.0]
    """
    import numpy as np

    from lens.stats.clusters import grouped
    from lens.stats.drawn import centred

    rows = centred(rewards, prompts)
    groups = [group for group in grouped(prompts) if len(group) > 1]
    scaled = [rows[group] * (len(group) / (len(group) - 1)) ** 0.5 for group in groups]
    return np.concatenate(scaled) if scaled else np.zeros(0)


def tail_of(residuals: np.ndarray, level: float) -> Tail | None:
    """The generalised Pareto fit of what lies above the `level` quantile; None under 100 exceedances.

    Invariant to a·r + b with a > 0.
    """
    import numpy as np

    from lens.stats.pareto import tail

    threshold = float(np.quantile(residuals, level)) if len(residuals) else 0.0
    excesses = residuals[residuals > threshold] - threshold
    return tail(excesses) if len(excesses) >= EXCEEDANCES else None


def verdict(interval: Interval) -> str:
    """ "heavy", "bounded" or "not told from exponential".

    >>> verdict(Interval(-0.1, 0.3, "profile-likelihood"))
    'not told from exponential'
    """
    if interval.low > 0:
        return "heavy"
    return "bounded" if interval.high < 0 else "not told from exponential"


def exponential(count: int, *, seed: int) -> Null:
    """The size of ξ̂ over 200 samples of `count` exponential excesses, whose shape is 0."""
    import numpy as np

    from lens.stats.pareto import shape_of
    from lens.stats.permute import NULLS, null

    draws = np.random.default_rng(seed).exponential(size=(NULLS, count))
    return null([abs(shape_of(draw / draw.mean())) for draw in draws])


def gaussian(rows: int, level: float, *, seed: int) -> float:
    """Mean ξ̂ over 200 samples of `rows` normal residuals above their `level` quantile: below 0, though none ends."""
    import numpy as np

    from lens.stats.pareto import shape_of
    from lens.stats.permute import NULLS

    draws = np.random.default_rng(seed).normal(size=(NULLS, rows))
    over = draws - np.quantile(draws, level, axis=1)[:, None]
    return float(np.mean([shape_of(row[row > 0] / row[row > 0].mean()) for row in over]))


@instrument(
    "tail",
    subjects="models",
    title="How its largest rewards thin out",
    quantity="shape of the tail of rewards above a prompt's mean: above 0 a power law, below 0 an end",
    unit="shape",
    needs="grader.record",
    cost="2 × pairs, shared with what it prefers",
    version=2,
    order=320,
    declines="under 100 exceedances, so under 667 replies; where no reward differs in a prompt",
    source="peaks over threshold (Pickands 1975), fitted by Grimshaw 1993; conventions A1 and A3",
    price=together(SCORED, each_pair(0.0003)),
)
def tail_index(inspection: Inspection) -> Result:
    """Fit the excesses of within-prompt residuals over three thresholds: lower, middle and upper, their 85, 90 and 95 %
    quantiles.

    A threshold t: `t.shape` ξ by maximum likelihood with its profile interval, its control `t.null` the 95th percentile
    of its size for as many exponential excesses (`t.null-mean` the mean), `t.exceedances` how many, `t.verdict` heavy
    (interval above 0), bounded (below 0) or not told from exponential; `t.index` 1/ξ where it is heavy. `t.gaussian` is
    what as many normal residuals read there: below 0 too, since at such thresholds their tail still thins faster than
    an exponential, so a shape near it is no end seen. `verdict` is that of all thresholds that can be read, or says
    that they differ. `bound` the most a reward can be from its
    constant after an RMSNorm head, ‖w‖√d, ru: under it no tail is a power law all the way. `replies` a prompt has: with
    two, a residual is half a difference, whose end is thinner than a reward's own (two uniform rewards read −½).
    The public index takes moments, whose shape can't exceed ½.
    """
    found = drawn(inspection)
    if isinstance(found, Declined):
        return Result(found)
    values = residuals(found.rewards, found.prompts)
    if not values.any():
        return Result(constant())
    tails = {name: tail_of(values, level) for name, level in THRESHOLDS.items()}
    read = {name: one for name, one in tails.items() if one is not None}
    if not read:
        return Result(_thin(values, 0.85))
    fields: Fields = {}
    for name, one in tails.items():
        part = _thin_fields(values, name) if one is None else _fields(inspection, values, name, one)
        fields |= {f"{name}.{key}": value for key, value in part.items()}
    said = {verdict(one.interval) for one in read.values()}
    fields["verdict"] = Label(said.pop() if len(said) == 1 else "depends on the threshold")
    fields["replies"] = Quantity(len(found) / len(set(found.prompts)), "replies/prompt", "ratio", n=len(found))
    fields |= _bound(inspection)
    return Result(Measured(fields, f"{next(iter(read))}.shape", _scope(found, values)))


def _fields(inspection: Inspection, values: np.ndarray, name: str, one: Tail) -> Fields:
    count = _over(values, THRESHOLDS[name])
    fields: Fields = {
        "shape": Quantity(
            one.shape, "shape", "exponent", interval=one.interval, n=count, control=f"{name}.null",
            note="exceedances taken as independent",
        ),
        "exceedances": Quantity(count, "exceedances", "size"),
        "verdict": Label(verdict(one.interval)),
    }  # fmt: skip
    fields |= null_fields(
        "", exponential(count, seed=inspection.seed), "shape", "exponent", what="as many exponential excesses"
    )
    fields["gaussian"] = Quantity(
        gaussian(len(values), THRESHOLDS[name], seed=inspection.seed), "shape", "exponent", note="mean of 200 samples"
    )
    if fields["verdict"] == Label("heavy"):
        ends = Interval(1 / one.interval.high, 1 / one.interval.low, one.interval.method)
        fields["index"] = Quantity(1 / one.shape, "tail index", "exponent", interval=ends, n=count)
    return fields


def _over(values: np.ndarray, level: float) -> int:
    import numpy as np

    return int((values > np.quantile(values, level)).sum())


def _thin_fields(values: np.ndarray, name: str) -> Fields:
    return {"shape": _thin(values, THRESHOLDS[name])}


def _thin(values: np.ndarray, level: float) -> Declined:
    return Declined(
        "corpus_inadequate",
        f"{_over(values, level)} residuals lie above the {level:.0%} quantile, where a fit needs {EXCEEDANCES}",
        f"give pairs with at least {round(EXCEEDANCES / (1 - level) + 1)} replies",
    )


def _bound(inspection: Inspection) -> Fields:
    trunk = inspection.model.trunk
    if trunk is None:
        return {}
    most = float(trunk.readout.w.float().norm()) * trunk.width**0.5
    return {"bound": Quantity(most, "ru", "score", note="the size of the head's row times √d")}


def _scope(found: Drawn, values: np.ndarray) -> str:
    return f"{len(values)} residuals of {found.scope}"
