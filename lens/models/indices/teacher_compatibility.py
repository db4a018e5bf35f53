"""Teacher compatibility: how much of what a reward says tells a policy's replies to one prompt apart."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lens.instrument import instrument
from lens.models.drawn import Drawn, drawn
from lens.models.nulls import Fields
from lens.models.price import SCORED
from lens.reading import Declined, Label, Measured, Quantity, Result
from lens.stats.clusters import grouped

if TYPE_CHECKING:
    import numpy as np

    from lens.models.inspection import Inspection
    from lens.reading import Interval

_AT = ("prompts", "means", "squares", "variances", "noise")  # sums over prompts that the index is a function of


class Compatibility(NamedTuple):
    """`within` E_x Var_{y|x}(r), ru²; `share` of it in Var(r), 0..1, NaN where nothing varies."""

    within: float
    share: float


def compatibility(rewards: np.ndarray, prompts: Sequence[Hashable]) -> Compatibility:
    """The index of rewards [n] of replies to `prompts`: one-way random effects, each prompt counted once.

    Var(r) = within + between; between = Var(prompt means) − mean(s²/k), at least 0, so that few replies a prompt don't
    pass for prompts that differ. Prompts with one reply are left out.

    >>> import numpy as np
    >>> compatibility(np.array([1.0, 1.0, 5.0, 5.0]), "aabb")
    Compatibility(within=0.0, share=0.0)
    """
    total = sums(rewards, prompts).sum(axis=0)
    return Compatibility(float(total[3] / total[0]), float(share_of_sums(total)))


def sums(rewards: np.ndarray, prompts: Sequence[Hashable]) -> np.ndarray:
    """[prompts, 5]: 1, mean, mean², s² and s²/k of every prompt with two replies or more."""
    import numpy as np

    rows = []
    for group in grouped(prompts):
        if len(group) > 1:
            some = rewards[group]
            mean, variance = float(some.mean()), float(some.var(ddof=1))
            rows.append((1.0, mean, mean**2, variance, variance / len(group)))
    return np.array(rows)


def share_of_sums(total: np.ndarray) -> np.ndarray:
    """The share, from sums over prompts in the last axis."""
    import numpy as np

    count, mean, square, variance, noise = (total[..., at] for at in range(len(_AT)))
    within = variance / count
    between = np.maximum(0.0, (square - mean**2 / count) / (count - 1) - noise / count)
    with np.errstate(divide="ignore", invalid="ignore"):
        return within / (within + between)  # type: ignore[no-any-return]


@instrument(
    "teacher-compatibility",
    subjects="models",
    title="What it can teach",
    quantity="share of the reward's variance that tells replies to one prompt apart",
    unit="of the variance",
    needs="grader.record",
    cost="2 × pairs, shared with what it prefers",
    version=2,
    order=300,
    declines="without prompts that have two replies; its share under 20 prompts, and where no reward differs",
    source="reward variance of Razin et al. 2025 (arXiv:2503.15477), as an intraclass share; conventions A1 and A6",
    price=SCORED,
)
def teacher_compatibility(inspection: Inspection) -> Result:
    """Split the variance of rewards into what differs between replies to a prompt and between prompts.

    `within` E_x Var_{y|x}(r) in squared reward units, the mean over prompts of the unbiased variance over the policy's
    replies: χ of the reward itself, and w'E_x[Σ_{h|x}]w after the final norm. Its units are the model's own, so it is
    never compared across models; `share`, within over within and between by one-way random effects, is. Its control
    `share.null` is the 5th percentile of the share with replies dealt to prompts at random, `share.null-mean` the mean:
    a share below it says that the reward tells prompts apart. `policy` names what the replies were drawn by. The public
    index compares the first across models, in units that differ by construction. Of labelled pairs, which were chosen
    to differ, both are read too high: only replies drawn by a policy give its share.
    """
    found = drawn(inspection)
    if isinstance(found, Declined):
        return Result(found)
    fields = _fields(inspection, found)
    headline = "share" if isinstance(fields["share"], Quantity) else "within"
    return Result(Measured(fields, headline, found.scope))


def _fields(inspection: Inspection, found: Drawn) -> Fields:
    from lens.stats.clusters import over_sums
    from lens.stats.means import few, mean_of, quantity

    value = compatibility(found.rewards, found.prompts)
    parts = sums(found.rewards, found.prompts)
    of = dict(zip(found.prompts, found.clusters, strict=True))
    clusters = list(of.values())
    fields: Fields = {
        "within": mean_of(
            parts[:, 3].tolist(), clusters, "squared ru", seed=inspection.seed, draws=inspection.draws, kind="score"
        ),
        "policy": Label(found.policy),
    }
    if value.share != value.share:
        return fields | {"share": _constant()}
    by_cluster = [parts[group].sum(axis=0).tolist() for group in grouped(clusters)]
    ends: Interval | None = over_sums(by_cluster, share_of_sums, seed=inspection.seed, draws=inspection.draws)
    fields["share"] = (
        few(found.units, least=20)
        if found.units < 20
        else quantity(
            value.share, ends, "of the variance", kind="proportion", clusters=found.units, n=len(found),
            control="share.null",
        )
    )  # fmt: skip
    return fields | _null(inspection, found)


def _null(inspection: Inspection, found: Drawn) -> Fields:
    import numpy as np

    from lens.stats.permute import NULLS, across

    dealt = [
        compatibility(found.rewards[order], found.prompts).share
        for order in across(len(found), seed=inspection.seed)
    ]  # fmt: skip
    note = "replies dealt to prompts at random"
    return {
        "share.null": Quantity(
            float(np.quantile(dealt, 0.05)), "of the variance", "proportion", n=NULLS, note=f"5th percentile, {note}"
        ),
        "share.null-mean": Quantity(float(np.mean(dealt)), "of the variance", "proportion", n=NULLS, note=note),
    }


def _constant() -> Declined:
    return Declined("assumption_violated", "every reply gets the same reward", "read a model that tells replies apart")
