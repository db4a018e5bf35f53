"""Abstention channel of a grader, on totals that took no score for a 0. The decoy: a 0 beside one score."""

from __future__ import annotations

from lens.graders.exams._logged import logged
from lens.runs.exams.abstention_channel_muted import EXAM as OF_RUNS

EXAM = logged(OF_RUNS, "log-muted")
