"""Rewards of several objectives: what each is weighed with, and which of them say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lens.instrument import instrument
from lens.models.inspection import Inspection
from lens.models.price import forwards, once
from lens.models.summaries import columns_of, few, largest, mean_field, ratio_field
from lens.models.terms import Objectives, objectives
from lens.names import kebab
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result

if TYPE_CHECKING:
    import numpy as np

DRAWS = 500

_Fields = dict[str, Quantity | Label | Declined]


@instrument(
    "multi-objective",
    subjects="models",
    title="Its objectives, and what they weigh",
    quantity="within-prompt correlation of objectives, and each one's share of the margin",
    unit="within prompts",
    needs="grader.query",
    cost="6 × pairs",
    version=1,
    order=180,
    declines="for a reward of one score; under 8 prompts",
    source="ArmoRM (Wang et al. 2024, arXiv:2406.12845); whitened cosine = within-prompt correlation of scores",
    price=once("objectives", forwards(6)),
)
def multi_objective(inspection: Inspection) -> Result:
    """Score every pair on every objective.

    `closest` names the two objectives most alike, `closest.whitened` their correlation inside prompts (the cosine of
    their rows in the metric of what the head reads), its control `closest.null` the 95th percentile of the largest of
    all had each objective's sides been in random order; `closest.raw` the cosine of the rows as they stand, which
    depends on the basis. An objective o: `o.weight` what it is weighed with, mean over texts; `o.share` its part of the
    margin, Σ weighed difference / Σ margin. Identities: `native`, the largest |Σ weighed − reward|, and `gates-sum`,
    the largest |Σ gates − their scale|.
    """
    found = objectives(inspection)
    if found is None:
        return Result(
            Declined(
                "not_applicable",
                "this reward is one score: it has no objectives beside each other",
                "read term-conflict, which splits one score into what its components write",
            )
        )
    if (refused := few(found.pairs)) is not None:
        return Result(refused)
    fields: _Fields = {"objectives": Quantity(len(found.names), "objectives", "size"), **_closest(inspection, found)}
    fields |= _identities(inspection, found)
    margins = (found.rewards[:, 0] - found.rewards[:, 1]).tolist()
    parts = found.weighed[:, 0] - found.weighed[:, 1]
    for k, name in enumerate(found.names):
        weights = found.weights[:, :, k].mean(axis=1).tolist()
        fields[f"{kebab(name)}.weight"] = mean_field(inspection, weights, found.pairs, unit="weight")
        fields[f"{kebab(name)}.share"] = ratio_field(
            inspection, parts[:, k].tolist(), margins, found.pairs, unit="of the margin"
        )
    scope = f"{len(found.names)} objectives on {len(found.pairs)} pairs of {inspection.pairs.name}"
    headline = "closest.whitened" if "closest.whitened" in fields else "objectives"
    return Result(
        Measured(fields, headline, scope),
        {"cosines": _cosines(inspection, found), "weights": _weights(inspection, found)},
    )


def rows_of(model: Any) -> np.ndarray | None:
    """The objectives' rows of the head [K, d]; None where they are no rows of one head."""
    heads = getattr(getattr(model, "network", None), "heads", None)
    return None if heads is None else heads.regression.detach().double().cpu().numpy()


def _raw(inspection: Inspection) -> np.ndarray | None:
    import numpy as np

    rows = rows_of(inspection.model)
    if rows is None:
        return None
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return np.clip(unit @ unit.T, -1, 1)  # type: ignore[no-any-return]


def _closest(inspection: Inspection, found: Objectives) -> _Fields:
    import numpy as np

    from lens.stats.within import correlations, extremes, interval_of

    deltas = found.scores[:, 0] - found.scores[:, 1]
    if deltas.shape[1] < 2 or not deltas.any(axis=0).all():
        return {}
    clusters = [pair.cluster for pair in found.pairs]
    table = correlations(deltas)
    upper = np.triu(np.ones_like(table, dtype=bool), 1)
    i, j = (int(at) for at in np.unravel_index(int(np.argmax(np.where(upper, table, -np.inf))), table.shape))
    _, most = extremes(deltas, clusters, seed=inspection.seed, draws=DRAWS)
    fields: _Fields = {
        "closest": Label(f"{found.names[i]} and {found.names[j]}"),
        "closest.null": Quantity(most, "within prompts", "correlation", note="95th percentile of the largest of all"),
    }
    interval = interval_of(
        deltas[:, i].tolist(), deltas[:, j].tolist(), clusters, seed=inspection.seed, draws=inspection.draws
    )
    if interval is not None:
        note = "the most alike of all pairs, chosen on the same rows"
        fields["closest.whitened"] = Quantity(
            float(table[i, j]), "within prompts", "correlation", interval=interval, n=len(deltas),
            control="closest.null", note=note,
        )  # fmt: skip
    raw = _raw(inspection)
    if raw is not None:
        fields["closest.raw"] = Quantity(float(raw[i, j]), "of this basis", "correlation")
    return fields


def _identities(inspection: Inspection, found: Objectives) -> _Fields:
    import numpy as np

    model: Any = inspection.model
    fields: _Fields = {"native": largest(found.weighed.sum(axis=2) - found.rewards, n=found.rewards.size)}
    if hasattr(model, "gates"):
        scale = float(model.network.heads.scale)
        fields["gates-sum"] = largest(np.abs(found.weights.sum(axis=2) - scale), unit="weight", n=found.rewards.size)
    return fields


def _cosines(inspection: Inspection, found: Objectives) -> Columns:
    import numpy as np

    from lens.stats.within import correlations

    table, raw = correlations(found.scores[:, 0] - found.scores[:, 1]), _raw(inspection)
    count = len(found.names)
    return {
        "objective": [found.names[i] for i in range(count) for _ in range(count)],
        "other": [found.names[j] for _ in range(count) for j in range(count)],
        "whitened": [float(value) if np.isfinite(value) else None for value in table.ravel()],
        "raw": [None] * count**2 if raw is None else [float(value) for value in raw.ravel()],
    }


def _weights(inspection: Inspection, found: Objectives) -> Columns:
    weights = columns_of(inspection, found.weights.mean(axis=1), found.pairs, name="weight")
    parts = columns_of(inspection, found.weighed[:, 0] - found.weighed[:, 1], found.pairs, name="part")
    return {
        "objective": list(found.names),
        **weights,
        "part": parts["part"],
        "part-low": parts["low"],
        "part-high": parts["high"],
    }
