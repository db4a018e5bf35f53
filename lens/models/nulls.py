"""A value's null as fields beside it (trust conventions, A3): its mean and its 95th percentile over permutations."""

from __future__ import annotations

from lens.reading import Declined, Field, Kind, Label, Quantity
from lens.stats.permute import NULLS, Null

Fields = dict[str, Quantity | Label | Declined]


def null_fields(name: str, null: Null, unit: str, kind: Kind, *, count: int = NULLS, what: str = "") -> Fields:
    """`name.null` and `name.null-mean`, or without a name `null` and `null-mean`; `what` says what was permuted.

    >>> list(null_fields("share", Null(0.1, 0.2), "of the variance", "proportion"))
    ['share.null', 'share.null-mean']
    """
    note = f"95th percentile{f' with {what}' if what else ''}"
    at = f"{name}." if name else ""
    return {
        f"{at}null": Quantity(null.high, unit, kind, n=count, note=note),
        f"{at}null-mean": Quantity(null.mean, unit, kind, n=count, note=what),
    }


def above(value: Field | None, null: Field | None) -> bool:
    """Whether a value is above its null: the lower end of its interval is beyond the null's 95th percentile."""
    if not isinstance(value, Quantity) or value.interval is None or not isinstance(null, Quantity):
        return False
    return value.interval.low > null.value
