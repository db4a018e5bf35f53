"""A conversation's reward from its turns: every reply of the assistant scored after what came before it, added up.

sum     Σ γ^t r_t over turns t = 0, 1, … with discount γ (1 where none is given)
mean    their mean       last   the last turn alone      min   the least
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from lens.errors import UsageError
from lens.models.adapters import Loading
from lens.models.combined import Combined, identity
from lens.models.model import Encoded, Padding, Prompt, RewardModel

KIND = "trajectory"
ABOUT = "a conversation by its turns, each scored by a model: trajectory:SPEC?reduce=sum&discount=1"
OPTIONS = ("reduce", "discount")
REDUCE = ("sum", "mean", "last", "min")


@dataclass(frozen=True, kw_only=True)
class Trajectory(Combined):
    """`members` is the one model of a turn; a text's parts are its turns."""

    reduce: str
    discount: float
    kind: str = "trajectory"

    def encode(self, prompt: Prompt, response: str) -> Encoded:
        """Every turn of the assistant as the model writes it: those among the prompt's messages, then the reply."""
        (model,) = self.members
        turns = []
        if not isinstance(prompt, str):
            for number, message in enumerate(prompt):
                if message["role"] == "assistant":
                    turns.append(model.encode(prompt[:number], message["content"]))
        turns.append(model.encode(prompt, response))
        return Encoded(turns[-1].ids, turns[-1].response, parts=tuple(turns))

    def turns(self, texts: Sequence[Encoded]) -> list[list[float]]:
        """The reward of each turn of each text."""
        (model,) = self.members
        return _grouped(model.rewards([turn for text in texts for turn in text.parts]), texts)

    def rewards(self, texts: Sequence[Encoded]) -> list[float]:
        return [self.together(scores) for scores in self.turns(texts)]

    def native(self, texts: Sequence[Encoded], padding: Padding) -> list[float]:
        (model,) = self.members
        scores = model.native([turn for text in texts for turn in text.parts], padding)
        return [self.together(some) for some in _grouped(scores, texts)]

    def together(self, scores: Sequence[float]) -> float:
        match self.reduce:
            case "mean":
                return math.fsum(scores) / len(scores)
            case "last":
                return scores[-1]
            case "min":
                return min(scores)
        return math.fsum(self.discount**turn * score for turn, score in enumerate(scores))


def open(place: str, options: dict[str, str], how: Loading) -> RewardModel:
    """`options`: `reduce`, and `discount` of a sum. Raises UsageError for a discount outside 0..1."""
    from lens.models.spec import bare, choice, number

    reduce = choice(options, "reduce", REDUCE, how.spec)
    discount = number(options, "discount", 1.0, how.spec)
    if not 0 <= discount <= 1 or ("discount" in options and reduce != "sum"):
        raise UsageError(f"{how.spec}: no discount for reduce={reduce}", remedy="?reduce=sum&discount=0.9, from 0 to 1")
    model = how.open(bare(place))
    who = identity(KIND, how, [model], reduce=reduce, discount=discount)
    return Trajectory(**who, reduce=reduce, discount=discount)


def _grouped(scores: Sequence[float], texts: Sequence[Encoded]) -> list[list[float]]:
    """Scores of all turns, a list a text."""
    left = iter(scores)
    return [[next(left) for _ in text.parts] for text in texts]
