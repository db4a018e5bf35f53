"""Attribution: what every component and head writes of the margin straight into the head."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lens.instrument import instrument
from lens.models.inspection import Inspection
from lens.models.price import ANATOMY, COPIES, together
from lens.models.summaries import (
    RU,
    band_field,
    columns_of,
    few,
    mean_field,
    ratio_field,
    unreadable,
)  # fmt: skip
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result

if TYPE_CHECKING:
    import numpy as np

    from lens.models.anatomy import Anatomy

_GROUPS = {"embedding": "embed", "attention": "attn.", "mlp": "mlp."}


@instrument(
    "attribution",
    subjects="models",
    title="Attribution",
    quantity="the part of the margin that each component and head adds to the stream at the readout token",
    unit="ru",
    needs="grader.forward",
    cost="the reward lens's",
    version=1,
    order=70,
    declines="where the parts don't add up to the reward: class B, or a residual above 1e-4 (half precision 3e-2)",
    source="direct linear attribution, c = w·o/σ(h) with each side's own σ (Elhage et al. 2021)",
    price=together(ANATOMY, COPIES),
)
def attribution(inspection: Inspection) -> Result:
    """c = w·o/σ(h_L) for all that is added to the stream: embed + Σ attention + Σ MLP + b = r. A margin's part is
    c(chosen) − c(rejected).

    `residual` the largest |r − Σ c|, ru; `embedding`, `attention`, `mlp` the mean parts of the margin by kind; `top`
    and `top-head` the largest, `top.part` and `top-head.part` their means read on other prompts than they were chosen
    on; `top.share` of the sum of all sizes, beside `untrained.top.share`. Tables `components` and `heads`.
    """
    if (declined := unreadable(inspection)) is not None:
        return Result(declined)
    from lens.models.anatomy import anatomy, names, tolerance, untrained_anatomy

    body = anatomy(inspection)
    limit = tolerance(inspection.model.dtype)
    if body.completeness > limit:
        return Result(_incomplete(body, limit, inspection.model.dtype))
    if (declined := few(body.pairs)) is not None:
        return Result(declined)
    import numpy as np

    parts, labels = body.side_difference(body.parts)[:, :-1], names(body.layers)[:-1]
    heads = body.side_difference(body.heads).reshape(len(body.pairs), -1)
    fields: dict[str, Quantity | Label | Declined] = {
        "residual": Quantity(
            float(np.abs(body.residuals).max()), unit=RU, kind="difference", n=2 * len(body.pairs),
            note=f"{inspection.model.dtype}, parts summed in fp32; refused above {limit:g}·max(1, |r|)",
        ),
    }  # fmt: skip
    for name, start in _GROUPS.items():
        which = [label.startswith(start) for label in labels]
        fields[name] = mean_field(inspection, parts[:, which].sum(axis=1).tolist(), body.pairs)
    fields |= _top(inspection, body, "top", parts, labels)
    fields |= _top(inspection, body, "top-head", heads, _head_names(body))
    shares = [_top_share(copy.side_difference(copy.parts)[:, :-1]) for copy in untrained_anatomy(inspection)]
    fields["untrained.top.share"] = band_field(shares, unit="share of all sizes", kind="ratio")
    error = _error(body, inspection.model.dtype)
    tables = {
        "components": _table(inspection, body, parts, labels, error),
        "heads": _table(inspection, body, heads, _head_names(body), error),
    }
    scope = f"{len(body.pairs)} pairs; what is written straight into the head, not what later blocks make of it"
    return Result(Measured(fields, "top.part", scope), tables)


def _incomplete(body: Anatomy, limit: float, dtype: str) -> Declined:
    return Declined(
        "assumption_violated",
        f"the parts miss the reward by {body.completeness:.2g} of max(1, |r|) in {dtype}, above {limit:g}",
        "measure in fp32: --dtype float32",
        bound=Quantity(body.completeness, unit="of max(1, |r|)", kind="difference", n=2 * len(body.pairs)),
    )


def _top(
    inspection: Inspection, body: Anatomy, name: str, parts: np.ndarray, labels: list[str]
) -> dict[str, Quantity | Label | Declined]:
    """The column with the largest mean size, and its part on prompts it was not chosen on."""
    import numpy as np

    from lens.stats.chosen import chosen

    picked = chosen(parts, body.clusters, size=True)
    note = f"chosen on the other folds; {picked.agreed} of {picked.folds} folds choose {labels[picked.column]}"
    found: dict[str, Quantity | Label | Declined] = {
        name: Label(labels[picked.column]),
        f"{name}.part": mean_field(inspection, picked.values, body.pairs, control=f"{name}.share", note=note),
    }
    sizes = np.abs(parts).sum(axis=1)
    sign = np.sign(parts[:, picked.column].mean())
    found[f"{name}.share"] = ratio_field(
        inspection, (sign * np.asarray(picked.values)).tolist(), sizes.tolist(), body.pairs,
        unit="share of all sizes", control="untrained.top.share" if name == "top" else "", note=note,
    )  # fmt: skip
    return found


def _top_share(parts: np.ndarray) -> float:
    import numpy as np

    return float(np.abs(parts.mean(axis=0)).max() / np.abs(parts).sum(axis=1).mean())


def _head_names(body: Anatomy) -> list[str]:
    return [f"head.{layer}.{head}" for layer in range(body.layers) for head in range(body.heads.shape[3])]


def _error(body: Anatomy, dtype: str) -> float:
    """What a margin's part is sure to, ru: in half precision both sides' residuals, else nothing to speak of."""
    import numpy as np

    return 0.0 if dtype == "float32" else float(np.abs(body.residuals).max(axis=0).sum())


def _table(inspection: Inspection, body: Anatomy, parts: np.ndarray, labels: list[str], error: float) -> Columns:
    """One row a component or head; ranks by size, nothing smaller than the residual ranked."""
    import numpy as np

    found = columns_of(inspection, parts, body.pairs, "part")
    sizes = np.abs(np.asarray(found["part"]))
    order = np.argsort(-sizes, kind="stable")
    rank: list[int | None] = [None] * len(labels)
    for place, column in enumerate(order.tolist()):
        rank[column] = place + 1 if sizes[column] > error else None
    split = [label.split(".") for label in labels]
    return {
        "site": labels,
        "kind": [one[0] for one in split],
        "layer": [int(one[1]) if len(one) > 1 else -1 for one in split],
        "head": [int(one[2]) if len(one) > 2 else -1 for one in split],
        **found,
        "size": np.abs(parts).mean(axis=0).tolist(),
        "error": [error] * len(labels),
        "rank": rank,
    }
