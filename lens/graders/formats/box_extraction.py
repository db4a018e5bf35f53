"""A boxed span taken out of a text: the answer is whatever stands in the box, letter for letter."""

from __future__ import annotations

from lens.graders.formats import Format

FORMAT = Format(
    name="box-extraction",
    title="the content of a text's last box",
    traits=frozenset({"extraction"}),
    shapes=("boxed", "display-box", "fbox", "think-boxed"),
    corpus="latex",
    seeds=("7", "\\frac{1}{2}", "x+1"),
    tokens=("0", "7", "x", "{", "}", "\\", "\\boxed{", "\\fbox{", "\\boxed ", "$", " ", "\\frac", ",", "="),
)
