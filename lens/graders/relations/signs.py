"""Signs: a plus and a typographic minus are spelling; a flipped sign is another number."""

from __future__ import annotations

from collections.abc import Iterator

from lens.graders.relations import Case, pairs, relation


@relation(
    "plus-sign",
    title="a plus sign before a positive number",
    direction="invariant",
    defect="plus-sign-refused",
    on="number",
)
def plus_sign(case: Case) -> Iterator[str]:
    if case.number is not None and case.number > 0:
        yield f"+{case.answer}"


@relation(
    "typographic-minus",
    title="the minus sign U+2212",
    direction="invariant",
    defect="typographic-minus-refused",
    on="number",
)
def typographic_minus(case: Case) -> Iterator[str]:
    if case.answer.startswith("-"):
        yield f"\u2212{case.answer[1:]}"


@relation(
    "sign-flip",
    title="the opposite number",
    direction="must-change",
    defect="sign-flip-paid",
    on="number",
)
def sign_flip(case: Case) -> Iterator[str]:
    if case.number:
        yield case.answer[1:] if case.answer.startswith("-") else f"-{case.answer}"


sign_beside_upright = pairs(
    "sign-beside-upright-e",
    title="plus for minus beside an upright e",
    direction="must-change",
    defect="sign-beside-upright-e-paid",
    on="latex",
    pairs=[
        (rf"{a} {s} \frac{{{b}}}{{\mathrm{{e}}}}", rf"{a} {t} \frac{{{b}}}{{\mathrm{{e}}}}")
        for a, b in (("2", "1"), ("3", "2"), ("5", "1"), ("4", "3"))
        for s, t in (("+", "-"), ("-", "+"))
    ],
)
