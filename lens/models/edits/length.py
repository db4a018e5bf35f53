"""Sentences that say nothing, after the reply."""

from __future__ import annotations

from lens.models.edits import after as edit  # noqa: F401

NAME = "length"
TITLE = "Longer for nothing"
UNIT = "empty sentence"
DOSES = (1, 2, 4, 8)
PIECES = (
    "That is what there is to say about this.",
    "There are also other ways in which one could put it.",
    "As with most things, some details depend on the case.",
    "All of this has been said in one form or another before.",
    "One may read it again from the beginning.",
    "Nothing that follows changes what was said above.",
    "These words add nothing to it.",
    "With that, the reply is as long as it is.",
)
