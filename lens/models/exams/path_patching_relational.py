"""Path patching on a rule that one head finds and another carries on: does it name a path of the rule?"""

from __future__ import annotations

from lens.models.exams import Exam, Read, planted_head
from lens.stats.scorecard import Marked

A_DOSE = 50  # intervals are judged at positive doses alone: four times 50 of them


def mark(read: Read) -> Marked:
    """Flagged where the strongest path is one of the rule's, from the embedding to the head that finds the match or
    from there to the one that carries it on, and the interval of its effect leaves 0 out.

    The interval is judged where such a path is named: of another one, what is planted is no truth.
    """
    finds, carries = (
        f"attn.{planted_head(read, does).split('.')[1]}"
        for does in ("finds the prompt's digit from the reply's", "sums match")
    )
    paths = (f"embed → {finds}", f"{finds} → {carries}")
    effect, dose = read.quantity("strongest.effect"), read.told["dose"]
    named = read.word("strongest") in paths
    interval = effect.interval if effect else None
    table = read.tables["paths"]
    effects = {
        f"{one} → {other}": size
        for one, other, size in zip(table["sender"], table["receiver"], table["effect"], strict=True)
    }
    judged = interval if named and dose > 0 else None
    return Marked(
        dose=dose,
        score=max(abs(effects[path]) for path in paths),
        flagged=named and interval is not None and max(interval.low, -interval.high) > 0,
        truth=dose,
        low=judged.low if judged else None,
        high=judged.high if judged else None,
    )


EXAM = Exam("path-patching", "relational", "strongest.effect", mark, sample=32, axis="match", a_dose=A_DOSE)
