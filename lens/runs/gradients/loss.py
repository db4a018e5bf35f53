"""How a trainer's loss weighs a rollout's tokens: what `A := 1` leaves of it."""

from __future__ import annotations

from collections.abc import Sequence

_NAMES = {
    "grpo": "grpo",
    "seq-mean-token-mean": "grpo",
    "dapo": "dapo",
    "bnpo": "dapo",
    "token-mean": "dapo",
    "dr_grpo": "dr_grpo",
    "seq-mean-token-sum-norm": "dr_grpo",
}
"""Trainers' names of the three normalisations, TRL's and verl's."""


def normalisation(loss: str | None) -> str | None:
    """`grpo`, `dapo` or `dr_grpo`; None for a loss that isn't one of them.

    >>> normalisation("token-mean"), normalisation("cispo")
    ('dapo', None)
    """
    return _NAMES.get(loss or "")


def weights(kind: str, lengths: Sequence[int], longest: int | None) -> list[float]:
    """The factor of each rollout's summed token loss, of a step of `len(lengths)` rollouts.

    `grpo` is the mean over rollouts of the mean over tokens, `dapo` the mean over all tokens, `dr_grpo` the sum over
    tokens by rollouts times the longest response allowed (`longest`). Raises ValueError for `dr_grpo` without it.

    >>> weights("grpo", [1, 4], None), weights("dapo", [1, 4], None), weights("dr_grpo", [1, 4], 5)
    ([0.5, 0.125], [0.2, 0.2], [0.1, 0.1])
    """
    count = len(lengths)
    if kind == "grpo":
        return [1 / (count * max(length, 1)) for length in lengths]
    if kind == "dapo":
        return [1 / max(sum(lengths), 1)] * count
    if kind == "dr_grpo" and longest:
        return [1 / (count * longest)] * count
    raise ValueError(f"{kind} needs the longest response allowed" if kind == "dr_grpo" else f"no normalisation {kind}")
