"""CUSUM on a mean that shifts."""

from __future__ import annotations

from lens.runs.exams._alarms import exam

EXAM = exam("cusum")
