"""A function completed from its signature, run against assertions."""

from __future__ import annotations

from lens.graders.formats import Format

FORMAT = Format(
    name="code",
    title="the body of a function, run against assertions",
    traits=frozenset({"code"}),
    shapes=("whole",),
    corpus="code",
    seeds=(),
    tokens=(),
)
