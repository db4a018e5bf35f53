"""Value–capability entanglement: whether two rewards agree more than what their networks can both tell."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from lens.instrument import instrument
from lens.models.axes import axis_of
from lens.models.drawn import NATURAL
from lens.models.nulls import Fields, null_fields
from lens.models.price import Probe, forwards
from lens.models.streams import middle, streams
from lens.models.summaries import few
from lens.price import Price
from lens.reading import Declined, Label, Measured, Result
from lens.stats.clusters import BOOTSTRAPPED, LEAST

if TYPE_CHECKING:
    import numpy as np

    from lens.models.inspection import Inspection
    from lens.models.pairs import Pair


class Vce(NamedTuple):
    """`value` ρ(r_a, r_b), `capability` the mean of ρ(p_a^k, p_b^k), all of differences inside prompts."""

    value: float
    capability: float

    @property
    def vce(self) -> float:
        return self.value - self.capability


def products(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Of differences [n, 1 + K] of either model, the reward's first: ΔaΔb, Δa², Δb² of each, [n, 3 (1 + K)]."""
    import numpy as np

    return np.concatenate([one * other, one**2, other**2], axis=1)


def of_sums(total: np.ndarray) -> Vce:
    """From sums of `products` in the last axis; each entry has the other axes' shape."""
    import numpy as np

    cross, a, b = np.split(total, 3, axis=-1)
    rho = cross / np.sqrt(a * b)
    return Vce(rho[..., 0], rho[..., 1:].mean(axis=-1))


def vce(one: np.ndarray, other: np.ndarray) -> Vce:
    """The index of two models' differences [n, 1 + K] on shared pairs. Both terms are the same statistic, so that a
    model beside itself has 1 − 1.

    >>> import numpy as np
    >>> vce(np.array([[1.0, 2.0], [-2.0, 1.0]]), np.array([[2.0, 2.0], [-4.0, 1.0]])).vce
    0.0
    """
    found = of_sums(products(one, other).sum(axis=0))
    return Vce(float(found.value), float(found.capability))


def probed(
    twins: np.ndarray, labels: Sequence[str], units: Sequence[Hashable], read: np.ndarray, drawn: Sequence[Hashable]
) -> np.ndarray:
    """What a ridge probe of each label says of differences `read` [n, d]: [n, K], labels in the order of their first.

    It is fitted on the differences `twins` [m, d] of that label, leaving out those of the units it is read on.
    """
    import numpy as np

    from lens.stats.crossfit import folds
    from lens.stats.ridge import ridge

    names = list(dict.fromkeys(labels))
    found = np.zeros((len(read), len(names)))
    for inside in folds(drawn):
        mine = {drawn[i] for i in inside}
        for k, name in enumerate(names):
            rows = twins[[i for i in range(len(twins)) if labels[i] == name and units[i] not in mine]]
            found[inside, k] = ridge(rows, np.ones((len(rows), 1)), read[inside])[:, 0]
    return found


def _price(inspection: Inspection, probe: Probe) -> Price | Declined:
    return forwards(4)(inspection, probe)


@instrument(
    "entanglement",
    subjects="models",
    title="Alike in values, or in what they can tell",
    quantity="correlation of two rewards inside prompts, less that of what their networks say of named capabilities",
    unit="within prompts",
    needs="grader.query",
    cost="4 × pairs",
    version=2,
    order=450,
    declines="for anything but two models with trunks; without labelled twins beside natural pairs; under 20 prompts",
    source="one statistic for both terms, paired bootstrap over prompts; conventions A1 to A3",
    price=_price,
)
def entanglement(inspection: Inspection) -> Result:
    """Compare how alike two models' rewards are with how alike they tell a battery of capabilities.

    Of an ensemble of two: `value` the correlation of their rewards inside natural pairs, `capability` the mean over
    the battery's labels of the correlation of what either's probe says of the same pairs, probes fitted on the label's
    twins of other prompts, two thirds of the way into each network. `entanglement` their difference, 0 for a model
    beside itself, its control `null` the 95th percentile of its size with the pairs of one model dealt to the other's
    at random and either way round (which reply a label calls the chosen one is no difference of models), beside
    `null-mean`. `battery` names the labels, which another reading may not share. The study `universality` shows that it
    tells shared raters from shared capabilities on small planted models; of others that isn't known. The public index
    subtracts alignments of subspaces of different kinds, with a null that takes activations to be the same in every
    direction.
    """
    members: Sequence[Any] = getattr(inspection.model, "members", ())
    if len(members) != 2 or any(member.trunk is None for member in members):
        return Result(
            Declined(
                "not_applicable",
                "it is read of two networks that can be looked into, side by side",
                "lens measure model 'ensemble:A+B' --pairs PAIRS",
            )
        )
    pairs = inspection.used_pairs().unique
    read = [pair for pair in pairs if not pair.axis or axis_of(pair) in NATURAL]
    battery = _battery(pairs)
    if (refused := few(read, "natural pairs", BOOTSTRAPPED)) is not None:
        return Result(refused)
    if not battery:
        return Result(
            Declined(
                "corpus_inadequate",
                f"no capability is named by twins of {LEAST} prompts",
                "give twins with an `axis`, the chosen reply having what it names, beside natural pairs",
            )
        )
    one, other = (_said(inspection, member, read, battery) for member in members)
    fields = _fields(inspection, read, one, other)
    fields["battery"] = Label(", ".join(battery))
    both = " and ".join(member.slug for member in members)
    scope = f"{len(read)} natural pairs of {inspection.pairs.name}, {len(battery)} labels; {both}"
    return Result(Measured(fields, "entanglement", scope))


def _battery(pairs: Sequence[Pair]) -> dict[str, list[Pair]]:
    found: dict[str, list[Pair]] = {}
    for pair in pairs:
        if pair.axis and axis_of(pair) not in NATURAL:
            found.setdefault(axis_of(pair), []).append(pair)
    return {name: some for name, some in found.items() if len({pair.cluster for pair in some}) >= LEAST}


def _said(inspection: Inspection, member: Any, read: Sequence[Pair], battery: dict[str, list[Pair]]) -> np.ndarray:
    """One model's differences [n, 1 + K]: of its reward, then of what its probes say."""
    import numpy as np

    from lens.models.work import hold

    hold(member)
    own = dataclasses.replace(inspection, model=member, memo={}, used={}, noted={})
    found = streams(own)
    h = found.at(middle(found.layers[-1]))
    rows = found.rows(read)
    twins = [(name, pair) for name, some in battery.items() for pair in some]
    at = found.rows([pair for _, pair in twins])
    said = probed(
        h[at, 0] - h[at, 1],
        [name for name, _ in twins],
        [pair.cluster for _, pair in twins],
        h[rows, 0] - h[rows, 1],
        [pair.cluster for pair in read],
    )
    margins = found.rewards[rows, 0] - found.rewards[rows, 1]
    return np.column_stack([margins, said])


def _fields(inspection: Inspection, read: Sequence[Pair], one: np.ndarray, other: np.ndarray) -> Fields:
    import numpy as np

    from lens.stats.clusters import grouped, over_sums_each
    from lens.stats.means import quantity
    from lens.stats.permute import across, null

    clusters = [pair.cluster for pair in read]
    found = vce(one, other)
    table = products(one, other)
    sums = np.array([table[group].sum(axis=0) for group in grouped(clusters)])

    def each(total: np.ndarray) -> np.ndarray:
        parts = of_sums(total)
        return np.stack([parts.value - parts.capability, parts.value, parts.capability], axis=-1)

    ends = over_sums_each(sums, each, seed=inspection.seed, draws=inspection.draws)
    fields: Fields = {
        name: quantity(
            value, interval, "within prompts", kind="difference" if name == "entanglement" else "correlation",
            clusters=len(sums), n=len(read), control="null" if name == "entanglement" else "",
        )
        for name, value, interval in zip(
            ("entanglement", "value", "capability"), (found.vce, *found), ends, strict=True
        )
    }  # fmt: skip
    rng = np.random.default_rng(inspection.seed)
    orders = across(len(read), seed=inspection.seed)
    turned = [other[order] * rng.choice((-1.0, 1.0), (len(read), 1)) for order in orders]
    dealt = [abs(vce(one, rows).vce) for rows in turned]
    what = "pairs of one model dealt to the other’s, either way round"
    return fields | null_fields("", null(dealt), "within prompts", "difference", what=what)
