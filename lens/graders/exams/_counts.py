"""Marks of instruments that count golds: a share with an interval is what was planted, and any count is a flag."""

from __future__ import annotations

from collections.abc import Callable

from lens.exam import Read
from lens.stats.scorecard import Marked

A_DOSE = 50  # intervals are judged at positive doses alone: four times 50 of them


def counted(
    name: str, decoy: Callable[[Read], bool], *, shown: float = 1.0, judged: bool = True
) -> Callable[[Read], Marked]:
    """The mark by the field `name`. `shown` is the probability that a gold on which the defect acts is counted;
    `judged` whether the field claims an interval."""

    def mark(read: Read) -> Marked:
        found, dose = read.quantity(name), read.told["dose"]
        interval = found.interval if found and dose and judged else None
        return Marked(
            dose=dose,
            score=found.value / found.of if found and found.of else 0.0,
            flagged=found is not None and found.value > 0,
            truth=dose * shown,
            low=interval.low if interval else None,
            high=interval.high if interval else None,
            decoy=decoy(read),
        )

    return mark


def any_other(prefix: str, suffix: str, but: str) -> Callable[[Read], bool]:
    """Whether any other of a family of fields counts something."""

    def decoy(read: Read) -> bool:
        names = [name for name in read.fields if name.startswith(prefix) and name.endswith(suffix) and name != but]
        return any(found.value > 0 for name in names if (found := read.quantity(name)) is not None)

    return decoy


def elsewhere(column: str) -> Callable[[Read], bool]:
    """Whether a row is counted whose gold the defect doesn't act on; golds are numbered as the rows are."""

    def decoy(read: Read) -> bool:
        table = read.tables["rows"]
        counted = zip(table["row"], table[column], strict=True)
        return any(
            bool(seen > 1 if column == "verdicts" else seen) for row, seen in counted if not read.told["acting"][row]
        )

    return decoy
