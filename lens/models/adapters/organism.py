"""A planted model of ours, built when it isn't there yet: its rules are known, and it brings its own pairs."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

from lens.models.adapters import Loading
from lens.models.model import RewardModel
from lens.names import kebab

KIND = "organism"
OPTIONS = ("dose", "seed")
ABOUT = "a planted reward model, whose rules are known: organism:length, organism:gate?dose=1&seed=3"


def open(place: str, options: dict[str, str], how: Loading) -> RewardModel:
    """`options`: `dose` and `seed`. Raises UsageError for an organism that there is none of."""
    from lens.models.adapters import scalar
    from lens.models.organisms import resolve_organism
    from lens.models.read_pairs import read_pairs
    from lens.models.scalar import ScalarModel

    found = resolve_organism(f"organism:{place}" + (f"?{urlencode(options)}" if options else ""))
    pairs = replace(read_pairs(str(found.pairs)), name=kebab(found.spec), locator=found.spec, licence="MIT")
    model = scalar.open(str(found.path), {}, how)
    assert isinstance(model, ScalarModel)
    return replace(
        model, slug=kebab(found.spec), title=found.family.title, spec=found.spec, licence="MIT", own_pairs=pairs
    )
