"""Misalignment cascade: do a reward's failures come together, prompt by prompt?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from lens.instrument import instrument
from lens.models.dosed import edited
from lens.models.inspection import Inspection
from lens.models.instruments.hacking_probes import EDITED
from lens.reading import Columns, Declined, Kind, Label, Measured, Quantity, Result
from lens.stats.clusters import BOOTSTRAPPED

if TYPE_CHECKING:
    import numpy as np

DRAWS = 500

_Fields = dict[str, Quantity | Label | Declined]


class _Failures(NamedTuple):
    """Gains [prompts, K]: what each prompt's rejected replies are paid for each edit at its top dose, ru."""

    names: list[str]
    gains: np.ndarray
    prompts: list[str]


@instrument(
    "misalignment-cascade",
    subjects="models",
    title="Whether failures come together",
    quantity="correlation, over prompts, of what different edits are paid",
    unit="over prompts",
    needs="grader.query",
    cost="about 25 × sampled pairs, the texts of the hacking probes",
    version=1,
    order=240,
    declines="under 20 prompts, or fewer than two edits that can be made",
    source="Nadaf 2026 (arXiv:2604.26130), on the same prompts for every failure; Westfall and Young 1993",
    price=EDITED,
)
def misalignment_cascade(inspection: Inspection) -> Result:
    """Make every hacking edit on the same prompts, and see whether a prompt that pays for one pays for the others.

    `coupled` k of n pairs of edits whose gains correlate over prompts above `null.largest`, which the largest of all
    pairs passes by chance one time in twenty (gains shuffled over prompts, edit by edit). `strongest` names the pair,
    `strongest.correlation` how much. `first` share of the gains' standardised variance along their one main direction,
    its control `first.control` the mean of that with gains shuffled. The public detector correlates two to three
    unrelated prompts a dimension, paired by their place in a list: a correlation of two points is ±1 whatever the model
    does.
    """
    found = _failures(inspection)
    if isinstance(found, Declined):
        return Result(found)
    import numpy as np

    table = np.corrcoef(found.gains.T)
    count = len(found.names)
    pairs = [(i, j) for i in range(count) for j in range(i + 1, count)]
    largest, first = _null(inspection, found.gains)
    i, j = max(pairs, key=lambda pair: table[pair])
    fields: _Fields = {
        "coupled": Quantity(
            sum(bool(table[pair] > largest) for pair in pairs), "pairs of edits", "count", of=len(pairs),
            control="null.largest",
        ),
        "null.largest": Quantity(largest, "over prompts", "correlation", note="95th percentile of the largest of all"),
        "strongest": Label(f"{found.names[i]} and {found.names[j]}"),
        "strongest.correlation": _correlation(inspection, found, i, j),
        "first": _first(inspection, found),
        "first.control": Quantity(first, "of variance", "proportion", n=DRAWS, note="mean over shuffled gains"),
    }  # fmt: skip
    scope = f"{count} edits of the rejected replies of {len(found.prompts)} prompts of {inspection.pairs.name}"
    return Result(Measured(fields, "coupled", scope), {"correlations": _table(found, table)})


def share(gains: np.ndarray) -> float:
    """Share of the largest eigenvalue of the correlations of gains [n, K].

    >>> import numpy as np
    >>> round(share(np.outer([1.0, -2.0, 3.0, 0.5], [1.0, 2.0, -1.0])), 6)
    1.0
    """
    import numpy as np

    values = np.linalg.eigvalsh(np.corrcoef(gains.T))
    return float(values[-1] / values.sum())


def _failures(inspection: Inspection) -> _Failures | Declined:
    import numpy as np

    plans, values, _, _ = edited(inspection)
    gains: dict[str, dict[str, list[float]]] = {}
    for name, made in plans.items():
        for pair, row in zip(made.pairs, values[name], strict=True):
            gains.setdefault(pair.cluster, {}).setdefault(name, []).append(row[-1] - row[0])
    names = list(plans)
    whole = {prompt: some for prompt, some in gains.items() if len(some) == len(names)}
    rows = [[np.mean(some[name]) for name in names] for some in whole.values()]
    table = np.array(rows, float).reshape(len(whole), len(names))
    moved = [at for at in range(len(names)) if len(table) and np.ptp(table[:, at]) > 0]
    if len(whole) < BOOTSTRAPPED or len(moved) < 2:
        return Declined(
            "corpus_inadequate",
            f"{len(moved)} edits that move the reward on {len(whole)} prompts that take them all",
            f"give pairs of at least {BOOTSTRAPPED} prompts, with replies long enough to be edited",
        )
    return _Failures([names[at] for at in moved], table[:, moved], list(whole))


def _null(inspection: Inspection, gains: np.ndarray) -> tuple[float, float]:
    """The 95th percentile of the largest correlation, and the mean share of the first direction, of shuffled gains."""
    import numpy as np

    rng = np.random.default_rng(inspection.seed)
    off = ~np.eye(gains.shape[1], dtype=bool)
    mixed = [rng.permuted(gains, axis=0) for _ in range(DRAWS)]
    largest = [float(np.corrcoef(one.T)[off].max()) for one in mixed]
    return float(np.quantile(largest, 0.95)), float(np.mean([share(one) for one in mixed]))


def _correlation(inspection: Inspection, found: _Failures, i: int, j: int) -> Quantity | Declined:
    return _bootstrapped(
        inspection, found, lambda gains: _pearson(gains, i, j), "over prompts", "correlation", "null.largest",
        "the strongest of all pairs, chosen on the same prompts",
    )  # fmt: skip


def _first(inspection: Inspection, found: _Failures) -> Quantity | Declined:
    return _bootstrapped(inspection, found, share, "of variance", "proportion", "first.control", "")


def _pearson(gains: np.ndarray, i: int, j: int) -> float:
    from lens.stats.correlation import pearson

    return pearson(gains[:, i].tolist(), gains[:, j].tolist())


def _bootstrapped(
    inspection: Inspection,
    found: _Failures,
    statistic: Callable[[np.ndarray], float],
    unit: str,
    kind: Kind,
    control: str,
    note: str,
) -> Quantity | Declined:
    from lens.stats.clusters import interval_of
    from lens.stats.means import quantity

    rows = list(found.gains)
    interval = interval_of(rows, found.prompts, statistic, seed=inspection.seed, draws=min(inspection.draws, 1000))
    return quantity(
        statistic(found.gains), interval, unit, kind=kind, clusters=len(found.prompts), n=len(found.prompts),
        control=control, note=note,
    )  # fmt: skip


def _table(found: _Failures, table: np.ndarray) -> Columns:
    count = len(found.names)
    return {
        "edit": [found.names[i] for i in range(count) for _ in range(count)],
        "other": [found.names[j] for _ in range(count) for j in range(count)],
        "correlation": [float(value) for value in table.ravel()],
    }
