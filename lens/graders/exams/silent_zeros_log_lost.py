"""Silent zeros of a grader, on failures written down as a 0. The decoy: a failure beside another score."""

from __future__ import annotations

from lens.graders.exams._logged import logged
from lens.runs.exams.silent_zeros_lost import EXAM as OF_RUNS

EXAM = logged(OF_RUNS, "log-lost")
