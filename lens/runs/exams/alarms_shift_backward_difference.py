"""The backward difference on a mean that shifts."""

from __future__ import annotations

from lens.runs.exams._alarms import exam

EXAM = exam("backward-difference", "a level that shifts and stays: in differences it is one step")
