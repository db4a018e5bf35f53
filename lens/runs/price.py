"""What an instrument for runs will cost: rollouts read, at what this machine reads in a second."""

from __future__ import annotations

from lens.price import Price
from lens.runs.review import Review

ROWS_A_SECOND = 2_000_000  # of a grouped statement in DuckDB, one thread


def pass_over(review: Review) -> Price:
    """One statement over all rollouts."""
    rows = review.run.counts["rows"]
    return Price(0.05 + rows / ROWS_A_SECOND, rows)
