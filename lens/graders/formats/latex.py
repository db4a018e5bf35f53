"""Mathematical answers written in LaTeX, carried in a response: `\\boxed{\\frac{3}{7}}`."""

from lens.graders.formats import Format

FORMAT = Format(
    name="latex",
    title="a LaTeX answer in a response",
    traits=frozenset({"number", "latex", "slot"}),
    shapes=(
        "boxed", "dollars", "answer-line", "answer-tag", "four-hash", "display-box", "fbox", "think-boxed", "bold",
        "prose", "bare",
    ),
    dresses=("$",),
    corpus="latex",
    seeds=("7", r"\frac{3}{7}", r"2\sqrt{5}"),
    tokens=(
        "1", "2", "3", "7", "0", "x", "y", "+", "-", "=", ",", ".", " ", "(", ")", "[", "]", "{", "}", r"\frac",
        r"\sqrt", r"\pi", r"\left", r"\right", r"\text{ cm}", r"^{\circ}", "^2", r"\%", r"\$", r"\!", r"\\", "/",
    ),
)  # fmt: skip
