"""Countdown: an arithmetic expression that uses each given number once and reaches a target."""

from __future__ import annotations

from lens.graders.formats import Format

FORMAT = Format(
    name="countdown",
    title="an expression over given numbers that reaches a target",
    traits=frozenset({"countdown"}),
    shapes=("bare",),
    corpus="countdown",
    seeds=(),
    tokens=("2", "3", "5", "7", "10", "25", "+", "-", "*", "/", "(", ")", " ", "=", "**"),
    normalise=lambda text: text.replace(" ", ""),
)
