"""A text of a given number of paragraphs, one of which must start with a given word."""

from __future__ import annotations

from lens.graders.formats import Format

FORMAT = Format(
    name="ifeval-paragraph",
    title="a number of paragraphs, one with a given first word",
    traits=frozenset({"paragraphs"}),
    shapes=("whole",),
    corpus="paragraphs",
    seeds=(),
    tokens=("river", "Stone", "\n\n", "\n", " ", "walks.", "the", '"', "'", ","),
)
