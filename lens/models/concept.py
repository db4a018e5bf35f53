"""Concept directions: fitted on one half of the prompts, read on the other (trust conventions, A2)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens.models.axes import by_axis
from lens.models.inspection import Inspection
from lens.models.pairs import Pair
from lens.models.streams import Streams
from lens.reading import Declined
from lens.stats.clusters import LEAST

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Concept:
    """What the chosen replies of `name`'s pairs have more of. `fit` and `read` are pairs of different prompts."""

    name: str
    fit: list[Pair]
    read: list[Pair]

    def vector(self, found: Streams, layer: int) -> np.ndarray:
        """Mean difference of the streams, chosen − rejected, over the pairs to fit on: [d]. One unit of dose."""
        h = found.at(layer)[found.rows(self.fit)]
        return (h[:, 0] - h[:, 1]).mean(axis=0)  # type: ignore[no-any-return]

    def flipped(self, found: Streams, layer: int, count: int, seed: int) -> np.ndarray:
        """The same with the two sides of every prompt's pairs in random order: [count, d]."""
        import numpy as np

        h = found.at(layer)[found.rows(self.fit)]
        order = {cluster: at for at, cluster in enumerate(dict.fromkeys(pair.cluster for pair in self.fit))}
        signs = np.random.default_rng(seed).choice([-1.0, 1.0], (count, len(order)))
        each = signs[:, [order[pair.cluster] for pair in self.fit]]
        return each @ (h[:, 0] - h[:, 1]) / len(self.fit)  # type: ignore[no-any-return]


def concepts(inspection: Inspection) -> tuple[dict[str, Concept], dict[str, Declined]]:
    """One concept an axis (all pairs together where none is named), and the axes too small for two halves."""
    made: dict[str, Concept] = {}
    refused: dict[str, Declined] = {}
    for name, pairs in by_axis(inspection.used_pairs().unique).items():
        fit, read = halves(pairs)
        clusters = min(len({pair.cluster for pair in half}) for half in (fit, read))
        if clusters >= LEAST:
            made[name] = Concept(name, fit, read)
        else:
            refused[name] = Declined(
                "corpus_inadequate",
                f"half of these prompts are {clusters}, too few to fit on or to read on",
                f"give pairs of at least {2 * LEAST} prompts here",
            )
    return made, refused


def halves(pairs: Sequence[Pair]) -> tuple[list[Pair], list[Pair]]:
    """The pairs of every other prompt, and the rest: the order is the digests', so it depends on content alone."""
    order = sorted({pair.cluster for pair in pairs}, key=lambda cluster: hashlib.sha256(cluster.encode()).digest())
    first = set(order[::2])
    return [pair for pair in pairs if pair.cluster in first], [pair for pair in pairs if pair.cluster not in first]


def spread(pairs: Sequence[Pair], count: int) -> list[Pair]:
    """At most `count` of the pairs, taken evenly."""
    if len(pairs) <= count:
        return list(pairs)
    return [pairs[i * len(pairs) // count] for i in range(count)]


def cosine(one: np.ndarray, other: np.ndarray, metric: np.ndarray | None = None) -> float:
    """one'M other / √(one'M one · other'M other), M the identity without a `metric`; NaN for a vector of length 0.

    >>> import numpy as np
    >>> v = np.array([1.0, 2.0])
    >>> cosine(v, -v)
    -1.0
    """
    import numpy as np

    def product(a: np.ndarray, b: np.ndarray) -> float:
        return float(a @ b if metric is None else a @ metric @ b)

    length = product(one, one) * product(other, other)
    return float(np.clip(product(one, other) / length**0.5, -1.0, 1.0)) if length > 0 else float("nan")
