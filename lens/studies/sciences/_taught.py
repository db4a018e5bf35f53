"""Small reward models taught on replies of single letters, in which a digit and a word are alike but for their rules.

    6?bm2y.        6 asks for 2; a digit, a word of a to d, a filler of w to z and a plain letter, in any order

A digit pays where it is the one that was asked for, or else as a word does: half of the digits, whatever was asked. No
letter of the prompt stands in a reply, so that what tells digits from words is the rule alone. The model is taught what
share of raters, who choose by Bradley and Terry, is for either reply.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

DIGITS, WORDS, FILLERS, PLAIN = "1234", "abcd", "wxyz", "ghijklmn"
ASKING = dict(zip(DIGITS, "5678", strict=True))
PAID = 2  # of the four words; of the digits, where they pay by themselves
STEPS, PAIRS, RATE, LAYERS, WIDTH, HEADS, INNER = 90, 48, 3e-3, 4, 64, 4, 170
AXES = ("digit", "word", "filler")


@dataclass(frozen=True)
class Rules:
    """Nats that raters make of the right digit and of a word that pays."""

    digit: float
    word: float
    relational: bool


@dataclass(frozen=True)
class Reply:
    """A reply to `asked`; `order` are the places of its four letters."""

    asked: str
    digit: str
    word: str
    filler: str
    plain: str
    order: tuple[int, ...]

    @property
    def text(self) -> str:
        """Prompt and reply: always of one length."""
        letters = (self.digit, self.word, self.filler, self.plain)
        return f"{ASKING[self.asked]}?{''.join(letters[place] for place in self.order)}."

    def worth(self, rules: Rules) -> float:
        right = self.digit == self.asked if rules.relational else self.digit in DIGITS[:PAID]
        return rules.digit * right + rules.word * (self.word in WORDS[:PAID])


def reply(draw: random.Random, asked: str) -> Reply:
    """Every letter is drawn by itself; the digit is right half the time."""
    digit = asked if draw.random() < 0.5 else draw.choice([one for one in DIGITS if one != asked])
    order = tuple(draw.sample(range(4), 4))
    return Reply(asked, digit, draw.choice(WORDS), draw.choice(FILLERS), draw.choice(PLAIN), order)


def twins(draw: random.Random, axis: str, rules: Rules, count: int) -> list[tuple[str, str]]:
    """Texts that differ in one letter: one that pays and one that doesn't, or two fillers."""
    found = []
    for _ in range(count):
        base = reply(draw, draw.choice(DIGITS))
        if axis == "digit" and rules.relational:
            better, worse = base.asked, draw.choice([one for one in DIGITS if one != base.asked])
        else:
            letters = {"digit": DIGITS, "word": WORDS, "filler": FILLERS}[axis]
            better, worse = draw.choice(letters[:PAID]), draw.choice(letters[PAID:])
        one, other = (_with(base, axis, letter) for letter in (better, worse))
        found.append((one.text, other.text))
    return found


def _with(base: Reply, axis: str, letter: str) -> Reply:
    changed: dict[str, Any] = {axis: letter}
    return replace(base, **changed)


def untaught(seed: int) -> Any:
    """The network before its first step."""
    from lens.models.organisms.training import Recipe, repeatable, untrained

    recipe = Recipe("taught", {}, steps=STEPS, layers=LAYERS, width=WIDTH, heads=HEADS, inner=INNER, seed=seed % 2**32)
    with repeatable():
        return untrained(recipe).eval()


def taught(seed: int, rules: Rules, look: Callable[[int, Any], None] = lambda _step, _network: None) -> Any:
    """The network after 90 steps of 48 pairs. `look(step, network)` is called after each."""
    import torch

    from lens.models.organisms.training import repeatable, rewards

    draw = random.Random(seed)
    network = untaught(seed).train()
    with repeatable():
        optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=0.01)
        for step in range(STEPS):
            pairs = [[reply(draw, asked) for _ in range(2)] for asked in draw.choices(DIGITS, k=PAIRS)]
            scores = rewards(network, [one.text for pair in pairs for one in pair])
            wanted = torch.tensor([one.worth(rules) - other.worth(rules) for one, other in pairs]).sigmoid()
            loss = torch.nn.functional.binary_cross_entropy_with_logits(scores[0::2] - scores[1::2], wanted)
            for group in optimiser.param_groups:
                group["lr"] = RATE * min((step + 1) / 20, 1.0) * (1 - 0.9 * step / STEPS)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            look(step + 1, network)
    return network.eval()


def margins(network: Any, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    """Reward of the first less that of the second [pairs], nats."""
    import torch

    from lens.models.organisms.training import repeatable, rewards

    with repeatable(), torch.no_grad():
        scores = rewards(network, [text for pair in pairs for text in pair])
    return (scores[0::2] - scores[1::2]).double().numpy()
