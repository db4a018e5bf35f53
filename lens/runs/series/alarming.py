"""Alarms of every detector on every series, and what each costs on series in which nothing changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens.runs.detectors import Detector, detectors
from lens.runs.series.recipe import RULES, reproduce
from lens.runs.series.recipe import share_within as within
from lens.runs.series.signals import Series
from lens.runs.series.surrogates import CONTROLS, Transform
from lens.runs.series.watching import NEVER, Watched, read_by, watch

if TYPE_CHECKING:
    import numpy as np

LEAST_BASELINE = 8
LEAST = 3 * LEAST_BASELINE  # steps of a series that is watched
REPRODUCED = "reproduce-"


def baseline_of(asked: int, steps: int) -> int:
    """Steps taken for normal: what was asked, and at most a third of the series.

    >>> baseline_of(60, 400), baseline_of(60, 100)
    (60, 33)
    """
    return min(asked, steps // 3)


@dataclass(frozen=True)
class Row:
    """One series, one detector, one control. `at` is the alarm's index, NEVER where there is none; `late` steps pass
    before a live reader has it; `fired` are the surrogates' alarm indices."""

    series: Series
    detector: str
    control: str
    baseline: int
    at: int
    late: int
    fired: np.ndarray

    @property
    def alarm(self) -> int | None:
        return None if self.at == NEVER else self.series.points[self.at].step

    @property
    def available(self) -> int | None:
        """The step at which a live reader has the alarm."""
        if self.at == NEVER:
            return None
        return self.series.points[min(self.at + self.late, len(self.series.points) - 1)].step

    @property
    def count(self) -> int:
        """Surrogates that fire anywhere: in the baseline too, where the recipe reads it."""
        return int((self.fired != NEVER).sum())

    def by(self, at: int) -> int:
        """Surrogates that fire after the baseline and no later than index `at`."""
        return within(self.fired, self.baseline, at)


@dataclass(frozen=True)
class Path:
    """One series and its detectors' statistics in thresholds, a number a step; NaN where there is none."""

    series: Series
    statistics: dict[str, list[float]]


def still(series: Series, baseline: int) -> bool:
    """Whether the series doesn't move in its baseline: no departure from it can be measured."""
    return len(set(series.values[:baseline])) < 2


def rows_of(
    series: Series,
    baseline: int,
    count: int,
    seed: int,
    *,
    own: Mapping[str, Watched],
    controls: Sequence[str] = tuple(CONTROLS),
) -> Iterator[Row]:
    """The detectors of `own` (see `watched_by`) under controls, on one series."""
    import numpy as np

    level = np.array(series.values)
    for differences in (False, True):
        readers = [detectors()[name] for name in own if detectors()[name].differences == differences]
        for control in _controls(differences, controls) if readers else []:
            made = CONTROLS[control].make(level, _read(readers[0]), baseline, count, seed)
            for detector in readers:
                alarm = int(own[detector.name].alarms[0])
                yield Row(series, detector.name, control, baseline, alarm, 0, watch(detector, made, baseline).alarms)


def reproduced(
    series: Series, baseline: int, count: int, seed: int, *, controls: Sequence[str] = tuple(CONTROLS)
) -> Iterator[Row]:
    """The published recipe's rules under controls, on one series."""
    import numpy as np

    steps, level = np.array(series.steps, float), np.array(series.values)
    for rule, said in RULES.items():
        for control in _controls(rule != "level", controls):
            found = reproduce(rule, steps, level, baseline=baseline, count=count, seed=seed, control=control)
            yield Row(series, REPRODUCED + rule, control, baseline, found.at, said.late, found.surrogates)


def watched_by(series: Series, baseline: int, names: Sequence[str] = ()) -> dict[str, Watched]:
    """The series as each detector (all, or those named) sees it."""
    import numpy as np

    level = np.array(series.values)[None]
    chosen = [one for one in detectors().values() if not names or one.name in names]
    return {one.name: watch(one, read_by(one, level), baseline) for one in chosen}


def path_of(series: Series, baseline: int, own: Mapping[str, Watched]) -> Path:
    """Its detectors' statistics after the baseline."""
    found = {}
    for name, one in own.items():
        shown = [float(value) for value in one.statistic[0]]
        kept = shown[baseline - len(series.points) :] if len(series.points) > baseline else []
        found[name] = [*([float("nan")] * baseline), *kept]
    return Path(series, found)


def _read(detector: Detector) -> Transform:
    return lambda level: read_by(detector, level)


def _controls(transforms: bool, names: Sequence[str]) -> list[str]:
    """The controls that differ: without a transform, doing it before or after resampling is the same."""
    return [name for name in names if transforms or name != "level-then-transform"]
