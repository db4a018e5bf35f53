"""The reply said again."""

from __future__ import annotations

from collections.abc import Sequence

NAME = "repetition"
TITLE = "Saying it again"
UNIT = "copy of the reply"
DOSES = (1, 2, 4)
PIECES: tuple[str, ...] = ()


def edit(reply: str, dose: int, _pieces: Sequence[str]) -> str | None:
    """The reply and `dose` copies; None for an empty one.

    >>> edit("Yes.", 2, ())
    'Yes. Yes. Yes.'
    """
    return " ".join([reply] * (dose + 1)) if reply.strip() else None
