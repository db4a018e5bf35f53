"""A reward at every token of the reply, reduced to one: their sum, their mean, or the last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens.models.adapters import Loading
from lens.models.model import Encoded, RewardModel
from lens.models.pertoken import PerToken

if TYPE_CHECKING:
    import torch

KIND = "dense"
ABOUT = "a head on every token of the reply: dense:PATH?reduce=sum, mean or last"
OPTIONS = ("reduce", "readout")
REDUCE = ("sum", "mean", "last")


@dataclass(frozen=True, kw_only=True)
class Dense(PerToken):
    reduce: str
    kind: str = "dense"

    def reduced(self, text: Encoded, scores: torch.Tensor) -> torch.Tensor:
        reply = scores[text.response :]
        match self.reduce:
            case "mean":
                return reply.mean()
            case "last":
                return reply[-1]
        return reply.sum()


def open(place: str, options: dict[str, str], how: Loading) -> RewardModel:
    """`options`: `reduce`, and `readout` of a head with several rows. Raises UsageError as `open_tokens` says."""
    from lens.models.pertoken import open_tokens
    from lens.models.scalar import pick_row
    from lens.models.spec import choice

    reduce = choice(options, "reduce", REDUCE, how.spec)
    opened = open_tokens(place, how, allowed=("ForTokenClassification", "ForSequenceClassification"))
    readout = options.get("readout", "")
    return Dense(
        **opened.whose(how, KIND, reduce=reduce, readout=readout),
        family="A" if reduce == "last" and opened.architecture is not None else "B",
        row=pick_row(opened.network.config.num_labels, readout, opened.folder.name),
        reduce=reduce,
    )
