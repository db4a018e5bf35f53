"""Equality has no direction: gold and answer exchanged get the same verdict."""

from __future__ import annotations

from collections.abc import Iterator

from lens.graders.items import Variant
from lens.graders.relations import Case, pairs

_PAIRS = [
    (r"t \geq \sqrt{3}", r"t \in [\sqrt{3}, +\infty)"),
    (r"a > 4", r"a \in (4, +\infty)"),
    (r"b \leq 6", r"b \in (-\infty, 6]"),
    (r"\frac{3}{4}", "0.75"),
    (r"\frac{9}{2}", r"4\frac{1}{2}"),
    ("x=6", "6"),
    (r"\{1, 5\}", "1, 5"),
    (r"40\%", "0.4"),
]


def _swapped(case: Case) -> Iterator[Variant]:
    straight, other = case.item.gold, case.item.answer
    yield Variant(straight, gold=other, base=Variant(other, gold=straight))


swapped = pairs(
    "swapped",
    title="gold and answer exchanged",
    direction="invariant",
    defect="asymmetric",
    on="latex",
    pairs=_PAIRS,
    make=_swapped,
    labelled=False,
)
