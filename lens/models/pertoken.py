"""Networks that score every token: a token classifier, a sequence classifier's head at each token, or two words of a
language model. What a kind makes of the scores is its own affair."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from lens.errors import UsageError
from lens.models.model import Encoded, Padding
from lens.models.networked import Networked
from lens.models.opened import Opened, open_network
from lens.models.scalar import Row

if TYPE_CHECKING:
    import torch

    from lens.models.adapters import Loading
    from lens.models.text import Writer

CLASSES = {
    "ForTokenClassification": "AutoModelForTokenClassification",
    "ForSequenceClassification": "AutoModelForSequenceClassification",
    "ForCausalLM": "AutoModelForCausalLM",
}


@dataclass(frozen=True, kw_only=True)
class PerToken(Networked):
    """`row` of the head is a token's score: a label less another, a label alone, or a word's logit less another's."""

    row: Row

    @abstractmethod
    def reduced(self, text: Encoded, scores: torch.Tensor) -> torch.Tensor:
        """The reward of a text from its tokens' scores [T]."""

    def tokens(self, texts: Sequence[Encoded], padding: Padding = "right") -> list[torch.Tensor]:
        """The score of every token of each text, fp32 [T]."""
        given = self._given(texts, padding)
        if type(self.network).__name__.endswith("ForSequenceClassification"):
            logits = self.network.score(self.network.base_model(**given).last_hidden_state)
        else:
            logits = self.network(**given).logits
        scores = self.row.of(logits.float())
        width = scores.shape[1]
        starts = [width - len(text) if padding == "left" else 0 for text in texts]
        return [scores[row, start:][: len(text)] for row, (start, text) in enumerate(zip(starts, texts, strict=True))]

    @cached_property
    def head_row(self) -> tuple[torch.Tensor, float]:
        from lens.models.network import weight

        head = self.network.score
        bias = 0.0 if head.bias is None else float(self.row.of(weight(head, "bias").float()))
        return self.row.of(weight(head).float().T), bias

    def _scores(self, texts: Sequence[Encoded], padding: Padding = "right") -> torch.Tensor:
        import torch

        tokens = self.tokens(texts, padding)
        return torch.stack([self.reduced(text, scores) for text, scores in zip(texts, tokens, strict=True)])

    @property
    def _token_bytes(self) -> int:
        lm = type(self.network).__name__.endswith("ForCausalLM")
        return int(super()._token_bytes + (8 * self._config.vocab_size if lm else 0))


def open_tokens(place: str, how: Loading, *, allowed: Sequence[str]) -> Opened:
    """The network of the class its config names. Raises UsageError for a class that scores no tokens this way."""
    from lens.models.folder import find_folder

    folder = find_folder(place)
    named = (folder.config.get("architectures") or ["none"])[0]
    suffix = next((one for one in allowed if named.endswith(one)), None)
    if suffix is None:
        raise UsageError(
            f"{how.spec}: {folder.name} is a {named}, whose tokens aren't scored this way",
            remedy=f"a folder whose config.json names one of {', '.join(f'...{one}' for one in allowed)}",
        )
    return open_network(CLASSES[suffix], place, how)


def one_token(writer: Writer, word: str, spec: str) -> int:
    """The token of a word. Raises UsageError for a word of more than one."""
    ids = writer.ids(word)
    if len(ids) != 1:
        raise UsageError(
            f"{spec}: {word!r} is {len(ids)} tokens, and a margin is between two tokens",
            remedy="take words of one token each, with a space before them (%20) where the tokenizer wants it",
        )
    return ids[0]
