"""What an instrument is worth, read on subjects whose truth was planted (trust conventions, B).

The unit is one organism, with a seed of its own. A card is passed where every criterion that applies holds; what is
missing for one to be judged makes it unpassed too, and says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lens.reading import Interval
from lens.stats.auc import Auc, auc
from lens.stats.intervals import wilson
from lens.stats.jonckheere import Trend, jonckheere

LEAST_AT_0, LEAST_A_DOSE, LEAST_DOSES, LEAST_REPEATS = 60, 20, 4, 200
FALSE, FALSE_HIGH = 0.05, 0.15  # false positives, and the upper bound of their interval
TOLD_APART, RISING, POWER = 0.9, 0.01, 0.9
COVERED = (0.92, 0.98)


class Marked(NamedTuple):
    """One organism as an instrument read it, beside what was planted.

    `score` rises with the rule, `flagged` says that the instrument named it; `low` and `high` are its interval for
    `truth`, None where it claims none; `decoy` whether it named the feature that isn't paid, None where there is none.
    """

    dose: float
    score: float
    flagged: bool
    truth: float = float("nan")
    low: float | None = None
    high: float | None = None
    decoy: bool | None = None


class Rate(NamedTuple):
    """k of n, with Wilson's interval."""

    k: int
    n: int
    interval: Interval

    @property
    def share(self) -> float:
        return self.k / self.n


@dataclass(frozen=True)
class Scorecard:
    """A card. `power` is the share flagged by positive dose; `auc` the same doses' AUC against 0.

    `decoy` is how often the decoy was flagged at a positive dose, `covered` how often an interval held the planted
    value at any, each where there are such; `span` are the lowest and the highest score of the series. `criteria` are
    those that could be judged; `missing` what else there would have to be.
    """

    false_positives: Rate | None
    auc: dict[float, Auc]
    trend: Trend | None
    coverage: Rate | None
    decoys: Rate | None
    power: dict[float, Rate]
    smallest_dose: float | None
    decoy: dict[float, Rate] = field(default_factory=dict)
    covered: dict[float, Rate] = field(default_factory=dict)
    span: tuple[float, float] | None = None
    criteria: dict[str, bool] = field(default_factory=dict)
    missing: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        return not self.missing and all(self.criteria.values())

    @property
    def failed(self) -> tuple[str, ...]:
        """Names of the criteria that don't hold."""
        return tuple(name for name, holds in self.criteria.items() if not holds)


def rate(hits: Sequence[bool]) -> Rate | None:
    """None of no hits at all.

    >>> rate([True, False, False, False]).share
    0.25
    """
    return Rate(sum(hits), len(hits), wilson(sum(hits), len(hits))) if hits else None


def coverage(marked: Sequence[Marked]) -> Rate | None:
    """How often an interval holds the planted value, over the organisms for which one is claimed.

    >>> coverage([Marked(1, 1, True, 1.0, 0.9, 1.1), Marked(1, 1, True, 1.0, 1.1, 1.3)]).share
    0.5
    """
    return rate([m.low <= m.truth <= m.high for m in marked if m.low is not None and m.high is not None])


def _decoys(marked: Sequence[Marked]) -> Rate | None:
    return rate([m.decoy for m in marked if m.decoy is not None])


def smallest_dose(power: dict[float, Rate], wanted: float = POWER) -> float | None:
    """The smallest dose flagged with at least `wanted` power, at which and beyond which it always is.

    >>> smallest_dose({0.5: rate([True] * 2 + [False] * 8), 1.0: rate([True] * 10), 2.0: rate([True] * 10)})
    1.0
    """
    found = None
    for dose in sorted(power, reverse=True):
        if power[dose].share < wanted:
            break
        found = dose
    return found


def scorecard(marked: Sequence[Marked], *, seed: int = 0, draws: int = 2000) -> Scorecard:
    """The card of one instrument on one family. Organisms whose score is NaN may not be among `marked`.

    >>> weak = [Marked(0.0, i / 60, False) for i in range(60)]
    >>> strong = [Marked(float(dose), dose + i / 20, True) for dose in (1, 2, 3, 4) for i in range(20)]
    >>> card = scorecard(weak + strong)
    >>> card.passed, card.smallest_dose, card.false_positives.k
    (True, 1.0, 0)
    """
    doses = sorted({m.dose for m in marked})
    by_dose = {dose: [m for m in marked if m.dose == dose] for dose in doses}
    none, some = by_dose.get(0.0, []), [dose for dose in doses if dose > 0]
    scores = {dose: [m.score for m in by_dose[dose]] for dose in doses}
    power = {dose: found for dose in some if (found := rate([m.flagged for m in by_dose[dose]]))}
    decoy = {dose: found for dose in some if (found := _decoys(by_dose[dose]))}
    card = Scorecard(
        false_positives=rate([m.flagged for m in none]),
        auc={dose: auc(scores[dose], scores[0.0], seed=seed, draws=draws) for dose in some} if none else {},
        trend=jonckheere([scores[dose] for dose in doses]) if len(doses) > 1 else None,
        coverage=coverage(marked),
        decoys=_decoys([m for m in marked if m.dose > 0]),
        power=power,
        smallest_dose=smallest_dose(power),
        decoy=decoy,
        covered={dose: found for dose in doses if (found := coverage(by_dose[dose]))},
        span=(min(m.score for m in marked), max(m.score for m in marked)) if marked else None,
    )
    return _judged(card, {dose: len(found) for dose, found in by_dose.items()})


def _judged(card: Scorecard, sizes: dict[float, int]) -> Scorecard:
    from dataclasses import replace

    criteria: dict[str, bool] = {}
    if (false := card.false_positives) is not None:
        criteria["false-positives"] = false.share <= FALSE and false.interval.high <= FALSE_HIGH
    if card.auc:
        criteria["auc"] = card.auc[max(card.auc)].interval.low >= TOLD_APART
    if card.trend is not None:
        criteria["rises-with-dose"] = card.trend.p < RISING
    if card.coverage is not None and card.coverage.n >= LEAST_REPEATS:
        criteria["coverage"] = COVERED[0] <= card.coverage.share <= COVERED[1]
    if card.decoys is not None:
        criteria["decoys"] = card.decoys.share <= FALSE
    return replace(card, criteria=criteria, missing=tuple(_missing(card, sizes)))


def _missing(card: Scorecard, sizes: dict[float, int]) -> list[str]:
    positive = {dose: size for dose, size in sizes.items() if dose > 0}
    told = []
    if sizes.get(0.0, 0) < LEAST_AT_0:
        told.append(f"{sizes.get(0.0, 0)} organisms at dose 0, of {LEAST_AT_0}")
    if len(positive) < LEAST_DOSES:
        told.append(f"{len(positive)} positive doses, of {LEAST_DOSES}")
    told += [
        f"{size} organisms at dose {dose:g}, of {LEAST_A_DOSE}"
        for dose, size in positive.items()
        if size < LEAST_A_DOSE
    ]
    if card.coverage is not None and card.coverage.n < LEAST_REPEATS:
        told.append(f"{card.coverage.n} intervals, of {LEAST_REPEATS}")
    return told
