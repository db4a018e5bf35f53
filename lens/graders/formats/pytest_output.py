"""The output of a pytest run, judged by the statuses that are read out of it."""

from __future__ import annotations

from lens.graders.formats import Format

FORMAT = Format(
    name="pytest-output",
    title="the output of a pytest run",
    traits=frozenset({"pytest-output"}),
    shapes=("whole",),
    corpus="pytest-output",
    seeds=(),
    tokens=(),
)
