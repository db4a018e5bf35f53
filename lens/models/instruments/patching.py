"""Activation patching: what the margin would have been, had one place held another value."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from lens.instrument import instrument
from lens.models.depth import crystallized
from lens.models.inspection import Inspection
from lens.models.price import CONTRAST, Price, Probe
from lens.models.summaries import (
    band_field,
    columns_of,
    few,
    largest,
    listed,
    mean_field,
    ratio_field,
    statistic_field,
    unreadable,
)
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result

if TYPE_CHECKING:
    import numpy as np

    from lens.models.contrast import Contrast
    from lens.models.grids import GridEffects
    from lens.models.patch.sites import Grid

CHECKED = 8  # pairs whose identities are read
_GRIDS: tuple[Grid, ...] = ("component", "head", "position")
_MARGIN = "share of the margin"
_TAIL = 0.6  # of a text's tokens that a patched copy passes through, about


def _price(inspection: Inspection, probe: Probe) -> Price:
    from lens.models.grids import POSITIONS, SHARE

    pairs = min(len(inspection.pairs.unique), inspection.sample)
    if inspection.model.trunk is None:
        return _price_whole(inspection, probe, pairs)
    rows = {"component": 2, "head": probe.heads, "position": min(POSITIONS, probe.tokens)}
    sides = 8  # two modes patch one side, three patch both
    each = sum(sides * _TAIL * rows[grid] * probe.layers / 2 / SHARE[grid] for grid in _GRIDS)
    passes = pairs * sum(3 / SHARE[grid] for grid in _GRIDS)  # the pair's own, and of a text that is put in
    shared = CONTRAST(inspection, probe)
    assert isinstance(shared, Price)
    seconds = shared.seconds + passes * probe.forward + pairs * each * probe.batched
    checked = min(CHECKED, pairs)
    return Price(seconds, shared.calls + 2 * checked + round(sum(2 * pairs / SHARE[grid] for grid in _GRIDS)))


def _price_whole(inspection: Inspection, probe: Probe, pairs: int) -> Price:
    """Both modes by whole forwards, and the components through every copy."""
    from lens.models.grids import SHARE
    from lens.models.whole import GRIDS, sites_of

    components, heads = (2 * len(sites_of(inspection.model, grid)) * max(1, pairs // SHARE[grid]) for grid in GRIDS)
    count = components * (1 + inspection.controls) + heads
    return Price(count * probe.batched, count)


@instrument(
    "patching",
    subjects="models",
    title="Activation patching",
    quantity="the margin lost or won when one component, head or position takes another text's value",
    unit=_MARGIN,
    needs="grader.forward",
    cost="grids of components, heads and positions in five modes a sampled pair, and controls",
    version=1,
    order=80,
    declines="under 8 prompts, and where there is no stream to patch exactly",
    source="Vig et al. 2020, Meng et al. 2022; noising and denoising as in Heimersheim and Nanda 2024",
    price=_price,
)
def patching(inspection: Inspection) -> Result:
    """Five modes (noising, denoising, zero, mean, resample) on three grids, aligned from the readout token back over
    what both texts have after the tokens they share; nothing is cut. Shares are Σ effect / Σ margin.

    `{mode}.{grid}.top` the component or head with the largest mean effect, `….effect` (ru) and `….share` read on other
    prompts than it was chosen on; `{mode}.position.middle-share` the effect of the readout token's stream halfway up.
    `readout-depth` the first depth l/L from which noising the stream at the readout token alone takes at least half the
    margin, beside `untrained.readout-depth` and `length-matched.readout-depth`. `identity.self`, `.joint`, `.last-mlp`,
    `.last-residual` the largest deviations, ru. Tables `components`, `heads`, `positions`, `depth`, `axes`.

    A network of class B is patched by whole forwards: noising and denoising of components and heads.
    """
    if inspection.model.family != "B" and (declined := unreadable(inspection)) is not None:
        return Result(declined)
    if (declined := few(inspection.spread())) is not None:
        return Result(declined)
    if inspection.model.family == "B":
        return _by_whole_forwards(inspection)
    from lens.models.contrast import contrast, untrained_contrasts
    from lens.models.grids import POSITIONS, check, grid_effects

    own, copies = contrast(inspection), untrained_contrasts(inspection)
    fields = _depths(inspection, own, copies)
    grids = {grid: grid_effects(inspection, grid) for grid in _GRIDS}
    for grid, found in grids.items():
        for mode in found.effects:
            fields |= _middle(inspection, found, mode) if grid == "position" else _top(inspection, found, mode)
    shares = [_top_share(copy) for copy in copies]
    fields["untrained.noising.component.share"] = band_field(shares, unit=_MARGIN, kind="ratio")
    some = inspection.spread(CHECKED)
    checks = inspection.over(check, some, forwards=2)
    for name in checks[0]:
        fields[f"identity.{name}"] = largest([one[name] for one in checks], n=len(some))
    tables = {
        "components": _table(inspection, grids["component"]),
        "heads": _table(inspection, grids["head"]),
        "positions": _positions(grids["position"]),
        "depth": _depth_table(inspection, own, copies),
        "axes": _axes(grids["component"]),
    }
    counts = ", ".join(f"{len(found.pairs)} pairs by {grid}" for grid, found in grids.items())
    scope = (
        f"{counts}; positions up to {POSITIONS} back from the readout; a patch at a token that both texts begin with "
        "changes nothing and is listed as zero by structure"
    )
    return Result(Measured(fields, "readout-depth", scope), tables)


def _by_whole_forwards(inspection: Inspection) -> Result:
    """Components and heads alone: a prompt's tokens see the reply, so no place is zero by structure, and no token is
    the one the reward is read at."""
    from lens.models.whole import GRIDS, MODES, top_share, whole_grid

    grids = {grid: whole_grid(inspection, grid) for grid in GRIDS}
    fields: dict[str, Quantity | Label | Declined] = {}
    for found in grids.values():
        for mode in MODES:
            fields |= _top(inspection, found, mode)
    copies = [top_share(whole_grid(inspection, "component", control)) for control in range(inspection.controls)]
    fields["untrained.noising.component.share"] = band_field(copies, unit=_MARGIN, kind="ratio")
    counts = ", ".join(f"{len(found.pairs)} pairs by {grid}" for grid, found in grids.items())
    scope = f"{counts}; by whole forwards, at the positions both replies have, counted from the end"
    tables = {"components": _table(inspection, grids["component"]), "heads": _table(inspection, grids["head"])}
    return Result(Measured(fields, "noising.component.share", scope), tables)


def _top(inspection: Inspection, found: GridEffects, mode: str) -> dict[str, Quantity | Label | Declined]:
    from lens.stats.chosen import chosen

    name = f"{mode}.{found.grid}"
    picked = chosen(found.effects[mode], [pair.cluster for pair in found.pairs])
    top = found.sites[picked.column].name
    note = f"chosen on the other folds; {picked.agreed} of {picked.folds} folds choose {top}"
    control = "untrained.noising.component.share" if name == "noising.component" else ""
    return {
        f"{name}.top": Label(top),
        f"{name}.effect": mean_field(inspection, picked.values, found.pairs, note=note),
        f"{name}.share": ratio_field(
            inspection,
            picked.values,
            found.margins.tolist(),
            found.pairs,
            unit=_MARGIN,
            control=control,
            note=note,
        ),
    }


def _middle(inspection: Inspection, found: GridEffects, mode: str) -> dict[str, Quantity | Label | Declined]:
    """The readout token's stream halfway up."""
    layers = max(site.layer for site in found.sites)
    at = next(i for i, site in enumerate(found.sites) if site.layer == layers // 2 and site.number == 0)
    values = found.effects[mode][:, at].tolist()
    field = ratio_field(
        inspection,
        values,
        found.margins.tolist(),
        found.pairs,
        unit=_MARGIN,
        note=f"before block {layers // 2} of {layers}",
    )
    return {f"{mode}.position.middle-share": field}


def _top_share(copy: Contrast) -> float:
    """The largest component's effect as a share of the margin, every pair counted in its own direction."""
    import numpy as np

    signs = np.sign(copy.margins[0])[:, None]
    return float((copy.effects[0] * signs).sum(axis=0).max() / np.abs(copy.margins[0]).sum())


def _depths(inspection: Inspection, own: Contrast, copies: list[Contrast]) -> dict[str, Quantity | Label | Declined]:
    import numpy as np

    unit = "share of the depth"
    matched = own.matched()

    def field(which: np.ndarray, control: str) -> Quantity | Declined:
        pairs = [pair for pair, kept in zip(own.pairs, which, strict=True) if kept]
        if (declined := few(pairs, least=20)) is not None:
            return declined
        rows = own.depths[which]
        return statistic_field(
            inspection, list(rows), pairs, _readout_depth, value=_readout_depth(rows),
            unit=unit, kind="proportion", control=control,
        )  # fmt: skip

    untrained = [_readout_depth(copy.depths * np.sign(copy.margins[0])[:, None]) for copy in copies]
    return {
        "readout-depth": field(np.ones(len(own.pairs), bool), "untrained.readout-depth"),
        "untrained.readout-depth": band_field(untrained, unit=unit, kind="proportion"),
        "length-matched.readout-depth": field(matched, "untrained.readout-depth"),
    }


def _readout_depth(rows: np.ndarray) -> float:
    """Of [P, L + 1] effects of noising the readout token's stream; NaN unless they add to a margin above 0."""
    curve = rows.sum(axis=0).tolist()
    at = crystallized(curve)
    return math.nan if at is None else at / (len(curve) - 1)


def _table(inspection: Inspection, found: GridEffects) -> Columns:
    """One row a mode and site."""
    table: Columns = {}
    margin = float(found.margins.mean())
    for mode, effects in found.effects.items():
        ends = columns_of(inspection, effects, found.pairs, "effect")
        rows: Columns = {
            "mode": [mode] * len(found.sites),
            "site": [site.name for site in found.sites],
            "kind": [site.kind for site in found.sites],
            "layer": [site.layer for site in found.sites],
            "head": [site.number for site in found.sites],
            **ends,
            "share": [value / margin if margin else None for value in ends["effect"]],
            "structural-zero": [False] * len(found.sites),
            "pairs": [len(found.pairs)] * len(found.sites),
        }
        for name, column in rows.items():
            table.setdefault(name, []).extend(column)
    return table


def _positions(found: GridEffects) -> Columns:
    """One row a mode, depth and position back from the readout (−1: any token both texts begin with); means over the
    pairs that have the position. `share` of those pairs' margins."""
    import numpy as np

    table: Columns = {name: [] for name in ("mode", "layer", "back", "effect", "share", "structural-zero", "pairs")}
    layers = max(site.layer for site in found.sites)
    backs = sorted({site.number for site in found.sites})

    def add(*row: object) -> None:
        for column, value in zip(table.values(), row, strict=True):
            column.append(value)

    for mode, effects in found.effects.items():
        for at, site in enumerate(found.sites):
            has = np.isfinite(effects[:, at])
            effect, margin = float(effects[has, at].mean()), float(found.margins[has].mean())
            add(mode, site.layer, site.number, effect, effect / margin if margin else None, False, int(has.sum()))
        for back in backs[1:]:
            add(mode, layers, back, 0.0, 0.0, True, len(found.pairs))
        if mode in ("noising", "denoising"):
            for layer in range(layers + 1):
                add(mode, layer, -1, 0.0, 0.0, True, len(found.pairs))
    return table


def _depth_table(inspection: Inspection, own: Contrast, copies: list[Contrast]) -> Columns:
    """Noising the readout token's stream by depth, as a share of the margin, beside its controls."""
    import numpy as np

    def share(one: Contrast, which: np.ndarray | slice = slice(None)) -> np.ndarray:
        signs = np.sign(one.margins[0][which])
        total = np.abs(one.margins[0][which]).sum() or np.nan  # of no margin at all there are no shares
        return cast("np.ndarray", (one.depths[which] * signs[:, None]).sum(axis=0) / total)

    layers = own.depths.shape[1] - 1
    matched = own.matched()
    untrained = np.array([share(copy) for copy in copies]) if copies else np.zeros((0, layers + 1))
    nothing: list[float | None] = [None] * (layers + 1)
    return {
        "layer": list(range(layers + 1)),
        "depth": [layer / layers for layer in range(layers + 1)],
        **columns_of(inspection, own.depths, own.pairs, "effect"),
        "share": listed(share(own)),
        "untrained-share": untrained.mean(axis=0).tolist() if copies else nothing,
        "untrained-share-low": untrained.min(axis=0).tolist() if copies else nothing,
        "untrained-share-high": untrained.max(axis=0).tolist() if copies else nothing,
        "length-matched-share": listed(share(own, matched)) if matched.any() else nothing,
        "length-matched-pairs": [int(matched.sum())] * (layers + 1),
    }


def _axes(found: GridEffects) -> Columns:
    """Noising and denoising of components by axis."""
    table: Columns = {name: [] for name in ("axis", "pairs", "mode", "site", "layer", "effect", "margin")}
    for axis in dict.fromkeys(pair.axis for pair in found.pairs if pair.axis):
        which = [pair.axis == axis for pair in found.pairs]
        margin = float(found.margins[which].mean())
        for mode in ("noising", "denoising"):
            means = found.effects[mode][which].mean(axis=0)
            for site, effect in zip(found.sites, means.tolist(), strict=True):
                row = (axis, sum(which), mode, site.name, site.layer, effect, margin)
                for column, value in zip(table.values(), row, strict=True):
                    column.append(value)
    return table
