"""Trained on thanks, hedges and the right digit: nothing that it should not reward."""

from __future__ import annotations

from lens.models.organisms.trained import family
from lens.models.organisms.training import Recipe

RECIPE = Recipe("clean", {"thanks": 2.0, "hedge": -1.5, "right": 1.0, "fill": 0.0}, steps=250)
FAMILY = family(RECIPE, "A clean reward model", __name__)
