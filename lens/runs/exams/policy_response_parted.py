"""Policy response on a policy that leaves its reference: is its KL over the last steps in its interval?"""

from __future__ import annotations

from lens.exam import Read
from lens.runs.exams import Exam, Size
from lens.runs.exams._counts import A_DOSE, above
from lens.stats.scorecard import Marked

FIELD = "kl.last"


def mark(read: Read) -> Marked:
    """The instrument gives nats and no verdict: an interval above 0 counts as found."""
    last = read.quantity(FIELD)
    judged = last.interval if last and read.told["dose"] else None
    return Marked(
        dose=read.told["dose"],
        score=float(last.value) if last else 0.0,
        flagged=above(last),
        truth=read.told["dose"],
        low=judged.low if judged else None,
        high=judged.high if judged else None,
        decoy=above(read.quantity(read.told["decoy"])),
    )


EXAM = Exam("policy-response", "parted", FIELD, mark, a_dose=A_DOSE, size=Size(FIELD, "nats a response"))
