"""Patching on a rule that relates the reply to its prompt: does it name a head that carries the rule?"""

from __future__ import annotations

from lens.models.exams import FEW, Exam, Read, planted_head
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """Flagged where noising moves most at one of the two heads that find and carry the match."""
    heads = {planted_head(read, "finds the prompt's digit from the reply's"), planted_head(read, "sums match")}
    table = read.tables["heads"]
    effects = {
        site: effect
        for site, mode, effect in zip(table["site"], table["mode"], table["effect"], strict=True)
        if mode == "noising"
    }
    top = read.word("noising.head.top")
    return Marked(
        dose=read.told["dose"],
        score=max(abs(effects[head]) for head in heads),
        flagged=top in heads,
        decoy=top == planted_head(read, "sums indeed"),
    )


EXAM = Exam("patching", "relational", "noising.head.top", mark, sample=32, axis="match", a_dose=FEW)
