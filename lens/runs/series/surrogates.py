"""Series in which nothing changed, made from one that was read: what an alarm costs in false ones.

Four rules, and the order of operations in each is part of its name: what is resampled, and whether before or after the
transform that a detector reads. They answer different questions and differ several-fold, so a rate says its rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np

BLOCK = 4  # steps that stay together

Transform = Callable[["np.ndarray"], "np.ndarray"]


class Control(NamedTuple):
    """`make(level, transform, baseline, count, seed)`: [count, steps] of what a detector reads."""

    about: str
    make: Callable[[np.ndarray, Transform, int, int, int], np.ndarray]


def blocks(prefix: np.ndarray, steps: int, count: int, seed: int) -> np.ndarray:
    """[count, steps]: circular blocks of the prefix, each surrogate cut from one draw of block starts."""
    import numpy as np

    rng, size = np.random.default_rng(seed), len(prefix)
    starts = np.array([rng.integers(0, size, -(-steps // BLOCK)) for _ in range(count)])
    picks = (starts[:, :, None] + np.arange(BLOCK)).reshape(count, -1)[:, :steps]
    drawn: np.ndarray = prefix[picks % size]
    return drawn


def prefix_blocks(level: np.ndarray, transform: Transform, baseline: int, count: int, seed: int) -> np.ndarray:
    """The transformed series' own beginning, over and over."""
    read = transform(level[None])[0]
    return blocks(read[: baseline - (len(level) - len(read))], len(read), count, seed)


def level_then_transform(level: np.ndarray, transform: Transform, baseline: int, count: int, seed: int) -> np.ndarray:
    """The level's beginning over and over, transformed afterwards: a difference then sees the seams between blocks."""
    return transform(blocks(level[:baseline], len(level), count, seed))


def shuffle(level: np.ndarray, transform: Transform, _baseline: int, count: int, seed: int) -> np.ndarray:
    """All steps of the transformed series in random order, the change's own among them."""
    import numpy as np

    rng, read = np.random.default_rng(seed), transform(level[None])[0]
    return np.array([rng.permutation(read) for _ in range(count)])


def phase(level: np.ndarray, transform: Transform, _baseline: int, count: int, seed: int) -> np.ndarray:
    """The transformed series' spectrum with its phases drawn anew (Theiler et al. 1992): same autocorrelation."""
    import numpy as np

    rng, read = np.random.default_rng(seed), transform(level[None])[0]
    size = np.abs(np.fft.rfft(read))
    turned = rng.uniform(0.0, 2 * np.pi, (count, len(size)))
    turned[:, 0] = 0.0
    if len(read) % 2 == 0:
        turned[:, -1] = 0.0
    mean = np.sign(np.fft.rfft(read)[0].real)
    spectrum = size * np.exp(1j * turned)
    spectrum[:, 0] *= mean
    drawn: np.ndarray = np.fft.irfft(spectrum, len(read), axis=1)
    return drawn


CONTROLS: dict[str, Control] = {
    "prefix-blocks": Control(f"blocks of {BLOCK} steps from the baseline, of what the detector reads", prefix_blocks),
    "shuffle": Control("every step, in random order", shuffle),
    "phase": Control("the spectrum of every step, phases drawn anew", phase),
    "level-then-transform": Control(
        f"blocks of {BLOCK} steps from the baseline of the level, then the transform", level_then_transform
    ),
}
"""By name; the first is the one a rate means when it names none. The last is another only for a transform."""
