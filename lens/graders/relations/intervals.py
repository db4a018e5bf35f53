"""Intervals: their ends and their brackets are the answer."""

from lens.graders.relations import pairs

interval_end = pairs(
    "interval-end",
    title="another end of the interval",
    direction="must-change",
    defect="interval-end-paid",
    on="latex",
    pairs=[
        ("(2, 7)", "(2, 9)"),
        ("[1, 4]", "[1, 5]"),
        (r"(-\infty, 3)", r"(-\infty, 4)"),
        (r"[6, \infty)", r"[5, \infty)"),
        ("(-2, 0]", "(-3, 0]"),
        (r"\left[ \frac{1}{2}, 3 \right]", r"\left[ \frac{1}{3}, 3 \right]"),
    ],
)

named_interval_end = pairs(
    "named-interval-end",
    title="another end of an interval with a name",
    direction="must-change",
    defect="named-interval-end-paid",
    on="latex",
    pairs=[
        ("A = (1, 3)", "A = (1, 3.5)"),
        ("S = (0, 4)", "S = (0, 6)"),
        ("I = (-1, 2)", "I = (-1, 2.5)"),
        ("B = (2, 8)", "B = (3, 8)"),
    ],
)

interval_bracket = pairs(
    "interval-bracket",
    title="a closed interval for an open one",
    direction="must-change",
    defect="interval-bracket-paid",
    on="latex",
    pairs=[
        ("[2, 7]", "[2, 7)"),
        ("(1, 4]", "[1, 4]"),
        (r"[6, \infty)", r"(6, \infty)"),
        (r"(-\infty, 3]", r"(-\infty, 3)"),
        ("[0, 9)", "(0, 9]"),
    ],
)
