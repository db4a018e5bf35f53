"""Predicates of a reply's text: yes or no, from the named features, looking at no reward."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens.models.features import COUNTS, features

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Predicates:
    """K predicates of n replies: `many-COUNT` (above these replies' median), or `says-WORD`."""

    names: tuple[str, ...]
    values: np.ndarray  # [n, K], 0 or 1


def predicates(replies: Sequence[str], prompts: Sequence[Hashable]) -> Predicates:
    """Of `replies` to `prompts`; those that are the same for all replies to every prompt are left out.

    >>> predicates(["yes.", "no and no.", "so so.", "no, so."], "aabb").names
    ('many-characters', 'many-words', 'many-repeats', 'says-no', 'says-and')
    """
    import numpy as np

    from lens.stats.drawn import centred

    known = features(replies, prompts)
    names = [f"many-{name}" if name in COUNTS else name for name in known.names]
    values = [
        (column > np.median(column)).astype(float) if name in COUNTS else column
        for name, column in zip(known.names, known.values.T, strict=True)
    ]
    kept = [at for at, column in enumerate(values) if centred(column, prompts).any()]
    return Predicates(
        tuple(names[at] for at in kept),
        np.stack([values[at] for at in kept], axis=1) if kept else np.zeros((len(replies), 0)),
    )
