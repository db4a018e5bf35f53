"""Intransitivity: preferences that run in a circle, which no reward of single replies can have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lens.instrument import instrument
from lens.models.duels import Duels, Votes, duels, votes
from lens.models.instruments.crystallization import TINY, TINY_HALF
from lens.models.price import free
from lens.reading import Columns, Declined, Interval, Label, Measured, Quantity, Result

if TYPE_CHECKING:
    from lens.models.inspection import Inspection

DRAWS = 500
CIRCLE = "runs in a circle"

_Fields = dict[str, Quantity | Label | Declined]


@instrument(
    "intransitivity",
    subjects="models",
    title="Preferences in a circle",
    quantity="share of comparisons' energy that runs in circles",
    unit="of energy",
    needs="gold.record",
    cost="every ordered pair of the model's duels; nothing for recorded votes",
    version=3,
    order=200,
    declines="for a reward of single replies, unless the pairs hold votes in closed rounds",
    source="Hodge split (Jiang et al. 2011, arXiv:0811.1067); null of a Bradley–Terry judge with as many votes",
    price=free,
)
def intransitivity(inspection: Inspection) -> Result:
    """Ask a model that compares about every ordered pair of its items; or count recorded votes.

    F_ij = (r(j given i) − r(i given j))/2 is split into worths u_j − u_i and what runs in circles. `cyclic` the share
    of Σ F² in circles; its control `scalar` that of the model's own worths alone, which is 0 but for rounding: a
    ranking is one plane of rotation. `verdict` runs in a circle where the largest cyclic F_ij is more than rounding
    could make of rewards of this size, else a ranking. `one-circle` the share of the cyclic part in its leading plane.
    `order` the share of all energy that isn't skew: what the order of the two is worth. Items are all there are:
    intervals are a census.
    From pairs that hold votes in closed rounds: `votes.cyclic` the share over prompts of what the ranking that fits
    best leaves over, which has no straight part; its controls `votes.null` and `votes.null95`, mean and 95th percentile
    of the same for a judge who ranks, with as many votes, each draw beside the ranking that fits it best (one who votes
    once a pair reads .6 with no circle in it); `votes.verdict` above the null, or not. Votes are the pairs', not the
    model's.
    """
    own = duels(inspection) if inspection.model.family != "scores" else None
    held = votes(inspection.used_pairs().pairs)
    if own is None and not held:
        return Result(
            Declined(
                "not_applicable",
                "a reward of single replies ranks them: none of its preferences can run in a circle",
                "give pairs in which the replies to a prompt are compared in rounds, a row a vote",
            )
        )
    fields: _Fields = {}
    tables: dict[str, Columns] = {}
    said = []
    if own is not None:
        fields |= _compared(own, TINY if inspection.model.dtype == "float32" else TINY_HALF)
        tables["duels"] = _duels(own)
        said.append(f"{len(own.items)} items in every ordered pair")
    if held:
        fields |= _voted(inspection, held)
        said.append(
            f"{sum(int(one.wins.sum()) for one in held)} votes of {len(held)} prompts of {inspection.pairs.name}"
        )
    headline = "cyclic" if own is not None else "votes.cyclic"
    return Result(Measured(fields, headline, "; ".join(said)), tables)


def _compared(own: Duels, tiny: float) -> _Fields:
    import numpy as np

    from lens.stats.hodge import planes, split

    rewards = np.where(np.isnan(own.rewards), 0.0, own.rewards)
    flow = (rewards - rewards.T) / 2
    found = split(flow)
    away = ~np.eye(len(flow), dtype=bool)
    energy = float((rewards[away] ** 2).sum())
    alike = float((((rewards + rewards.T) / 2)[away] ** 2).sum())
    straight = found.worths[None, :] - found.worths[:, None]
    turning = planes(found.cyclic)
    told = float(np.abs(found.cyclic).max()) > tiny * max(1.0, float(np.abs(rewards).max()))
    fields: _Fields = {
        "items": Quantity(len(own.items), "items", "size"),
        "verdict": Label(CIRCLE if told else "a ranking, to rounding"),
    }
    for name, value, control in (
        ("cyclic", found.share, "scalar"),
        ("scalar", abs(split(straight).share), ""),
        ("one-circle", float(turning[0] / turning.sum()) if turning.sum() else 0.0, ""),
        ("order", alike / energy if energy else 0.0, ""),
    ):
        fields[name] = Quantity(
            value,
            "of energy",
            "proportion",
            interval=Interval(value, value, "census"),
            n=len(own.items),
            control=control,
        )
    return fields


def _duels(own: Duels) -> Columns:
    import numpy as np

    from lens.stats.hodge import split

    rewards = np.where(np.isnan(own.rewards), 0.0, own.rewards)
    flow = (rewards - rewards.T) / 2
    found = split(flow)
    count = range(len(own.items))
    places = [(i, j) for i in count for j in count if i != j]
    return {
        "rival": [own.items[i] for i, _ in places],
        "item": [own.items[j] for _, j in places],
        "reward": [float(rewards[place]) for place in places],
        "flow": [float(flow[place]) for place in places],
        "cyclic": [float(found.cyclic[place]) for place in places],
        "worth": [float(found.worths[j]) for _, j in places],
    }


def _voted(inspection: Inspection, held: Sequence[Votes]) -> _Fields:
    """Σ cyclic energy / Σ energy over prompts, against prompts voted on by a judge who ranks. The verdict is on the
    cyclic energy itself."""
    import numpy as np

    from lens.stats.hodge import energies, transitive
    from lens.stats.means import quantity
    from lens.stats.ratio import ratio_of

    parts = [(float(cyclic), float(whole)) for cyclic, whole in (energies(one.wins) for one in held)]
    tops, bottoms = zip(*parts, strict=True)
    prompts = [one.prompt for one in held]
    found = ratio_of(tops, bottoms, prompts, seed=inspection.seed, draws=inspection.draws)
    drawn = [transitive(one.wins, seed=inspection.seed + i, draws=DRAWS) for i, one in enumerate(held)]
    total = np.sum(drawn, axis=0)
    null = total[:, 0] / total[:, 1]
    high, most = (float(np.quantile(some, 0.95)) for some in (null, total[:, 0]))
    count = sum(int(one.wins.sum()) for one in held)
    fields: _Fields = {
        "votes.cyclic": quantity(
            found.value, found.interval, "of energy", kind="proportion", clusters=len(held), n=count,
            control="votes.null95",
        ),
        "votes.null": Quantity(float(null.mean()), "of energy", "proportion", n=DRAWS, note="a judge who ranks"),
        "votes.null95": Quantity(high, "of energy", "proportion", n=DRAWS, note="95th percentile of the same"),
        "votes.verdict": Label("above the null" if sum(tops) > most else "not told from a ranking"),
    }  # fmt: skip
    return fields
