"""An evaluation log, judged by the verdict it leads to. `{START}`, `{END}` and `{EXIT}` stand for
the harness's own markers."""

from __future__ import annotations

from lens.graders.formats import Format

FORMAT = Format(
    name="test-log",
    title="an evaluation log with its markers",
    traits=frozenset({"log"}),
    shapes=("whole",),
    corpus="test-log",
    seeds=(),
    tokens=(),
)
