"""A grader whose training compared copies."""

from __future__ import annotations

from lens.graders.planted._logged import logged
from lens.runs.planted.copies import FAMILY as OF_RUNS

FAMILY = logged(OF_RUNS, "log-copies", __name__)
