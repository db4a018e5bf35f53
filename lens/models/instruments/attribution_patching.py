"""Attribution patching: every site screened by slopes, and held against exact patching on a sample."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lens.instrument import instrument
from lens.models.inspection import Inspection
from lens.models.price import Price, Probe
from lens.models.summaries import columns_of, few, mean_field, ratio_field, unreadable
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result

if TYPE_CHECKING:
    import numpy as np

    from lens.models.pairs import Pair

LARGE = 0.05  # share of the mean margin from which a head's exact effect counts
MISSED = 0.2  # share of the exact effect under which an estimate has missed it
_RHO = "Spearman's rho"
_GRIDS = ("component", "head")


def _price(inspection: Inspection, probe: Probe) -> Price:
    pairs = len(inspection.pairs.unique)
    some = min(pairs, max(1, inspection.sample // 2))
    rows = some * 0.6 * (2 + probe.heads) * probe.layers / 2
    seconds = pairs * (2 * probe.forward + probe.backward) + rows * probe.batched
    return Price(seconds, 4 * pairs + 2 * some)


@instrument(
    "attribution-patching",
    subjects="models",
    title="Attribution patching",
    quantity="noising effects of every component, head and position to first order, and how far they hold",
    unit="ru",
    needs="grader.backward",
    cost="2 forwards and 1 backward a pair; exact grids on half the sampled pairs",
    version=1,
    order=85,
    declines="under 8 prompts, and where there is no stream to read",
    source="∇·Δ (Nanda 2023; Syed et al. 2023)",
    price=_price,
)
def attribution_patching(inspection: Inspection) -> Result:
    """−∇r·Δ at every site of the chosen text, Δ towards the rejected text, aligned as in patching.

    `component.rho`, `head.rho` the mean over pairs of Spearman between estimate and exact effect, beside
    `mismatched.….rho`: the exact effects of the next pair; `….error` Σ |estimate − exact| / Σ |exact|; `missed` k of n
    heads whose exact mean effect is at least 5 % of the margin and whose estimate is under a fifth of it. Tables
    `components`, `heads` (estimates on all pairs, exact means on the sample), `positions`.
    """
    if (declined := unreadable(inspection)) is not None:
        return Result(declined)
    pairs = inspection.used_pairs().unique
    some = inspection.spread(max(1, inspection.sample // 2))
    if (declined := few(some)) is not None:
        return Result(declined)
    import numpy as np

    found = inspection.over(screen, pairs, forwards=4)
    exact = inspection.over(exactly, some)
    at = {pair.number: row for row, pair in enumerate(pairs)}
    rows = [at[pair.number] for pair in some]
    fields: dict[str, Quantity | Label | Declined] = {}
    tables: dict[str, Columns] = {}
    for grid in _GRIDS:
        every = np.array([np.ravel(one[grid]) for one in found], float)
        true = np.array([np.ravel(one[grid]) for one in exact], float)
        fields |= _agreement(inspection, grid, every[rows], true, some)
        tables[f"{grid}s"] = _table(inspection, grid, every, true, pairs, np.shape(found[0][grid]))
    margin = float(np.mean([one["margin"] for one in exact]))
    table = tables["heads"]
    fields |= _missed(table["site"], np.array(table["sample-estimate"]), np.array(table["exact"]), margin)
    tables["positions"] = _positions(found)
    scope = f"estimates on {len(pairs)} pairs, exact noising on {len(some)} of them; first order, at the chosen text"
    return Result(Measured(fields, "head.rho", scope), _ordered(tables))


def screen(model: Any, pair: Pair) -> dict[str, Any]:
    """The job of one pair's estimates; positions up to 32 back from the readout."""
    from lens.models.anatomy import ids_of
    from lens.models.grids import POSITIONS
    from lens.models.patch.gradient import estimates

    found = estimates(model.trunk, *ids_of(model, pair))
    positions = [row[:POSITIONS] for row in found.positions]
    return {"component": found.components, "head": found.heads, "position": positions, "margin": found.margin}


def exactly(model: Any, pair: Pair) -> dict[str, Any]:
    """The job of one pair's exact noising effects of components and heads."""
    from lens.models.anatomy import ids_of
    from lens.models.patch.effects import effects
    from lens.models.patch.sites import components, heads

    trunk = model.trunk
    both = trunk.pair(*ids_of(model, pair))
    parts = effects(trunk, both, "noising", components(trunk.layers))[0]
    each = effects(trunk, both, "noising", heads(trunk.layers, trunk.heads))[0]
    return {"component": parts.tolist(), "head": each.tolist(), "margin": both.margin}


def _agreement(
    inspection: Inspection, grid: str, estimate: np.ndarray, exact: np.ndarray, pairs: tuple[Pair, ...]
) -> dict[str, Quantity | Label | Declined]:
    import numpy as np

    from lens.stats.correlation import spearman_each

    def field(against: np.ndarray, control: str = "") -> Quantity | Declined:
        rho = spearman_each(estimate, against)
        kept = np.isfinite(rho)
        some = [pair for pair, good in zip(pairs, kept, strict=True) if good]
        return mean_field(inspection, rho[kept].tolist(), some, unit=_RHO, kind="correlation", control=control)

    gaps = np.abs(estimate - exact).sum(axis=1).tolist()
    return {
        f"{grid}.rho": field(exact, f"mismatched.{grid}.rho"),
        f"mismatched.{grid}.rho": field(np.roll(exact, -1, axis=0)),
        f"{grid}.error": ratio_field(
            inspection,
            gaps,
            np.abs(exact).sum(axis=1).tolist(),
            pairs,
            unit="of the exact sizes",
        ),
    }


def _missed(
    sites: list[str], estimate: np.ndarray, exact: np.ndarray, margin: float
) -> dict[str, Quantity | Label | Declined]:
    """Heads with a large exact effect that slopes don't show, on the sample both were read on."""
    import numpy as np

    large = np.abs(exact) >= LARGE * abs(margin)
    gone = large & (np.abs(estimate) < MISSED * np.abs(exact))
    worst = int(np.argmax(np.where(gone, np.abs(exact), -1.0)))
    return {
        "missed": Quantity(int(gone.sum()), unit="heads", kind="count", of=int(large.sum()), n=len(sites)),
        "most-missed": Label(sites[worst] if gone.any() else "none"),
    }


def _table(
    inspection: Inspection,
    grid: str,
    every: np.ndarray,
    exact: np.ndarray,
    pairs: tuple[Pair, ...],
    shape: tuple[int, ...],
) -> Columns:
    from lens.models.patch.sites import components, heads

    sites = components((shape[0] - 1) // 2) if grid == "component" else heads(*shape)
    some = inspection.spread(max(1, inspection.sample // 2))
    at = {pair.number: row for row, pair in enumerate(pairs)}
    sampled = every[[at[pair.number] for pair in some]]
    return {
        "site": [site.name for site in sites],
        "kind": [site.kind for site in sites],
        "layer": [site.layer for site in sites],
        "head": [site.number for site in sites],
        **columns_of(inspection, every, pairs, "estimate"),
        "sample-estimate": sampled.mean(axis=0).tolist(),
        "exact": exact.mean(axis=0).tolist(),
    }


def _positions(found: list[dict[str, Any]]) -> Columns:
    """The mean estimate by depth and position back from the readout, over the pairs that have it."""
    import numpy as np

    table: Columns = {"layer": [], "back": [], "estimate": [], "pairs": []}
    for layer in range(len(found[0]["position"])):
        for back in range(max(len(one["position"][layer]) for one in found)):
            has = [one["position"][layer][back] for one in found if back < len(one["position"][layer])]
            for column, value in zip(table.values(), (layer, back, float(np.mean(has)), len(has)), strict=True):
                column.append(value)
    return table


def _ordered(tables: dict[str, Columns]) -> dict[str, Columns]:
    return {name: tables[name] for name in ("components", "heads", "positions")}
