"""Estimates over units, each with its interval and one-sided tests against any threshold.

One value a unit; the unit that was drawn is the cluster (trust conventions, A6): under 8 there is no estimate. A
statistic that can't be read is an `Unread` with the reason, never a number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from lens.reading import Interval
from lens.stats.clusters import BOOTSTRAPPED, LEAST
from lens.studies.science import Statistic

Arms = Sequence[Sequence[float]]
Tail = Callable[[float], float]


@dataclass(frozen=True)
class Estimate:
    """`over(t)` is the p of "it is at most t", `under(t)` of "at least t"; `n` units, `k` of them of a share."""

    value: float
    interval: Interval
    over: Tail
    under: Tail
    n: int
    k: int | None = None


class Unread(NamedTuple):
    """Why there is no estimate; `value` where every unit reads the same."""

    why: str
    value: float | None = None


def estimate(statistic: Statistic, arms: Arms, *, seed: int = 0, level: float = 0.95) -> Estimate | Unread:
    """The statistic of units by arm."""
    fewest = min((len(arm) for arm in arms), default=0)
    if not fewest:
        return Unread("one class only: an arm has no units" if len(arms) > 1 else "it has no units")
    if fewest < LEAST:
        return Unread(f"{fewest} clusters: under {LEAST} there is no interval")
    return _STATISTICS[statistic](arms, seed, level)


def _mean(arms: Arms, seed: int, level: float) -> Estimate | Unread:
    """A mean: t test; t interval under 20 units, BCa from there on."""
    import numpy as np
    from scipy.stats import t

    from lens.stats.bca import bca
    from lens.stats.t_interval import t_interval

    values = np.asarray(arms[0], float)
    n, value = len(values), float(values.mean())
    error = float(values.std(ddof=1) / np.sqrt(n))
    if error <= 1e-12 * max(1.0, abs(value)):
        return Unread(f"zero variance: all {n} units read {value:.6g}", value)
    interval = t_interval(values.tolist(), level=level)
    if n >= BOOTSTRAPPED:
        found = bca(n, lambda picks: values[picks].mean(axis=1), seed=seed, level=level)
        interval = found or interval
    return Estimate(
        value,
        interval,
        lambda threshold: float(t.sf((value - threshold) / error, n - 1)),
        lambda threshold: float(t.cdf((value - threshold) / error, n - 1)),
        n,
    )


def _share(arms: Arms, _seed: int, level: float) -> Estimate | Unread:
    """A share of units: exact binomial tests, Wilson's interval."""
    from scipy.stats import binom

    from lens.stats.intervals import wilson

    if any(one not in (0.0, 1.0) for one in arms[0]):
        return Unread("a share is of units that are 0 or 1")
    n, k = len(arms[0]), round(sum(arms[0]))
    return Estimate(
        k / n,
        wilson(k, n, level=level),
        lambda threshold: float(binom.sf(k - 1, n, min(1.0, max(0.0, threshold)))),
        lambda threshold: float(binom.cdf(k, n, min(1.0, max(0.0, threshold)))),
        n,
        k,
    )


def _ratio(arms: Arms, _seed: int, level: float) -> Estimate | Unread:
    """The first arm's mean over the second's: Fieller 1954 for arms of their own, with the degrees of freedom of the
    smaller; none where the second isn't told from 0 (trust conventions, A5)."""
    import numpy as np
    from scipy.stats import t

    top, bottom = (np.asarray(arm, float) for arm in arms)
    n = min(len(top), len(bottom))
    errors = top.var(ddof=1) / len(top), bottom.var(ddof=1) / len(bottom)
    if errors[0] + errors[1] == 0:
        return Unread("zero variance in both arms")
    quantile = float(t.ppf(0.5 + level / 2, n - 1)) ** 2
    a, b = bottom.mean() ** 2 - quantile * errors[1], top.mean() * bottom.mean()
    if a <= 0:
        return Unread("the interval of its denominator holds 0")
    root = float(np.sqrt(max(0.0, b * b - a * (top.mean() ** 2 - quantile * errors[0]))))

    def z(threshold: float) -> float:
        """Of top − threshold · bottom, whose sign is the ratio's side (the denominator's sign is told)."""
        away = (top.mean() - threshold * bottom.mean()) / float(np.sqrt(errors[0] + threshold**2 * errors[1]))
        return float(away if bottom.mean() > 0 else -away)

    return Estimate(
        float(top.mean() / bottom.mean()),
        Interval(float((b - root) / a), float((b + root) / a), "fieller", level),
        lambda threshold: float(t.sf(z(threshold), n - 1)),
        lambda threshold: float(t.cdf(z(threshold), n - 1)),
        len(top) + len(bottom),
    )


def _difference(arms: Arms, _seed: int, level: float) -> Estimate | Unread:
    """The first arm's mean less the second's, by Welch."""
    import numpy as np
    from scipy.stats import t

    one, other = (np.asarray(arm, float) for arm in arms)
    parts = one.var(ddof=1) / len(one), other.var(ddof=1) / len(other)
    error = float(np.sqrt(sum(parts)))
    if error == 0:
        return Unread("zero variance in both arms")
    free = sum(parts) ** 2 / (parts[0] ** 2 / (len(one) - 1) + parts[1] ** 2 / (len(other) - 1))
    value = float(one.mean() - other.mean())
    half = float(t.ppf(0.5 + level / 2, free)) * error
    return Estimate(
        value,
        Interval(value - half, value + half, "welch", level),
        lambda threshold: float(t.sf((value - threshold) / error, free)),
        lambda threshold: float(t.cdf((value - threshold) / error, free)),
        len(one) + len(other),
    )


def _auc(arms: Arms, _seed: int, level: float) -> Estimate | Unread:
    """P(first > second), ties halved. The test is of the score kind, its error that of Hanley and McNeil (1982) at the
    threshold, so that arms that don't overlap have an interval too; the interval inverts the test."""
    import numpy as np
    from scipy.optimize import brentq
    from scipy.stats import norm

    high, low = (np.asarray(arm, float) for arm in arms)
    if np.ptp(np.concatenate([high, low])) == 0:
        return Unread(f"zero variance: all {len(high) + len(low)} units read {high[0]:.6g}")
    value = float(((high[:, None] > low[None, :]) + 0.5 * (high[:, None] == low[None, :])).mean())

    def z(threshold: float) -> float:
        spread = threshold * (1 - threshold)
        spread += (len(high) - 1) * (threshold / (2 - threshold) - threshold**2)
        spread += (len(low) - 1) * (2 * threshold**2 / (1 + threshold) - threshold**2)
        return float((value - threshold) / np.sqrt(max(spread, 1e-12) / (len(high) * len(low))))

    quantile = float(norm.ppf(0.5 + level / 2))
    low_end = brentq(lambda at: z(at) - quantile, 1e-9, value) if value > 1e-6 else 0.0
    high_end = brentq(lambda at: z(at) + quantile, value, 1 - 1e-9) if value < 1 - 1e-6 else 1.0
    return Estimate(
        value,
        Interval(float(low_end), float(high_end), "score", level),
        lambda threshold: float(norm.sf(z(threshold))),
        lambda threshold: float(norm.cdf(z(threshold))),
        len(high) + len(low),
    )


def _trend(arms: Arms, seed: int, level: float) -> Estimate | Unread:
    """The share of pairs across arms in which the later one has the higher value (Jonckheere). Its tests answer to no
    rise or fall, so the threshold is .5; the interval redraws units inside arms."""
    import numpy as np

    from lens.stats.jonckheere import jonckheere

    if len({value for arm in arms for value in arm}) == 1:
        return Unread(f"zero variance: all units read {arms[0][0]:.6g}")
    rng = np.random.default_rng(seed)
    redrawn = [
        jonckheere([rng.choice(np.asarray(arm, float), len(arm)).tolist() for arm in arms]).share for _ in range(500)
    ]
    low, high = np.quantile(redrawn, [(1 - level) / 2, (1 + level) / 2])
    rise, fall = jonckheere(arms), jonckheere(list(reversed(arms)))

    def tested(p: float, threshold: float) -> float:
        return p if threshold == 0.5 else 1.0

    return Estimate(
        rise.share,
        Interval(float(low), float(high), "bootstrap", level),
        partial(tested, rise.p),
        partial(tested, fall.p),
        sum(len(arm) for arm in arms),
    )


_STATISTICS: dict[Statistic, Callable[[Arms, int, float], Estimate | Unread]] = {
    "mean": _mean,
    "share": _share,
    "difference": _difference,
    "ratio": _ratio,
    "auc": _auc,
    "trend": _trend,
}
