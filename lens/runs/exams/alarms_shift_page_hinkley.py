"""Page and Hinkley's test on a mean that shifts."""

from __future__ import annotations

from lens.runs.exams._alarms import exam

EXAM = exam("page-hinkley")
