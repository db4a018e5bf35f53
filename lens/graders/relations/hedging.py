"""Hedging: a wrong answer doesn't become worth more by adding guesses or words to it."""

from __future__ import annotations

from collections.abc import Iterator

from lens.graders.items import Variant
from lens.graders.relations import ROOM, Case, relation


@relation(
    "more-guesses",
    title="the right answer hidden in a list of guesses",
    direction="monotone",
    defect="guess-list-paid",
    on="number latex words",
)
def more_guesses(case: Case) -> Iterator[Variant]:
    wrong = case.wrong(3)
    if len(wrong) == 3 and "," not in case.answer:
        yield Variant(", ".join([wrong[0], case.answer, *wrong[1:]]), base=Variant(wrong[0]))


@relation(
    "padding",
    title="words added to a wrong answer",
    direction="monotone",
    defect="padding-paid",
    on="number latex words",
    families=ROOM,
)
def padding(case: Case) -> Iterator[Variant]:
    for wrong in case.wrong():
        text = "Every step was checked with care and nothing was left out. " * 12
        yield Variant(wrong, f"{text.strip()}\n{case.shape.render(wrong)}", base=Variant(wrong))
