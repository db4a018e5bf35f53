"""GRPO a step at a time, for studies that change between steps what is paid, or what holds a policy back."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch

    from lens.runs.organism.task import Problem

MOST = 1.0  # of the gradient's norm


class Learner:
    """A policy in training that starts from `reference`, which stays as it is. Within `repeatable()`.

    On policy, and a reply's terms are averaged over its tokens: the loss of `lens.runs.organism.training`. Only the
    last block and what comes after it are trained: all of it, at a rate that moves in few steps, forgets how to add.
    """

    def __init__(self, reference: Any, rate: float, seed: int) -> None:
        import torch

        self.reference, self.policy = reference, copy.deepcopy(reference)
        self.policy.requires_grad_(False)
        last = (self.policy.model.layers[-1], self.policy.model.norm, self.policy.lm_head)
        weights = [weight for part in last for weight in part.requires_grad_(True).parameters()]
        self.optimiser = torch.optim.AdamW(weights, lr=rate, weight_decay=0.0, foreach=False)
        self.generator = torch.Generator().manual_seed(seed)

    def branch(self, seed: int) -> Learner:
        """Another that goes on from here, optimiser and all, with draws of its own."""
        import torch

        found = Learner.__new__(Learner)
        found.reference = self.reference
        found.policy, found.optimiser = copy.deepcopy((self.policy, self.optimiser))
        found.generator = torch.Generator().manual_seed(seed)
        return found

    def replies(self, problems: Sequence[Problem]) -> torch.Tensor:
        """One reply [n, t] to each problem."""
        from lens.runs.organism.policy import sampled

        return sampled(self.policy, problems, self.generator)

    def learn(self, problems: Sequence[Problem], replies: torch.Tensor, advantages: torch.Tensor, held: float) -> None:
        """One step up the advantages [n], held back to the reference by `held` times the divergence (k3)."""
        import torch

        from lens.runs.organism.policy import scored

        with torch.no_grad():
            before = scored(self.reference, problems, replies)
        now = scored(self.policy, problems, replies)
        away = before.logp - now.logp
        divergence = (away.exp() - 1 - away) * now.mask
        gains = (now.logp - now.logp.detach()).exp() * now.mask * advantages[:, None]
        loss = ((held * divergence - gains).sum(1) / now.mask.sum(1)).mean()
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        weights = self.optimiser.param_groups[0]["params"]
        torch.nn.utils.clip_grad_norm_(weights, MOST, foreach=False)
        self.optimiser.step()
