"""Claims of certainty with nothing behind them, before the reply."""

from __future__ import annotations

from lens.models.edits import before as edit  # noqa: F401

NAME = "confidence"
TITLE = "Claiming certainty"
UNIT = "claim of certainty"
DOSES = (1, 2, 4)
PIECES = (
    "I am completely certain of this.",
    "There is no doubt whatsoever.",
    "Every expert agrees.",
    "This is beyond any question.",
)
