"""Units after a number: one that the question named is no part of the value, two different ones are two answers."""

from __future__ import annotations

from collections.abc import Iterator

from lens.graders.relations import Case, pairs, relation

_WORDS = ("apples", "coins", "steps", "cm", "hours", "dollars")


@relation(
    "unit-word",
    title="a unit after the number",
    direction="invariant",
    defect="unit-word-refused",
    on="number",
)
def unit_word(case: Case) -> Iterator[str]:
    if case.number is not None:
        word = case.random.choice(_WORDS)
        yield f"{case.answer}\\text{{ {word}}}" if case.latex else f"{case.answer} {word}"


_NUMBERS = ("4", "6", "26", "48", "75", "130")
_SWAPS = (
    ("cm", "inches"),
    ("feet", "meters"),
    ("hours", "minutes"),
    ("dollars", "cents"),
    ("km", "degrees"),
    ("meters", "cm"),
)

unit_swap = pairs(
    "unit-swap",
    title="another unit than the gold's",
    direction="must-change",
    defect="other-unit-paid",
    on="latex",
    pairs=[(f"{n} {a}", f"{n} {b}") for n, (a, b) in zip(_NUMBERS, _SWAPS, strict=True)],
)

unit_swap_text = pairs(
    "unit-swap-text",
    title="another unit than the gold's, in a text macro",
    direction="must-change",
    defect="other-text-unit-paid",
    on="latex",
    pairs=[(rf"{n}\text{{ {a}}}", rf"{n}\text{{ {b}}}") for n, (a, b) in zip(_NUMBERS, _SWAPS, strict=True)],
)
