"""Training dynamics: when, over a chain of checkpoints, a model began to pay for what it pays for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lens.errors import UsageError
from lens.instrument import instrument
from lens.models.axes import by_axis
from lens.models.depth import SHARE, crystallized
from lens.models.pairs import Pair
from lens.models.price import LEAST
from lens.models.scale import spread
from lens.models.summaries import columns_of, mean_field
from lens.price import Price
from lens.reading import Columns, Declined, Interval, Label, Measured, Quantity, Result

if TYPE_CHECKING:
    import numpy as np

    from lens.models.chain import Link
    from lens.models.inspection import Inspection
    from lens.models.price import Probe

OPENING = 0.3  # CPU seconds of opening a checkpoint

_Fields = dict[str, Quantity | Label | Declined]


def _price(inspection: Inspection, probe: Probe) -> Price:
    from lens.models.chain import NAME, folder_of

    folder = folder_of(inspection.model)
    listed = (folder / NAME).read_text().count('"step"') if folder and (folder / NAME).is_file() else 0
    calls = 2 * len(inspection.pairs.unique) * listed
    return Price(LEAST + calls * probe.batched + listed * OPENING, calls)


@instrument(
    "dynamics",
    subjects="models",
    title="When it began to pay for it",
    quantity="first step after which an axis' effect stays at least half of what it ends at",
    unit="steps",
    needs="grader.query",
    cost="2 × pairs a checkpoint",
    version=2,
    order=220,
    declines="for a single model, without a chain of checkpoints; an axis that ends about zero",
    source="entry step: the battery of matched counterfactuals over checkpoints verified by digest",
    price=_price,
)
def dynamics(inspection: Inspection) -> Result:
    """Score every pair with every checkpoint of the chain in the model's folder.

    An axis a: `a.onset` the first step after which its mean effect stays at least half of its last, prompts redrawn for
    the interval; `a.final` that last effect, ru, its control `a.null` the 95th percentile of its size with the sides in
    random order. An axis whose final effect isn't above its null declines: it never began. `first` names the axes
    that enter first and `first.onset` when; `checkpoints` how many there are. The table holds every axis' curve, and
    the same over its checkpoint's s_r.
    """
    from lens.models.chain import folder_of, read_chain

    folder = folder_of(inspection.model)
    try:
        links = read_chain(folder) if inspection.chain and folder else []
    except UsageError as error:
        return Result(Declined("record_incomplete", error.message, error.remedy))
    if len(links) < 2:
        return Result(
            Declined(
                "record_incomplete",
                "one model alone has no course of training: its folder holds no chain of checkpoints",
                "python -m lens.models.chain FOLDER, where the trainer wrote its folders checkpoint-STEP",
            )
        )
    pairs = inspection.used_pairs().unique
    margins, scales = _scored(inspection, links, pairs)
    steps = [link.step for link in links]
    fields: _Fields = {"checkpoints": Quantity(len(links), "checkpoints", "size")}
    curves: list[Columns] = []
    for name, some in by_axis(pairs).items():
        numbers = {pair.number for pair in some}
        rows = [at for at, pair in enumerate(pairs) if pair.number in numbers]
        mine, effects = [pairs[at] for at in rows], margins[rows]
        fields |= {f"{name}.{key}": value for key, value in _axis(inspection, name, mine, effects, steps).items()}
        curves.append(_curve(inspection, name, mine, effects, steps, scales))
    first = _first(fields)
    if first:
        fields["first.onset"] = fields[f"{first[0]}.onset"]
    headline = "first.onset" if first else "checkpoints"
    fields["first"] = Label(" and ".join(first) or "no axis ends above its null")
    told = f"{len(links)} checkpoints, steps {steps[0]} to {steps[-1]}"
    scope = f"{told}; {len(pairs)} pairs of {inspection.pairs.name}"
    table = {key: [value for curve in curves for value in curve[key]] for key in curves[0]}
    return Result(Measured(fields, headline, scope), {"curves": table})


def _scored(inspection: Inspection, links: Sequence[Link], pairs: Sequence[Pair]) -> tuple[np.ndarray, list[float]]:
    """Margins [pairs, checkpoints] and each checkpoint's s_r, ru."""
    import numpy as np

    from lens.models.subject import open_model

    model = inspection.model
    margins, scales = [], []
    for link in links:
        one: Any = open_model(
            str(link.path), device=model.device, dtype=model.dtype, trust_remote_code=inspection.trust_remote_code
        )
        texts = [one.encode(pair.prompt, reply) for pair in pairs for reply in (pair.chosen, pair.rejected)]
        rewards = np.array(one.rewards(texts), float).reshape(-1, 2)
        inspection.advance(len(texts))
        margins.append(rewards[:, 0] - rewards[:, 1])
        by_prompt: dict[str, dict[str, float]] = {}
        for pair, (chosen, rejected) in zip(pairs, rewards.tolist(), strict=True):
            by_prompt.setdefault(repr(pair.prompt), {}).update({pair.chosen: chosen, pair.rejected: rejected})
        scales.append(spread([list(replies.values()) for replies in by_prompt.values()]))
    return np.stack(margins, axis=1), scales


def _axis(
    inspection: Inspection, name: str, pairs: Sequence[Pair], effects: np.ndarray, steps: Sequence[int]
) -> _Fields:
    from lens.stats.means import cluster_means
    from lens.stats.swapped import swapped

    final = mean_field(inspection, effects[:, -1].tolist(), pairs, control=f"{name}.null")
    if isinstance(final, Declined):
        return {"final": final, "onset": final}
    clusters = [pair.cluster for pair in pairs]
    null = Quantity(
        swapped(cluster_means(effects[:, -1].tolist(), clusters), seed=inspection.seed), "ru", "score",
        note="95th percentile of its size",
    )  # fmt: skip
    fields: _Fields = {"final": final, "null": null}
    if final.interval is None or max(final.interval.low, -final.interval.high) <= null.value:
        fields["onset"] = Declined(
            "below_detection", "the effect never ends above its null", f"read {name}.final: it bounds the effect",
            bound=Quantity(float(null.value), "ru", "score"),
        )  # fmt: skip
        return fields
    fields["onset"] = _onset(inspection, pairs, effects * (1 if final.value > 0 else -1), steps)
    return fields


def _onset(inspection: Inspection, pairs: Sequence[Pair], effects: np.ndarray, steps: Sequence[int]) -> Quantity:
    """The entry step, and the steps that 95 % of redraws of prompts lie between: a step has few values, so the ends are
    plain percentiles."""
    import numpy as np

    from lens.stats.clusters import grouped

    groups = grouped([pair.cluster for pair in pairs])
    sums = np.array([effects[group].sum(axis=0) for group in groups])
    rng = np.random.default_rng(inspection.seed)
    found = []
    for _ in range(inspection.draws):
        at = crystallized(sums[rng.integers(0, len(groups), len(groups))].sum(axis=0).tolist())
        found.append(steps[-1] if at is None else steps[at])
    at = crystallized(effects.mean(axis=0).tolist())
    assert at is not None
    low, high = (float(one) for one in np.quantile(found, [0.025, 0.975], method="inverted_cdf"))
    interval = Interval(min(low, steps[at]), max(high, steps[at]), "percentile over clusters")
    note = f"stays at least {SHARE:.0%} of its last" + ("; there from the first checkpoint" if at == 0 else "")
    return Quantity(steps[at], "steps", "step", interval=interval, n=len(pairs), note=note)


def _curve(
    inspection: Inspection,
    name: str,
    pairs: Sequence[Pair],
    effects: np.ndarray,
    steps: Sequence[int],
    scales: Sequence[float],
) -> Columns:
    told = columns_of(inspection, effects, pairs, name="effect")
    over = [value / scale if scale else None for value, scale in zip(told["effect"], scales, strict=True)]
    return {"axis": [name] * len(steps), "step": list(steps), **told, "standardised": over}


def _first(fields: _Fields) -> list[str]:
    """The axes that enter at the earliest step of all: several where the checkpoints don't tell them apart."""
    onsets = {
        name.rpartition(".")[0]: field.value
        for name, field in fields.items()
        if name.endswith(".onset") and isinstance(field, Quantity)
    }
    return [name for name, step in onsets.items() if step == min(onsets.values())]
