"""How near a number may come, and whether a hundredfold counts as the same."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from lens.graders.relations import Case, relation


@relation(
    "near-number",
    title="a number a little beside the whole one asked for",
    direction="must-change",
    defect="near-number-paid",
    on="number",
)
def near_number(case: Case) -> Iterator[str]:
    """Off by 0.002 % to 0.2 % of the value, written out: no rounding of a whole number looks like that."""
    if case.whole:
        for share in ("0.00002", "0.002"):
            yield f"{(case.whole * (1 + Decimal(share))).normalize():f}"


@relation(
    "hundredfold",
    title="the hundredfold or the hundredth of the number",
    direction="must-change",
    defect="hundredfold-paid",
    on="number",
)
def hundredfold(case: Case) -> Iterator[str]:
    if case.number:
        yield f"{case.number * 100:f}"
        yield f"{(case.number / 100).normalize():f}"
