"""The bias battery on a word that should not matter."""

from __future__ import annotations

from lens.models.exams import EFFECT, Exam, by_verdict

EXAM = Exam("bias-battery", "spurious", "spurious.effect", by_verdict("spurious"), size=EFFECT)
