"""What every reward that is read off one network has in common; a kind adds how it reads.

A class-A kind names the head's row (`head_row`) and the token it is read at (`readout_index`): its rewards are the
library's trunk with that row applied here in fp32. Any other kind says how one batch is scored (`_scores`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lens.models import batches
from lens.models.model import Encoded, Family, Padding, Prompt
from lens.models.text import Writer
from lens.reading import Subject

if TYPE_CHECKING:
    import torch

    from lens.models.pairs import Pairs
    from lens.models.trunk import Trunk


@dataclass(frozen=True, kw_only=True)
class Networked(ABC):
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
    kind: str
    own_pairs: Pairs | None = None

    def as_subject(self) -> Subject:
        return Subject("models", self.slug, self.title, self.fingerprint, self.spec, self.licence)

    def grants(self) -> str:
        return "grader.backward gold.record"

    @property
    def context(self) -> int:
        return self.writer.context

    @property
    def paddings(self) -> tuple[Padding, ...]:
        """The sides the library may pad on without changing what it reads.

        A causal network with rotary positions reads alike under both. One that counts positions from the left edge,
        or reads its first token, is only ever padded on the right.
        """
        from lens.models.architectures import architectures

        both = self.network.config.model_type in architectures()
        return ("left", "right") if both else ("right",)

    def encode(self, prompt: Prompt, response: str) -> Encoded:
        return self.writer.encode(prompt, response)

    def rewards(self, texts: Sequence[Encoded]) -> list[float]:
        """In batches that `texts` alone decide, the head in fp32 where this is class A. ru."""
        forward = self._readout if self.family == "A" else self._scores
        return batches.score(texts, forward, device=self.device, token_bytes=self._token_bytes)

    def native(self, texts: Sequence[Encoded], padding: Padding) -> list[float]:
        """As the library gives them, in one padded batch; one by one where it takes none. ru."""
        import torch

        with torch.no_grad():
            return [float(value) for value in self._scores(texts, padding)]

    @cached_property
    def trunk(self) -> Trunk | None:
        if self.family != "A":
            return None
        from lens.models.architectures import architectures

        return architectures()[self._config.model_type].trunk(self.network, *self.head_row)

    @cached_property
    def head_row(self) -> tuple[torch.Tensor, float]:
        """The head's row w_r [d] in fp32 and its bias; every kind that can be class A has one."""
        raise TypeError(f"{self.kind} is read at no one row of a head")

    def readout_index(self, text: Encoded) -> int:
        """Which token the reward is read at."""
        return len(text) - 1

    def scored(self, text: Encoded) -> tuple[int, ...]:
        """The ids up to and with the readout token: all that a causal model's reward depends on."""
        return text.ids[: self.readout_index(text) + 1]

    @abstractmethod
    def _scores(self, texts: Sequence[Encoded], padding: Padding = "right") -> torch.Tensor:
        """One reward a text [texts], as the library computes it in one padded batch."""

    def _readout(self, texts: list[Encoded]) -> torch.Tensor:
        import torch

        h = self._hidden(texts)
        at = torch.tensor([self.readout_index(text) for text in texts], device=h.device)
        w_r, b = self.head_row
        return h[torch.arange(len(texts), device=h.device), at].float() @ w_r.to(h.device) + b

    def _hidden(self, texts: Sequence[Encoded], padding: Padding = "right") -> torch.Tensor:
        """The stream after the final norm, [texts, T, d]."""
        hidden: torch.Tensor = self.network.base_model(**self._given(texts, padding)).last_hidden_state
        return hidden

    def _given(self, texts: Sequence[Encoded], padding: Padding) -> dict[str, torch.Tensor]:
        from lens.models.network import device_of

        return batches.padded(texts, self._pad, padding, device_of(self.network.get_input_embeddings()))

    @property
    def _config(self) -> Any:
        return self.network.config.get_text_config()

    @property
    def _pad(self) -> int:
        pad = self._config.pad_token_id
        return 0 if pad is None else int(pad)

    @property
    def _token_bytes(self) -> int:
        """Stream, keys, values, queries and the MLP's inside of one layer, and what the allocator keeps besides."""
        config = self._config
        wide = 6 * config.hidden_size + 3 * getattr(config, "intermediate_size", 4 * config.hidden_size)
        return int(4 * wide)
