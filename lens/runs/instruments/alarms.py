"""Alarms: which online detectors fire on which series of the run, when, and what that costs in false alarms."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from lens.instrument import instrument
from lens.price import Price
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result
from lens.runs.review import Review
from lens.runs.series.onset import UNKNOWN, Onset, onset_of, onsets
from lens.runs.series.signals import SIGNALS, Series, nothing_to_read, series_of, watched
from lens.stats.intervals import share, wilson

if TYPE_CHECKING:
    from lens.runs.series.alarming import Path, Row

Fields = dict[str, Quantity | Label | Declined]
MAIN = "prefix-blocks"
STEP_SECONDS = 6e-6  # a detector's step on all surrogates, each
WATCHED = sum(not (signal.outcome or signal.twin) for signal in SIGNALS)


def price(review: Review) -> Price:
    """Detectors over surrogates of every series."""
    rows = review.run.counts["rows"]
    steps = review.run.counts["steps"] or 400
    return Price(0.3 + rows / 1_000_000 + WATCHED * steps * review.surrogates * STEP_SECONDS, rows)


@instrument(
    "alarms",
    subjects="runs",
    title="Alarms",
    quantity="the step at which online detectors fire on series of the run, and how often where nothing changed",
    unit="step",
    needs="record.record",
    cost="detectors × series × surrogates × steps",
    version=2,
    order=100,
    declines="a series that doesn't move in its baseline; a lead, where no onset is known or it lies in the baseline",
    source="Page 1954, Roberts 1959, Hinkley 1971, Adams and MacKay 2007, Shin et al. 2023; controls: Politis 1992, "
    "Theiler 1992",
    price=price,
)
def alarms(review: Review) -> Result:
    """Online detectors (see `lens.runs.detectors`) on every series but outcomes. Their baseline is the series' first
    steps, and an alarm comes after it; replacing what follows a step changes no alarm up to it.

    `{series}.{detector}.alarm` its step, or the word never; `.rate` k of n surrogates that fire up to the horizon,
    `.by-alarm` after the baseline and no later than the alarm; `.lead` steps from alarm to onset, negative when late.
    `fired` k of n pairs of series and detector, beside `expected`, what surrogates give; `warned` those that fire
    before the onset, beside `warned.expected`. `onset` and `onset.rule`; `baseline`; `horizon`.

    `reproduce.central` and `reproduce.level` are a published recipe on within-group variance: CUSUM from the first step
    on, the baseline's own alarms counted, `central` on a central difference, which a live reader has one step later
    (`.available`). Tables `alarms` (a row a series, detector and control) and `paths` (statistics in thresholds).
    """
    from lens.runs.series.alarming import (
        LEAST,
        REPRODUCED,
        baseline_of,
        path_of,
        reproduced,
        rows_of,
        still,
        watched_by,
    )

    found = watched(review)
    long = {name: one for name, one in found.items() if len(one.points) >= LEAST}
    if not long:
        return Result(_too_short(found) if found else nothing_to_read(review))
    onset = onset_of(review)
    told, unmoved, rows, paths = _Told(onset), {}, [], []
    for name, series in long.items():
        baseline = baseline_of(review.baseline, len(series.points))
        if still(series, baseline):
            unmoved[f"{name}.alarm"] = _unmoved(series, baseline)
            continue
        own = watched_by(series, baseline)
        rows += list(rows_of(series, baseline, review.surrogates, review.seed, own=own))
        paths.append(path_of(series, baseline, own))
        if name == "within-group-variance":
            rows += list(reproduced(series, baseline, review.surrogates, review.seed))
    live = [row for row in rows if not row.detector.startswith(REPRODUCED)]
    fields = told.summary(live, long, review)
    for row in rows:
        if row.control == MAIN:
            fields |= told.of(row)
    tables = {"alarms": told.table(rows, review.seed)} | ({"paths": _paths(paths)} if paths else {})
    return Result(Measured(fields | unmoved, "fired", _scope(review, long)), tables)


class _Told:
    """Rows as fields, with leads to one onset."""

    def __init__(self, onset: Onset | None) -> None:
        self.onset = onset

    def summary(self, rows: list[Row], long: dict[str, Series], review: Review) -> Fields:
        main = [row for row in rows if row.control == MAIN]
        longest = max(len(one.points) for one in long.values())
        from lens.runs.series.alarming import baseline_of

        fields: Fields = {
            "fired": _pairs(sum(row.at >= 0 for row in main), len(main), "expected"),
            "expected": _expected([(row.count, len(row.fired)) for row in main], len(main)),
            **self._warned(main),
            "series": Quantity(len(long), "series", "size"),
            "baseline": Quantity(baseline_of(review.baseline, longest), "steps", "size"),
            "horizon": Quantity(longest, "steps", "size"),
            "onset": UNKNOWN if self.onset is None else Quantity(self.onset.step, "step", "step"),
        }
        if self.onset is not None:
            fields["onset.rule"] = Label(self.onset.rule)
        for name, one in onsets(series_of(review)).items():
            fields[f"onset.{name}"] = Quantity(one.step, "step", "step")
        return fields

    def _warned(self, main: list[Row]) -> Fields:
        if self.onset is None:
            return {"warned": UNKNOWN}
        reach = [row for row in main if self._last_before(row) >= row.baseline]
        if not reach:
            return {"warned": _inside(self.onset, main[0].baseline if main else 0)}
        early = sum(row.available is not None and row.available < self.onset.step for row in reach)
        counts = [(row.by(self._last_before(row)), len(row.fired)) for row in reach]
        return {
            "warned": _pairs(early, len(reach), "warned.expected"),
            "warned.expected": _expected(counts, len(reach)),
        }

    def _last_before(self, row: Row) -> int:
        """Index of the last step before the onset."""
        assert self.onset is not None
        return sum(step < self.onset.step for step in row.series.steps) - 1

    def of(self, row: Row) -> Fields:
        name = f"{row.series.signal.name}.{row.detector}"
        if row.detector.startswith("reproduce-"):
            name = row.detector.replace("-", ".", 1)
        fields: Fields = {f"{name}.alarm": Label("never")}
        fields[f"{name}.rate"] = share(row.count, len(row.fired), "surrogates")
        if row.alarm is None or row.available is None:
            return fields
        fields[f"{name}.alarm"] = Quantity(row.alarm, "step", "step", control=f"{name}.by-alarm")
        fields[f"{name}.by-alarm"] = share(row.by(row.at), len(row.fired), "surrogates")
        if row.late:
            fields[f"{name}.available"] = Quantity(row.available, "step", "step", control=f"{name}.by-alarm")
        if self.onset is not None:
            fields[f"{name}.lead"] = self._lead(row, name)
        return fields

    def _lead(self, row: Row, name: str) -> Quantity | Declined:
        assert self.onset is not None
        if self._last_before(row) < row.baseline:
            return _inside(self.onset, row.baseline)
        return Quantity(self.onset.step - (row.available or 0), "steps", "difference", control=f"{name}.by-alarm")

    def table(self, rows: list[Row], seed: int) -> Columns:
        """A row a series, detector and control."""
        made: Columns = {}
        for row in rows:
            count, total = row.count, len(row.fired)
            by = row.by(row.at) if row.at >= 0 else None
            ends, by_ends = wilson(count, total), None if by is None else wilson(by, total)
            lead = self._lead(row, "") if self.onset is not None and row.alarm is not None else None
            cells = {
                "series": row.series.signal.name,
                "origin": row.series.origin,
                "detector": row.detector,
                "control": row.control,
                "alarm": row.alarm,
                "available": row.available,
                "lead": int(lead.value) if isinstance(lead, Quantity) else None,
                "fired": count,
                "surrogates": total,
                "low": ends.low,
                "high": ends.high,
                "by-alarm": by,
                "by-low": by_ends and by_ends.low,
                "by-high": by_ends and by_ends.high,
                "baseline": row.baseline,
                "horizon": len(row.series.points),
                "seed": seed,
            }
            for column, value in cells.items():
                made.setdefault(column, []).append(value)
        return made


def _pairs(k: int, n: int, control: str) -> Quantity:
    return Quantity(k, "pairs of series and detector", "count", of=n, control=control, n=n)


def _expected(counts: list[tuple[int, int]], pairs: int) -> Quantity:
    """How many pairs would fire by chance: the sum of their surrogates' rates."""
    total = math.fsum(fired / surrogates for fired, surrogates in counts)
    return Quantity(total, "pairs of series and detector", "score", n=pairs, note="the sum of the surrogates' rates")


def _paths(paths: list[Path]) -> Columns:
    made: Columns = {"series": [], "step": [], "value": []}
    for path in paths:
        made["series"] += [path.series.signal.name] * len(path.series.points)
        made["step"] += path.series.steps
        made["value"] += path.series.values
        for name, values in path.statistics.items():
            made.setdefault(name, []).extend(value if math.isfinite(value) else None for value in values)
    return made


def _too_short(found: dict[str, Series]) -> Declined:
    from lens.runs.series.alarming import LEAST

    longest = max(len(one.points) for one in found.values())
    return Declined(
        "corpus_inadequate",
        f"{longest} steps are too few: an alarm needs a baseline of a third of them, of eight at least",
        f"record a run of {LEAST} steps or more",
        needs=f"{LEAST} steps",
        has=f"{longest} steps",
    )


def _unmoved(series: Series, baseline: int) -> Declined:
    return Declined(
        "assumption_violated",
        f"{series.signal.about} is the same at each of its first {baseline} steps: no departure from it has a scale",
        "lens measure run SUBJECT --baseline N, with N steps in which it moves",
    )


def _inside(onset: Onset, baseline: int) -> Declined:
    less = max(8, onset.step // 2)
    return Declined(
        "assumption_violated",
        f"the change began at step {onset.step}, within the {baseline} steps taken for normal",
        f"lens measure run SUBJECT --baseline {less}",
    )


def _scope(review: Review, long: dict[str, Series]) -> str:
    logged = sum(one.origin == "logged" for one in long.values())
    return (
        f"{len(long)} series of one run, {logged} as the trainer logged them; rates over {review.surrogates} "
        f"surrogates a pair, seed {review.seed}. A rate holds for its rule of resampling alone. An alarm says that a "
        "series left its baseline, as it does when a policy learns what it should; one run can't say how often a "
        "detector warns"
    )
