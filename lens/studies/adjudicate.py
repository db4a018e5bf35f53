"""The rule of a study: values of its units in, an outcome for every hypothesis out.

    confirmed      Holm's p over the family is at most alpha, the interval lies wholly on the predicted side and apart
                   from the control's, and the same rule does not hold on the control
    refuted        the same on the other side, or the kill rule holds
    inconclusive   neither: the interval straddles the threshold or the control's, or Holm's p is too large
    void           nothing can be said: the metric or its control can't be read, subjects vanished, or the control
                   passes the same rule

p is two-sided for `above` and `below`, and of two one-sided tests for `within`. A void hypothesis stays in the family
with p = 1: it makes nothing easier for the others.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from lens.stats.holm import holm
from lens.studies.science import Science, Values
from lens.studies.spec import Hypothesis, Kill, Spec
from lens.studies.statistics import Estimate, Unread, estimate

Outcome = Literal["confirmed", "refuted", "inconclusive", "void"]
Units = Mapping[str, Sequence[Values]]
"""What was read on the units of each arm."""


@dataclass(frozen=True)
class Verdict:
    """An outcome and its reason; `p` unadjusted and `holm` over the family, on whichever side the estimate lies."""

    name: str
    outcome: Outcome
    why: str
    estimate: Estimate | Unread
    control: Estimate | Unread
    p: float = 1.0
    holm: float = 1.0


@dataclass(frozen=True)
class _Side:
    """Where an estimate lies: on the predicted side or not, with its p there, `clear` where its interval does too."""

    predicted: bool
    p: float
    clear: bool


def adjudicate(spec: Spec, science: Science, units: Units) -> list[Verdict]:
    """Every hypothesis of the spec, in its order."""
    fields = read_fields(science, spec.arms, units, fields_behind(spec))
    found = [fields[one.field] for one in spec.hypothesis]
    sides = [_side(one, got) for one, got in zip(spec.hypothesis, found, strict=True)]
    adjusted = holm([side.p if side else 1.0 for side in sides])
    return [
        _verdict(one, got, fields[one.control_field], side, p, spec.alpha)
        for one, got, side, p in zip(spec.hypothesis, found, sides, adjusted, strict=True)
    ]


def read_fields(
    science: Science, arms: Mapping[str, int], units: Units, names: Collection[str] = ()
) -> dict[str, Estimate | Unread]:
    """Every field that the science makes of these units, or those named."""
    return {
        name: _read(units, value, {arm: arms[arm] for arm in behind}, statistic)
        for name, (statistic, value, behind) in science.fields(arms).items()
        if not names or name in names
    }


def fields_behind(spec: Spec) -> set[str]:
    """The fields that its hypotheses are about, and their controls."""
    return {name for one in spec.hypothesis for name in (one.field, one.control_field)}


def holds(one: Hypothesis, got: Estimate | Unread, alpha: float) -> bool:
    """Whether the rule of a hypothesis, alone in its family, would hold of this estimate."""
    side = _side(one, got)
    return side is not None and side.predicted and side.clear and side.p <= alpha


def apart(got: Estimate | Unread, control: Estimate | Unread) -> bool:
    """Whether the intervals of a metric and its control have nothing in common: that one passes and the other doesn't
    is no difference between them yet."""
    ends = [
        (one.interval.low, one.interval.high) if isinstance(one, Estimate) else (one.value, one.value)
        for one in (got, control)
    ]
    (low, high), (under, over) = ends
    return None not in (low, under) and (low > over or high < under)  # type: ignore[operator]


def _read(units: Units, value: str, arms: Mapping[str, int], statistic: str) -> Estimate | Unread:
    columns = []
    for arm, planned in arms.items():
        there = [found for one in units.get(arm, ()) if (found := one.get(value)) is not None]
        if len(there) < planned:
            return Unread(f"{planned - len(there)} of {planned} subjects of {arm} vanished or declined")
        columns.append(there)
    return estimate(statistic, columns)  # type: ignore[arg-type]


def _side(one: Hypothesis, got: Estimate | Unread) -> _Side | None:
    if isinstance(got, Unread):
        return None
    at, interval = one.threshold, got.interval
    if one.comparator == "within":
        low, high = at - one.margin, at + one.margin
        if low < got.value < high:
            p = max(got.over(low), got.under(high))
            return _Side(True, p, low < interval.low and interval.high < high)
        p = 2 * (got.under(low) if got.value <= low else got.over(high))
        return _Side(False, min(1.0, p), interval.high < low or interval.low > high)
    over = got.value > at
    p = min(1.0, 2 * (got.over(at) if over else got.under(at)))
    clear = interval.low > at if over else interval.high < at
    return _Side(over == (one.comparator == "above"), p, clear)


def _verdict(
    one: Hypothesis, got: Estimate | Unread, control: Estimate | Unread, side: _Side | None, p: float, alpha: float
) -> Verdict:
    def told(outcome: Outcome, why: str) -> Verdict:
        return Verdict(one.name, outcome, why, got, control, side.p if side else 1.0, p)

    if side is None or isinstance(got, Unread):
        return told("void", f"the metric can't be read: {got.why if isinstance(got, Unread) else ''}")
    if isinstance(control, Unread) and control.value is None:
        return told("void", f"the control can't be read: {control.why}")
    if _killed(one.kill, got):
        return told("refuted", "its kill rule holds")
    if not (side.clear and p <= alpha):
        return told("inconclusive", "its interval, or Holm's p, does not settle the threshold")
    if not side.predicted:
        return told("refuted", "it lies clear of where it was predicted to")
    if holds(one, control, alpha):
        return told("void", "its control passes the same rule: what was seen is not what was claimed")
    if not apart(got, control):
        return told("inconclusive", "it lies where it was predicted to, and is not told apart from its control")
    return told("confirmed", "it lies where it was predicted to, and its control does not")


def _killed(kill: Kill, got: Estimate) -> bool:
    match kill.comparator:
        case "above":
            return got.value > kill.threshold
        case "below":
            return got.value < kill.threshold
    return got.interval.low <= kill.threshold <= got.interval.high
