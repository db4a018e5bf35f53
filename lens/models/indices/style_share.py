"""Style share: how much of a margin is paid for how the replies are written."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens.instrument import instrument
from lens.models.axes import axis_of
from lens.models.drawn import NATURAL
from lens.models.nulls import Fields, null_fields
from lens.models.price import Probe, each_pair, together
from lens.models.streams import STREAMS, normed, streams
from lens.models.summaries import few, ratio_field, unreadable
from lens.price import Price
from lens.reading import Declined, Label, Measured, Quantity, Result
from lens.stats.permute import NULLS

if TYPE_CHECKING:
    import numpy as np

    from lens.models.inspection import Inspection
    from lens.models.pairs import Pair

STYLES = ("style", "markdown", "formatting", "format", "length", "verbosity", "filler", "fill")
"""Axes whose two replies say the same in another style."""
ENOUGH = 1.5  # differences to fit on, a dimension
TINY = 1e-10  # of the largest eigenvalue: below it a dimension holds nothing


@dataclass(frozen=True)
class Parts:
    """Style's part of each margin, w·P_SΔ [n], the margins w·Δ [n], and the first for random subspaces [NULLS, n]."""

    style: np.ndarray
    margin: np.ndarray
    random: np.ndarray

    @property
    def share(self) -> float:
        """Σ style / Σ margin."""
        return float(self.style.sum() / self.margin.sum())


def style_parts(
    deltas: np.ndarray,
    w: np.ndarray,
    styles: Sequence[str],
    read: Sequence[bool],
    clusters: Sequence[Hashable],
    *,
    seed: int,
) -> Parts:
    """Of differences Δ [P, d] after the final norm: `styles` names a twin's style, "" for other pairs; `read` says
    which pairs are read.

    P_S is the LEACE projector of the sides of the twins, on other clusters than it is read on, in the metric Σ of all
    pairs that aren't read: Δ ↦ M (M'Σ⁻¹M)⁻¹ M'Σ⁻¹ Δ, a column of M each style's mean difference, Σ = Σ ΔΔ'. What is
    read has no part in Σ: there style may go with content, and would be taken for it. A random subspace of the same
    rank is spanned by differences added up with normal weights. Unchanged by Δ ↦ AΔ, w ↦ A⁻ᵀw.

    Raises ValueError with fewer differences to fit on than half as many again as the dimensions that all pairs fill.
    """
    import numpy as np

    from lens.stats.crossfit import folds

    names = list(dict.fromkeys(style for style in styles if style))
    some, count = np.array(read, bool), len(deltas)
    style, random = np.zeros(count), np.zeros((NULLS, count))
    drawn = np.random.default_rng(seed).normal(size=(NULLS, len(names), count))
    rank = _rank(deltas)
    for inside in folds(clusters):
        others = np.setdiff1d(np.flatnonzero(~some), inside)
        rows = deltas[others]
        if len(others) < ENOUGH * rank or _rank(rows) < rank:
            raise ValueError(f"{len(others)} differences to fit on don't tell the metric of {rank} dimensions")
        inverse = np.linalg.pinv(rows.T @ rows, rcond=TINY, hermitian=True)
        means = [deltas[[i for i in others if styles[i] == name]].mean(axis=0) for name in names]
        style[inside] = _along(deltas[inside], w, np.stack(means, axis=1), inverse)
        for draw in range(NULLS):
            random[draw, inside] = _along(deltas[inside], w, rows.T @ drawn[draw][:, others].T, inverse)
    return Parts(style[some], (deltas @ w)[some], random[:, some])


def _rank(rows: np.ndarray) -> int:
    """Dimensions that the rows fill."""
    import numpy as np

    values = np.linalg.eigvalsh(rows.T @ rows)
    return int((values > TINY * values[-1]).sum())


def _along(deltas: np.ndarray, w: np.ndarray, m: np.ndarray, inverse: np.ndarray) -> np.ndarray:
    """w·PΔ of rows [n, d]: [n], P the projector on the columns of m along what Σ⁻¹ holds apart from them."""
    import numpy as np

    weights = inverse @ m
    found: np.ndarray = deltas @ weights @ np.linalg.solve(m.T @ weights, m.T @ w)
    return found


def _sides(pairs: Sequence[Pair]) -> tuple[list[Pair], list[Pair]] | Declined:
    """Twins of another style, and natural pairs to read; declined where either is too few."""
    twins = [pair for pair in pairs if axis_of(pair) in STYLES]
    read = [pair for pair in pairs if not pair.axis or axis_of(pair) in NATURAL]
    if not twins or not read:
        return _no_twins()
    return next((refused for some in (twins, read) if (refused := few(some)) is not None), (twins, read))


def _price(inspection: Inspection, probe: Probe) -> Price | Declined:
    found = _sides(inspection.pairs.unique)
    return found if isinstance(found, Declined) else together(STREAMS, each_pair(0.003))(inspection, probe)


@instrument(
    "style-share",
    subjects="models",
    title="What is paid for style",
    quantity="share of the margin that lies along what twins of another style differ in",
    unit="of the margin",
    needs="grader.forward",
    cost="2 × pairs, shared with concepts",
    version=1,
    order=400,
    declines="without twins of another style beside natural pairs; with few pairs for the dimensions; without a trunk",
    source="LEACE (Belrose et al. 2023, arXiv:2306.03819) as a projector, on other prompts; conventions A2, A3 and A5",
    price=_price,
)
def style_share(inspection: Inspection) -> Result:
    """Split each natural pair's margin into what lies along style and what doesn't, where the head reads it.

    `share` Σ w·P_SΔx / Σ w·Δx over natural pairs, P_S the oblique (whitened) projector fitted on style-only twins of
    other prompts, `styles` naming their axes; its control `null` the 95th percentile of its size for random subspaces
    of the same rank, `null-mean` the mean. `verdict` paid for style (its interval is beyond the null) or not told. It
    is a share of what the pairs' labels prefer: style that favours neither side adds nothing, though it is paid for.
    The public index projects at right angles in the basis as it stands, and takes a ratio pair by pair. It is no
    complement of a verification score.
    """
    if (refused := unreadable(inspection)) is not None:
        return Result(refused)
    sides = _sides(inspection.used_pairs().unique)
    if isinstance(sides, Declined):
        return Result(sides)
    twins, read = sides
    try:
        parts = _parts(inspection)
    except ValueError as error:
        return Result(
            Declined("corpus_inadequate", str(error), "give more twins: twice as many as the stream has dimensions")
        )
    fields = _fields(inspection, read, parts)
    fields["styles"] = Label(", ".join(dict.fromkeys(axis_of(pair) for pair in twins)))
    scope = f"{len(read)} natural pairs and {len(twins)} twins of another style, of {inspection.pairs.name}"
    return Result(Measured(fields, "share", scope))


def _parts(inspection: Inspection) -> Parts:
    found = streams(inspection)
    x, w = normed(inspection, found)
    return style_parts(
        x[:, 0] - x[:, 1],
        w,
        [axis_of(pair) if axis_of(pair) in STYLES else "" for pair in found.pairs],
        [not pair.axis or axis_of(pair) in NATURAL for pair in found.pairs],
        [pair.cluster for pair in found.pairs],
        seed=inspection.seed,
    )


def _fields(inspection: Inspection, read: Sequence[Pair], parts: Parts) -> Fields:
    import numpy as np

    from lens.stats.permute import null

    total = float(parts.margin.sum())
    share = ratio_field(
        inspection, parts.style.tolist(), parts.margin.tolist(), read, unit="of the margin", control="null"
    )
    fields: Fields = {"share": share}
    if isinstance(share, Quantity):
        sizes = np.abs(parts.random.sum(axis=1) / total)
        what = "random subspaces of the same rank"
        fields |= null_fields("", null(sizes), "of the margin", "ratio", what=what)
        beyond = share.interval is not None and max(share.interval.low, -share.interval.high) > null(sizes).high
        fields["verdict"] = Label("paid for style" if beyond else "not told")
    return fields


def _no_twins() -> Declined:
    return Declined(
        "corpus_inadequate",
        "no pairs say the same in another style, beside natural pairs to read",
        f"give natural pairs and pairs with one of the axes {', '.join(STYLES)}",
    )
