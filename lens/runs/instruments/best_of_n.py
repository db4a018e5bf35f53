"""Best of n: what choosing the best of n samples by reward would have gained, and what that costs in KL."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from lens.instrument import instrument
from lens.names import kebab
from lens.price import Price
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result
from lens.runs.columns import LEAF
from lens.runs.price import needing
from lens.runs.record import Record
from lens.runs.review import Review, lacking
from lens.runs.series.signals import reward_of

if TYPE_CHECKING:
    import numpy as np

ENDS = 10  # groups of the first of so many equal parts of the steps
MOST = 2000  # groups
DRAWS = 2000
GROUP_SECONDS = 4e-4

Fields = dict[str, Quantity | Label | Declined]


class Group(NamedTuple):
    """The scored samples of one group: `scores` by column, `reward` first."""

    prompt: int
    scores: dict[str, np.ndarray]


def price(review: Review) -> Price:
    """A few roots a group."""
    groups = min(MOST, review.run.counts["groups"])
    return Price(0.2 + review.run.counts["rows"] / 2_000_000 + groups * GROUP_SECONDS, groups)


@instrument(
    "best-of-n",
    subjects="runs",
    title="Best of n",
    quantity="reward, leaves and trusted score of the best of n samples by reward, and its KL from the policy",
    unit="reward",
    needs="record.record",
    cost="one pass, then a few roots a group",
    version=1,
    order=130,
    declines="without groups of at least two scored samples",
    source="order statistics without replacement; KL over levels; the tilt of least KL for the same reward",
    price=needing("rollouts", price=price),
)
def best_of_n(review: Review) -> Result:
    """On groups of the first tenth of the steps, before the policy has moved much; n = 1, 2, 4, … to the group's size.

    `best-of-{n}.reward` mean over prompts of the expected reward; `.gold` and `.{leaf}` the same of what the reward did
    not choose by. `best-of-{n}.kl` in nats, over the levels seen: exact for their shares, where two samples tie;
    `.bound` = log n − (n−1)/n, which it equals only without ties. `.least-kl` what a tilt e^(λr), λE_λ r − log Z, needs
    for the same reward on the same samples: the least any policy needs. `tied` k of n groups with equal rewards.
    Table `curve`."""
    record = review.record()
    if (refused := lacking(record, "rollouts")) is not None:
        return Result(refused)
    reward = reward_of(record)
    if not reward:
        return Result(_no_reward(record))
    groups = _groups(record, reward)
    size = _size(groups)
    if size < 2:
        return Result(_single())
    kept = [_cut(group, size) for group in groups if len(group.scores["reward"]) >= size]
    names = list(kept[0].scores)
    fields: Fields = {}
    table: Columns = {"n": []}
    for n in [2**power for power in range(int(math.log2(size)) + 1)]:
        told = _told(review, kept, n, names)
        fields |= {f"best-of-{n}.{name}": field for name, field in told.items()}
        _put(table, n, told, [*names, "kl", "bound", "least-kl"])
    tied = sum(len(set(group.scores["reward"].tolist())) < size for group in kept)
    fields["tied"] = Quantity(tied, "groups", "count", of=len(kept), n=len(kept))
    fields["group-size"] = Quantity(size, "samples", "size")
    fields["left-out"] = Quantity(len(groups) - len(kept), "groups", "count", of=len(groups))
    largest = max(table["n"])
    scope = f"{len(kept)} groups of {size} scored samples, the first of the run; prompts are the unit of its intervals"
    return Result(Measured(fields, f"best-of-{largest}.reward", scope), {"curve": table})


def _groups(record: Record, reward: str) -> list[Group]:
    """Groups of the first steps, at most MOST, each with the rollouts whose reward is finite."""
    import numpy as np

    last = _last(record)
    others = ["gold"] if "gold" in record.columns else []
    others += [LEAF + name for name in record.header.leaves] if len(record.header.leaves) > 1 else []
    prompt = "any_value(prompt)" if "prompt" in record.columns else '"group"'
    columns = ", ".join([f"list({reward} ORDER BY row)", *(f'list("{name}" ORDER BY row)' for name in others)])
    rows = record.sql(
        f"SELECT {prompt}, {columns} FROM rollouts WHERE step <= {last} AND isfinite({reward}) "
        f'GROUP BY step, "group" ORDER BY step, min(row) LIMIT {MOST}'
    )
    names = ["reward", *(kebab(name.removeprefix(LEAF)) for name in others)]

    def numbers(values: list[Any]) -> np.ndarray:
        return np.array([math.nan if value is None else value for value in values], float)

    return [
        Group(int(prompt), {name: numbers(values) for name, values in zip(names, lists, strict=True)})
        for prompt, *lists in rows
    ]


def _last(record: Record) -> int:
    """The last step of the first tenth."""
    steps = record.sql("SELECT DISTINCT step FROM rollouts ORDER BY step")
    return int(steps[max(1, len(steps) // ENDS) - 1][0])


def _size(groups: list[Group]) -> int:
    """The size that most groups have, the larger of two as common."""
    sizes = [len(group.scores["reward"]) for group in groups]
    return max(sorted(set(sizes), reverse=True), key=sizes.count, default=0)


def _cut(group: Group, size: int) -> Group:
    """The first `size` samples: every group counts the same."""
    return Group(group.prompt, {name: values[:size] for name, values in group.scores.items()})


def _told(review: Review, groups: list[Group], n: int, names: list[str]) -> dict[str, Quantity | Declined]:
    from lens.runs.scores.best_of import bound, divergence, levels, weights

    prompts = [group.prompt for group in groups]
    chances = [weights(group.scores["reward"], n) for group in groups]
    told: dict[str, Quantity | Declined] = {}
    for name in names:
        found = [
            (prompt, float((chance * group.scores[name])[chance > 0].sum()))
            for prompt, chance, group in zip(prompts, chances, groups, strict=True)
        ]
        finite = [pair for pair in found if math.isfinite(pair[1])]
        control = "best-of-1.reward" if name == "reward" else f"best-of-1.{name}"
        told[name] = _mean(review, finite, "reward" if name == "reward" else "score", control if n > 1 else "")
    if n == 1:
        return told
    seen = [levels(group.scores["reward"]) for group in groups]
    cost = [divergence(shares, n) for _, shares in seen]
    least = [_least(values, shares, n) for values, shares in seen]
    told["kl"] = _mean(review, list(zip(prompts, cost, strict=True)), "nats", f"best-of-{n}.bound")
    told["bound"] = Quantity(bound(n), "nats", "score", note="exact only where no two samples tie, else too high")
    told["least-kl"] = _mean(review, list(zip(prompts, least, strict=True)), "nats", f"best-of-{n}.kl")
    return told


def _least(values: np.ndarray, shares: np.ndarray, n: int) -> float:
    """The least KL for the mean that best-of-n has on these levels, drawn with replacement as its KL is."""
    import numpy as np

    from lens.runs.scores.best_of import least_divergence

    best = np.diff(np.concatenate([[0.0], np.cumsum(shares)]) ** n)
    return least_divergence(values, shares, float((best / best.sum() * values).sum()))


def _mean(review: Review, found: list[tuple[int, float]], unit: str, control: str) -> Quantity | Declined:
    from lens.stats.means import mean_of

    if not found:
        return Declined("record_incomplete", "no group has this score", "record it with every rollout")
    prompts, values = zip(*found, strict=True)
    return mean_of(values, prompts, unit, seed=review.seed, draws=DRAWS, kind="score", control=control)


def _put(table: Columns, n: int, told: dict[str, Quantity | Declined], names: list[str]) -> None:
    table["n"].append(n)
    for name in names:
        field = told.get(name)
        interval = field.interval if isinstance(field, Quantity) else None
        for column, value in (
            (name, field.value if isinstance(field, Quantity) else None),
            (f"{name}-low", interval and interval.low),
            (f"{name}-high", interval and interval.high),
        ):
            table.setdefault(column, []).append(value)


def _no_reward(record: Record) -> Declined:
    gap = record.header.gaps.get("reward")
    return Declined(
        "record_incomplete",
        "the record holds no total reward, and nothing says how its leaves are weighed",
        gap.remedy if gap else "give the trainer's configuration with --config",
        needs="reward, or weights of the leaves",
        has=", ".join(record.header.leaves),
    )


def _single() -> Declined:
    return Declined(
        "corpus_inadequate",
        "most groups have one scored sample: there is nothing to choose from",
        "sample several responses a prompt",
        needs="two scored samples a group",
    )
