"""A mean of items drawn in clusters, with the interval that its clusters allow."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from lens.reading import Declined, Interval, Kind, Quantity
from lens.stats.clusters import LEAST, grouped, interval_of
from lens.stats.coverage import covered


def mean_of(
    values: Sequence[float],
    clusters: Sequence[Hashable],
    unit: str,
    *,
    seed: int,
    draws: int = 2000,
    kind: Kind = "difference",
    n: int | None = None,
    control: str = "",
    note: str = "",
) -> Quantity | Declined:
    """The mean with its interval by the rule of A6; under 8 clusters it declines. `n`: rows before equal ones were
    counted once.

    >>> mean_of([1.0, 3.0] * 6, range(12), "ru", seed=0).value
    2.0
    >>> mean_of([1.0, 3.0], range(2), "ru", seed=0).reason
    'corpus_inadequate'
    """
    found = len(set(clusters))
    if found < LEAST:
        return few(found)
    interval = interval_of(values, clusters, seed=seed, draws=draws)
    mean = sum(values) / len(values)
    rows = n or len(values)
    return quantity(
        mean, interval, unit, kind=kind, clusters=found, n=rows, n_eff=len(values), control=control, note=note
    )


def quantity(
    value: float,
    interval: Interval | None,
    unit: str,
    *,
    kind: Kind,
    clusters: int,
    n: int,
    n_eff: int | None = None,
    control: str = "",
    note: str = "",
) -> Quantity | Declined:
    """A value with its interval over clusters, its coverage noted; declined where there is no interval."""
    if interval is None:
        return few(clusters, least=20)
    note = "; ".join(part for part in (note, covered(clusters) if interval.method != "exact" else "") if part)
    return Quantity(
        value, unit=unit, kind=kind, interval=interval, n=n, n_eff=n_eff if n_eff != n else None,
        control=control, note=note,
    )  # fmt: skip


def few(clusters: int, *, least: int = LEAST) -> Declined:
    """The decline of a number whose rows come from too few prompts."""
    return Declined(
        "corpus_inadequate",
        f"rows of {clusters} prompts or lineages have no interval",
        f"give pairs of at least {least} prompts here",
    )


def cluster_means(values: Sequence[float], clusters: Sequence[Hashable]) -> list[float]:
    """The mean of every cluster, in the order of their first.

    >>> cluster_means([1.0, 3.0, 5.0], ["a", "a", "b"])
    [2.0, 5.0]
    """
    return [sum(values[i] for i in group) / len(group) for group in grouped(clusters)]
