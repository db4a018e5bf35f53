"""Legibility: how well a few predicates, added one by one, tell how a reward orders replies to a prompt."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens.instrument import instrument
from lens.models.drawn import Drawn, drawn
from lens.models.nulls import Fields, null_fields
from lens.models.predicates import Predicates, predicates
from lens.models.price import SCORED, each_pair, fixed, together
from lens.models.scale import constant
from lens.reading import Columns, Declined, Measured, Quantity, Result
from lens.stats.clusters import BOOTSTRAPPED

if TYPE_CHECKING:
    import numpy as np

    from lens.models.inspection import Inspection

MOST = 8  # predicates
INNER = 4  # folds within a training fold, by which its own K is chosen


@dataclass(frozen=True)
class Legibility:
    """`needed` K* by the one-standard-error rule over folds; `curve` [MOST + 1] held-out Spearman F(K), 0 at K = 0;
    `guessed` [n] held-out predictions at each fold's own K, chosen in its training rows."""

    needed: int
    curve: np.ndarray
    guessed: np.ndarray

    def tacit(self, y: np.ndarray) -> float:
        """1 − R² of `guessed` for centred rewards y."""
        return float(((y - self.guessed) ** 2).sum() / (y**2).sum())

    def fidelity(self, y: np.ndarray) -> float:
        """Spearman of `guessed` with y; 0 where every fold chose no predicate."""
        return float(_spearman(self.guessed[None], y)[0])


def legibility(x: np.ndarray, y: np.ndarray, clusters: Sequence[Hashable]) -> Legibility:
    """The index of predicates x [n, K] and rewards y [n], both centred in their prompts.

    Predicates are chosen, and their weights fitted, inside the training folds.
    """
    import numpy as np

    from lens.stats.crossfit import folds
    from lens.stats.stepwise import one_error, path

    most = min(MOST, x.shape[1])
    paths, guessed = np.zeros((MOST + 1, len(y))), np.zeros(len(y))
    scores = []
    for inside in folds(clusters):
        others = np.setdiff1d(np.arange(len(y)), inside)
        found = _fill(path(x[others], y[others], x[inside], most))
        paths[:, inside] = found
        guessed[inside] = found[_inner(x[others], y[others], [clusters[i] for i in others])]
        scores.append(_spearman(found, y[inside]))
    return Legibility(one_error(np.array(scores)), _spearman(paths, y), guessed)


def _inner(x: np.ndarray, y: np.ndarray, clusters: Sequence[Hashable]) -> int:
    """K* of training rows alone."""
    import numpy as np

    from lens.stats.crossfit import folds
    from lens.stats.stepwise import one_error, path

    most = min(MOST, x.shape[1])
    scores = []
    for inside in folds(clusters, INNER):
        others = np.setdiff1d(np.arange(len(y)), inside)
        scores.append(_spearman(_fill(path(x[others], y[others], x[inside], most)), y[inside]))
    return one_error(np.array(scores))


def _fill(paths: np.ndarray) -> np.ndarray:
    """With fewer predicates than MOST, the last prediction stands."""
    import numpy as np

    return np.concatenate([paths, np.repeat(paths[-1:], MOST + 1 - len(paths), axis=0)])


def _spearman(guesses: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Of every row of guesses with y: 0 where one doesn't vary."""
    import numpy as np

    from lens.stats.correlation import spearman_each

    with np.errstate(divide="ignore", invalid="ignore"):
        found = spearman_each(guesses.round(9), np.broadcast_to(y, guesses.shape))
    return np.nan_to_num(found)  # type: ignore[no-any-return]


@instrument(
    "legibility",
    subjects="models",
    title="Can it be written down",
    quantity="how well a few predicates of a library tell the order of replies to a prompt",
    unit="inside prompts",
    needs="grader.record",
    cost="2 × pairs, shared with what it prefers",
    version=2,
    order=360,
    declines="under 20 prompts with two replies; where no reward differs in a prompt",
    source="forward selection inside the training fold; one-standard-error rule (Breiman et al. 1984, §3.4.3)",
    price=together(SCORED, fixed(2.0), each_pair(0.008)),
)
def legibility_index(inspection: Inspection) -> Result:
    """Predict rewards, less their prompt's mean, from 0, 1, 2, ... predicates, on prompts not fitted on.

    `fidelity` held-out Spearman correlation, at the number that each training fold chooses for itself, its control
    `null` the 95th percentile with rewards permuted inside prompts, `null-mean` the mean: every choice is made again
    each time. `tacit` 1 − held-out R² of the same predictions, which may be above 1, its control `tacit.null` the 5th
    percentile. `needed` K*, k of the n in the library, is the fewest within one standard error of the best on held-out
    prompts. Of this predicate library alone: what it lacks is tacit here.
    Table `curve` (predicates, fidelity). The public index is in-sample, and rises with every predicate that is added.
    """
    found = drawn(inspection)
    if isinstance(found, Declined):
        return Result(found)
    from lens.stats.drawn import centred
    from lens.stats.means import few

    if found.units < BOOTSTRAPPED:
        return Result(few(found.units, least=BOOTSTRAPPED))
    y = centred(found.rewards, found.prompts)
    library = predicates(found.replies, found.prompts)
    if not y.any() or not library.names:
        return Result(constant())
    fields, table = _fields(inspection, found, library, y)
    scope = f"a library of {len(library.names)} predicates, on {found.scope}"
    return Result(Measured(fields, "fidelity", scope), {"curve": table})


def _fields(inspection: Inspection, found: Drawn, library: Predicates, y: np.ndarray) -> tuple[Fields, Columns]:
    import numpy as np

    from lens.stats.drawn import centred
    from lens.stats.means import quantity
    from lens.stats.permute import inside, null
    from lens.stats.ratio import ratio_of

    x = centred(library.values, found.prompts)
    read = legibility(x, y, found.clusters)
    left = ((y - read.guessed) ** 2).tolist()
    ratio = ratio_of(left, (y**2).tolist(), found.clusters, seed=inspection.seed, draws=inspection.draws)
    dealt = [
        (y[order], legibility(x, y[order], found.clusters)) for order in inside(found.prompts, seed=inspection.seed)
    ]
    shares = np.array([one.tacit(rewards) for rewards, one in dealt])
    what = "rewards permuted inside prompts"
    fields: Fields = {
        "fidelity": _fidelity(inspection, found, read, y),
        "needed": Quantity(read.needed, "predicates", "count", of=len(library.names)),
        "tacit": quantity(
            read.tacit(y), ratio.interval, "of the variance", kind="ratio", clusters=found.units, n=len(found),
            control="tacit.null",
        ),
        **null_fields("", null([one.fidelity(r) for r, one in dealt]), "inside prompts", "correlation", what=what),
        "tacit.null": Quantity(
            float(np.quantile(shares, 0.05)), "of the variance", "ratio", n=len(dealt), note=f"5th percentile, {what}"
        ),
        "tacit.null-mean": Quantity(float(shares.mean()), "of the variance", "ratio", n=len(dealt), note=what),
    }  # fmt: skip
    return fields, {"predicates": list(range(MOST + 1)), "fidelity": read.curve.tolist()}


def _fidelity(inspection: Inspection, found: Drawn, read: Legibility, y: np.ndarray) -> Quantity | Declined:
    """With its interval over prompts redrawn; the predictions stay."""
    import numpy as np

    from lens.stats.clusters import interval_of
    from lens.stats.correlation import spearman
    from lens.stats.means import quantity

    if np.ptp(read.guessed) == 0:
        return Declined(
            "below_detection",
            "no training fold chose a predicate of the library",
            "read the tacit share, or give more pairs",
        )

    def statistic(rows: np.ndarray) -> float:
        return spearman(rows[:, 0].tolist(), rows[:, 1].tolist())

    rows = np.column_stack([read.guessed, y]).tolist()
    ends = interval_of(rows, found.clusters, statistic, seed=inspection.seed, draws=inspection.draws)
    return quantity(
        read.fidelity(y), ends, "inside prompts", kind="correlation", clusters=found.units, n=len(found), control="null"
    )
