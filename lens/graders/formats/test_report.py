"""A status for each test, judged against the tests that must turn green and those that must stay green."""

from __future__ import annotations

from lens.graders.formats import Format

FORMAT = Format(
    name="test-report",
    title="a status for each test",
    traits=frozenset({"report"}),
    shapes=("whole",),
    corpus="test-report",
    seeds=(),
    tokens=(),
)
