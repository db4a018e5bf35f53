"""Several reward models read as one: their mean, their least, or their mean less k standard deviations
(the conservative objectives of Coste et al. 2023, arXiv:2310.02743). Members should share a scale; units are theirs.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from lens.errors import UsageError
from lens.models.adapters import Loading
from lens.models.combined import Combined, identity
from lens.models.model import RewardModel

KIND = "ensemble"
ABOUT = "several models as one: ensemble:A+B+C?reduce=mean, min or mean-sd with k=1"
OPTIONS = ("reduce", "k")
REDUCE = ("mean", "min", "mean-sd")


@dataclass(frozen=True, kw_only=True)
class Ensemble(Combined):
    reduce: str
    k: float
    kind: str = "ensemble"

    def together(self, scores: Sequence[float]) -> float:
        match self.reduce:
            case "min":
                return min(scores)
            case "mean-sd":
                return statistics.fmean(scores) - self.k * statistics.stdev(scores)
        return statistics.fmean(scores)


def open(place: str, options: dict[str, str], how: Loading) -> RewardModel:
    """`options`: `reduce`, and `k` for `mean-sd`. Raises UsageError for fewer than two members."""
    from lens.models.spec import choice, number, parts

    names = parts(place)
    if len(names) < 2:
        raise UsageError(f"{how.spec} names one member", remedy="ensemble:A+B, each a folder, an id or a spec in []")
    reduce = choice(options, "reduce", REDUCE, how.spec)
    k = number(options, "k", 1.0, how.spec)
    if "k" in options and reduce != "mean-sd":
        raise UsageError(f"{how.spec}: k means nothing to reduce={reduce}", remedy="?reduce=mean-sd&k=1")
    members = [how.open(name) for name in names]
    return Ensemble(**identity(KIND, how, members, reduce=reduce, k=k), reduce=reduce, k=k)
