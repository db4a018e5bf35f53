"""Sensitivity: which numeric part of a grader's input moves its score, for graders that have such parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lens.graders.audit import Audit
from lens.graders.corpus import Row
from lens.graders.price import Price, Probe
from lens.graders.thin import dear
from lens.instrument import instrument
from lens.names import kebab
from lens.reading import Declined, Interval, Label, Measured, Quantity, Reading

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

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
    if audit.thinned is not None:
        return dear(audit, SAMPLES * (len(parts) + 3))
    count = SAMPLES * (len(parts) + 3)  # A, B, and one mixed block for the response and for each part
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
    if audit.thinned is not None:
        return dear(audit, SAMPLES * (len(parts) + 3))
    import numpy as np

    name = _home(audit)
    points = _points(len(audit.corpora[name].rows), parts, audit.seed)
    scores = [outcome.score for outcome in audit.evaluate(_asked(audit.corpus(name).rows, list(parts), points))]
    given = [score for score in scores if score is not None]
    if len(given) < len(scores):
        return Declined(
            "assumption_violated",
            f"{len(scores) - len(given)} of {len(scores)} answers got no number",
            "give a corpus on which every answer gets a number",
        )
    if len(set(given)) < 2:
        return Declined(
            "corpus_inadequate",
            "the score is the same for every value of every part",
            "give a corpus on which the score varies",
        )
    blocks = np.asarray(given).reshape(-1, SAMPLES)  # f_A, f_B, f_AB of each part
    value, low, high = _totals(blocks, audit.seed)
    fields: dict[str, Quantity | Label | Declined] = {
        f"{kebab(part)}.total": Quantity(
            float(value[at]),
            "share of variance",
            "proportion",
            interval=Interval(float(low[at]), float(high[at]), "bootstrap"),
            n=SAMPLES,
        )
        for at, part in enumerate(("response", *parts))
    }
    top = f"{kebab(('response', *parts)[int(value.argmax())])}.total"
    return Measured(fields, top, f"numeric columns {', '.join(parts)}, each uniform on its range in {name}")


def _points(rows: int, parts: dict[str, tuple[float, float]], seed: int) -> Array:
    """Where the score is asked for, (2 + parts) × SAMPLES points of (row, part...): Saltelli's A, B, and A with each
    column in turn taken from B."""
    import numpy as np
    from scipy.stats import qmc

    width = 1 + len(parts)
    sample = qmc.Sobol(2 * width, rng=np.random.default_rng(seed)).random(SAMPLES)
    a, b = sample[:, :width], sample[:, width:]
    mixed = [np.where(np.arange(width) == column, b, a) for column in range(width)]
    lows = np.array([0.0, *(low for low, _ in parts.values())])
    highs = np.array([rows, *(high for _, high in parts.values())])
    points: Array = lows + np.concatenate([a, b, *mixed]) * (highs - lows)
    return points


def _asked(rows: tuple[Row, ...], parts: list[str], points: Array) -> list[Row]:
    """The rows to ask: the drawn row with its parts replaced by the drawn values."""
    asked = []
    for place, *values in points.tolist():
        row = rows[min(int(place), len(rows) - 1)]
        columns = {**row.columns, **dict(zip(parts, values, strict=True))}
        asked.append(Row(row.number, row.response, row.gold, columns=columns))
    return asked


def _totals(blocks: Array, seed: int) -> tuple[Array, Array, Array]:
    """Total-order indices and the ends of their percentile bootstrap intervals, each cut to [0, 1]."""
    import numpy as np
    from scipy import stats

    def totals(picked: NDArray[np.intp]) -> Array:
        f = {"f_A": blocks[:1, picked], "f_B": blocks[1:2, picked], "f_AB": blocks[2:, None, picked]}
        indices: Array = stats.sobol_indices(func=f, n=SAMPLES).total_order
        return np.clip(np.ravel(indices), 0, 1)

    random = np.random.default_rng(seed)
    with np.errstate(invalid="ignore", divide="ignore"):  # a draw of equal scores has no shares
        drawn = np.array([totals(random.integers(0, SAMPLES, SAMPLES)) for _ in range(DRAWS)])
    low, high = np.nanquantile(drawn, [0.025, 0.975], axis=0)
    return totals(np.arange(SAMPLES)), low, high


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
