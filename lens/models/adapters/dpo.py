"""Implicit reward of direct preference optimisation: β · (log π(reply | prompt) − log π_ref(reply | prompt)), over the
reply's tokens with those the template closes it with (Rafailov et al. 2023, arXiv:2305.18290, equation 5 up to a term
of the prompt alone, which no margin holds).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens.errors import UsageError
from lens.models.adapters import Loading
from lens.models.combined import Combined, identity
from lens.models.model import Encoded, Padding, Prompt, RewardModel
from lens.models.networked import Networked

if TYPE_CHECKING:
    import torch

KIND = "dpo"
ABOUT = "implicit reward of a policy against its reference: dpo:POLICY+REFERENCE?beta=0.1"
OPTIONS = ("beta",)
BETA = 0.1


@dataclass(frozen=True, kw_only=True)
class Policy(Networked):
    """A causal language model scored by the log-probability of the reply, nats."""

    def _scores(self, texts: Sequence[Encoded], padding: Padding = "right") -> torch.Tensor:
        import torch

        given = self._given(texts, padding)
        logits = self.network(**given).logits
        width = logits.shape[1]
        found = []
        for row, text in enumerate(texts):
            start = width - len(text) if padding == "left" else 0
            reply = slice(start + text.response, start + len(text))
            before = logits[row, reply.start - 1 : reply.stop - 1].float()
            picked = before.gather(1, given["input_ids"][row, reply, None].to(before.device))[:, 0]
            found.append((picked - before.logsumexp(-1)).sum())
        return torch.stack(found)

    def native(self, texts: Sequence[Encoded], padding: Padding) -> list[float]:
        """From the library's own loss, each text padded to the longest."""
        import torch

        width = max(map(len, texts))
        found = []
        for text in texts:
            with torch.no_grad():
                loss = self.network(**self._labelled(text, width, padding)).loss
            found.append(-float(loss) * (len(text) - text.response))
        return found

    def _labelled(self, text: Encoded, width: int, padding: Padding) -> dict[str, torch.Tensor]:
        """One row of `width` tokens, with labels on the reply alone."""
        filler = Encoded((self._pad,) * width, 0)
        given = {name: value[:1] for name, value in self._given([text, filler], padding).items()}
        labels = given["input_ids"].clone()
        start = width - len(text) if padding == "left" else 0
        labels[:, : start + text.response] = -100
        labels[:, start + len(text) :] = -100
        return given | {"labels": labels}

    @property
    def _token_bytes(self) -> int:
        return int(super()._token_bytes + 8 * self._config.vocab_size)


@dataclass(frozen=True, kw_only=True)
class Implicit(Combined):
    """`members` are the policy and its reference; the unit is a nat times β."""

    beta: float
    kind: str = "implicit DPO"

    def encode(self, prompt: Prompt, response: str) -> Encoded:
        """Raises UsageError as the writer does, where the two models tokenise the text differently, and for a reply
        that leaves no token to score."""
        text = super().encode(prompt, response)
        policy, reference = text.parts
        if policy != reference:
            raise UsageError(
                f"{self.spec}: policy and reference write one text as different tokens, so no ratio of theirs exists",
                remedy="name the reference the policy was trained from, with its own tokenizer and chat template",
            )
        if not 0 < text.response < len(text):
            raise UsageError(
                "a text whose prompt has no token has no log-probability of a reply given it",
                remedy="leave the row out, or give a tokenizer that begins texts with a token of its own",
            )
        return text

    def together(self, scores: Sequence[float]) -> float:
        policy, reference = scores
        return self.beta * (policy - reference)


def open(place: str, options: dict[str, str], how: Loading) -> RewardModel:
    """`options`: `beta`. Raises UsageError where there are not two models, and as `lens.models.network` says."""
    from lens.models.spec import number, parts

    names = parts(place)
    if len(names) != 2:
        raise UsageError(f"{how.spec} names {len(names)} models", remedy="dpo:POLICY+REFERENCE, two folders or ids")
    beta = number(options, "beta", BETA, how.spec)
    if beta <= 0:
        raise UsageError(f"{how.spec}: beta is {beta:g}, and a log-ratio is scaled by more than 0", remedy="?beta=0.1")
    policy, reference = (_policy(name, how) for name in names)
    who = identity(KIND, how, (policy, reference), beta=beta)
    return Implicit(**who | {"title": f"{policy.title} against {reference.title}"}, beta=beta)


def _policy(place: str, how: Loading) -> Policy:
    from lens.models.opened import open_network

    opened = open_network("AutoModelForCausalLM", place, how)
    return Policy(**opened.whose(how), family="opaque", kind="policy")
