"""A response that opens a think block, closes it once, and then answers. Every well-formed response is right."""

from __future__ import annotations

from lens.graders.formats import Format

FORMAT = Format(
    name="think-format",
    title="a think block closed once, then an answer",
    traits=frozenset({"think"}),
    shapes=("whole",),
    corpus="think-format",
    seeds=(),
    tokens=("<think>", "</think>", "\n", "Two.", " ", "and so", "<answer>"),
    crosses=False,
)
