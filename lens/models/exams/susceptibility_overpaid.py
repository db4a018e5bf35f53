"""Susceptibility on a word that should not matter: would a policy come to say it?"""

from __future__ import annotations

from lens.models.exams import FEW, Exam, Read, Size
from lens.stats.scorecard import Marked

WORDS = ("indeed", "perhaps")  # one stands where the other doesn't, and the library names either


def mark(read: Read) -> Marked:
    """Flagged where the standardised susceptibility lies beyond the null, either way. The decoy is the number of words,
    which fillers alone change.

    No coverage is read: what is planted is ru a word, the standardised figure is over spreads that hold random parts
    too, and the slope holds the number of characters, so that for a longer word it takes away other words' worth.
    """
    name = next(f"says-{word}" for word in WORDS if f"says-{word}.standardised" in read.fields)
    found = read.quantity(f"{name}.standardised")
    return Marked(
        dose=read.told["dose"],
        score=abs(found.value) if found else 0.0,
        flagged=beyond(read, name),
        decoy=beyond(read, "words"),
    )


def beyond(read: Read, feature: str) -> bool:
    """Whether the instrument counts a feature among those that it tells."""
    found, null = read.quantity(f"{feature}.standardised"), read.quantity("null")
    if found is None or found.interval is None or null is None:
        return False
    return max(found.interval.low, -found.interval.high) > null.value


EXAM = Exam(
    "susceptibility",
    "overpaid",
    "says-indeed.standardised",
    mark,
    a_dose=FEW,
    size=Size("|*.standardised|", "spreads"),
)
