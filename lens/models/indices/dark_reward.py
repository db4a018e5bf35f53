"""Dark reward: how much of what a reward tells apart inside a prompt none of the named channels explains."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING

from lens.instrument import instrument
from lens.models.drawn import Drawn, drawn
from lens.models.features import Features, features
from lens.models.nulls import Fields
from lens.models.price import SCORED, each_pair, together
from lens.models.scale import constant
from lens.reading import Declined, Label, Measured, Quantity, Result
from lens.stats.clusters import BOOTSTRAPPED

if TYPE_CHECKING:
    import numpy as np

    from lens.models.inspection import Inspection

    Fit = Callable[[np.ndarray, np.ndarray, Sequence[Hashable], np.ndarray], np.ndarray]

LEARNERS = ("linear", "trees")


def left_over(
    channels: np.ndarray, rewards: np.ndarray, prompts: Sequence[Hashable], clusters: Sequence[Hashable], learner: str
) -> np.ndarray:
    """What a learner fitted on other clusters leaves of centred rewards: [n, P] (or [n]) -> the same shape.

    `channels` [n, K]. `learner` is "linear" (ridge, its penalty found in the training folds) or "trees" (boosted).
    Dark reward is Σ left² / Σ reward², both centred in their prompts: 1 − the cross-fitted R², and above 1 where the
    channels mislead.
    """
    import numpy as np

    from lens.stats.crossfit import folds
    from lens.stats.drawn import centred

    y = centred(rewards if rewards.ndim == 2 else rewards[:, None], prompts)
    fit = _LEARNERS[learner]
    guessed = np.zeros_like(y)
    names = list(prompts)
    for inside in folds(clusters):
        others = np.setdiff1d(np.arange(len(y)), inside)
        guessed[inside] = fit(channels[others], y[others], [names[i] for i in others], channels[inside])
    left: np.ndarray = y - centred(guessed, names)
    return left if rewards.ndim == 2 else left[:, 0]


def dark(
    channels: np.ndarray, rewards: np.ndarray, prompts: Sequence[Hashable], clusters: Sequence[Hashable], learner: str
) -> float:
    """The index of rewards [n]; NaN where none differs inside a prompt."""
    from lens.stats.drawn import centred

    total = float((centred(rewards, prompts) ** 2).sum())
    left = left_over(channels, rewards, prompts, clusters, learner)
    return float((left**2).sum()) / total if total else float("nan")


def _linear(x: np.ndarray, y: np.ndarray, prompts: Sequence[Hashable], new: np.ndarray) -> np.ndarray:
    from lens.stats.drawn import centred
    from lens.stats.ridge import ridge

    return ridge(centred(x, prompts), y, new)


def _trees(x: np.ndarray, y: np.ndarray, prompts: Sequence[Hashable], new: np.ndarray) -> np.ndarray:
    from lens.stats.boosted import boosted

    return boosted(x, y, prompts, new)


_LEARNERS: dict[str, Fit] = {"linear": _linear, "trees": _trees}


@instrument(
    "dark-reward",
    subjects="models",
    title="What no named channel explains",
    quantity="share of the reward’s variance inside prompts that named channels of the text don't explain",
    unit="of the variance",
    needs="grader.record",
    cost="2 × pairs, shared with what it prefers",
    version=2,
    order=350,
    declines="under 20 prompts with two replies; where no reward differs in a prompt",
    source="1 − R² on other prompts than fitted on (Stone 1974); boosted trees (Friedman 2001); conventions A1 to A3",
    price=together(SCORED, each_pair(0.002)),
)
def dark_reward(inspection: Inspection) -> Result:
    """Explain rewards, less their prompt's mean, from named channels of the text, on prompts not fitted on.

    The channels are counts (characters, words, marks of Markdown, …) and the presence of the words that part these
    replies most evenly; `channels` says how many. `linear` and `trees` are 1 − R² of ridge regression and of boosted
    trees, 5 folds by prompt, and may be above 1; their controls `linear.null`, `trees.null` the 5th percentile of the
    same with rewards permuted inside prompts, `*.null-mean` the mean: `explains` says which learners are below theirs.
    It is dark to these channels, not to any. The public index is in-sample, and falls with every channel that is added.
    """
    found = drawn(inspection)
    if isinstance(found, Declined):
        return Result(found)
    from lens.stats.drawn import spread
    from lens.stats.means import few

    if found.units < BOOTSTRAPPED:
        return Result(few(found.units, least=BOOTSTRAPPED))
    if spread(found.rewards, found.prompts) == 0:
        return Result(constant())
    known = features(found.replies, found.prompts)
    if not known.names:
        return Result(_alike())
    fields: Fields = {"channels": Quantity(len(known.names), "channels", "size")}
    for learner in LEARNERS:
        fields |= _fields(inspection, found, known, learner)
    below = [name for name in LEARNERS if _below(fields[name], fields[f"{name}.null"])]
    fields["explains"] = Label(" and ".join(below) or "neither")
    scope = f"{len(known.names)} channels of {found.scope}"
    return Result(Measured(fields, "linear", scope))


def _fields(inspection: Inspection, found: Drawn, known: Features, learner: str) -> Fields:
    import numpy as np

    from lens.stats.drawn import centred
    from lens.stats.means import quantity
    from lens.stats.permute import NULLS, inside
    from lens.stats.ratio import ratio_of

    orders = [np.arange(len(found)), *inside(found.prompts, seed=inspection.seed)]
    y = centred(found.rewards, found.prompts)
    dealt = np.stack([y[order] for order in orders], axis=1)
    left = left_over(known.values, dealt, found.prompts, found.clusters, learner) ** 2
    shares = left.sum(axis=0) / (y**2).sum()
    ratio = ratio_of(left[:, 0].tolist(), (y**2).tolist(), found.clusters, seed=inspection.seed, draws=inspection.draws)
    note = "rewards permuted inside prompts"
    return {
        learner: quantity(
            float(shares[0]), ratio.interval, "of the variance", kind="ratio", clusters=found.units, n=len(found),
            control=f"{learner}.null",
        ),
        f"{learner}.null": Quantity(
            float(np.quantile(shares[1:], 0.05)), "of the variance", "ratio", n=NULLS, note=f"5th percentile, {note}"
        ),
        f"{learner}.null-mean": Quantity(float(shares[1:].mean()), "of the variance", "ratio", n=NULLS, note=note),
    }  # fmt: skip


def _below(value: object, null: object) -> bool:
    if not isinstance(value, Quantity) or value.interval is None or not isinstance(null, Quantity):
        return False
    return value.interval.high < null.value


def _alike() -> Declined:
    return Declined(
        "corpus_inadequate", "the replies to a prompt differ in none of the channels", "give replies that differ more"
    )
