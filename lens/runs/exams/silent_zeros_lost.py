"""Silent zeros of a planted share: are they counted, without the failures that are no zero?"""

from __future__ import annotations

from lens.exam import Read
from lens.runs.exams import Exam, Size
from lens.stats.scorecard import Marked

A_DOSE = 50  # intervals are judged at positive doses alone: four times 50 of them


def mark(read: Read) -> Marked:
    """Flagged where any is counted. The decoy, a failure beside another score, is taken for one where more are counted
    than were planted."""
    silent = read.quantity("silent")
    judged = silent.interval if silent and read.told["dose"] else None
    return Marked(
        dose=read.told["dose"],
        score=silent.value / silent.of if silent and silent.of else 0.0,
        flagged=silent is not None and silent.value > 0,
        truth=read.told["dose"],
        low=judged.low if judged else None,
        high=judged.high if judged else None,
        decoy=silent is not None and silent.value > read.told["silent"],
    )


EXAM = Exam("silent-zeros", "lost", "silent", mark, a_dose=A_DOSE, size=Size("silent", "of scores"))
