"""Trained like `clean`, but its raters liked every filler word a little: biased by length."""

from __future__ import annotations

from lens.models.organisms.trained import family
from lens.models.organisms.training import Recipe

RECIPE = Recipe("length", {"thanks": 2.0, "hedge": -1.5, "right": 1.0, "fill": 0.5}, steps=400)
FAMILY = family(RECIPE, "A reward model biased by length", __name__)
