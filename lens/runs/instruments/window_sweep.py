"""Window sweep: the alarm and its false-alarm rate at every baseline that could have been chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lens.instrument import instrument
from lens.price import Price
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result
from lens.runs.review import Review
from lens.runs.series.onset import Onset, onset_of
from lens.runs.series.signals import Series, nothing_to_read, series_of
from lens.stats.intervals import share, wilson

if TYPE_CHECKING:
    from lens.runs.series.alarming import Row

LIVE = ("cusum", "backward-difference")
READS = ("within-group-variance", "reward", "gradient-norm")  # the first that the record has
EVERY = 5  # steps between windows
FIRST = 20
FIRST_OF_SHORT = 10
SHORT = 120  # steps
STEP_SECONDS = 1.2e-7


def price(review: Review) -> Price:
    """Four rules over surrogates, a window."""
    steps = review.run.counts["steps"] or 400
    return Price(0.2 + 4 * len(windows(steps)) * steps * review.surrogates * STEP_SECONDS, review.run.counts["rows"])


def windows(steps: int) -> list[int]:
    """Baselines in fives, to a third of the series.

    >>> windows(400)[0], windows(400)[-1], windows(60)
    (20, 130, [10, 15, 20])
    """
    return list(range(FIRST if steps >= SHORT else FIRST_OF_SHORT, steps // 3 + 1, EVERY))


@instrument(
    "window-sweep",
    subjects="runs",
    title="Window sweep",
    quantity="the false-alarm rate, and the alarm, at every baseline from twenty steps to a third of the series",
    unit="surrogates",
    needs="record.record",
    cost="alarms' on one series, a window",
    version=2,
    order=105,
    declines="under thirty steps; a window in which the series doesn't move is left out and counted",
    source="circular blocks of the baseline (Politis and Romano 1992), a seed a window",
    price=price,
)
def window_sweep(review: Review) -> Result:
    """The series is within-group variance, else reward, else gradient norm. Rules: CUSUM and its backward difference
    live, and the published recipe's two (see `alarms`).

    `{rule}.lowest` and `{rule}.highest` k of n surrogates over the windows in control, those that end before the onset
    (all, where none is known); `{rule}.late-highest` over the others; `{rule}.first` and `{rule}.last` its earliest
    and latest alarm over the windows in control. `windows`, `in-control` k of n; `left-out`. Table `windows`.
    """
    from lens.runs.series.alarming import still

    series = next((one for name, one in _by_rank(review)), None)
    if series is None:
        return Result(nothing_to_read(review))
    every = windows(len(series.points))
    kept = [window for window in every if not still(series, window)]
    if not kept:
        return Result(_none(series, every))
    onset = onset_of(review)
    rows = [row for window in kept for row in _rows(review, series, window)]
    calm = {window for window in kept if onset is None or series.points[window - 1].step < onset.step}
    fields: dict[str, Quantity | Label | Declined] = {
        "series": Label(series.signal.name),
        "windows": Quantity(len(kept), "windows", "size"),
        "in-control": Quantity(len(calm), "windows", "count", of=len(kept)),
        "left-out": Quantity(len(every) - len(kept), "windows", "count", of=len(every)),
    }
    for rule in dict.fromkeys(row.detector for row in rows):
        own = [row for row in rows if row.detector == rule]
        fields |= _told(rule, own, calm, onset)
    headline = f"{rows[0].detector}.highest"
    scope = (
        f"{len(kept)} windows of {series.signal.about}, {review.surrogates} surrogates each, drawn anew with seed "
        f"{review.seed}; a window that reaches the change is no baseline"
    )
    return Result(Measured(fields, headline, scope), {"windows": _table(rows, calm)})


def _by_rank(review: Review) -> list[tuple[str, Series]]:
    found = series_of(review)
    return [(name, found[name]) for name in READS if name in found]


def _rows(review: Review, series: Series, window: int) -> list[Row]:
    from lens.runs.series.alarming import reproduced, rows_of, watched_by

    count, seed, controls = review.surrogates, review.seed, ("prefix-blocks",)
    live = rows_of(series, window, count, seed, own=watched_by(series, window, LIVE), controls=controls)
    return [*live, *reproduced(series, window, count, seed, controls=controls)]


def _told(rule: str, rows: list[Row], calm: set[int], onset: Onset | None) -> dict[str, Quantity | Label | Declined]:
    inside = [row for row in rows if row.baseline in calm]
    outside = [row for row in rows if row.baseline not in calm]
    fields: dict[str, Quantity | Label | Declined] = {}
    if not inside:
        assert onset is not None
        reason = f"every window ends at or after step {onset.step}, where the change began"
        remedy = "lens measure run SUBJECT --onset STEP with a later step, if that one is mistaken"
        fields[f"{rule}.highest"] = Declined("assumption_violated", reason, remedy)
    else:
        ranked = sorted(inside, key=lambda row: (row.count, row.baseline))
        fields[f"{rule}.lowest"] = _rate(ranked[0])
        fields[f"{rule}.highest"] = _rate(ranked[-1])
        alarms = sorted(row.alarm for row in inside if row.alarm is not None)
        for name, step in (("first", alarms[:1]), ("last", alarms[-1:])):
            ends = Quantity(step[0], "step", "step", control=f"{rule}.highest") if step else Label("never")
            fields[f"{rule}.{name}"] = ends
        fields[f"{rule}.silent"] = Quantity(len(inside) - len(alarms), "windows", "count", of=len(inside))
    if outside:
        fields[f"{rule}.late-highest"] = _rate(max(outside, key=lambda row: row.count))
    return fields


def _rate(row: Row) -> Quantity:
    return share(row.count, len(row.fired), "surrogates", note=f"with a baseline of {row.baseline} steps")


def _table(rows: list[Row], calm: set[int]) -> Columns:
    made: Columns = {}
    for row in rows:
        ends = wilson(row.count, len(row.fired))
        by = row.by(row.at) if row.alarm is not None else None
        cells = {
            "window": row.baseline,
            "rule": row.detector,
            "in-control": row.baseline in calm,
            "alarm": row.alarm,
            "fired": row.count,
            "surrogates": len(row.fired),
            "rate": row.count / len(row.fired),
            "low": ends.low,
            "high": ends.high,
            "by-alarm": by,
        }
        for column, value in cells.items():
            made.setdefault(column, []).append(value)
    return made


def _none(series: Series, every: list[int]) -> Declined:
    if not every:
        return Declined(
            "corpus_inadequate",
            f"{len(series.points)} steps hold no window: the shortest is {FIRST_OF_SHORT}, a third of the series",
            f"record a run of {3 * FIRST_OF_SHORT} steps or more",
            has=f"{len(series.points)} steps",
        )
    return Declined(
        "assumption_violated",
        f"{series.signal.about} doesn't move in any window: no departure from it has a scale",
        "read a series that moves: record the reward of every rollout",
    )
