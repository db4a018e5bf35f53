"""Susceptibility: how fast a policy that is tilted towards the reward comes to have more of a feature."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from lens.instrument import instrument
from lens.models.drawn import Drawn, drawn
from lens.models.features import Features, features
from lens.models.nulls import Fields, null_fields
from lens.models.price import SCORED, each_pair, together
from lens.models.scale import constant
from lens.reading import Columns, Declined, Interval, Label, Measured, Quantity, Result

if TYPE_CHECKING:
    import numpy as np

    from lens.models.inspection import Inspection

MOST_CONDITION = 1e6  # of the features' within-prompt correlations, beyond which β isn't told


def susceptibility(features: np.ndarray, rewards: np.ndarray, prompts: Sequence[Hashable]) -> np.ndarray:
    """χ_f = E_x Cov_{y|x}(f, r) of features [n, K] and rewards [n]: [K], in f's units × ru.

    It is dE_λ f/dλ at λ = 0 for π_λ ∝ π_0 e^{λr}, whose first step tilts each prompt on its own.

    >>> import numpy as np
    >>> susceptibility(np.array([[0.0], [1.0], [5.0], [6.0]]), np.array([0.0, 2.0, 9.0, 7.0]), "aabb")
    array([0.])
    """
    import numpy as np

    from lens.stats.drawn import covariance

    both = np.column_stack([features, rewards])
    return covariance(both, prompts)[:-1, -1]


def standardised(features: np.ndarray, rewards: np.ndarray, prompts: Sequence[Hashable]) -> np.ndarray:
    """χ_f / (s_f s_r), each s of the same prompts: [K], −1..1; NaN where a side doesn't vary."""
    import numpy as np

    from lens.stats.drawn import covariance

    table = covariance(np.column_stack([features, rewards]), prompts)
    size = np.sqrt(np.diag(table))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.clip(table[:-1, -1] / (size[:-1] * size[-1]), -1.0, 1.0)  # type: ignore[no-any-return]


def slopes(features: np.ndarray, rewards: np.ndarray, prompts: Sequence[Hashable]) -> np.ndarray | None:
    """β = C_w⁻¹ χ of features in units of their own s: [K], ru; None where cond(C_w) > 1e6."""
    import numpy as np

    from lens.stats.drawn import covariance

    table = covariance(np.column_stack([features, rewards]), prompts)
    size = np.sqrt(np.diag(table)[:-1])
    if not (size > 0).all() or np.linalg.cond(table[:-1, :-1] / np.outer(size, size)) > MOST_CONDITION:
        return None
    return slopes_of(table)


def slopes_of(table: np.ndarray) -> np.ndarray:
    """β from the covariances of K features and, last, the reward, up to a factor: [..., K + 1, K + 1] -> [..., K]."""
    import numpy as np

    size = np.sqrt(np.diagonal(table, axis1=-2, axis2=-1)[..., :-1])
    c = table[..., :-1, :-1] / (size[..., :, None] * size[..., None, :])
    try:
        found: np.ndarray = np.linalg.solve(c, (table[..., :-1, -1] / size)[..., None])[..., 0]
    except np.linalg.LinAlgError:
        return np.full(size.shape, np.nan)
    return found


def effective(rewards: np.ndarray, prompts: Sequence[Hashable], tilt: float) -> float:
    """Effective sample size of e^{λr} inside prompts over the number of replies, 0..1: (Σw)²/Σw², over prompts."""
    import numpy as np

    from lens.stats.clusters import grouped

    shares = []
    for group in grouped(prompts):
        w = np.exp(tilt * (rewards[group] - rewards[group].max()))
        shares.append(w.sum() ** 2 / (w**2).sum() / len(group))
    return float(np.mean(shares))


@instrument(
    "susceptibility",
    subjects="models",
    title="What it would breed",
    quantity="features that a policy tilted towards the reward would have more or less of, beyond chance",
    unit="features",
    needs="grader.record",
    cost="2 × pairs, shared with what it prefers",
    version=2,
    order=310,
    declines="under 20 prompts with two replies; β where features are collinear; where no reward differs in a prompt",
    source="linear response of an exponential tilt, χ = dE f/dλ at 0; conventions A1, A3 and A4",
    price=together(SCORED, each_pair(0.001)),
)
def susceptibility_of(inspection: Inspection) -> Result:
    """Covary every named feature of a reply with the reward, inside prompts.

    A feature f: `f.standardised` χ_f/(s_f s_r), its control `null` the 95th percentile of the largest size of all, with
    the rewards permuted inside each prompt, beside `null-mean`; `f.slope` its part of β = C_w⁻¹χ in ru a spread of f,
    every other feature held. `told` counts the features beyond the null, k of n; `largest` names the one with the
    largest standardised χ. `effective` the share of the replies that carry a tilt of one within-prompt spread
    (λ = 1/s_r), where a first-order claim is already a stretch. Table `features` adds χ in the feature's units × ru.
    The public index pools prompts, and can have the other sign; under GRPO the multiplier is the advantage instead.
    """
    found = drawn(inspection)
    if isinstance(found, Declined):
        return Result(found)
    from lens.stats.drawn import spread
    from lens.stats.means import few

    if found.units < 20:
        return Result(few(found.units, least=20))
    s_r = spread(found.rewards, found.prompts)
    known = features(found.replies, found.prompts)
    if s_r == 0 or not known.names:
        return Result(constant())
    fields, table = _fields(inspection, found, known)
    share = effective(found.rewards, found.prompts, 1 / s_r)
    fields["effective"] = Quantity(share, "of the draws", "proportion", n=len(found), note="at a tilt of one spread")
    scope = f"{len(known.names)} features of {found.scope}"
    return Result(Measured(fields, "told", scope), {"features": table})


def _fields(inspection: Inspection, found: Drawn, known: Features) -> tuple[Fields, Columns]:
    import numpy as np

    from lens.stats.means import quantity
    from lens.stats.permute import inside, null

    values = standardised(known.values, found.rewards, found.prompts)
    ends = _intervals(inspection, found, known)
    own_ends = ends[len(known.names) :]
    nulls = np.array(
        [
            np.abs(standardised(known.values, found.rewards[order], found.prompts))
            for order in inside(found.prompts, seed=inspection.seed)
        ]
    )
    own = slopes(known.values, found.rewards, found.prompts)
    most = null(nulls.max(axis=1))
    fields: Fields = {}
    for at, name in enumerate(known.names):
        fields[f"{name}.standardised"] = _told(float(values[at]), ends[at], found)
        fields[f"{name}.slope"] = (
            _collinear()
            if own is None
            else quantity(float(own[at]), own_ends[at], "ru a spread", kind="score", clusters=found.units, n=len(found))
        )
    told = [_away(fields[f"{name}.standardised"], most.high) for name in known.names]
    fields["largest"] = Label(known.names[int(np.argmax(np.abs(values)))], "named on the rows it is read on")
    fields["told"] = Quantity(sum(told), "features", "count", of=len(told), note="beyond the null, either way")
    what = "rewards permuted inside prompts, the largest of all features"
    fields |= null_fields("", most, "spreads", "correlation", what=what)
    raw = susceptibility(known.values, found.rewards, found.prompts)
    return fields, _table(known, values, raw, ends, own)


def _told(value: float, ends: Interval | None, found: Drawn) -> Quantity | Declined:
    from lens.stats.means import quantity

    return quantity(
        value, ends, "spreads", kind="correlation", clusters=found.units, n=len(found), control="null"
    )  # fmt: skip


def _away(value: object, beyond: float) -> bool:
    """Whether a standardised χ of either sign is beyond its null."""
    if not isinstance(value, Quantity) or value.interval is None:
        return False
    return max(value.interval.low, -value.interval.high) > beyond


def _intervals(inspection: Inspection, found: Drawn, known: Features) -> list[Interval | None]:
    """Of every feature's standardised χ, then of every β: all covariances of every redraw of the clusters."""
    import numpy as np

    from lens.stats.clusters import grouped, over_sums_each
    from lens.stats.drawn import centred, weights

    both = np.column_stack([known.values, found.rewards])
    unit = both.std(axis=0)
    rows = centred(both / unit, found.prompts)
    k = rows.shape[1]
    parts = np.einsum("n,ni,nj->nij", weights(found.prompts), rows, rows).reshape(len(rows), k * k)

    def of(sums: np.ndarray) -> np.ndarray:
        table = sums.reshape(-1, k, k)
        size = np.sqrt(np.diagonal(table, axis1=1, axis2=2))
        chi = table[:, :-1, -1] / (size[:, :-1] * size[:, -1:])
        return np.concatenate([chi, unit[-1] * slopes_of(table)], axis=1)

    sums = np.array([parts[group].sum(axis=0) for group in grouped(found.clusters)])
    return over_sums_each(sums, of, seed=inspection.seed, draws=inspection.draws)


def _collinear() -> Declined:
    return Declined(
        "assumption_violated",
        "two features say almost the same of these replies",
        "read each feature's own standardised susceptibility",
    )


def _table(
    known: Features,
    values: np.ndarray,
    raw: np.ndarray,
    ends: Sequence[Interval | None],
    own: np.ndarray | None,
) -> Columns:
    return {
        "feature": list(known.names),
        "chi": raw.tolist(),
        "standardised": values.tolist(),
        "low": [one.low if one else None for one in ends[: len(known.names)]],
        "high": [one.high if one else None for one in ends[: len(known.names)]],
        "slope": [None] * len(known.names) if own is None else own.tolist(),
    }
