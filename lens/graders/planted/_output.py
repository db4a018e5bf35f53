"""Labelled answers as a model might write them, to the golds of a planted grader."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from lens.graders.items import Rollout
from lens.graders.planted._careful import Planted

PROBLEMS, EACH = 100, 3  # how many, and right and wrong answers to each
WORKED = "so "  # stands in all of them, and in no answer of the oracle


def answered(planted: Planted, seed: int) -> Planted:
    """The same grader with `EACH` right and as many wrong answers to every gold. A wrong one writes the gold in its
    reasoning and marks another number."""
    random = Random(f"answers/{seed}")
    made: list[Rollout] = []
    for item in planted.source.items:
        for right in [True] * EACH + [False] * EACH:
            answer = item.gold if right else str(int(item.gold) + random.randrange(1, 90))
            steps = random.randrange(1, 10**6)
            text = f"We need {steps} steps, {WORKED}it is {item.gold} or near it.\n#### {answer}"
            made.append(Rollout(len(made), item.gold, text, None, right, item.cluster))
    return replace(planted, source=replace(planted.source, rollouts=tuple(made)))
