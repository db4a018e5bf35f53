"""Verification: whether evidence that must be held against the prompt stays in its letter longer than a word that pays.

On twins that differ in one letter, that letter's stream is put back before each block: how much of the margin comes
back is all at the first block and nothing after the last, by construction, so that only the depth at which it halves
says anything. A word has nothing to be held against; nor has the digit, where it pays by itself.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lens.studies.science import Science, Value, Values

if TYPE_CHECKING:
    import numpy as np

TWINS, PAYS = 60, 2.0
HALF = 0.5


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """One model taught for 90 steps, and read on 60 twins in the digit, the word and a filler, which pays nothing.
    Digit and word pay alike; with `relational` the digit does so where it was asked for, else by itself.

    `digit`, `word` and `filler` are depths, in shares of the blocks, at which half of the margin has left the letter.
    `later` is the digit's less the word's, `beyond` the digit's less the filler's, and `untaught` is `later` of the
    same network before its first step. Where it is `raw`, all are of that.
    """
    from lens.studies.sciences import _taught

    rules = _taught.Rules(PAYS, PAYS, bool(plant["relational"]))
    draw = random.Random(f"verification {seed}")
    pairs = {axis: _taught.twins(draw, axis, rules, TWINS) for axis in _taught.AXES}
    before = _taught.untaught(seed)
    after = before if plant.get("raw") else _taught.taught(seed, rules)
    digit, word, filler = (halved(curve(after, pairs[axis])) for axis in _taught.AXES)
    untaught = [halved(curve(before, pairs[axis])) for axis in ("digit", "word")]
    return {
        "digit": digit,
        "word": word,
        "filler": filler,
        "later": digit - word,
        "beyond": digit - filler,
        "untaught": untaught[0] - untaught[1],
    }


def curve(network: Any, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    """Share of the margins [layers + 1] that comes back when the letter's stream before each block, and after the last,
    is the first twin's in the second. Margins count by their size: twins in what isn't paid have both signs."""
    import numpy as np
    import torch

    from lens.models.indices.verification_score import curve as score
    from lens.models.organisms.training import repeatable, rewards

    clean, corrupt = ([pair[side] for pair in pairs] for side in (0, 1))
    at = [next(i for i, (a, b) in enumerate(zip(*pair, strict=True)) if a != b) for pair in pairs]
    rows = range(len(pairs))
    blocks = network.model.layers
    with repeatable(), torch.no_grad():
        streams: list[torch.Tensor] = []
        watching = [block.register_forward_pre_hook(lambda _block, args: streams.append(args[0])) for block in blocks]
        better = rewards(network, clean)
        for hook in watching:
            hook.remove()
        worse = rewards(network, corrupt)
        back = []
        for block, stream in zip(blocks, streams, strict=True):
            hook = block.register_forward_pre_hook(_put(rows, at, stream))
            back.append(rewards(network, corrupt) - worse)
            hook.remove()
    margins = (better - worse).double().numpy()
    recovered = np.stack([*(one.double().numpy() for one in back), np.zeros(len(pairs))], axis=1)
    return score(recovered * np.sign(margins)[:, None], np.abs(margins))


def _put(rows: Sequence[int], at: Sequence[int], stream: Any) -> Any:
    """A hook that puts the stream of these places into what the block is given."""

    def hook(_block: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
        given = args[0].clone()
        given[list(rows), at] = stream[list(rows), at]
        return given, *args[1:]

    return hook


def halved(values: np.ndarray) -> float:
    """Where a curve first falls below a half, in shares of its length, on the straight line between two depths.

    >>> import numpy as np
    >>> halved(np.array([1.0, 0.75, 0.25, 0.0, 0.0]))
    0.375
    """
    from lens.models.indices.verification_score import hand_over

    after = int(hand_over(values))
    above, below = float(values[after - 1]), float(values[after])
    return (after - 1 + (above - HALF) / (above - below)) / (len(values) - 1)


_DEPTH = "of the blocks"

SCIENCE = Science(
    "verification",
    "Evidence that stays in its place",
    version=1,
    unit="taught model",
    measure=measure,
    values={
        "digit": Value(_DEPTH, "proportion"),
        "word": Value(_DEPTH, "proportion"),
        "filler": Value(_DEPTH, "proportion"),
        "later": Value(_DEPTH, "difference"),
        "beyond": Value(_DEPTH, "difference"),
        "untaught": Value(_DEPTH, "difference"),
    },
    seconds=5.0,
    null="networks that were never taught",
    null_plant={"raw": 1.0},
    source="span patching: Meng et al. 2022; hand-over depth: lens.models.indices.verification_score",
)
