"""What a few common phrases promise, held against the value they are said of."""

from __future__ import annotations

import re
from collections.abc import Callable

from lens.reading import Quantity, Quote
from site_builder.claims.answers import Answer
from site_builder.claims.stamps import Stamp

# Phrase -> what the share must be. The first phrase found decides.
_PHRASES: tuple[tuple[str, str, Callable[[float], bool]], ...] = (
    (r"\b(?:less|fewer) than half\b|\bunder half\b|\ba minority\b", "a share below half", lambda share: share < 0.5),
    (r"\b(?:(?:more|better) than half|over half|most|majority)\b", "a share above half", lambda share: share > 0.5),
    (r"\bat least half\b|\bhalf or more\b", "a share of half or more", lambda share: share >= 0.5),
    (r"\bmore than (?:two|2) thirds\b", "a share above two thirds", lambda share: share > 2 / 3),
    (r"\bmore than (?:a|one) third\b", "a share above a third", lambda share: share > 1 / 3),
    (r"\bmore than (?:a|one) quarter\b", "a share above a quarter", lambda share: share > 0.25),
    (r"\b(?:almost|nearly) all\b", "a share of nine tenths or more", lambda share: share >= 0.9),
    (r"\b(?:almost|nearly) (?:none|no)\b|\bhardly any\b", "a share of a tenth or less", lambda share: share <= 0.1),
    (r"\bnone\b|\bnot (?:one|a single)\b|\bno\b|\bnever\b|\bzero\b", "a zero", lambda share: share == 0),
    (r"\bnot all\b", "less than all", lambda share: share < 1),
    (r"\ball\b|\bevery\b|\balways\b", "the whole", lambda share: share == 1),
)  # fmt: skip
_NUMERIC = re.compile(r"[0-9]")


def contradicts(stamp: Stamp, answer: Answer) -> str:
    """What the words say that the value does not give; empty where nothing does."""
    words = stamp.ref.partition("|")[0] if stamp.form == "claim" else stamp.shown
    if _NUMERIC.search(words):
        return f"{words.strip()!r} holds a numeral: a condition backs words, a reference backs numbers"
    share = _share(answer)
    if share is None:
        return ""
    for pattern, promise, holds in _PHRASES:
        if re.search(pattern, words, re.IGNORECASE):
            return (
                "" if holds(share) else f"{words.strip()!r} promises {promise}, the store has {answer.cited[0].ascii}"
            )
    return ""


def _share(answer: Answer) -> float | None:
    """The value as a share of its whole; a count without a whole only tells zero from more."""
    field = answer.cited[0].field if len(answer.cited) == 1 else None
    if not isinstance(field, Quantity | Quote) or field.value is None:
        return None
    if field.of:
        return field.value / field.of
    if field.kind == "proportion":
        return float(field.value)
    return 0.0 if field.value == 0 else None
