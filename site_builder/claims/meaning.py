"""What a few common phrases promise, held against the value they are said of."""

from __future__ import annotations

import re
from collections.abc import Callable

from lens.reading import Label, Quantity, Quote
from site_builder.claims.answers import Answer
from site_builder.claims.stamps import Stamp
from site_builder.lookup import Cited

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
    (r"\b(?:rarely|seldom|few|hardly ever)\b", "a share of a quarter or less", lambda share: share <= 0.25),
    (r"\b(?:usually|mostly|typically|mainly|often)\b", "a share above half", lambda share: share > 0.5),
    (r"\b(?:two|2) thirds\b", "about two thirds", lambda share: abs(share - 2 / 3) <= 0.05),
    (r"\bthree quarters\b", "about three quarters", lambda share: abs(share - 0.75) <= 0.05),
    (r"\b(?:a|one) third\b", "about a third", lambda share: abs(share - 1 / 3) <= 0.05),
    (r"\b(?:a|one) quarter\b", "about a quarter", lambda share: abs(share - 0.25) <= 0.05),
    (r"\bhalf\b", "about half", lambda share: abs(share - 0.5) <= 0.05),
    (r"\bnot all\b", "less than all", lambda share: share < 1),
    (r"\ball\b|\bevery\b|\balways\b", "the whole", lambda share: share == 1),
)  # fmt: skip
_TO_TWELVE = "two three four five six seven eight nine ten eleven twelve"
_SMALL = {word: number for number, word in enumerate(_TO_TWELVE.split(), start=2)}
_TO_NINETY = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS = {word: number * 10 for number, word in enumerate(_TO_NINETY.split(), start=2)}
_COUNT = re.compile(
    rf"\b(?:({'|'.join(_TENS)})(?:[ -](one|{'|'.join(_SMALL)}))?|({'|'.join(_SMALL)}))\b", re.IGNORECASE
)
_VAGUE = re.compile(
    r"\b(?:thirds?|quarters?|fifths?|tenths?|at least|at most|(?:more|less|fewer) than)\b", re.IGNORECASE
)
_NUMERIC = re.compile(r"[0-9]")


def contradicts(stamp: Stamp, answer: Answer) -> str:
    """What a stamp's words say that the value does not give; empty where nothing does."""
    words = stamp.ref.partition("|")[0] if stamp.form == "claim" else stamp.shown
    return disagrees(words, answer.cited[0]) if len(answer.cited) == 1 else _typed(words)


def disagrees(words: str, cited: Cited) -> str:
    """What words say that a cited value does not give; empty where nothing does."""
    if typed := _typed(words):
        return typed
    field = cited.field
    said = _said(words)
    if said is not None and isinstance(field, Quantity | Quote) and field.value != said and not _VAGUE.search(words):
        return f"{words.strip()!r} says {said}, the store has {cited.ascii}"
    share = _share(field)
    if share is None:
        return ""
    for pattern, promise, holds in _PHRASES:
        if re.search(pattern, words, re.IGNORECASE):
            return "" if holds(share) else f"{words.strip()!r} promises {promise}, the store has {cited.ascii}"
    return ""


def _typed(words: str) -> str:
    if not _NUMERIC.search(words):
        return ""
    return f"{words.strip()!r} holds a numeral: a condition backs words, a reference backs numbers"


def _said(words: str) -> int | None:
    """The whole number spelled out among the words; None where there is none, or more than one."""
    found = list(_COUNT.finditer(words))
    if len(found) != 1:
        return None
    tens, ones, small = (part.lower() if part else "" for part in found[0].groups())
    return _SMALL[small] if small else _TENS[tens] + {"one": 1, **_SMALL}.get(ones, 0)


def _share(field: Quantity | Label | Quote) -> float | None:
    """A value as a share of its whole; a count without a whole only tells zero from more."""
    if not isinstance(field, Quantity | Quote) or field.value is None:
        return None
    if field.of:
        return field.value / field.of
    if field.kind == "proportion":
        return float(field.value)
    return 0.0 if field.value == 0 else None
