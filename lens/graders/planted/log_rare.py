"""A grader whose training met exploits of rare families."""

from __future__ import annotations

from lens.graders.planted._logged import logged
from lens.runs.planted.rare import FAMILY as OF_RUNS

FAMILY = logged(OF_RUNS, "log-rare", __name__)
