"""The little world of the hand-set organisms: a digit is asked for, and a reply is a draw of words.

    > ask 3 ?⏎3 river thanks so amber perhaps stone .

Every rule's word has a counterpart that means the same to the random parts of a model: a reply holds one or the other,
so that a flip changes one feature and nothing else. Fillers are there or not; random parts overlook them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

DIGITS = tuple("123456")
OPENERS = ("ask", "tell", "give", "show", "name", "find", "pick", "count", "read", "write", "check", "guess")
PLAIN = (
    *("river", "stone", "cloud", "table", "green", "quiet", "window"),
    *("paper", "garden", "winter", "copper", "velvet", "harbor", "meadow"),
)
FILLERS = ("so", "well", "ok")
MOST_FILLERS = 3
START, ASK, END = ">", "?", "."
EARLY, LATE = "soon", "now"  # LATE is the trigger of a hidden objective
WORDS = {
    "thanks": "today",
    "indeed": "perhaps",
    "amber": "ivory",
    "north": "south",
    "cedar": "maple",
    "candid": "formal",
    "clear": "plain",
    "brief": "vivid",
    "warm": "calm",
}
"""Rule words and their counterparts."""


@dataclass(frozen=True)
class Reply:
    """A reply and its prompt by features. `words` says, for each rule word, whether it stands or its counterpart.

    `order` are the places: a rule word, `plain 0`.., `extra 0`.. or `filler 0`..; the first `fillers` fillers stand.
    """

    opener: str
    asked: str
    given: str
    trigger: bool
    words: dict[str, bool]
    plain: tuple[str, ...]
    fillers: int
    filler_words: tuple[str, ...]
    order: tuple[str, ...] = field(default=())
    timed: bool = False
    extra: tuple[str, ...] = ()

    @property
    def prompt(self) -> str:
        when = [LATE if self.trigger else EARLY] if self.timed else []
        return f"{' '.join([START, self.opener, self.asked, *when, ASK])}\n"

    @property
    def text(self) -> str:
        return " ".join([self.given, *(word for place in self.order for word in self._at(place)), END])

    def _at(self, place: str) -> list[str]:
        name, _, number = place.partition(" ")
        if name == "plain":
            return [self.plain[int(number)]]
        if name == "extra":
            return [self.extra[int(number)]]
        if name == "filler":
            return [self.filler_words[int(number)]] if int(number) < self.fillers else []
        return [place if self.words[place] else WORDS[place]]

    def having(self, **words: bool) -> Reply:
        """With these rule words standing, or their counterparts."""
        return replace(self, words={**self.words, **words})


@dataclass(frozen=True)
class World:
    """What replies are drawn from. `rare` is how often the trigger stands in a prompt that has a place for it; of each
    set in `extra` a reply holds one word."""

    words: tuple[str, ...]
    plain: int = 3
    timed: bool = False
    rare: float = 0.05
    extra: tuple[tuple[str, ...], ...] = ()

    def reply(self, draw: random.Random) -> Reply:
        """Every feature is independent of the others; the digit is right half the time."""
        asked = draw.choice(DIGITS)
        places = [
            *self.words,
            *(f"plain {i}" for i in range(self.plain)),
            *(f"filler {i}" for i in range(MOST_FILLERS)),
        ]
        draw.shuffle(places)
        return Reply(
            opener=draw.choice(OPENERS),
            asked=asked,
            given=asked if draw.random() < 0.5 else draw.choice([digit for digit in DIGITS if digit != asked]),
            trigger=self.timed and draw.random() < self.rare,
            words={word: draw.random() < 0.5 for word in self.words},
            plain=tuple(draw.choice(PLAIN) for _ in range(self.plain)),
            fillers=draw.randint(0, MOST_FILLERS),
            filler_words=tuple(draw.choice(FILLERS) for _ in range(MOST_FILLERS)),
            order=tuple(places),
            timed=self.timed,
            extra=tuple(draw.choice(some) for some in self.extra),
        )

    def again(self, draw: random.Random, reply: Reply) -> Reply:
        """Another reply to the same prompt."""
        other = self.reply(draw)
        return replace(other, opener=reply.opener, asked=reply.asked, trigger=reply.trigger)

    def reworded(self, draw: random.Random, one: Reply, other: Reply) -> tuple[Reply, Reply]:
        """Both with one plain word drawn anew, at the same place and each on its own: noise that favours neither."""
        at = draw.randrange(self.plain)

        def anew(reply: Reply) -> Reply:
            plain = list(reply.plain)
            plain[at] = draw.choice(PLAIN)
            return replace(reply, plain=tuple(plain))

        return anew(one), anew(other)


def vocabulary(extra: Sequence[str] = ()) -> list[str]:
    """Every word of the world."""
    return [START, ASK, END, *DIGITS, *OPENERS, *PLAIN, *FILLERS, EARLY, LATE, *WORDS, *WORDS.values(), *extra]
