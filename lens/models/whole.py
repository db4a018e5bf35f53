"""What can be read of a network without exact forms (class B), by whole forwards of the library: its own head at every
depth, and components and heads patched at the reply's positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from lens.models.controls import seen
from lens.models.grids import SHARE, GridEffects
from lens.models.inspection import Inspection
from lens.models.pairs import Pair

if TYPE_CHECKING:
    import numpy as np

    from lens.models.patch.sites import Site

MODES = ("noising", "denoising")
Grid = Literal["component", "head"]
GRIDS: tuple[Grid, ...] = ("component", "head")


def own_curves(inspection: Inspection, control: int | None = None) -> np.ndarray:
    """The own lens of every unique pair, or of the sampled ones through an untrained copy, ru: [P, 2, L + 1]."""
    import numpy as np

    key = f"own curves {control}"
    pairs = inspection.used_pairs().unique if control is None else inspection.spread()
    return inspection.remember(key, lambda: np.array(inspection.over(curves, pairs, forwards=8, control=control)))


def whole_grid(inspection: Inspection, grid: Grid, control: int | None = None) -> GridEffects:
    """A grid over its share of the sampled pairs, of the model or of its untrained copy, once an inspection."""
    return inspection.remember(f"whole {grid} grid {control}", lambda: _grid(inspection, grid, control))


def top_share(found: GridEffects) -> float:
    """Noising's largest site as a share of the margin, every pair counted in its own direction."""
    import numpy as np

    signs = np.sign(found.margins)[:, None]
    return float((found.effects["noising"] * signs).sum(axis=0).max() / np.abs(found.margins).sum())


def curves(model: Any, pair: Pair, *, control: int | None = None) -> list[list[float]]:
    """The job of one pair: the own lens of both sides."""
    from lens.models.own_lens import own_lens

    model = seen(model, control)
    return [own_lens(model, model.encode(pair.prompt, reply)) for reply in (pair.chosen, pair.rejected)]


def effects(model: Any, pair: Pair, *, grid: Grid, control: int | None = None) -> dict[str, Any]:
    """The job of one pair: a grid's effects in both modes, ru. Positive: margin lost, or in denoising won."""
    from lens.models.patch.whole import patched

    model = seen(model, control)
    chosen, rejected = (model.encode(pair.prompt, reply) for reply in (pair.chosen, pair.rejected))
    high, low = model.rewards([chosen])[0], model.rewards([rejected])[0]
    count = min(len(chosen) - chosen.response, len(rejected) - rejected.response)
    sites = sites_of(model, grid)
    return {
        "margin": high - low,
        "aligned": count,
        "noising": [high - value for value in patched(model, chosen, rejected, sites, count)],
        "denoising": [value - low for value in patched(model, rejected, chosen, sites, count)],
    }


def _grid(inspection: Inspection, grid: Grid, control: int | None) -> GridEffects:
    import numpy as np

    pairs = inspection.spread(max(1, inspection.sample // SHARE[grid]))
    sites = sites_of(inspection.model, grid)
    found = inspection.over(effects, pairs, forwards=2 * len(sites), grid=grid, control=control)
    margins = np.array([one["margin"] for one in found], float)
    made = {mode: np.array([one[mode] for one in found], float) for mode in MODES}
    return GridEffects(grid, pairs, margins, [one["aligned"] for one in found], sites, made)


def sites_of(model: Any, grid: Grid) -> list[Site]:
    """Those of a grid in a network of the library's."""
    from lens.models.patch import sites
    from lens.models.patch.places import Places

    places = Places(model.network)
    layers = len(places.layers)
    return sites.components(layers) if grid == "component" else sites.heads(layers, places.heads)
