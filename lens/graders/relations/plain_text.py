"""Functions spelled as on a keyboard instead of in LaTeX."""

from lens.graders.relations import pairs

plain_exp = pairs(
    "plain-exp",
    title="exp(...) for a power of e",
    direction="invariant",
    defect="plain-exp-refused",
    on="latex",
    pairs=[
        ("e^{9} + 2", "2 + exp(9)"),
        ("e^{12} - 3", "-3 + exp(12)"),
        ("5 - e^{7}", "5 - exp(7)"),
        ("e^{20} - 4", "exp(20) - 4"),
    ],
)

plain_root = pairs(
    "plain-root",
    title="sqrt(...) without a backslash",
    direction="invariant",
    defect="plain-root-refused",
    on="latex",
    pairs=[
        (r"\sqrt{7}", "sqrt(7)"),
        (r"3\sqrt{5}", "3*sqrt(5)"),
        (r"2+\sqrt{11}", "2 + sqrt(11)"),
        (r"\sqrt{13}", "sqrt(13)"),
    ],
)

plain_pi = pairs(
    "plain-pi",
    title="pi as a word or as its letter",
    direction="invariant",
    defect="plain-pi-refused",
    on="latex",
    pairs=[
        (r"6\pi", "6*pi"),
        (r"11\pi", "11π"),
        (r"\frac{\pi}{5}", "pi/5"),
        (r"24\pi", "24pi"),
    ],
)
