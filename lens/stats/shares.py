"""A share of items drawn in clusters, with the interval that its clusters allow."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from lens.reading import Declined, Interval, Quantity
from lens.stats.clusters import LEAST, grouped, interval_of
from lens.stats.coverage import covered
from lens.stats.intervals import wilson


def share_of(
    hits: Sequence[bool],
    clusters: Sequence[Hashable],
    unit: str,
    *,
    seed: int,
    draws: int = 2000,
    control: str = "",
    note: str = "",
) -> Quantity | Declined:
    """ "k of n" of independent items with Wilson's interval, of clustered ones with the cluster bootstrap's.

    Clusters that are all alike have nothing to redraw: Wilson's over clusters. Under 8 clusters it declines.

    >>> share_of([True] * 6 + [False] * 4, range(10), "pairs", seed=0).interval.method
    'wilson'
    """
    found = dict.fromkeys(clusters)
    if len(found) < LEAST:
        return Declined(
            "corpus_inadequate",
            f"{len(hits)} {unit} of {len(found)} prompts are too few for an interval",
            f"give {unit} of at least {LEAST} prompts",
        )
    interval = _interval(hits, clusters, len(found), seed, draws)
    if interval is None:
        return Declined(
            "corpus_inadequate", f"the share of {unit} isn't defined in enough redraws", f"give {unit} of more prompts"
        )
    if interval.method == "bca":
        note = "; ".join(part for part in (note, covered(len(found))) if part)
    return Quantity(
        sum(hits), unit=unit, kind="count", of=len(hits), interval=interval, n=len(hits),
        n_eff=len(found) if len(found) < len(hits) else None, control=control, note=note,
    )  # fmt: skip


def _interval(hits: Sequence[bool], clusters: Sequence[Hashable], count: int, seed: int, draws: int) -> Interval | None:
    if count == len(hits):
        return wilson(sum(hits), len(hits))
    if len({sum(hits[i] for i in group) / len(group) for group in grouped(clusters)}) == 1:
        return wilson(sum(hits) / len(hits) * count, count)
    found = interval_of([float(hit) for hit in hits], clusters, seed=seed, draws=draws)
    if found is None:
        return None
    return Interval(max(0.0, found.low), min(1.0, found.high), found.method, found.level)
