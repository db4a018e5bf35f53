"""Reward-term conflict: parts of a reward that can't be had together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lens.instrument import instrument
from lens.models.inspection import Inspection
from lens.models.price import ANATOMY
from lens.models.summaries import few, ratio_field
from lens.models.terms import Terms, terms
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result

if TYPE_CHECKING:
    import numpy as np

DRAWS = 500


@instrument(
    "term-conflict",
    subjects="models",
    title="Parts that pull against each other",
    quantity="share of what the parts of a reward write that other parts cancel",
    unit="of what is written",
    needs="grader.forward",
    cost="2 × pairs, shared with attribution",
    version=1,
    order=250,
    declines="for rewards of one score without a trunk; under 8 prompts",
    source="reward-term conflict of Nadaf 2026 (arXiv:2604.26130), redefined on what the terms pay; convention A1",
    price=ANATOMY,
)
def term_conflict(inspection: Inspection) -> Result:
    """Split every reward into its terms, and see how they go together inside prompts.

    Terms are the weighted objectives of a model of several, else what each component writes at the head. `cancelled`
    1 − Σ|Σ_j Δ_j| / Σ Σ_j |Δ_j| over pairs, Δ_j a term's difference between the two replies: 0 where all terms agree on
    every pair, 1 where they add to nothing; its control `cancelled.control` is the mean of that with every term's sides
    in random order. `conflicting` k of n pairs of terms whose within-prompt correlation lies below `null.least`, which
    the least of all pairs falls below by chance one time in twenty; `worst` names the most opposed pair,
    `worst.correlation` how much. The public analyser takes cosines between mean activation differences and calls −0.3 a
    conflict: these describe the sentences it was given, whatever the reward pays for them, and no control says what
    −0.3 is worth.
    """
    found = terms(inspection)
    if isinstance(found, Declined):
        return Result(found)
    if (refused := few(found.pairs)) is not None:
        return Result(refused)
    fields = {**_cancelled(inspection, found), **_pairwise(inspection, found)}
    fields["terms"] = Label(found.kind, note=f"{len(found.names)} terms")
    scope = f"{len(found.pairs)} pairs of {inspection.pairs.name}; terms are {found.kind}"
    return Result(Measured(fields, "cancelled", scope), {"terms": _table(found), "means": _means(inspection, found)})


def cancelled(differences: np.ndarray) -> float:
    """1 − Σ|Σ_j Δ_j| / Σ Σ_j |Δ_j| of differences [P, K]; 0 where nothing is written.

    >>> import numpy as np
    >>> cancelled(np.array([[1.0, 1.0], [2.0, -2.0]]))
    0.6666666666666667
    """
    import numpy as np

    written = float(np.abs(differences).sum())
    return 1 - float(np.abs(differences.sum(axis=1)).sum()) / written if written else 0.0


def _cancelled(inspection: Inspection, found: Terms) -> dict[str, Quantity | Label | Declined]:
    import numpy as np

    deltas = found.differences
    written = np.abs(deltas).sum(axis=1)
    lost = written - np.abs(deltas.sum(axis=1))
    field = ratio_field(
        inspection, lost.tolist(), written.tolist(), found.pairs, unit="of what is written",
        control="cancelled.control",
    )  # fmt: skip
    rng = np.random.default_rng(inspection.seed)
    mixed = [cancelled(deltas * rng.choice([-1.0, 1.0], deltas.shape)) for _ in range(DRAWS)]
    note = f"mean over {DRAWS} random orders of every term's sides"
    control = Quantity(float(np.mean(mixed)), "of what is written", "ratio", n=DRAWS, note=note)
    return {"cancelled": field, "cancelled.control": control}


def _pairwise(inspection: Inspection, found: Terms) -> dict[str, Quantity | Label | Declined]:
    import numpy as np

    from lens.stats.within import correlations, extremes, interval_of

    kept = [at for at in range(len(found.names)) if found.differences[:, at].any()]
    deltas, names = found.differences[:, kept], [found.names[at] for at in kept]
    if len(names) < 2:
        return {}
    table = correlations(deltas)
    least, _ = extremes(deltas, found.clusters, seed=inspection.seed, draws=DRAWS)
    upper = [(i, j) for i in range(len(names)) for j in range(i + 1, len(names))]
    i, j = min(upper, key=lambda pair: table[pair])
    fields: dict[str, Quantity | Label | Declined] = {
        "conflicting": Quantity(
            sum(bool(table[pair] < least) for pair in upper), "pairs of terms", "count", of=len(upper),
            control="null.least",
        ),
        "null.least": Quantity(least, "within prompts", "correlation", note="5th percentile of the least of all"),
        "worst": Label(f"{names[i]} and {names[j]}"),
    }  # fmt: skip
    interval = interval_of(
        deltas[:, i].tolist(), deltas[:, j].tolist(), found.clusters, seed=inspection.seed, draws=inspection.draws
    )
    if interval is not None:
        note = "the most opposed of all pairs, chosen on the same rows"
        fields["worst.correlation"] = Quantity(
            float(np.clip(table[i, j], -1, 1)), "within prompts", "correlation", interval=interval, n=len(deltas),
            control="null.least", note=note,
        )  # fmt: skip
    return fields


def _table(found: Terms) -> Columns:
    """Within-prompt correlations of all pairs of terms."""
    import numpy as np

    from lens.stats.within import correlations

    table = correlations(found.differences)
    count = len(found.names)
    return {
        "term": [found.names[i] for i in range(count) for _ in range(count)],
        "other": [found.names[j] for _ in range(count) for j in range(count)],
        "correlation": [float(value) if np.isfinite(value) else None for value in table.ravel()],
    }


def _means(inspection: Inspection, found: Terms) -> Columns:
    """Each term's mean part of the margin, ru."""
    from lens.models.summaries import columns_of

    return {"term": list(found.names), **columns_of(inspection, found.differences, found.pairs)}
