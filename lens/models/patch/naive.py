"""The same grids by hooks on the library's own forward, one whole pass a patch: the control of the schedule,
and how networks without exact forms are patched.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from lens.models.model import Encoded
from lens.models.patch.places import Places
from lens.models.patch.sites import Site
from lens.models.patch.watch import watch


@torch.no_grad()
def patched(model: Any, base: Encoded, source: Encoded, sites: Sequence[Site], aligned: int) -> list[float]:
    """The reward of `base` with each site's last `aligned` positions taken from `source`'s pass, ru.

    One pass of `source` a site and one of `base`: nothing is kept between sites.
    """
    places = Places(model.network)
    return [_one(model, places, base, source, site, aligned) for site in sites]


def _one(model: Any, places: Places, base: Encoded, source: Encoded, site: Site, aligned: int) -> float:
    module, before = places.module(site)
    seen: list[Tensor] = []
    with watch(module, before, lambda value: seen.append(value.clone())):
        model.rewards([source])
    with watch(module, before, lambda value: write(value, seen[0], site, aligned, places)):
        return float(model.rewards([base])[0])


def write(value: Tensor, given: Tensor, site: Site, aligned: int, places: Places) -> None:
    """Put the given values over the last positions of `value` [1, T, …], in place."""
    if site.kind == "stream":
        value[0, -1 - site.number] = given[0, -1 - site.number]
    elif site.kind == "head":
        width = value.shape[-1] // places.heads
        part = slice(site.number * width, (site.number + 1) * width)
        value[0, -aligned:, part] = given[0, -aligned:, part]
    else:
        value[0, -aligned:] = given[0, -aligned:]
