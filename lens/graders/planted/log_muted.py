"""A grader whose training took no score for a 0."""

from __future__ import annotations

from lens.graders.planted._logged import logged
from lens.runs.planted.muted import FAMILY as OF_RUNS

FAMILY = logged(OF_RUNS, "log-muted", __name__)
