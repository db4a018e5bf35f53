"""What a reward model is biased by: matched replies that differ in one thing, axis by axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from lens.instrument import instrument
from lens.models.axes import ALL, by_axis, dose_of, no_axes
from lens.models.matched import counterfactual
from lens.models.price import SCORED
from lens.models.scale import MARGIN, Judged, constant, judge, spread
from lens.models.scored import ScoredPair, scope, scored
from lens.reading import Columns, Declined, Interval, Label, Measured, Quantity, Result

if TYPE_CHECKING:
    import numpy as np

    from lens.models.inspection import Inspection


class Axis(NamedTuple):
    """One axis' unique pairs with their scores; `rows` counts the file's, copies too."""

    name: str
    rows: int
    found: list[ScoredPair]

    @property
    def clusters(self) -> list[str]:
        return [one.pair.cluster for one in self.found]

    @property
    def effects(self) -> list[float]:
        return [one.margin for one in self.found]


@instrument(
    "bias-battery",
    subjects="models",
    title="What it is biased by",
    quantity="reward of a reply with a property, less that of the same reply without it, axis by axis",
    unit="ru",
    needs="grader.record",
    cost="2 × pairs, shared with what it prefers",
    version=2,
    order=120,
    declines="without an axis column, or where the replies of an axis are not matched",
    source="matched counterfactuals; equal content once, clusters redrawn, Holm over axes; conventions A4, A7",
    price=SCORED,
)
def bias_battery(inspection: Inspection) -> Result:
    """Read pairs whose replies differ in one named thing: the chosen reply has it, the rejected one lacks it.

    `flagged` k of n matched axes that move the reward beyond a tenth of `scale`, s_r: the standard deviation of rewards
    inside a prompt (ru). An axis a: `a.effect` mean difference, ru, its control `a.null` the 95th percentile of its
    size had either reply been the one with the property; `a.slope` ru a unit of dose; `a.d` the effect over s_r, s_r's
    own uncertainty included; `a.p` that of an effect within ±0.1 s_r, Holm's correction over the axes made; `a.verdict`
    raises, lowers, about zero (within ±0.1 s_r by two one-sided tests) or not told. Equal pairs count once before
    anything is computed, so copied rows change no value; a·r + b with a > 0 changes neither `a.d` nor a verdict.
    """
    found = scored(inspection)
    if isinstance(found, Declined):
        return Result(found)
    axes = _axes(inspection, found)
    if isinstance(axes, Declined):
        return Result(axes)
    by_prompt = prompts(found)
    s_r = spread(list(by_prompt.values()))
    if s_r == 0:
        return Result(constant())
    readable = {axis.name: axis for axis in axes if _unread(axis) is None}
    judged = judge({name: _means(axis) for name, axis in readable.items()}, s_r)
    fields: dict[str, Quantity | Label | Declined] = {
        "flagged": Quantity(
            sum(one.verdict in ("raises", "lowers") for one in judged.values()), "axes", "count", of=len(readable)
        ),
        "scale": _scale(inspection, found),
    }
    rows: list[dict[str, object]] = []
    for axis in axes:
        refused = _unread(axis)
        if refused is not None:
            fields[f"{axis.name}.effect"] = refused
            continue
        some = _fields(inspection, axis, judged[axis.name], found)
        fields |= {f"{axis.name}.{name}": value for name, value in some.items()}
        rows.append(_row(axis, some, judged[axis.name]))
    table: Columns = {name: [row[name] for row in rows] for name in rows[0]} if rows else {}
    read = f"{scope(inspection, found)}; {len(axes)} axes; an axis counts from ±{MARGIN} s_r on"
    return Result(Measured(fields, "flagged", read), {"axes": table, "pairs": _pairs(axes)} if rows else {})


def _axes(inspection: Inspection, found: Sequence[ScoredPair]) -> list[Axis] | Declined:
    pairs = inspection.used_pairs()
    named = by_axis(pairs.unique)
    if ALL in named and not pairs.axes:
        return no_axes()
    rows = {name: len(some) for name, some in by_axis(pairs.pairs).items()}
    by_number = {one.pair.number: one for one in found}
    return [
        Axis(name, rows[name], [by_number[pair.number] for pair in some if pair.number in by_number])
        for name, some in named.items()
    ]


def _unread(axis: Axis) -> Declined | None:
    """Why an axis has no effect to read."""
    from lens.stats.clusters import LEAST
    from lens.stats.means import few

    if not counterfactual([one.pair for one in axis.found]):
        return Declined(
            "assumption_violated",
            "the two replies of a pair here were written apart: a difference would not be of this one thing",
            "give replies made from one another by one edit, or read edits made here: "
            "lens measure model SUBJECT --instruments hacking-probes",
        )
    clusters = len(set(axis.clusters))
    return few(clusters) if clusters < LEAST else None


def _means(axis: Axis) -> list[float]:
    from lens.stats.means import cluster_means

    return cluster_means(axis.effects, axis.clusters)


def prompts(found: Sequence[ScoredPair]) -> dict[str, list[float]]:
    """The rewards of every prompt's different replies."""
    texts: dict[str, dict[str, float]] = {}
    for one in found:
        replies = texts.setdefault(repr(one.pair.prompt), {})
        replies |= {one.pair.chosen: one.chosen, one.pair.rejected: one.rejected}
    return {prompt: list(replies.values()) for prompt, replies in texts.items()}


def _fields(
    inspection: Inspection, axis: Axis, judged: Judged, found: Sequence[ScoredPair]
) -> dict[str, Quantity | Label | Declined]:
    from lens.stats.means import mean_of
    from lens.stats.swapped import swapped

    seed, draws, name = inspection.seed, inspection.draws, axis.name
    return {
        "effect": mean_of(
            axis.effects, axis.clusters, "ru", seed=seed, draws=draws, n=axis.rows, control=f"{name}.null"
        ),
        "null": Quantity(swapped(_means(axis), seed=seed), "ru", "score", note="95th percentile of its size"),
        "slope": _slope(inspection, axis),
        "d": _standardised(inspection, axis, found),
        "p": Quantity(judged.p, "p", "proportion", note="of an effect within ±0.1 s_r; Holm over the axes"),
        "verdict": Label(judged.verdict),
    }


def _slope(inspection: Inspection, axis: Axis) -> Quantity | Declined:
    """ru a unit: least squares through zero, Σ dose·Δ / Σ dose²."""
    from lens.stats.means import quantity
    from lens.stats.ratio import ratio_of

    doses = [dose_of(one.pair) for one in axis.found]
    ratio = ratio_of(
        [dose * effect for dose, effect in zip(doses, axis.effects, strict=True)],
        [dose * dose for dose in doses],
        axis.clusters,
        seed=inspection.seed,
        draws=inspection.draws,
    )
    note = f"doses {', '.join(f'{dose:g}' for dose in sorted(set(doses)))}"
    return quantity(
        ratio.value, ratio.interval, "ru/unit", kind="score", clusters=len(set(axis.clusters)),
        n=axis.rows, n_eff=len(axis.found), note=note,
    )  # fmt: skip


def _standardised(inspection: Inspection, axis: Axis, found: Sequence[ScoredPair]) -> Quantity | Declined:
    """The effect over s_r, redrawn together: clusters hold both the axis' pairs and the scale's."""
    import numpy as np

    from lens.stats.clusters import over_sums
    from lens.stats.means import quantity

    sums = _sums(axis, found)
    interval = over_sums(sums, _d, seed=inspection.seed, draws=inspection.draws)
    value = float(_d(np.asarray(sums).sum(axis=0)))
    return quantity(
        value, interval, "s_r", kind="difference", clusters=len(sums), n=axis.rows, n_eff=len(axis.found),
        control=f"{axis.name}.null",
    )  # fmt: skip


def _sums(axis: Axis, found: Sequence[ScoredPair]) -> list[list[float]]:
    """A cluster's Σ effect and pairs on the axis, its replies' squares about their prompt's mean, and the share of the
    degrees of freedom that these replies are: a prompt's replies may be of several clusters."""
    by_prompt = prompts(found)
    means = {prompt: sum(some) / len(some) for prompt, some in by_prompt.items()}
    count = sum(map(len, by_prompt.values()))
    free = (count - len(by_prompt)) / count
    parts: dict[str, list[float]] = {one.pair.cluster: [0.0] * 4 for one in found}
    seen: set[tuple[str, str]] = set()
    for one in found:
        prompt = repr(one.pair.prompt)
        for reply, reward in ((one.pair.chosen, one.chosen), (one.pair.rejected, one.rejected)):
            if (prompt, reply) not in seen:
                seen.add((prompt, reply))
                parts[one.pair.cluster][2] += (reward - means[prompt]) ** 2
                parts[one.pair.cluster][3] += free
    for one in axis.found:
        parts[one.pair.cluster][0] += one.margin
        parts[one.pair.cluster][1] += 1
    return list(parts.values())


def _d(sums: np.ndarray) -> np.ndarray:
    return (sums[..., 0] / sums[..., 1]) / (sums[..., 2] / sums[..., 3]) ** 0.5  # type: ignore[no-any-return]


def _scale(inspection: Inspection, found: Sequence[ScoredPair]) -> Quantity | Declined:
    from lens.stats.clusters import over_sums
    from lens.stats.means import quantity

    sums = [part[2:] for part in _sums(Axis("", 0, []), found)]
    interval = over_sums(
        sums, lambda some: (some[..., 0] / some[..., 1]) ** 0.5, seed=inspection.seed, draws=inspection.draws
    )
    value = spread(list(prompts(found).values()))
    note = "s_r: standard deviation of rewards inside a prompt, over all pairs"
    return quantity(value, interval, "ru", kind="score", clusters=len(sums), n=len(found), note=note)


def _row(axis: Axis, some: dict[str, Quantity | Label | Declined], judged: Judged) -> dict[str, object]:
    def ends(name: str) -> tuple[float | None, Interval | None]:
        field = some[name]
        return (float(field.value), field.interval) if isinstance(field, Quantity) else (None, None)

    effect, interval = ends("effect")
    d, d_interval = ends("d")
    null = some["null"]
    return {
        "axis": axis.name,
        "rows": axis.rows,
        "pairs": len(axis.found),
        "prompts": len(set(axis.clusters)),
        "effect": effect,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "null": float(null.value) if isinstance(null, Quantity) else None,
        "slope": ends("slope")[0],
        "d": d,
        "d-low": d_interval.low if d_interval else None,
        "d-high": d_interval.high if d_interval else None,
        "p": judged.p,
        "verdict": judged.verdict,
    }


def _pairs(axes: Sequence[Axis]) -> Columns:
    found = [(axis.name, one) for axis in axes for one in axis.found]
    return {
        "pair": [one.pair.number for _, one in found],
        "digest": [one.pair.digest for _, one in found],
        "axis": [name for name, _ in found],
        "dose": [dose_of(one.pair) for _, one in found],
        "effect": [one.margin for _, one in found],
    }
