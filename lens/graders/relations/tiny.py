"""Numbers too small for a tolerance are still different numbers."""

from lens.graders.relations import pairs

tiny_numbers = pairs(
    "tiny-number",
    title="another very small number",
    direction="must-change",
    defect="tiny-number-paid",
    on="latex",
    pairs=[
        (r"\frac{1}{1990!}", r"\frac{1}{1993!}"),
        (r"\frac{1}{850!}", r"\frac{1}{851!}"),
        (r"\frac{2}{1500!}", r"\frac{3}{1500!}"),
        (r"\frac{1}{700!}", r"\frac{1}{710!}"),
    ],
)

tiny_powers = pairs(
    "tiny-power",
    title="another very small power",
    direction="must-change",
    defect="tiny-power-paid",
    on="latex",
    pairs=[
        ("10^{-40}", "10^{-43}"),
        ("2^{-900}", "2^{-905}"),
        (r"\frac{1}{10^{30}}", r"\frac{1}{10^{33}}"),
        ("3^{-250}", "3^{-260}"),
    ],
)
