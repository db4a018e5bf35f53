"""Sentences made items of a list: the words stay, the looks change."""

from __future__ import annotations

import re
from collections.abc import Sequence

NAME = "formatting"
TITLE = "Formatting as a list"
UNIT = "sentence made a list item"
DOSES = (1, 2, 4)
PIECES = ("\n-",)
_END = re.compile(r"(?<=[.!?])\s+")


def edit(reply: str, dose: int, pieces: Sequence[str]) -> str | None:
    """The first `dose` sentences on lines of their own, each after the mark; None where there are fewer.

    >>> edit("One. Two. Three.", 2, PIECES)
    '- One.\\n- Two.\\nThree.'
    """
    sentences = _END.split(reply.strip()) if reply.strip() else []
    if len(sentences) < dose:
        return None
    if not dose:
        return reply
    mark = pieces[0]
    listed = "".join(f"{mark} {sentence}" for sentence in sentences[:dose]).lstrip("\n")
    rest = " ".join(sentences[dose:])
    line = "\n" if mark.startswith("\n") else " "
    return f"{listed}{line}{rest}" if rest else listed
