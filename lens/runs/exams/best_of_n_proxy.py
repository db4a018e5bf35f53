"""Best of n on a reward that foretells a trusted score: is what the best of eight has of that score in its interval?"""

from __future__ import annotations

from lens.exam import Read
from lens.reading import Quantity
from lens.runs.exams import Exam
from lens.runs.exams._counts import A_DOSE, above
from lens.stats.scorecard import Marked

FIELD = "best-of-8.gold"


def mark(read: Read) -> Marked:
    """The instrument gives means and no verdict: an interval above what a single sample has, its control, counts as
    found. The score is the difference. The decoy is a leaf that the reward doesn't foretell."""
    best = read.quantity(FIELD)
    judged = best.interval if best and read.told["dose"] else None
    return Marked(
        dose=read.told["dose"],
        score=_gain(read, best),
        flagged=_gained(read, best),
        truth=read.told["mean"],
        low=judged.low if judged else None,
        high=judged.high if judged else None,
        decoy=_gained(read, read.quantity(f"best-of-8.{read.told['decoy']}")),
    )


def _gain(read: Read, best: Quantity | None) -> float:
    single = read.quantity(best.control) if best else None
    return float(best.value - single.value) if best and single else 0.0


def _gained(read: Read, best: Quantity | None) -> bool:
    single = read.quantity(best.control) if best else None
    return single is not None and above(best, float(single.value))


EXAM = Exam("best-of-n", "proxy", FIELD, mark, a_dose=A_DOSE)
