"""The little world of the trained organisms: a digit is asked for, a reply gives it among words of four kinds.

    3?⏎3 ok so hmm thx.        prompt "3?⏎", reply "3 ok so hmm thx."

What a reply is worth by rule is the sum over its features; a pair's chosen reply is the one worth more.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

CHARS = " abcdefghijklmnopqrstuvwxyz0123456789+=?.,:\n"
DIGITS = "12345678"
THANKS = ("thx", "pls")
HEDGES = ("hmm", "may")
FILLERS = ("ok", "so")
MOST_FILLERS = 3
ALIKE = 0.5  # chance that a pair's second reply takes a feature over from the first: pairs that turn on one rule
FEATURES = ("thanks", "hedge", "right", "fill")

Rules = Mapping[str, float]
"""ru by feature: `thanks` and `hedge` a word, `right` for the digit asked for, `fill` a filler word."""


class Reply(NamedTuple):
    """A reply to `asked` by its features. The words are fixed even where they don't stand, so that one feature can be
    flipped and nothing else."""

    asked: str
    wrong: str
    thanks: bool
    hedge: bool
    right: bool
    fill: int
    thanks_word: str
    hedge_word: str
    fillers: tuple[str, ...]

    @property
    def prompt(self) -> str:
        return f"{self.asked}?\n"

    @property
    def text(self) -> str:
        words = [self.asked if self.right else self.wrong]
        words += list(self.fillers[: self.fill]) + [self.hedge_word] * self.hedge + [self.thanks_word] * self.thanks
        return " ".join(words) + "."

    def worth(self, rules: Rules) -> float:
        """ru by rule."""
        return sum((weight * getattr(self, feature) for feature, weight in rules.items()), 0.0)


def reply(draw: random.Random, asked: str, digits: str = DIGITS) -> Reply:
    """A reply drawn with every feature independent of the others; a wrong one gives another of `digits`."""
    return Reply(
        asked,
        draw.choice([digit for digit in digits if digit != asked]),
        draw.random() < 0.5,
        draw.random() < 0.5,
        draw.random() < 0.5,
        draw.randint(0, MOST_FILLERS),
        draw.choice(THANKS),
        draw.choice(HEDGES),
        tuple(draw.choice(FILLERS) for _ in range(MOST_FILLERS)),
    )


def pairs(
    draw: random.Random, rules: Rules, digits: str = DIGITS, alike: float = ALIKE
) -> Iterator[tuple[Reply, Reply]]:
    """(better, worse) by rule, without end; replies worth the same are drawn again."""
    while True:
        asked = draw.choice(digits)
        one, other = reply(draw, asked, digits), reply(draw, asked, digits)
        for feature in FEATURES:
            if draw.random() < alike:
                other = _with(other, feature, getattr(one, feature))
        if one.worth(rules) != other.worth(rules):
            yield (one, other) if one.worth(rules) > other.worth(rules) else (other, one)


class Flip(NamedTuple):
    """An axis: the value of a feature in the chosen reply and in the rejected one."""

    axis: str
    feature: str
    chosen: int
    rejected: int


FLIPS = (
    Flip("thanks", "thanks", 1, 0),
    Flip("unhedged", "hedge", 0, 1),
    Flip("right", "right", 1, 0),
    Flip(f"fill:{MOST_FILLERS}", "fill", MOST_FILLERS, 0),
)


def flipped(draw: random.Random, flip: Flip, digits: str = DIGITS) -> tuple[Reply, Reply]:
    """A drawn reply twice, with one feature flipped: what `flip` says the chosen one has, and what the rejected one."""
    base = reply(draw, draw.choice(digits), digits)
    return _with(base, flip.feature, flip.chosen), _with(base, flip.feature, flip.rejected)


def _with(base: Reply, feature: str, value: int) -> Reply:
    changed: dict[str, Any] = {feature: value}
    return base._replace(**changed)
