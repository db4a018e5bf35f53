"""Whether several reward models prefer the same replies, beyond what their accuracies alone give."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, Protocol

from lens.instrument import instrument
from lens.models import price
from lens.models.pairs import Pair
from lens.reading import Columns, Declined, Measured, Quantity, Reading, Result
from lens.stats.clusters import BOOTSTRAPPED

if TYPE_CHECKING:
    import numpy as np

    from lens.models.inspection import Inspection
    from lens.reading import Label

_REMEDY = "lens measure model scores:A.jsonl+B.jsonl --instruments agreement"


class Member(Protocol):
    slug: str

    def recorded(self, pair: Pair) -> tuple[float, float] | None: ...


class Two(NamedTuple):
    """Two members and the margins of both, on pairs that both scored."""

    first: str
    second: str
    pairs: list[Pair]
    margins: tuple[list[float], list[float]]


@instrument(
    "agreement",
    subjects="models",
    title="Do they agree",
    quantity="pairs on which two models prefer the same reply",
    unit="pairs",
    needs="grader.record gold.record",
    cost="none: recorded scores",
    version=1,
    order=50,
    declines="on one model; kappa and rank correlation under 20 prompts",
    source="Cohen's kappa of right, wrong and tied: error consistency (Geirhos et al. 2020, arXiv:2006.16736)",
    price=price.free,
)
def agreement(inspection: Inspection) -> Reading | Result:
    """Compare the verdicts of models whose scores stand side by side, two at a time.

    `A.B.same` k of n shared pairs on which both prefer the same reply, or both tie; its control `A.B.expected`, the
    share that their accuracies alone would give; `A.B.kappa` what is left, Cohen's kappa of right, wrong and tied.
    `A.B.rank` Spearman's correlation of their margins, which needs no common unit. `kappa.lowest`, `kappa.highest` the
    range of kappa. `all-right`, `all-wrong` k of n pairs on which every model prefers the labelled, the other reply;
    their controls `expected.all-right`, `expected.all-wrong`, the shares were their errors independent.
    Table `agreement` (first, second, pairs, same, expected, kappa, low, high, rank): the matrix, a row a cell.
    """
    members: tuple[Member, ...] = getattr(inspection.model, "members", ())
    if len(members) < 2 or inspection.model.family != "scores":
        return Declined("not_applicable", "agreement is between recorded models: this is one", _REMEDY)
    pairs = inspection.used_pairs().unique
    inspection.used |= {one.name: one for one in inspection.model.inputs}  # type: ignore[attr-defined]
    twos = [_two(a, b, pairs) for a, b in combinations(members, 2)]
    if not all(two.pairs for two in twos):
        return Declined(
            "record_incomplete", "two of these records have no pair in common", "name records of the same pairs"
        )
    fields: dict[str, Quantity | Label | Declined] = {}
    table: Columns = {name: [] for name in _COLUMNS}
    for two in twos:
        found = _compare(inspection, two)
        fields |= {f"{two.first}.{two.second}.{name}": field for name, field in found.items()}
        for name, value in zip(_COLUMNS, _row(two, found), strict=True):
            table[name].append(value)
    fields |= _range(fields)
    fields |= _together(inspection, members, pairs)
    scope = f"{len(members)} models on {len(pairs)} pairs of {inspection.pairs.name}, each in its own units"
    headline = "kappa.lowest" if "kappa.lowest" in fields else next(iter(fields))
    return Result(Measured(fields, headline, scope), {"agreement": table})


_COLUMNS = ("first", "second", "pairs", "same", "expected", "kappa", "low", "high", "rank")


def _two(a: Member, b: Member, pairs: Sequence[Pair]) -> Two:
    shared = [
        (pair, x, y) for pair in pairs if (x := a.recorded(pair)) is not None and (y := b.recorded(pair)) is not None
    ]
    margins = [x[0] - x[1] for _, x, _ in shared], [y[0] - y[1] for _, _, y in shared]
    return Two(a.slug, b.slug, [pair for pair, _, _ in shared], margins)


def verdict(margin: float) -> int:
    """1 for the labelled reply, −1 for the other, 0 for a tie."""
    return (margin > 0) - (margin < 0)


def _compare(inspection: Inspection, two: Two) -> dict[str, Quantity | Declined]:
    from lens.stats.clusters import over_sums
    from lens.stats.kappa import kappa
    from lens.stats.shares import share_of

    drawn = [pair.cluster for pair in two.pairs]
    first, second = ([verdict(margin) for margin in margins] for margins in two.margins)
    same = [a == b for a, b in zip(first, second, strict=True)]
    known = kappa(first, second)
    few, control = _few(len(set(drawn))), f"{two.first}.{two.second}.expected"
    interval = over_sums(_counts(first, second, drawn), _kappa, seed=inspection.seed, draws=inspection.draws)
    return {
        "same": share_of(same, drawn, "pairs", seed=inspection.seed, draws=inspection.draws, control=control),
        "expected": Quantity(known.expected, "share of pairs", "proportion", n=len(same)),
        "kappa": few
        if interval is None
        else Quantity(known.kappa, "kappa", "correlation", interval=interval, n=len(same), note="0 is chance"),
        "rank": _rank(inspection, two, drawn) or few,
    }


def _counts(first: Sequence[int], second: Sequence[int], drawn: Sequence[str]) -> list[list[float]]:
    """Each cluster's 3 × 3 counts of the two verdicts, flat."""
    parts: dict[str, list[float]] = {}
    for a, b, cluster in zip(first, second, drawn, strict=True):
        parts.setdefault(cluster, [0.0] * 9)[3 * (a + 1) + b + 1] += 1
    return list(parts.values())


def _kappa(counts: np.ndarray) -> np.ndarray:
    square = counts.reshape(*counts.shape[:-1], 3, 3)
    n = square.sum(axis=(-1, -2))
    observed = square.trace(axis1=-2, axis2=-1) / n
    expected = (square.sum(axis=-1) * square.sum(axis=-2)).sum(axis=-1) / n**2
    return (observed - expected) / (1 - expected)  # type: ignore[no-any-return]


def _rank(inspection: Inspection, two: Two, drawn: Sequence[str]) -> Quantity | None:
    import numpy as np

    from lens.stats.bca import bca
    from lens.stats.clusters import grouped, interval_of
    from lens.stats.correlation import spearman, spearman_each

    x, y = (np.asarray(margins) for margins in two.margins)
    count = len(grouped(drawn))
    if count < BOOTSTRAPPED:
        return None
    if count == len(x):
        interval = bca(
            count, lambda picks: spearman_each(x[picks], y[picks]), seed=inspection.seed, draws=inspection.draws
        )
    else:
        both = np.column_stack([x, y])
        interval = interval_of(
            both.tolist(), drawn, lambda rows: float(spearman_each(rows[None, :, 0], rows[None, :, 1])[0]),
            seed=inspection.seed, draws=inspection.draws,
        )  # fmt: skip
    if interval is None:
        return None
    return Quantity(spearman(x.tolist(), y.tolist()), "rank correlation", "correlation", interval=interval, n=len(x))


def _row(two: Two, found: dict[str, Quantity | Declined]) -> tuple[str | float | None, ...]:
    def value(name: str) -> float | None:
        field = found[name]
        return float(field.value) if isinstance(field, Quantity) else None

    interval = found["kappa"].interval if isinstance(found["kappa"], Quantity) else None
    ends = (interval.low, interval.high) if interval is not None else (None, None)
    same = sum(verdict(a) == verdict(b) for a, b in zip(*two.margins, strict=True))
    return two.first, two.second, len(two.pairs), same, value("expected"), value("kappa"), *ends, value("rank")


def _range(fields: dict[str, Quantity | Label | Declined]) -> dict[str, Quantity | Label | Declined]:
    """The lowest and highest kappa, each with whose it is."""
    known = {
        name: field for name, field in fields.items() if name.endswith(".kappa") and isinstance(field, Quantity)
    }  # fmt: skip
    if len(known) < 2:
        return {}
    ends = {"lowest": min, "highest": max}
    found: dict[str, Quantity | Label | Declined] = {}
    for which, pick in ends.items():
        name = pick(known, key=lambda one: known[one].value)
        first, second, _ = name.split(".")
        of = known[name]
        note = f"{first} with {second}; a range is described, not tested"
        found[f"kappa.{which}"] = Quantity(of.value, of.unit, of.kind, interval=of.interval, n=of.n, note=note)
    return found


def _together(
    inspection: Inspection, members: Sequence[Member], pairs: Sequence[Pair]
) -> dict[str, Quantity | Label | Declined]:
    """How often all are right, and all are wrong, against independent errors of the same rates."""
    from math import prod

    from lens.stats.shares import share_of

    said = {pair: [member.recorded(pair) for member in members] for pair in pairs}
    verdicts = {
        pair: [verdict(one[0] - one[1]) for one in scores if one is not None]
        for pair, scores in said.items()
        if all(one is not None for one in scores)
    }
    drawn = [pair.cluster for pair in verdicts]
    fields: dict[str, Quantity | Label | Declined] = {}
    for name, sign in (("all-right", 1), ("all-wrong", -1)):
        hits = [all(one == sign for one in some) for some in verdicts.values()]
        if not hits:
            return {}
        alone = [sum(some[at] == sign for some in verdicts.values()) / len(hits) for at in range(len(members))]
        fields[name] = share_of(
            hits, drawn, "pairs", seed=inspection.seed, draws=inspection.draws, control=f"expected.{name}"
        )  # fmt: skip
        fields[f"expected.{name}"] = Quantity(
            prod(alone), "share of pairs", "proportion", n=len(hits), note="were their errors independent"
        )  # fmt: skip
    return fields


def _few(prompts: int) -> Declined:
    told = f"{prompts} prompts are too few for this, or a model never varies"
    return Declined("corpus_inadequate", told, f"give pairs of at least {BOOTSTRAPPED} prompts")
