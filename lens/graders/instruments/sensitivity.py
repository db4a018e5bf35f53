"""Sensitivity: which numeric part of a grader's input moves its score, for graders that have such parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lens.graders.audit import Audit
from lens.graders.corpus import Row
from lens.graders.price import Price, Probe
from lens.instrument import instrument
from lens.names import kebab
from lens.reading import Declined, Interval, Label, Measured, Quantity, Reading

if TYPE_CHECKING:
    import numpy as np

SAMPLES = 256  # a power of two, as the Sobol sequence asks
DRAWS = 400  # bootstrap draws of the intervals

_NO_PARTS = Declined(
    "not_applicable",
    "no numeric column of the corpus is given to this grader: a response and a reference are all it takes",
    "nothing to do; a grader with numeric columns is measured on a corpus that carries them",
)


def _price(audit: Audit, probe: Probe) -> Price | Declined:
    parts = _parts(audit)
    if not parts:
        return _NO_PARTS
    count = SAMPLES * (len(parts) + 3)
    return Price(probe.start + count * probe.usual, count)


@instrument(
    "sensitivity",
    subjects="graders",
    title="Sensitivity of parts",
    quantity="share of the score's variance that involves each numeric part, interactions included",
    unit="share of variance",
    needs="grader.query",
    cost=f"{SAMPLES} × (numeric parts + 3)",
    version=1,
    order=130,
    declines="on a grader given no numeric columns; where the score doesn't vary; where an answer got no number",
    source="total-order Sobol indices, scipy.stats.sobol_indices (Saltelli et al. 2010)",
    price=_price,
)
def sensitivity(audit: Audit) -> Reading:
    """Total-order indices over the numeric columns, each uniform on its range in the corpus, and over the choice
    of row (`response.total`: the response with its reference, drawn uniformly). Bootstrap intervals.

    `{column}.total` proportions; they add to 1 only without interactions.
    """
    parts = _parts(audit)
    if not parts:
        return _NO_PARTS
    name = _home(audit)
    rows = audit.corpus(name).rows
    asked = _Asked(audit, rows, parts)
    import numpy as np
    from scipy import stats

    dists = [stats.uniform(0, len(rows)), *(stats.uniform(low, high - low) for low, high in parts.values())]
    try:
        indices = stats.sobol_indices(func=asked, n=SAMPLES, dists=dists, rng=np.random.default_rng(audit.seed))
    except _NoScoreError as error:
        return Declined("assumption_violated", str(error), "give a corpus on which every answer gets a number")
    if not np.isfinite(indices.total_order).all():
        return Declined(
            "corpus_inadequate", "the score is the same for every value of every part",
            "give a corpus on which the score varies",
        )  # fmt: skip
    spread = indices.bootstrap(confidence_level=0.95, n_resamples=DRAWS).total_order.confidence_interval
    fields: dict[str, Quantity | Label | Declined] = {
        f"{kebab(part)}.total": Quantity(
            float(np.clip(indices.total_order.flat[at], 0, 1)), "share of variance", "proportion",
            interval=Interval(
                float(np.clip(spread.low.flat[at], 0, 1)), float(np.clip(spread.high.flat[at], 0, 1)),
                "bootstrap",
            ),
            n=SAMPLES,
        )
        for at, part in enumerate(("response", *parts))
    }  # fmt: skip
    top = max(fields, key=lambda field: fields[field].value)  # type: ignore[union-attr]
    return Measured(fields, top, f"numeric columns {', '.join(parts)}, each uniform on its range in {name}")


class _NoScoreError(Exception):
    """An answer got no number, so variance has no meaning."""


class _Asked:
    """The grader as a vectorised function of (row, numeric parts...), in the shape scipy asks for."""

    def __init__(self, audit: Audit, rows: tuple[Row, ...], parts: dict[str, tuple[float, float]]) -> None:
        self.audit, self.rows, self.parts = audit, rows, parts

    def __call__(self, x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        import numpy as np

        asked = [self._row(column) for column in x.T]
        scores = [outcome.score for outcome in self.audit.evaluate(asked)]
        if any(score is None for score in scores):
            raise _NoScoreError(f"{sum(score is None for score in scores)} of {len(scores)} answers got no number")
        return np.asarray(scores, float)[None, :]

    def _row(self, point: np.ndarray[Any, Any]) -> Row:
        row = self.rows[min(int(point[0]), len(self.rows) - 1)]
        values = {name: float(value) for name, value in zip(self.parts, point[1:], strict=True)}
        return Row(row.number, row.response, row.gold, columns={**row.columns, **values})


def _home(audit: Audit) -> str:
    """The corpus the parts are varied on: labelled rollouts where there are any, else the golds."""
    return next((name for name in ("rollouts", "gold", *audit.corpora) if name in audit.corpora), "")


def _parts(audit: Audit) -> dict[str, tuple[float, float]]:
    """Numeric columns of the corpus with more than one value, and their ranges."""
    home = _home(audit)
    if not home:
        return {}
    columns = [row.columns for row in audit.corpora[home].rows]
    found: dict[str, tuple[float, float]] = {}
    for name in columns[0] if columns else ():
        values = [row.get(name) for row in columns]
        if all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values):
            numbers = [float(value) for value in values if value is not None]
            if len(set(numbers)) > 1:
                found[name] = (min(numbers), max(numbers))
    return found
