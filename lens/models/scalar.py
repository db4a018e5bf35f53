"""A sequence classifier with one score: what most published reward models are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lens.errors import UsageError
from lens.models import batches
from lens.models.model import Encoded, Family, Padding, Prompt
from lens.models.text import Writer
from lens.reading import Subject

if TYPE_CHECKING:
    import torch

    from lens.models.pairs import Pairs
    from lens.models.trunk import Trunk


@dataclass(frozen=True)
class Row:
    """Which row of the head is the reward: `plus`, or `plus` − `minus`."""

    plus: int
    minus: int | None = None

    def of(self, rows: torch.Tensor) -> torch.Tensor:
        """The row's entry in the last dimension of `rows`."""
        return rows[..., self.plus] - (0 if self.minus is None else rows[..., self.minus])


@dataclass(frozen=True)
class ScalarModel:
    """See `lens.models.model.RewardModel`. `network` is the library's model, on its device, in evaluation mode."""

    slug: str
    title: str
    spec: str
    fingerprint: str
    licence: str
    family: Family
    device: str
    dtype: str
    network: Any
    writer: Writer
    row: Row
    kind: str = "scalar head"
    own_pairs: Pairs | None = None

    def as_subject(self) -> Subject:
        return Subject("models", self.slug, self.title, self.fingerprint, self.spec, self.licence)

    def grants(self) -> str:
        return "grader.backward gold.record"

    @property
    def context(self) -> int:
        return self.writer.context

    def encode(self, prompt: Prompt, response: str) -> Encoded:
        return self.writer.encode(prompt, response)

    def rewards(self, texts: Sequence[Encoded]) -> list[float]:
        """The library's trunk, the head applied here in fp32 to the readout token. ru."""
        if self.family != "A":
            return batches.score(texts, self._logits, device=self.device, token_bytes=self._token_bytes)
        return batches.score(texts, self._readout, device=self.device, token_bytes=self._token_bytes)

    def native(self, texts: Sequence[Encoded], padding: Padding) -> list[float]:
        import torch

        with torch.no_grad():
            if self.network.config.get_text_config().pad_token_id is None:
                return [float(self._logits([text])) for text in texts]  # the library takes no batch without a pad
            return [float(value) for value in self._logits(texts, padding)]

    @cached_property
    def trunk(self) -> Trunk | None:
        if self.family != "A":
            return None
        from lens.models.architectures import architectures
        from lens.models.network import weight

        head = self.network.score
        bias = 0.0 if head.bias is None else float(self.row.of(head.bias.float()))
        w_r = self.row.of(weight(head).float().T)
        return architectures()[self.network.config.model_type].trunk(self.network, w_r, bias)

    def readout_index(self, text: Encoded) -> int:
        """Where the library reads: the last token that isn't the pad token, which may be part of the text."""
        pad = self.network.config.get_text_config().pad_token_id
        last = len(text) - 1
        if pad is None:
            return last
        return next((i for i in range(last, -1, -1) if text.ids[i] != pad), 0)

    def scored(self, text: Encoded) -> tuple[int, ...]:
        """The ids up to and with the readout token: all that a causal model's reward depends on."""
        return text.ids[: self.readout_index(text) + 1]

    def _readout(self, texts: list[Encoded]) -> torch.Tensor:
        import torch

        given = batches.padded(texts, self._pad, "right", self.network.device)
        h = self.network.model(**given).last_hidden_state
        at = torch.tensor([self.readout_index(text) for text in texts], device=h.device)
        head = self.network.score
        rows = h[torch.arange(len(texts), device=h.device), at].float() @ head.weight.float().T.to(h.device)
        return self.row.of(rows if head.bias is None else rows + head.bias.float())

    def _logits(self, texts: Sequence[Encoded], padding: Padding = "right") -> torch.Tensor:
        given = batches.padded(texts, self._pad, padding, self.network.device)
        return self.row.of(self.network(**given).logits.float())

    @property
    def _pad(self) -> int:
        pad = self.network.config.get_text_config().pad_token_id
        return 0 if pad is None else int(pad)

    @property
    def _token_bytes(self) -> int:
        """Stream, keys, values, queries and the MLP's inside of one layer, and what the allocator keeps besides."""
        config = self.network.config.get_text_config()
        wide = 6 * config.hidden_size + 3 * getattr(config, "intermediate_size", 4 * config.hidden_size)
        return int(4 * wide)


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
