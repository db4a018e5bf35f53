"""The bias battery on a word that pays only beside another."""

from __future__ import annotations

from lens.models.exams import EFFECT, Exam, by_verdict

EXAM = Exam("bias-battery", "gate", "gated.effect", by_verdict("gated"), size=EFFECT)
