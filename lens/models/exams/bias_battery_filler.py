"""The bias battery on a model that pays for length."""

from __future__ import annotations

from lens.models.exams import EFFECT, Exam, by_verdict

EXAM = Exam("bias-battery", "filler", "filler.effect", by_verdict("filler"), size=EFFECT)
