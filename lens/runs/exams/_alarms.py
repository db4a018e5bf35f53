"""The mark of one detector on a series whose mean shifts."""

from __future__ import annotations

from functools import partial

from lens.exam import Read
from lens.runs.exams import FEW, Exam
from lens.runs.planted.shift import BASELINE, ONSET
from lens.stats.scorecard import Marked

WITHIN = 30  # steps after the onset
GIVEN = {"baseline": BASELINE, "surrogates": 5}  # surrogates say how often, which isn't marked


def exam(detector: str, limit: str = "") -> Exam:
    """Of one detector's alarm on the shifted series."""
    quantity = f"reward.{detector}.alarm"
    return Exam(
        "alarms", "shift", quantity, partial(mark, detector), a_dose=FEW, given=GIVEN, limit=limit, part=detector
    )


def mark(detector: str, read: Read) -> Marked:
    """Flagged where the alarm falls within `WITHIN` steps of the onset; with nothing planted, where there is an alarm
    at all. The score is the highest statistic in those steps, in thresholds."""
    dose, decoy = read.told["dose"], read.told["decoy"]
    return Marked(
        dose, _peak(read, "reward", detector), _fired(read, "reward", detector, dose),
        decoy=_fired(read, decoy, detector, dose),
    )  # fmt: skip


def _fired(read: Read, series: str, detector: str, dose: float) -> bool:
    alarm = read.quantity(f"{series}.{detector}.alarm")
    return alarm is not None and (not dose or ONSET <= alarm.value <= ONSET + WITHIN)


def _peak(read: Read, series: str, detector: str) -> float:
    table = read.tables["paths"]
    peak: float = max(
        value
        for name, step, value in zip(table["series"], table["step"], table[detector], strict=True)
        if name == series and ONSET <= step <= ONSET + WITHIN and value is not None
    )
    return peak
