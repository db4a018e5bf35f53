"""Patch grids over pairs: the jobs that make them, and what they add up to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens.models.anatomy import ids_of
from lens.models.inspection import Inspection
from lens.models.pairs import Pair

if TYPE_CHECKING:
    import numpy as np

    from lens.models.patch.effects import Given, Means
    from lens.models.patch.schedule import Mode
    from lens.models.patch.sites import Grid, Site
    from lens.models.trunk import Trunk

POSITIONS = 32  # back from the readout, at most
REFERENCES = 16  # texts whose mean, and one of which, ablations put in
SHARE = {"component": 1, "head": 2, "position": 4}  # of the sampled pairs, one in so many is read by a grid

_means: dict[tuple[Any, ...], Means] = {}


@dataclass(frozen=True)
class GridEffects:
    """One grid of P pairs in every mode: `effects[mode]` is [P, sites], NaN where a pair has no such site."""

    grid: Grid
    pairs: tuple[Pair, ...]
    margins: np.ndarray  # [P]
    aligned: list[int]
    sites: list[Site]
    effects: dict[str, np.ndarray]


def grid_effects(inspection: Inspection, grid: Grid) -> GridEffects:
    """A grid over its share of the sampled pairs, once an inspection."""
    return inspection.remember(f"{grid} grid", lambda: _read(inspection, grid))


def references(inspection: Inspection) -> list[tuple[Any, str]]:
    """Replies spread over the pairs, both sides in turn."""
    pairs = inspection.spread(REFERENCES)
    return [(pair.prompt, pair.rejected if at % 2 else pair.chosen) for at, pair in enumerate(pairs)]


def sites_of(trunk: Trunk, grid: Grid, aligned: int) -> list[Site]:
    from lens.models.patch import sites

    if grid == "component":
        return sites.components(trunk.layers)
    if grid == "head":
        return sites.heads(trunk.layers, trunk.heads)
    return sites.stream(trunk.layers, aligned)


def _read(inspection: Inspection, grid: Grid) -> GridEffects:
    import numpy as np

    pairs = inspection.spread(max(1, inspection.sample // SHARE[grid]))
    trunk = inspection.model.trunk
    assert trunk is not None
    found = inspection.over(measure, pairs, grid=grid, reference=references(inspection))
    aligned = [int(one["aligned"]) for one in found]
    sites = sites_of(trunk, grid, min(POSITIONS, max(aligned)))
    place = {site: at for at, site in enumerate(sites)}
    effects = {}
    for mode in found[0]["effects"]:
        table = np.full((len(pairs), len(sites)), np.nan)
        for row, one in enumerate(found):
            own = sites_of(trunk, grid, min(POSITIONS, aligned[row]))
            table[row, [place[site] for site in own]] = one["effects"][mode]
        effects[mode] = table
    margins = np.array([one["margin"] for one in found], float)
    return GridEffects(grid, pairs, margins, aligned, sites, effects)


def measure(model: Any, pair: Pair, *, grid: Grid, reference: Sequence[tuple[Any, str]]) -> dict[str, Any]:
    """The job of one pair: a grid's effects in every mode, ru."""
    from lens.models.patch.effects import aligned, effects
    from lens.models.patch.schedule import MODES

    trunk = model.trunk
    both = trunk.pair(*ids_of(model, pair))
    count = aligned(both)
    sites = sites_of(trunk, grid, min(POSITIONS, count))
    given = given_for(model, pair, reference)
    found = {mode: effects(trunk, both, mode, sites, given)[0].tolist() for mode in MODES}
    return {"margin": both.margin, "aligned": count, "effects": found}


def given_for(model: Any, pair: Pair, reference: Sequence[tuple[Any, str]]) -> Given:
    """The references' means, kept for the process, and the one reference of another prompt that the pair's digest
    picks."""
    from lens.models.patch.effects import Given, Means

    key = model.fingerprint, model.device, model.dtype, repr(reference)
    if key not in _means:
        texts = [model.encode(prompt, reply) for prompt, reply in _plain(reference)]
        _means.clear()
        _means[key] = Means.over(model.trunk, [(model.scored(text), text.response) for text in texts])
    others = [(prompt, reply) for prompt, reply in _plain(reference) if prompt != pair.prompt] or _plain(reference)
    prompt, reply = others[int(pair.digest[:8], 16) % len(others)]
    return Given(_means[key], model.trunk.trace(model.scored(model.encode(prompt, reply))))


def _plain(reference: Sequence[tuple[Any, str]]) -> list[tuple[Any, str]]:
    """Prompts as the model takes them, whatever became of tuples on the way here."""
    return [(prompt if isinstance(prompt, str) else tuple(prompt), reply) for prompt, reply in reference]


def check(model: Any, pair: Pair) -> dict[str, float]:
    """The job of one pair's identities: each is a deviation that exact patching makes 0, ru."""
    from lens.models.patch.effects import aligned, effects, last_mlp
    from lens.models.patch.schedule import Base, Source, patched
    from lens.models.patch.sites import Site, components, heads, stream

    trunk = model.trunk
    both = trunk.pair(*ids_of(model, pair))
    chosen, layers = both.chosen, trunk.layers
    every = [*components(layers), *heads(layers, trunk.heads), *stream(layers, min(4, aligned(both)))]
    own = patched(trunk, Base(chosen, both.shared), Source.of(chosen), every)
    joint = [float(effects(trunk, both, mode, components(layers), joint=True)) for mode in _SWAPS]
    last = [float(effects(trunk, both, mode, [Site("stream", layers, 0)])) for mode in _SWAPS]
    mlp = float(effects(trunk, both, "noising", [Site("mlp", layers - 1)]))
    return {
        "self": max(abs(value - chosen.reward) for value in own),
        "joint": max(abs(value - both.margin) for value in joint),
        "last-residual": max(abs(value - both.margin) for value in last),
        "last-mlp": abs(mlp - last_mlp(trunk, both)),
    }


_SWAPS: tuple[Mode, Mode] = ("noising", "denoising")
