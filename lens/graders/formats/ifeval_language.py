"""A response that must be in one given language throughout."""

from __future__ import annotations

from lens.graders.formats import Format

FORMAT = Format(
    name="ifeval-language",
    title="a response in a given language",
    traits=frozenset({"language"}),
    shapes=("whole",),
    corpus="languages",
    seeds=(),
    tokens=(),
)
