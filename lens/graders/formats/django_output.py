"""The output of Django's test runner, judged by the statuses that are read out of it."""

from __future__ import annotations

from lens.graders.formats import Format

FORMAT = Format(
    name="django-output",
    title="the output of Django's test runner",
    traits=frozenset({"django-output"}),
    shapes=("whole",),
    corpus="django-output",
    seeds=(),
    tokens=(),
)
