"""Currency signs."""

from __future__ import annotations

from collections.abc import Iterator

from lens.graders.relations import Case, pairs, relation


@relation(
    "currency-sign",
    title="a dollar sign before the number",
    direction="invariant",
    defect="currency-sign-refused",
    on="number",
)
def currency_sign(case: Case) -> Iterator[str]:
    if case.number is not None and case.number > 0:
        yield f"\\${case.answer}" if case.latex else f"${case.answer}"


currency_for_percent = pairs(
    "currency-for-percent",
    title="an amount of money where a percentage is asked, or the other way round",
    direction="must-change",
    defect="currency-for-percent-paid",
    on="latex",
    pairs=[
        *((f"{n}\\%", f"\\${n}") for n in ("3", "8", "15", "35", "60", "7.5")),
        *((f"\\${n}", f"{n}\\%") for n in ("4", "9", "16", "45", "80", "2.5")),
    ],
)
