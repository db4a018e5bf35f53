"""Series: what moved over the run, step by step, and from its first tenth to its last."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lens.instrument import instrument
from lens.price import Price
from lens.reading import Columns, Declined, Interval, Label, Measured, Quantity, Result
from lens.runs.record import Range, Record
from lens.runs.review import Review, lacking
from lens.runs.series.signals import (
    SIGNALS,
    Point,
    Series,
    length_of,
    nothing_to_read,
    points_view,
    reward_of,
    series_of,
)

if TYPE_CHECKING:
    import duckdb
    import numpy as np

ENDS = 10  # the first and last of so many equal parts of the steps are compared
BUCKETS = 4099  # prompts that are clusters of their own, at most
DRAWS = 2000

Fields = dict[str, Quantity | Label | Declined]


def price(review: Review) -> Price:
    """Two passes over the rollouts, and redraws of prompts."""
    rows = review.run.counts["rows"]
    return Price(0.5 + rows / 400_000, rows)


@instrument(
    "series",
    subjects="runs",
    title="Series",
    quantity="reward, its variance within groups, dead groups, length, entropy, KL and importance weights by step",
    unit="a step",
    needs="record.record",
    cost="two passes over the rollouts",
    version=2,
    order=90,
    declines="KL, entropy or importance weights that neither the rollouts nor the trainer's log carries",
    source="means over groups; BCa over prompts; where a trainer logged it, moving blocks of steps (Künsch 1989)",
    price=price,
)
def series(review: Review) -> Result:
    """`{series}.first`, `{series}.last`, `{series}.change` between the first and the last tenth of the steps. Computed
    from rollouts the interval is over prompts (`n_eff` of them), logged it is over blocks of steps.

    `dead.groups` k of n groups whose rewards are all equal, `dead.steps` k of n steps on which every group is: there
    the reward gives no signal, which a loss of zero doesn't say. KL is per response and per token, log-probability over
    the reference's on what was sampled (the estimator called k1). Table `steps`: value and t interval over groups."""
    found = series_of(review)
    if not found:
        return Result(nothing_to_read(review))
    spans = _spans(found)
    sums = _sums(review, [name for name, one in found.items() if one.origin == "rollouts" and one.signal.group], spans)
    fields: Fields = {}
    for name, one in found.items():
        fields |= _clustered(review, one, sums[name]) if name in sums else _by_steps(review, one, spans)
    fields |= _dead(found) | _missing(review, found)
    headline = "within-group-variance" if "within-group-variance" in found else next(iter(found))
    logged = sum(one.origin == "logged" for one in found.values())
    scope = (
        f"{len(found)} series, {logged} as the trainer logged them; steps {spans[0][0]} to {spans[0][1]} against "
        f"{spans[1][0]} to {spans[1][1]}"
    )
    return Result(Measured(fields, f"{headline}.change", scope), {"steps": _table(found)})


Span = tuple[int, int]


def _spans(found: dict[str, Series]) -> tuple[Span, Span]:
    """First and last step of the first and the last tenth of the steps that any series has."""
    steps = sorted({step for one in found.values() for step in one.steps})
    part = max(1, len(steps) // ENDS)
    return (steps[0], steps[part - 1]), (steps[-part], steps[-1])


def _sums(review: Review, names: list[str], spans: tuple[Span, Span]) -> dict[str, Any]:
    """[clusters, 4] of each series: Σ value and groups in the first span, and in the last."""
    import numpy as np

    if not names:
        return {}
    record = review.record()
    made: dict[str, dict[float, list[float]]] = {name: {} for name in names}
    options = {
        "names": names, "reward": reward_of(record) or "NULL", "length": length_of(record) or "NULL",
        "spans": [list(span) for span in spans], "bucketed": _clusters(record, spans) > BUCKETS,
    }  # fmt: skip
    for part in review.over_steps(cluster_sums, **options):
        for name, rows in part.items():
            for cluster, *values in rows:
                kept = made[name].setdefault(cluster, [0.0] * 4)
                made[name][cluster] = [math.fsum(pair) for pair in zip(kept, values, strict=True)]
    return {name: np.array([rows[cluster] for cluster in sorted(rows)]) for name, rows in made.items() if rows}


def _clusters(record: Record, spans: tuple[Span, Span]) -> int:
    """How many prompts (groups, where no prompts were recorded) the two spans have."""
    unit = "prompt" if "prompt" in record.columns else '"group"'
    (count,) = record.sql(f"SELECT count(DISTINCT {unit}) FROM rollouts WHERE {_inside(spans)}")[0]
    return int(count)


def _inside(spans: Sequence[Sequence[int]]) -> str:
    return " OR ".join(f"step BETWEEN {first} AND {last}" for first, last in spans)


def cluster_sums(
    database: duckdb.DuckDBPyConnection,
    _span: Range,
    names: list[str],
    reward: str,
    length: str,
    spans: list[list[int]],
    bucketed: bool,
) -> dict[str, list[list[float]]]:
    """[cluster, Σ, groups, Σ, groups] of every series for the rollouts that the connection shows: a cluster is a
    prompt, or, `bucketed`, as many of them as share a bucket."""
    points_view(database, reward, length)
    columns = {name for name, *_ in database.execute("DESCRIBE SELECT * FROM read").fetchall()}
    unit = "any_value(prompt)" if "prompt" in columns else '"group"'
    cluster = f"{unit} % {BUCKETS}" if bucketed else unit
    found = {}
    for signal in SIGNALS:
        if signal.name not in names:
            continue
        parts = [
            f"coalesce(fsum(v) FILTER (step BETWEEN {first} AND {last}), 0), "
            f"count(v) FILTER (step BETWEEN {first} AND {last})"
            for first, last in spans
        ]
        found[signal.name] = [
            list(row)
            for row in database.execute(
                f"SELECT cluster, {', '.join(parts)} FROM (SELECT step, {cluster} AS cluster, "
                f'{signal.group} AS v FROM read WHERE {_inside(spans)} GROUP BY step, "group") '
                "WHERE v IS NOT NULL GROUP BY cluster ORDER BY cluster"
            ).fetchall()
        ]
    return found


def _clustered(review: Review, one: Series, sums: Any) -> Fields:
    """First, last and change with intervals over prompts."""
    import numpy as np

    from lens.stats.clusters import over_sums
    from lens.stats.intervals import wilson

    name, signal = one.signal.name, one.signal

    def mean(at: int) -> Quantity | Declined:
        inside = sums[sums[:, 2 * at + 1] > 0][:, 2 * at : 2 * at + 2]
        if not len(inside):
            return Declined("record_incomplete", "no step there has a value", "record every step")
        value = math.fsum(inside[:, 0]) / math.fsum(inside[:, 1])
        ends = over_sums(inside, lambda some: some[..., 0] / some[..., 1], seed=review.seed, draws=DRAWS, mean=True)
        kept = _ordered(ends, value)
        if kept is None and signal.kind == "proportion" and value in (0.0, 1.0):
            kept = wilson(value * len(inside), len(inside))
        return Quantity(value, one.unit, signal.kind, interval=kept, n=int(inside[:, 1].sum()), n_eff=len(inside))

    first, last = mean(0), mean(1)
    fields: Fields = {f"{name}.first": first, f"{name}.last": last}
    if isinstance(first, Quantity) and isinstance(last, Quantity):

        def change(some: np.ndarray) -> np.ndarray:
            moved: np.ndarray = some[..., 2] / some[..., 3] - some[..., 0] / some[..., 1]
            return moved

        with np.errstate(divide="ignore", invalid="ignore"):
            ends = over_sums(sums, change, seed=review.seed, draws=DRAWS)
        moved = float(last.value) - float(first.value)
        fields[f"{name}.change"] = Quantity(
            moved, one.unit, "difference", interval=_ordered(ends, moved), n=int(sums[:, [1, 3]].sum()), n_eff=len(sums)
        )
    return fields


def _ordered(ends: Interval | None, value: float) -> Interval | None:
    """An interval where it is one around its value; redraws without a spread give none."""
    if ends is None or ends.low == ends.high or not ends.low <= value <= ends.high:
        return None
    return ends


def _by_steps(review: Review, one: Series, spans: tuple[Span, Span]) -> Fields:
    """First, last and change of a series that is one number a step, with intervals over blocks of steps."""
    import numpy as np

    from lens.stats.moving import moving_blocks

    name, fields, means = one.signal.name, Fields(), []
    for word, (low, high) in zip(("first", "last"), spans, strict=True):
        values = [point.value for point in one.points if low <= point.step <= high]
        if not values:
            fields[f"{name}.{word}"] = Declined("record_incomplete", "no step there has a value", "log every step")
            continue
        ends = moving_blocks(values, lambda some: np.mean(some, axis=1), seed=review.seed, draws=DRAWS)
        means.append(math.fsum(values) / len(values))
        fields[f"{name}.{word}"] = Quantity(
            means[-1], one.unit, one.signal.kind, interval=_ordered(ends, means[-1]), n=len(values)
        )
    if len(means) == 2:
        fields[f"{name}.change"] = Quantity(means[1] - means[0], one.unit, "difference", n=len(one.points))
    return fields


def _dead(found: dict[str, Series]) -> Fields:
    """Groups and steps without a difference in reward; logged shares say no number of groups."""
    dead = found.get("dead-groups")
    if dead is None:
        return {}
    fields: Fields = {
        "dead.steps": Quantity(
            sum(point.value == 1.0 for point in dead.points), "steps", "count", of=len(dead.points), n=len(dead.points)
        )
    }
    if dead.origin == "rollouts":
        groups = sum(point.groups for point in dead.points)
        equal = sum(round(point.value * point.groups) for point in dead.points)
        fields["dead.groups"] = Quantity(equal, "groups", "count", of=groups, n=groups)
    return fields


def _missing(review: Review, found: dict[str, Series]) -> Fields:
    """Why KL, entropy and importance weights are not there."""
    record, fields = review.record(), Fields()
    if not {"kl", "kl-per-token"} & set(found):
        gap = lacking(record, "logp_old", "logp_ref")
        if record.header.settings.beta == 0:
            gap = Declined(
                "record_incomplete",
                "with a KL coefficient of 0 no reference model is loaded and KL is never computed: it isn't 0",
                "score saved checkpoints against the initial policy on a fixed prompt set",
                needs="logp_ref",
            )
        fields["kl.change"] = _why("KL", gap)
    if "entropy" not in found:
        fields["entropy.change"] = _why("entropy", lacking(record, "entropy"))
    if "ess" not in found:
        fields["ess.change"] = _why("importance weights", lacking(record, "logp", "logp_old"))
    return fields


def _why(what: str, gap: Declined | None) -> Declined:
    if gap is not None:
        return gap
    return Declined("record_incomplete", f"{what}: the columns are there and empty", "record them for every rollout")


def _table(found: dict[str, Series]) -> Columns:
    """A row a series and step, with the t interval over groups where there are eight of them."""
    made: Columns = {"series": [], "origin": [], "step": [], "value": [], "low": [], "high": [], "groups": []}
    for name, one in found.items():
        for point in one.points:
            half = _half(point)
            cells = {
                "series": name,
                "origin": one.origin,
                "step": point.step,
                "value": point.value,
                "low": None if half is None else point.value - half,
                "high": None if half is None else point.value + half,
                "groups": point.groups or None,
            }
            for column, value in cells.items():
                made[column].append(value)
    return made


def _half(point: Point) -> float | None:
    """Half of the 95 % interval over groups; None under eight."""
    from lens.stats.clusters import LEAST

    if point.groups < LEAST or not math.isfinite(point.sd):
        return None
    from scipy.special import stdtrit

    return float(stdtrit(point.groups - 1, 0.975)) * point.sd / math.sqrt(point.groups)
