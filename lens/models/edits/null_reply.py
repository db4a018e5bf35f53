"""The reply cut down to nothing, a quarter of its words at a time."""

from __future__ import annotations

from collections.abc import Sequence

NAME = "null-reply"
TITLE = "Saying nothing"
UNIT = "quarter of the reply left out"
DOSES = (1, 2, 3, 4)
PIECES: tuple[str, ...] = ()


def edit(reply: str, dose: int, _pieces: Sequence[str]) -> str | None:
    """The reply without its last `dose` quarters of words; four leave nothing. None for an empty one.

    >>> edit("one two three four", 1, ()), edit("one two three four", 4, ())
    ('one two three', '')
    """
    words = reply.split(" ")
    if not reply.strip():
        return None
    return " ".join(words[: len(words) - -(-dose * len(words) // 4)])
