"""A grader whose training pushed exploits up."""

from __future__ import annotations

from lens.graders.planted._logged import logged
from lens.runs.planted.pushed import FAMILY as OF_RUNS

FAMILY = logged(OF_RUNS, "log-pushed", __name__)
