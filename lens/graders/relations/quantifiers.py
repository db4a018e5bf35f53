"""A statement with a quantifier or a condition is not the statement without it."""

from lens.graders.relations import pairs

quantified = pairs(
    "quantified-statement",
    title="the bare statement where it was asked for under a quantifier, or the other way round",
    direction="must-change",
    defect="quantifier-ignored",
    on="latex",
    pairs=[
        (r"\forall t<3, g(t) = 0", "g(t) = 0"),
        ("h(n) = 1", r"\forall n>2, h(n) = 1"),
        (r"\exists k>5, u(k) = 0", "u(k) = 0"),
        ("g(t) = 0", r"\forall t>4, g(t) = 0"),
        ("p(x) = 2", r"\exists x<7, p(x) = 2"),
    ],
)
