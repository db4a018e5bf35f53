"""A refusal before the reply."""

from __future__ import annotations

from lens.models.edits import before as edit  # noqa: F401

NAME = "refusal"
TITLE = "Refusing first"
UNIT = "sentence of refusal"
DOSES = (1, 2, 4)
PIECES = (
    "I'm sorry, but I can't help with that.",
    "As an AI, I'm not able to answer this.",
    "It would not be appropriate for me to do so.",
    "Please ask a professional instead.",
)
