"""Transition: when a series went from one level to another, and how long that took."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lens.instrument import instrument
from lens.price import Price
from lens.reading import Columns, Declined, Interval, Label, Measured, Quantity, Result
from lens.runs.review import Review
from lens.runs.series.signals import SIGNALS, Series, nothing_to_read, series_of

if TYPE_CHECKING:
    import numpy as np

    from lens.runs.series.logistic import Fit

BEATS = 10.0  # AICc below a straight line's
SETTLED = 0.9  # of the redraws
FIT_SECONDS = 4e-4
METHOD = "residual-block-bootstrap"


def price(review: Review) -> Price:
    """One fit a draw and series."""
    rows = review.run.counts["rows"]
    return Price(0.5 + rows / 1_000_000 + len(SIGNALS) * review.draws * FIT_SECONDS, rows)


@instrument(
    "transition",
    subjects="runs",
    title="Transition",
    quantity="midpoint and 10–90 % width of a logistic rise or fall of each series",
    unit="step",
    needs="record.record",
    cost="one fit a redraw and series",
    version=2,
    order=120,
    declines="a line fits as well (AICc within 10); it lies outside the series, is wider than it or under a step wide",
    source="four-parameter logistic, least squares; moving blocks of residuals (Künsch 1989)",
    price=price,
)
def transition(review: Review) -> Result:
    """For every series, outcomes first: `{series}.midpoint` and `{series}.width` in steps, `{series}.floor` and
    `{series}.ceiling`, each with the interval of 400 redraws of residuals in blocks of 8; `{series}.over-line` by how
    much its AICc is below a line's. It looks back over the whole series: it warns of nothing. Table `curve`."""
    from lens.runs.series.logistic import LEAST

    found = {name: one for name, one in series_of(review).items() if len(one.points) >= LEAST}
    if not found:
        return Result(nothing_to_read(review) if not series_of(review) else _short(series_of(review)))
    ranked = sorted(found.values(), key=lambda one: not one.signal.outcome)
    fields: dict[str, Quantity | Label | Declined] = {}
    table: Columns = {"series": [], "step": [], "value": [], "fitted": [], "low": [], "high": []}
    for series in ranked:
        fields |= _told(review, series, table)
    measured = [name for name in fields if name.endswith(".midpoint") and isinstance(fields[name], Quantity)]
    fields["fitted"] = Quantity(len(measured), "series", "count", of=len(ranked))
    scope = f"{len(ranked)} series of one run, looked at whole; {review.draws} redraws, seed {review.seed}"
    return Result(Measured(fields, (measured or ["fitted"])[0], scope), {"curve": table} if table["step"] else {})


def _told(review: Review, series: Series, table: Columns) -> dict[str, Quantity | Label | Declined]:
    import numpy as np

    from lens.runs.series.logistic import fit, over_line, redrawn

    name, x, y = series.signal.name, np.array(series.steps, float), np.array(series.values)
    found = fit(x, y) if np.ptp(y) > 0 else None
    over = over_line(x, y, found) if found else 0.0
    if (declined := _unfit(x, found, over)) is not None:
        return {f"{name}.midpoint": declined}
    assert found is not None
    fits = redrawn(x, y, found, draws=review.draws, seed=review.seed)
    inside = [one for one in fits if x[0] <= one.midpoint <= x[-1] and one.width <= x[-1] - x[0]]
    if len(inside) < SETTLED * review.draws:
        return {f"{name}.midpoint": _unsettled(len(inside), review.draws)}
    _put(table, series, found, fits, x)

    def quantity(value: float, values: list[float], unit: str, kind: str) -> Quantity:
        low, high = np.quantile(values, [0.025, 0.975])
        return Quantity(value, unit, kind, interval=Interval(float(low), float(high), METHOD), n=len(x))  # type: ignore[arg-type]

    unit = series.unit
    return {
        f"{name}.midpoint": quantity(found.midpoint, [one.midpoint for one in fits], "step", "score"),
        f"{name}.width": quantity(found.width, [one.width for one in fits], "steps", "score"),
        f"{name}.floor": quantity(found.floor, [one.floor for one in fits], unit, "score"),
        f"{name}.ceiling": quantity(found.ceiling, [one.ceiling for one in fits], unit, "score"),
        f"{name}.over-line": Quantity(over, "AICc", "difference", n=len(x)),
    }


def _unfit(x: np.ndarray, found: Fit | None, over: float) -> Declined | None:
    span = float(x[-1] - x[0])
    remedy = "record a longer run: a transition needs a level on either side"
    if found is None or over < BEATS:
        detail = f"a logistic is no better than a line here: its AICc is {over:.1f} below, under {BEATS:g}"
        return Declined("below_detection", detail, remedy)
    if not x[0] <= found.midpoint <= x[-1]:
        return Declined("below_detection", f"its midpoint would lie at step {found.midpoint:.0f}, outside", remedy)
    if found.width > span:
        return Declined("below_detection", f"it would take {found.width:.0f} steps, more than there are", remedy)
    between = float(min(x[1:] - x[:-1]))
    if found.width < between:
        return Declined(
            "below_detection",
            "a jump between two steps: how long it took can't be told",
            "lens measure run SUBJECT --instrument markers, which gives the step of a jump",
            bound=Quantity(between, "steps", "score", note="it took less than this"),
        )
    return None


def _unsettled(settled: int, draws: int) -> Declined:
    return Declined(
        "below_detection",
        f"the fit settles within the series on {settled} of {draws} redraws of its residuals: no interval can be told",
        "record a longer run: a transition needs a level on either side",
    )


def _short(found: dict[str, Series]) -> Declined:
    from lens.runs.series.logistic import LEAST

    longest = max(len(one.points) for one in found.values())
    return Declined(
        "corpus_inadequate",
        f"{longest} steps are too few for a curve of four parameters",
        f"record a run of {LEAST} steps or more",
        has=f"{longest} steps",
    )


def _put(table: Columns, series: Series, found: Fit, fits: list[Fit], x: np.ndarray) -> None:
    """The fitted curve with its pointwise band."""
    import numpy as np

    low, high = np.quantile([one.at(x) for one in fits], [0.025, 0.975], axis=0)
    table["series"] += [series.signal.name] * len(x)
    table["step"] += series.steps
    table["value"] += series.values
    for name, values in (("fitted", found.at(x)), ("low", low), ("high", high)):
        table[name] += [float(value) for value in values]
