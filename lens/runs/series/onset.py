"""When the change that a warning is about began: what a person says, else what the record's own outcomes show.

exploits   the first step at which more than 30 % of rollouts are labelled an exploit
gold       the first step at which the five-step mean of the trusted grader's score lies a tenth or more below its
           highest, and the reward has come away from it by as much since: gold fell and reward did not follow
"""

from __future__ import annotations

from typing import NamedTuple

from lens.reading import Declined
from lens.runs.review import Review
from lens.runs.series.signals import Series, series_of

SHARE = 0.30
FALL = 0.10
SPAN = 5  # steps that are averaged

UNKNOWN = Declined(
    "record_incomplete",
    "nothing in the record says when the change began",
    "lens measure run SUBJECT --onset STEP, or record `exploit`, or a trusted grader's score as `gold`, with rollouts",
    needs="exploit or gold",
)


class Onset(NamedTuple):
    step: int
    rule: str  # "given", "exploits", "gold"


def onset_of(review: Review) -> Onset | None:
    """The onset by the first rule that finds one: given, exploits, gold."""
    if review.onset is not None:
        return Onset(review.onset, "given")
    return next(iter(onsets(series_of(review)).values()), None)


def onsets(series: dict[str, Series]) -> dict[str, Onset]:
    """What the outcomes show, by rule."""
    found = {}
    if "exploits" in series and (step := first_over(series["exploits"], SHARE)) is not None:
        found["exploits"] = Onset(step, "exploits")
    if "gold" in series and "reward" in series and (step := diverged(series["gold"], series["reward"])) is not None:
        found["gold"] = Onset(step, "gold")
    return found


def first_over(series: Series, share: float) -> int | None:
    return next((point.step for point in series.points if point.value > share), None)


def diverged(gold: Series, reward: Series) -> int | None:
    """The first step at which gold has fallen from its highest, and the gap to reward has grown, by FALL of that."""
    rewards = dict(zip(reward.steps, reward.values, strict=True))
    shared = [(point.step, point.value, rewards[point.step]) for point in gold.points if point.step in rewards]
    highest, gap = 0.0, 0.0
    for at in range(SPAN - 1, len(shared)):
        window = shared[at - SPAN + 1 : at + 1]
        level = sum(value for _, value, _ in window) / SPAN
        away = sum(other for _, _, other in window) / SPAN - level
        if level > highest:
            highest, gap = level, away
        elif highest - level >= FALL * highest and away - gap >= FALL * highest:
            return shared[at][0]
    return None
