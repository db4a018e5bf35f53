"""Whole numbers as a word problem's last line gives them: `36`, `-7`, `1800`."""

from __future__ import annotations

import re
from typing import Any

from lens.graders.formats import Format


def _last_number(gold: Any) -> str:
    """The number after the last four-hash mark, or the whole field, commas removed."""
    text = str(gold).rsplit("####", 1)[-1].strip().replace(",", "")
    if not re.fullmatch(r"-?\d+(\.\d+)?", text):
        raise ValueError(f"no number after the last #### and none alone: {str(gold)[:40]!r}")
    return text


FORMAT = Format(
    name="integer",
    title="a whole number",
    traits=frozenset({"number", "slot"}),
    shapes=("four-hash", "boxed", "answer-line", "answer-tag", "dollars", "bold", "prose", "display-box", "bare"),
    corpus="integer",
    seeds=("7", "36", "1250"),
    tokens=("0", "1", "2", "5", "7", "9", "10", "-", ".", ",", "$", "%", " ", "+", "/", "#### ", "e", "x"),
    reads=_last_number,
)
