"""Reward lens: the head applied to the stream at every depth, and the part of the reward written by then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lens.instrument import instrument
from lens.models.inspection import Inspection
from lens.models.price import ANATOMY, COPIES, together
from lens.models.summaries import band_field, columns_of, few, largest, listed, mean_field, ratio_field, unreadable
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result

if TYPE_CHECKING:
    import numpy as np

    from lens.models.anatomy import Anatomy

NATIVE = 8  # pairs whose last entry is held against the library's own output


@instrument(
    "reward-lens",
    subjects="models",
    title="Reward lens",
    quantity="where in the network the preference stands at every depth",
    unit="ru",
    needs="grader.forward",
    cost="2 forwards a pair, and 2 a sampled pair and untrained copy",
    version=2,
    order=60,
    declines="for composites, under 8 prompts; the second mode where the stream doesn't add up to the reward (class B)",
    source="own: w·h_l/σ(h_l)+b; frozen: w·h_l/σ(h_L)+b, after nostalgebraist's logit lens (2020)",
    price=together(ANATOMY, COPIES),
)
def reward_lens(inspection: Inspection) -> Result:
    """The margin through the head at the embedding (0) and after every block (to L), in two named modes.

    `margin` the mean at the end; `own.middle-share`, `frozen.middle-share` the share of it that stands at half the
    depth; `identity.last` the largest deviation of the last entry from the library's reward, `identity.increments` of
    frozen steps from the layers' attribution. Table `curve` has every depth, `axes` the same by axis.

    A network of class B is read in the first mode alone, by whole forwards with its own head.
    """
    if inspection.model.family == "B":
        from lens.models.whole_lens import own_alone

        return own_alone(inspection)
    if (declined := unreadable(inspection)) is not None:
        return Result(declined)
    from lens.models.anatomy import anatomy, untrained_anatomy

    body = anatomy(inspection)
    if (declined := few(body.pairs)) is not None:
        return Result(declined)
    copies = untrained_anatomy(inspection)
    middle = body.layers // 2
    fields: dict[str, Quantity | Label | Declined] = {}
    fields["margin"] = mean_field(inspection, body.margins.tolist(), body.pairs)
    for mode in ("own", "frozen"):
        curves = body.side_difference(getattr(body, mode))
        name = f"{mode}.middle-share"
        fields[name] = ratio_field(
            inspection, curves[:, middle].tolist(), body.margins.tolist(), body.pairs,
            unit="share of the margin", control=f"untrained.{name}", note=f"after block {middle} of {body.layers}",
        )  # fmt: skip
        shares = [float(share_curve(copy, mode)[middle]) for copy in copies]
        fields[f"untrained.{name}"] = band_field(shares, unit="share of the margin", kind="ratio")
    steps = body.frozen[:, :, 1:] - body.frozen[:, :, :-1]
    written = body.parts[:, :, 1:-1].reshape(*steps.shape, 2).sum(axis=3)
    fields["identity.last"] = largest(_against_library(inspection, body), n=min(NATIVE, len(body.pairs)))
    fields["identity.increments"] = largest(steps - written, n=len(body.pairs))
    fields["own.mode"] = Label("the head with each depth's own norm: w·h/σ(h) + b")
    fields["frozen.mode"] = Label("the head with the last depth's norm: w·h/σ(last h) + b, so steps are attribution")
    scope = f"{len(body.pairs)} pairs; read at the token the reward is read at; depth 0 is the embedding"
    tables = {"curve": _curve(inspection, body, copies), "axes": _axes(inspection, body)}
    return Result(Measured(fields, "own.middle-share", scope), tables)


def share_curve(body: Anatomy, mode: str) -> np.ndarray:
    """The mean lens margin at every depth as a share of that at the end, every pair counted in its final direction;
    NaN where no pair has a margin."""
    import numpy as np

    signs = np.sign(body.margins)
    curve = (body.side_difference(getattr(body, mode)) * signs[:, None]).sum(axis=0)
    return curve / (np.abs(body.margins).sum() or np.nan)  # type: ignore[no-any-return]


def _against_library(inspection: Inspection, body: Anatomy) -> list[float]:
    model, gaps = inspection.model, []
    for pair, own in zip(body.pairs[:NATIVE], body.own, strict=False):
        for side, reply in enumerate((pair.chosen, pair.rejected)):
            gaps.append(own[side, -1] - model.native([model.encode(pair.prompt, reply)], "right")[0])
    return gaps


def _curve(inspection: Inspection, body: Anatomy, copies: list[Anatomy]) -> Columns:
    import numpy as np

    depths = range(body.layers + 1)
    table: Columns = {"layer": list(depths), "depth": [layer / body.layers for layer in depths]}
    for mode in ("own", "frozen"):
        curves = getattr(body, mode)
        found = columns_of(inspection, body.side_difference(curves), body.pairs, mode)
        table |= {mode: found[mode], f"{mode}-low": found["low"], f"{mode}-high": found["high"]}
        for at, side in enumerate(("chosen", "rejected")):
            table[f"{mode}-{side}"] = curves[:, at].mean(axis=0).tolist()
        table[f"{mode}-share"] = listed(share_curve(body, mode))
        shares = np.array([share_curve(copy, mode) for copy in copies]) if copies else np.zeros((1, len(depths)))
        table |= {
            f"untrained-{mode}-share": shares.mean(axis=0).tolist(),
            f"untrained-{mode}-share-low": shares.min(axis=0).tolist(),
            f"untrained-{mode}-share-high": shares.max(axis=0).tolist(),
        }
    return table


def _axes(inspection: Inspection, body: Anatomy) -> Columns:
    """Mean margin of each axis' pairs by depth, in both modes."""
    import numpy as np

    table: Columns = {"axis": [], "pairs": [], "layer": []}
    for axis in dict.fromkeys(pair.axis for pair in body.pairs if pair.axis):
        which = np.array([pair.axis == axis for pair in body.pairs])
        some = body.only(which)
        columns: Columns = {
            "axis": [axis] * (body.layers + 1),
            "pairs": [len(some.pairs)] * (body.layers + 1),
            "layer": list(range(body.layers + 1)),
        }
        for mode in ("own", "frozen"):
            found = columns_of(inspection, some.side_difference(getattr(some, mode)), some.pairs, mode)
            columns |= {mode: found[mode], f"{mode}-low": found["low"], f"{mode}-high": found["high"]}
        for name, column in columns.items():
            table.setdefault(name, []).extend(column)
    return table
