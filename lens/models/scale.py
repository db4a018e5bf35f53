"""The scale of a reward and what is called an effect on it (trust conventions, A4 and A7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from lens.reading import Declined
from lens.stats.beyond import beyond
from lens.stats.holm import holm
from lens.stats.tost import tost

MARGIN = 0.1  # of s_r: within it an effect is about zero
ALPHA = 0.05

Verdict = Literal["raises", "lowers", "about zero", "not told"]


class Judged(NamedTuple):
    """`p` is that of an effect within the margin, Holm's correction over all effects of the reading included."""

    verdict: Verdict
    p: float


def spread(rewards: Sequence[Sequence[float]]) -> float:
    """s_r: the pooled within-prompt standard deviation, ru; 0 where replies to one prompt never differ.

    >>> spread([[1.0, 3.0], [10.0, 12.0]])
    1.4142135623730951
    """
    means = [sum(some) / len(some) for some in rewards]
    squares = sum((reward - mean) ** 2 for some, mean in zip(rewards, means, strict=True) for reward in some)
    free = sum(len(some) - 1 for some in rewards)
    return float((squares / free) ** 0.5) if free else 0.0


def judge(effects: Mapping[str, Sequence[float]], s_r: float) -> dict[str, Judged]:
    """Whether each effect (its cluster means, ru) lies beyond ±0.1 s_r, within it, or isn't told.

    >>> judge({"a": [1.0, 1.1, 0.9, 1.05], "b": [0.01, -0.01, 0.0, 0.005]}, 1.0)["b"].verdict
    'about zero'
    """
    margin = MARGIN * s_r
    adjusted = holm([beyond(means, margin) for means in effects.values()])
    return {
        name: Judged(_verdict(means, p, margin), p)
        for (name, means), p in zip(effects.items(), adjusted, strict=True)
    }  # fmt: skip


def _verdict(means: Sequence[float], p: float, margin: float) -> Verdict:
    if p < ALPHA:
        return "raises" if sum(means) > 0 else "lowers"
    if margin > 0 and tost(means, margin).equivalent:
        return "about zero"
    return "not told"


def constant() -> Declined:
    return Declined(
        "assumption_violated",
        "replies to one prompt all get the same reward here, so there is no scale to read an effect on",
        "look at the rewards first: lens measure model SUBJECT --instruments preference",
    )
