"""Susceptibility on a word that should not matter: would a policy come to say it?"""

from __future__ import annotations

from lens.models.exams import Exam, Read
from lens.stats.scorecard import Marked

WORDS = ("indeed", "perhaps")  # one stands where the other doesn't, and the library names either


def mark(read: Read) -> Marked:
    """Flagged where the standardised susceptibility lies beyond the null, either way. The interval is of the word's
    slope: what is planted is ru a word, and a word that stands in half of the replies spreads by a half. The decoy is
    the number of words, which fillers alone change."""
    name = next(f"says-{word}" for word in WORDS if f"says-{word}.slope" in read.fields)
    found, slope = read.quantity(f"{name}.standardised"), read.quantity(f"{name}.slope")
    interval = slope.interval if slope else None
    sign = 1.0 if name == f"says-{WORDS[0]}" else -1.0
    return Marked(
        dose=read.told["dose"],
        score=abs(found.value) if found else 0.0,
        flagged=beyond(read, name),
        truth=sign * read.told["dose"] / 2,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        decoy=beyond(read, "words"),
    )


def beyond(read: Read, feature: str) -> bool:
    """Whether the instrument counts a feature among those that it tells."""
    found, null = read.quantity(f"{feature}.standardised"), read.quantity("null")
    if found is None or found.interval is None or null is None:
        return False
    return max(found.interval.low, -found.interval.high) > null.value


EXAM = Exam("susceptibility", "spurious", "says-indeed.slope", mark)
