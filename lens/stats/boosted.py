"""Boosted trees of many targets at once, on differences inside prompts (Friedman 2001).

The loss is that of predictions less their prompt's mean, so that what differs between prompts is neither learnt nor
needed. Trees have two levels; every target grows its own.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lens.stats.clusters import grouped

if TYPE_CHECKING:
    import numpy as np

ROUNDS, RATE, LEAF, CUTS = 60, 0.15, 5, 7


class _Node(NamedTuple):
    """For each target: the best cut, and the values on either side of it, [P] each."""

    cut: np.ndarray
    above: np.ndarray
    below: np.ndarray


def boosted(
    x: np.ndarray, y: np.ndarray, prompts: Sequence[Hashable], new: np.ndarray, *, rounds: int = ROUNDS
) -> np.ndarray:
    """Predictions at `new` [m, K], up to a constant a prompt, of targets y [n, P] centred in their prompts: [m, P]."""
    import numpy as np

    cuts = [np.unique(np.quantile(column, np.linspace(0, 1, CUTS + 2)[1:-1])) for column in x.T]
    places = [(k, cut) for k, some in enumerate(cuts) for cut in some if (x[:, k] > cut).any()]
    if not places:
        return np.zeros((len(new), y.shape[1]))
    rows, fresh = (np.array([one[:, k] > cut for k, cut in places], np.float32) for one in (x, new))
    mean = _Mean(prompts)
    target = y.astype(np.float32)
    fitted, found = np.zeros_like(target), np.zeros((len(new), y.shape[1]), np.float32)
    sizes = rows.sum(axis=1)
    for _ in range(rounds):
        left = target - (fitted - mean(fitted))
        for side, root in _grow(rows, sizes, left):
            fitted += RATE * _at(rows, root, side)
            found += RATE * _at(fresh, root, side)
    return found.astype(float)


def _grow(rows: np.ndarray, sizes: np.ndarray, left: np.ndarray) -> Iterator[tuple[bool, tuple[_Node, _Node]]]:
    """The two lower nodes of one tree a target, each with the root's cut and the side of it that it is on."""
    import numpy as np

    count = len(left)
    sums = rows @ left
    root = _best(sums, np.broadcast_to(sizes[:, None], sums.shape), left.sum(axis=0), np.full(left.shape[1], count))
    above = rows[root.cut].T  # [n, P]
    part = left * above
    inner_sums, inner_sizes = rows @ part, rows @ above
    yield True, (root, _best(inner_sums, inner_sizes, part.sum(axis=0), above.sum(axis=0)))
    rest = left - part
    yield (
        False,
        (root, _best(sums - inner_sums, sizes[:, None] - inner_sizes, rest.sum(axis=0), count - above.sum(axis=0))),
    )


def _best(sums: np.ndarray, sizes: np.ndarray, total: np.ndarray, count: np.ndarray) -> _Node:
    """The cut that explains most; a node too small to be cut keeps its mean on both sides."""
    import numpy as np

    others = count - sizes
    with np.errstate(divide="ignore", invalid="ignore"):
        gain = sums**2 / sizes + (total - sums) ** 2 / others
    gain = np.where((sizes >= LEAF) & (others >= LEAF), gain, -np.inf)
    cut = np.argmax(gain, axis=0)
    at = np.arange(sums.shape[1])
    can = np.isfinite(gain[cut, at])
    mean = np.divide(total, count, out=np.zeros_like(total), where=count > 0)
    above = np.where(can, sums[cut, at] / np.maximum(sizes[cut, at], 1), mean)
    below = np.where(can, (total - sums[cut, at]) / np.maximum(others[cut, at], 1), mean)
    return _Node(cut, above.astype(np.float32), below.astype(np.float32))


def _at(rows: np.ndarray, nodes: tuple[_Node, _Node], side: bool) -> np.ndarray:
    """What a lower node gives the rows that are on its side of the root, 0 elsewhere: [n, P]."""
    import numpy as np

    root, node = nodes
    here = rows[root.cut].T if side else 1 - rows[root.cut].T
    found: np.ndarray = here * np.where(rows[node.cut].T > 0, node.above, node.below)
    return found


class _Mean:
    """Means of the rows' prompts, at every row."""

    def __init__(self, prompts: Sequence[Hashable]) -> None:
        import numpy as np

        groups = grouped(prompts)
        self.order = np.concatenate(groups)
        self.starts = np.cumsum([0, *map(len, groups)])[:-1]
        self.sizes = np.array([len(group) for group in groups], np.float32)
        self.of = np.empty(len(self.order), int)
        for at, group in enumerate(groups):
            self.of[group] = at

    def __call__(self, values: np.ndarray) -> np.ndarray:
        import numpy as np

        sums = np.add.reduceat(values[self.order], self.starts, axis=0)
        found: np.ndarray = (sums / self.sizes[:, None])[self.of]
        return found
