"""Counterfactual reward on a leaf that decides who is pushed: is the share of signs it turned in its interval?"""

from __future__ import annotations

from lens.exam import Read
from lens.runs.exams import Exam, Size
from lens.runs.exams._counts import A_DOSE, above
from lens.stats.scorecard import Marked

FIELD = "drop-style.flips"


def mark(read: Read) -> Marked:
    """The instrument gives counts and no verdict: one whose interval lies above 0 counts as found. The decoy is a leaf
    that is paid as much, and alike inside a group."""
    flips = read.quantity(FIELD)
    judged = flips.interval if flips and read.told["dose"] else None
    return Marked(
        dose=read.told["dose"],
        score=flips.value / flips.of if flips and flips.of else 0.0,
        flagged=above(flips),
        truth=read.told["flips"],
        low=judged.low if judged else None,
        high=judged.high if judged else None,
        decoy=above(read.quantity(f"{read.told['decoy']}.flips")),
    )


EXAM = Exam("counterfactual", "tilted", FIELD, mark, a_dose=A_DOSE, size=Size("drop-*.flips", "of rollouts"))
