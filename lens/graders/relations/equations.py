"""Equations and assignments: a name before the value, another name, another form of one line."""

from __future__ import annotations

from collections.abc import Iterator

from lens.graders.relations import Case, pairs, relation


@relation(
    "assignment-prefix",
    title="a name and an equals sign before the number",
    direction="invariant",
    defect="assignment-prefix-refused",
    on="latex",
)
def assignment_prefix(case: Case) -> Iterator[str]:
    if case.number is not None:
        yield f"x = {case.answer}"
        yield f"x={case.answer}"


other_name = pairs(
    "other-name",
    title="the value given to another name",
    direction="must-change",
    defect="other-name-paid",
    on="latex",
    pairs=[
        ("x=8", "z=8"),
        ("y=3", "x=3"),
        ("a=12", "b=12"),
        (r"m=\frac{2}{3}", r"n=\frac{2}{3}"),
        ("t = -4", "s = -4"),
        ("k=2.5", "r=2.5"),
    ],
)

line_form = pairs(
    "line-form",
    title="another form of the same line",
    direction="invariant",
    defect="line-form-refused",
    on="latex",
    pairs=[
        (r"y = -\frac{1}{3}x + \frac{5}{6}", "2x+6y-5=0"),
        (r"y = \frac{3}{2}x - \frac{1}{4}", "6x-4y-1=0"),
        (r"y = -\frac{2}{5}x + \frac{7}{5}", "2x+5y-7=0"),
        ("3x+y-8=0", "y = -3x + 8"),
    ],
)
