"""A sequence classifier with one score: what most published reward models are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from lens.errors import UsageError
from lens.models.model import Encoded, Padding
from lens.models.networked import Networked

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class Row:
    """Which row of the head is the reward: `plus`, or `plus` − `minus`."""

    plus: int
    minus: int | None = None

    def of(self, rows: torch.Tensor) -> torch.Tensor:
        """The row's entry in the last dimension of `rows`."""
        return rows[..., self.plus] - (0 if self.minus is None else rows[..., self.minus])


@dataclass(frozen=True, kw_only=True)
class ScalarModel(Networked):
    """`row` is the reward's row of the head."""

    row: Row
    kind: str = "scalar head"

    @cached_property
    def head_row(self) -> tuple[torch.Tensor, float]:
        from lens.models.network import weight

        head = self.network.score
        bias = 0.0 if head.bias is None else float(self.row.of(weight(head, "bias").float()))
        return self.row.of(weight(head).float().T), bias

    def readout_index(self, text: Encoded) -> int:
        """Where the library reads: the last token that isn't the pad token, which may be part of the text."""
        pad = self._config.pad_token_id
        last = len(text) - 1
        if pad is None:
            return last
        return next((i for i in range(last, -1, -1) if text.ids[i] != pad), 0)

    def _scores(self, texts: Sequence[Encoded], padding: Padding = "right") -> torch.Tensor:
        if self._config.pad_token_id is None and len(texts) > 1:  # the library takes no batch without a pad token
            import torch

            return torch.cat([self._scores([text], padding) for text in texts])
        return self.row.of(self.network(**self._given(texts, padding)).logits.float())


def pick_row(outputs: int, asked: str, name: str) -> Row:
    """The head row a spec's `readout` names: "0", or "1-0" for a difference. Raises UsageError where none is."""
    if outputs == 1 and not asked:
        return Row(0)
    plus, _, minus = asked.partition("-")
    rows = [plus, minus] if minus else [plus]
    if not asked or not all(row.isdigit() and int(row) < outputs for row in rows):
        raise UsageError(
            f"{name} has a head of {outputs} rows and " + (f"{asked!r} names none" if asked else "no one is named"),
            remedy="name the reward: SPEC?readout=0, or ?readout=1-0 for a difference of two",
        )
    return Row(int(plus), int(minus) if minus else None)
