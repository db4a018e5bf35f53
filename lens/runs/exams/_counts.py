"""Marks of instruments that count in a record: a share with an interval is what was planted; any count is a flag."""

from __future__ import annotations

from collections.abc import Callable

from lens.exam import Read
from lens.reading import Quantity
from lens.stats.scorecard import Marked

A_DOSE = 50  # intervals are judged at positive doses alone: four times 50 of them


def counted(name: str, decoy: Callable[[Read], bool] | None = None, *, judged: bool = True) -> Callable[[Read], Marked]:
    """The mark by the field `name`, k of n. `judged` says whether the field claims an interval. Without a `decoy` of
    its own, what isn't planted was taken for it where more are counted than were planted."""

    def mark(read: Read) -> Marked:
        found, dose = read.quantity(name), read.told["dose"]
        interval = found.interval if found and dose and judged else None
        return Marked(
            dose=dose,
            score=found.value / found.of if found and found.of else 0.0,
            flagged=found is not None and found.value > 0,
            truth=dose,
            low=interval.low if interval else None,
            high=interval.high if interval else None,
            decoy=decoy(read) if decoy else _more(found, read.told["planted"]),
        )

    return mark


def above(found: Quantity | None, level: float = 0.0) -> bool:
    """Whether a field's interval lies above `level`."""
    return found is not None and found.interval is not None and found.interval.low > level


def _more(found: Quantity | None, planted: int) -> bool:
    return found is not None and found.value > planted
