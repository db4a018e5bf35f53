"""What an instrument for runs will cost: rollouts read, at what this machine reads in a second."""

from __future__ import annotations

from collections.abc import Callable

from lens.price import Price
from lens.reading import Declined
from lens.runs.review import Review, lacking

ROWS_A_SECOND = 2_000_000  # of a grouped statement in DuckDB, one thread


def pass_over(review: Review) -> Price:
    """One statement over all rollouts."""
    rows = review.run.counts["rows"]
    return Price(0.05 + rows / ROWS_A_SECOND, rows)


def needing(*names: str, price: Callable[[Review], Price] = pass_over) -> Callable[[Review], Price | Declined]:
    """`price` where the record has all of these (columns, or `rollouts`, `series`, `grams`), else its decline."""

    def priced(review: Review) -> Price | Declined:
        lacks = lacking(review.run, *names)
        return price(review) if lacks is None else lacks

    return priced
