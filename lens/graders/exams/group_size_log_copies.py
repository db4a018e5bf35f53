"""Group size of a grader's training, on rollouts that repeat one another."""

from __future__ import annotations

from lens.graders.exams._logged import logged
from lens.runs.exams.group_size_copies import EXAM as OF_RUNS

EXAM = logged(OF_RUNS, "log-copies")
