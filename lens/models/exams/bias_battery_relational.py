"""The bias battery on a rule that relates the reply to its prompt."""

from __future__ import annotations

from lens.models.exams import EFFECT, Exam, by_verdict

EXAM = Exam("bias-battery", "relational", "match.effect", by_verdict("match"), size=EFFECT)
