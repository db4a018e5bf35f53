"""A grader whose training took failures for a 0."""

from __future__ import annotations

from lens.graders.planted._logged import logged
from lens.runs.planted.lost import FAMILY as OF_RUNS

FAMILY = logged(OF_RUNS, "log-lost", __name__)
