"""Markers: steps that stand out when the whole run is looked at. They warn of nothing, and have no lead or rate."""

from __future__ import annotations

from lens.instrument import instrument
from lens.price import Price
from lens.reading import Columns, Declined, Interval, Label, Measured, Quantity, Result
from lens.runs.review import Review
from lens.runs.series.signals import SIGNALS, Series, nothing_to_read, series_of

BEATS = 10.0  # AICc of two means below that of one
BLOCK = 8  # residuals that stay together
DRAW_SECONDS = 4e-5


def price(review: Review) -> Price:
    rows = review.run.counts["rows"]
    return Price(0.1 + rows / 1_000_000 + len(SIGNALS) * review.draws * DRAW_SECONDS, rows)


@instrument(
    "markers",
    subjects="runs",
    title="Markers",
    quantity="the step of the highest gradient norm, and the step at which each series' mean moved most",
    unit="step",
    needs="record.record",
    cost="one pass over the series a redraw",
    version=2,
    order=110,
    declines="a series that one mean describes as well as two (AICc within 10), or of fewer than sixteen steps",
    source="one change in mean by least squares; moving blocks of residuals (Künsch 1989)",
    price=price,
)
def markers(review: Review) -> Result:
    """Retrospective: each is known only when the run is over. `gradient-norm.peak` the step of the highest gradient
    norm, `gradient-norm.highest` its size; `{series}.change` the first step after the one change in mean that least
    squares prefers, with the interval of redraws of residuals in blocks of 8, and `{series}.shift` by how much the mean
    moved there, in the series' own unit; `changed` k of n series. Table `markers`."""
    from lens.runs.series.changepoint import LEAST

    found = series_of(review)
    if not found:
        return Result(nothing_to_read(review))
    fields: dict[str, Quantity | Label | Declined] = {}
    table: Columns = {"series": [], "marker": [], "step": [], "low": [], "high": []}
    if peak := found.get("gradient-norm"):
        at = max(peak.points, key=lambda point: point.value)
        fields["gradient-norm.peak"] = Quantity(at.step, "step", "step", n=len(peak.points))
        fields["gradient-norm.highest"] = Quantity(at.value, peak.unit, "score", n=len(peak.points))
        _put(table, "gradient-norm", "peak", at.step, None)
    long = {name: one for name, one in found.items() if len(one.points) >= LEAST}
    for name, series in long.items():
        fields |= _change(review, name, series, table)
    if long:
        changed = sum(isinstance(fields[f"{name}.change"], Quantity) for name in long)
        fields["changed"] = Quantity(changed, "series", "count", of=len(long))
    if not fields:
        return Result(
            Declined(
                "corpus_inadequate",
                f"no series has {LEAST} steps, and no gradient norm was logged",
                f"record a run of {LEAST} steps or more",
            )
        )
    scope = f"{len(long)} series of one run, looked at whole when it was over; {review.draws} redraws"
    headline = "changed" if long else "gradient-norm.peak"
    return Result(Measured(fields, headline, scope), {"markers": table} if table["step"] else {})


def _change(review: Review, name: str, series: Series, table: Columns) -> dict[str, Quantity | Label | Declined]:
    import numpy as np

    from lens.runs.series.changepoint import changepoint, places

    values, steps = np.array(series.values), series.steps
    change = changepoint(values)
    if change.over < BEATS:
        return {
            f"{name}.change": Declined(
                "below_detection",
                f"two means describe it no better than one: their AICc is {change.over:.1f} below, under {BEATS:g}",
                "record a longer run, or read it against another run",
            )
        }
    drawn = places(values, change, block=BLOCK, draws=review.draws, seed=review.seed)
    low, high = (steps[int(at)] for at in np.quantile(drawn, [0.025, 0.975], method="nearest"))
    interval = Interval(float(low), float(high), "residual-block-bootstrap")
    _put(table, name, "change", steps[change.at], interval)
    return {
        f"{name}.change": Quantity(steps[change.at], "step", "step", interval=interval, n=len(steps)),
        f"{name}.shift": Quantity(change.after - change.before, series.unit, "difference", n=len(steps)),
    }


def _put(table: Columns, series: str, marker: str, step: int, interval: Interval | None) -> None:
    cells = {
        "series": series,
        "marker": marker,
        "step": step,
        "low": interval and interval.low,
        "high": interval and interval.high,
    }
    for name, value in cells.items():
        table[name].append(value)
