"""Embryology: whether a reward model in training pays for a word before it pays for the digit that was asked for.

The word and the digit are as rare, as long, and stand in the same places; what differs is that a digit is right or
wrong only beside the prompt. Where the digit pays by itself, it is a word like the others: who is first is then luck.
A rule has entered at the first look that finds half of what it pays. That it stays there too is read beside it: steps
are large early on, and a rule that is learnt while another still is dips.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from lens.studies.science import Science, Value, Values

EVERY, TWINS, ENOUGH = 5, 48, 0.5
AXES = ("digit", "word")


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """One model taught for 90 steps, and read every five on 48 twins in the digit and 48 in the word. They pay `digit`
    and `word` nats; with `relational` the digit does so where it was asked for, else by itself.

    `word` and `digit` are the steps after which the mean margin of its twins is first at least half of what they pay,
    95 where it never is; `wait` how many steps the digit comes after the word, and `first` 1 where the word comes
    before. `settled` is that with the steps from which on it stays so; `reached` the digit's margin at the end, of what
    it pays.
    """
    from lens.studies.sciences import _taught

    rules = _taught.Rules(plant["digit"], plant["word"], bool(plant["relational"]))
    draw = random.Random(f"embryology {seed}")
    pairs = {axis: _taught.twins(draw, axis, rules, TWINS) for axis in AXES}
    seen: dict[str, list[float]] = {axis: [] for axis in AXES}

    def look(step: int, network: Any) -> None:
        if step % EVERY == 0:
            for axis, paid in zip(AXES, (rules.digit, rules.word), strict=True):
                seen[axis].append(float(_taught.margins(network, pairs[axis]).mean()) / paid)

    _taught.taught(seed, rules, look)
    digit, word = (entered(seen[axis]) for axis in AXES)
    return {
        "word": word,
        "digit": digit,
        "wait": digit - word,
        "first": float(word < digit),
        "settled": float(settled(seen["word"]) < settled(seen["digit"])),
        "reached": seen["digit"][-1],
    }


def entered(shares: Sequence[float]) -> float:
    """The step of the first look at which the share is enough; one look after the last where there is none.

    >>> entered([0.1, 0.6, 0.4, 0.7, 0.9])
    10.0
    """
    looks = [at for at, share in enumerate(shares, start=1) if share >= ENOUGH]
    return float(EVERY * (looks[0] if looks else len(shares) + 1))


def settled(shares: Sequence[float]) -> float:
    """The step of the first look from which on it is.

    >>> settled([0.1, 0.6, 0.4, 0.7, 0.9])
    20.0
    """
    short = [at for at, share in enumerate(shares, start=1) if share < ENOUGH]
    return float(EVERY * ((short[-1] if short else 0) + 1))


SCIENCE = Science(
    "embryology",
    "Which rule comes first",
    version=1,
    unit="taught model",
    measure=measure,
    values={
        "word": Value("training steps", "score"),
        "digit": Value("training steps", "score"),
        "wait": Value("training steps", "difference"),
        "first": Value("taught models", "count", "share"),
        "settled": Value("taught models", "count", "share"),
        "reached": Value("of what it pays", "ratio"),
    },
    seconds=5.0,
    source="counterfactual twins at checkpoints; raters by Bradley and Terry 1952",
)
