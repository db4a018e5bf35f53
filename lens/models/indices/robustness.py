"""Robustness: how much of a reward is of what a reply says, beside how it is worded."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lens.instrument import instrument
from lens.models.nulls import Fields, null_fields
from lens.models.paraphrases import WORDINGS, Paraphrases, interchangeable, paraphrases
from lens.models.price import LEAST, Probe
from lens.models.scale import constant
from lens.price import Price
from lens.reading import Declined, Interval, Label, Measured, Quantity, Result
from lens.stats.clusters import BOOTSTRAPPED

if TYPE_CHECKING:
    import numpy as np

    from lens.models.inspection import Inspection
    from lens.models.model import Prompt


class Snr(NamedTuple):
    """σ_b²/σ_w² and σ_b²/(σ_b² + σ_w²), σ_b² at least 0; infinite and 1 where wordings never differ, NaN where nothing
    does."""

    snr: float
    icc: float


def snr(rewards: np.ndarray, items: Sequence[Hashable], prompts: Sequence[Hashable]) -> Snr:
    """One-way random effects of rewards [n] of wordings of `items`, inside `prompts` (one name for all: across them).

    σ_b² = max(0, (MSB − MSW)/k), items nested in prompts. Invariant to a·r + b.

    >>> import numpy as np
    >>> snr(np.array([0.0, 2.0, 10.0, 12.0]), "aabb", "pppp")
    Snr(snr=24.5, icc=0.9607843137254902)
    """
    import numpy as np

    parts, mean = _parts(rewards, items, prompts)
    raw = float(_ratio(parts.sum(axis=0), mean))
    if np.isnan(raw):
        return Snr(raw, raw)
    value = max(0.0, raw)
    return Snr(value, value / (1 + value) if np.isfinite(value) else 1.0)


def _parts(rewards: np.ndarray, items: Sequence[Hashable], prompts: Sequence[Hashable]) -> tuple[np.ndarray, bool]:
    """What the ratio is a function of, one row a drawn unit, and whether the units share one mean.

    Nested: SSB, its degrees, SSW, its degrees, Σk − Σk²/n. Otherwise Σkȳ² (in SSB's place), 1, SSW, its degrees, k,
    Σkȳ and Σk².
    """
    import numpy as np

    from lens.stats.clusters import grouped

    names = list(items)
    by_prompt = grouped(prompts)
    shared = len(by_prompt) == 1
    rows = []
    for group in by_prompt:
        own = [group[some] for some in grouped([names[i] for i in group])]
        k = np.array([len(some) for some in own], float)
        means = np.array([rewards[some].mean() for some in own])
        within = np.array([((rewards[some] - rewards[some].mean()) ** 2).sum() for some in own])
        if shared:
            rows += [
                (k[i] * means[i] ** 2, 1.0, within[i], k[i] - 1, k[i], k[i] * means[i], k[i] ** 2)
                for i in range(len(k))
            ]
        else:
            centre = (k * means).sum() / k.sum()
            rows.append(
                (
                    (k * (means - centre) ** 2).sum(), len(k) - 1.0, within.sum(), (k - 1).sum(),
                    k.sum() - (k**2).sum() / k.sum(), 0.0, 0.0,
                )
            )  # fmt: skip
    return np.array(rows, float), shared


def _ratio(total: np.ndarray, shared: bool) -> np.ndarray:
    """σ_b²/σ_w², not cut at 0, from sums of `_parts` in the last axis."""
    import numpy as np

    between, free, within, inner, k, mean, square = (total[..., at] for at in range(7))
    with np.errstate(divide="ignore", invalid="ignore"):
        if shared:
            between, free, k = between - mean**2 / k, free - 1, k - square / k
        noise = within / inner
        return (between / free - noise) / (k / free) / noise  # type: ignore[no-any-return]


def _price(inspection: Inspection, probe: Probe) -> Price | Declined:
    sides = 2 if interchangeable(inspection) else 1
    count = WORDINGS * sides * min(inspection.sample, len(inspection.pairs.unique))
    return Price(LEAST + count * probe.batched, count)


@instrument(
    "robustness",
    subjects="models",
    title="Does the wording matter",
    quantity="variance of the reward between replies over its variance between wordings of one",
    unit="of the wording’s variance",
    needs="grader.query",
    cost="8 × sampled pairs",
    version=1,
    order=340,
    declines="where nobody certifies a paraphrase; its ratio under 20 prompts",
    source="one-way random effects (Searle, Casella and McCulloch 1992, §3.6); conventions A1, A3 and A6",
    price=_price,
)
def robustness(inspection: Inspection) -> Result:
    """Score replies in several wordings that say the same.

    `snr` σ_b²/σ_w², the variance between replies over that between wordings of one, by one-way random effects with
    replies nested in their prompt, its control `null` the 95th percentile with the wordings dealt to replies at random
    (inside prompts), beside `null-mean`; `icc` σ_b²/(σ_b² + σ_w²). `flipped` the share of rewordings of both replies of
    a pair that turn its verdict. `certified` says who says that the wordings mean the same; where only one reply a
    prompt has them, replies are compared across prompts and `compared` says so. The public index takes the variance of
    cluster means, which holds σ_w²/k: without any signal it reads above 0.
    """
    found = paraphrases(inspection)
    if isinstance(found, Declined):
        return Result(found)
    texts: dict[str, tuple[Prompt, str]] = {}
    for item in found.items:
        texts.update({repr((item.prompt, text)): (item.prompt, text) for text in item.texts})  # type: ignore[misc]
    known = dict(zip(texts, inspection.rewards(list(texts.values())), strict=True))
    rewards = [[known[repr((item.prompt, text))] for text in item.texts] for item in found.items]
    fields = _fields(inspection, found, rewards)
    if isinstance(fields, Declined):
        return Result(fields)
    scope = (
        f"{sum(map(len, rewards))} wordings of {len(rewards)} replies to pairs of {inspection.pairs.name}, certified "
        f"{found.certified}"
    )
    return Result(Measured(fields, "snr", scope))


def _fields(inspection: Inspection, found: Paraphrases, rewards: Sequence[Sequence[float]]) -> Fields | Declined:
    import numpy as np

    from lens.stats.means import few, quantity

    flat = np.array([value for row in rewards for value in row])
    items = [at for at, row in enumerate(rewards) for _ in row]
    prompts = [found.items[at].pair if found.nested else 0 for at in items]
    value = snr(flat, items, prompts)
    if np.isnan(value.snr):
        return constant()
    if np.isinf(value.snr):
        return Declined(
            "assumption_violated",
            "no wording changes the reward at all, so there is nothing to divide by",
            "give paraphrases that differ in more than this model reads",
        )
    clusters = len({item.cluster for item in found.items})
    if clusters < BOOTSTRAPPED:
        return few(clusters, least=BOOTSTRAPPED)
    ends = _interval(inspection, found, flat, items, prompts)
    fields: Fields = {
        "snr": quantity(
            value.snr, ends, "of the wording’s variance", kind="ratio", clusters=clusters, n=len(flat), control="null"
        ),
        "icc": quantity(
            value.icc, _shares(ends), "of the variance", kind="proportion", clusters=clusters, n=len(flat)
        ),
        "certified": Label(found.certified),
        "compared": Label("replies to one prompt" if found.nested else "replies to different prompts"),
    }  # fmt: skip
    fields |= _null(inspection, flat, items, prompts)
    if found.nested:
        fields["flipped"] = _flipped(inspection, found, rewards)
    return fields


def _interval(
    inspection: Inspection,
    found: Paraphrases,
    flat: np.ndarray,
    items: Sequence[int],
    prompts: Sequence[int],
) -> Interval | None:
    """Clusters redrawn; the ends cut at 0, as the value is."""
    from lens.stats.clusters import grouped, over_sums

    parts, shared = _parts(flat, items, prompts)
    of = [item.cluster for item in found.items]
    owners = of if shared else [of[items[group[0]]] for group in grouped(prompts)]
    sums = [parts[group].sum(axis=0).tolist() for group in grouped(owners)]

    def ratio(total: np.ndarray) -> np.ndarray:
        return _ratio(total, shared)

    ends = over_sums(sums, ratio, seed=inspection.seed, draws=inspection.draws)
    if ends is None:
        return None
    return Interval(max(0.0, ends.low), max(0.0, ends.high), ends.method, ends.level)


def _shares(ends: Interval | None) -> Interval | None:
    return None if ends is None else Interval(ends.low / (1 + ends.low), ends.high / (1 + ends.high), ends.method)


def _null(inspection: Inspection, flat: np.ndarray, items: Sequence[int], prompts: Sequence[int]) -> Fields:
    from lens.stats.permute import inside, null

    dealt = [snr(flat[order], items, prompts).snr for order in inside(prompts, seed=inspection.seed)]
    return null_fields(
        "", null(dealt), "of the wording’s variance", "ratio", what="wordings dealt to replies at random"
    )


def _flipped(inspection: Inspection, found: Paraphrases, rewards: Sequence[Sequence[float]]) -> Quantity | Declined:
    """Rewordings of both sides, the first with the first, that have another sign than the replies as they are."""
    from lens.stats.means import mean_of

    sides: dict[int, dict[int, Sequence[float]]] = {}
    cluster: dict[int, str] = {}
    for item, row in zip(found.items, rewards, strict=True):
        sides.setdefault(item.pair, {})[item.side] = row
        cluster[item.pair] = item.cluster
    shares, drawn = [], []
    for pair, both in sides.items():
        margins = [one - other for one, other in zip(both[0], both[1], strict=True)]
        if margins[0]:
            shares.append(sum(margin * margins[0] < 0 for margin in margins[1:]) / (len(margins) - 1))
            drawn.append(cluster[pair])
    return mean_of(
        shares, drawn, "of rewordings", seed=inspection.seed, draws=inspection.draws, kind="proportion",
        note="pairs that the model ties as they are are left out",
    )  # fmt: skip
