"""Roots: spellings of one, other forms of one, and broken ones."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lens.graders.relations import Case, pairs, relation


@relation(
    "braceless-root",
    title="a root of a single digit without braces",
    direction="invariant",
    defect="braceless-root-refused",
    on="latex",
)
def braceless_root(case: Case) -> Iterator[str]:
    changed = re.sub(r"\\sqrt\{(\d)\}(?![\d])", r"\\sqrt\1", case.answer)
    if changed != case.answer:
        yield changed


@relation(
    "cut-root",
    title="the root of the first digit only",
    direction="must-change",
    defect="cut-root-paid",
    on="latex",
)
def cut_root(case: Case) -> Iterator[str]:
    """Without its braces `\\sqrt{23}` is the root of 2, then a 3."""
    changed = re.sub(r"\\sqrt\{(\d)(\d)\}", r"\\sqrt{\1}\2", case.answer)
    if changed != case.answer:
        yield changed


reciprocal_root = pairs(
    "reciprocal-root",
    title="the reciprocal under the root or outside it",
    direction="invariant",
    defect="reciprocal-root-refused",
    on="latex",
    pairs=[
        (r"\frac{1}{\sqrt{m}}", r"\sqrt{1/m}"),
        (r"\sqrt{1/k}", r"\frac{1}{\sqrt{k}}"),
        (r"\frac{1}{\sqrt{t}}", r"\sqrt{\frac{1}{t}}"),
        (r"\frac{2}{\sqrt{p}}", r"2\sqrt{1/p}"),
    ],
)

rationalised_root = pairs(
    "rationalised-root",
    title="a denominator made rational, or a root simplified",
    direction="invariant",
    defect="rationalised-root-refused",
    on="latex",
    pairs=[
        (r"\frac{\sqrt{2}}{2}", r"\frac{1}{\sqrt{2}}"),
        (r"\frac{\sqrt{7}}{7}", r"\frac{1}{\sqrt{7}}"),
        (r"2\sqrt{3}", r"\sqrt{12}"),
        (r"5\sqrt{2}", r"\sqrt{50}"),
        (r"\frac{3\sqrt{5}}{5}", r"\frac{3}{\sqrt{5}}"),
        (r"4\sqrt{6}", r"\sqrt{96}"),
    ],
)

malformed_root = pairs(
    "malformed-root",
    title="the value followed by a root written with round brackets",
    direction="must-change",
    defect="malformed-root-paid",
    on="latex",
    pairs=[(n, rf"{n}\sqrt({m})") for n, m in (("6", "3"), ("9", "5"), ("11", "7"), ("3", "10"), ("8", "6"))],
)
