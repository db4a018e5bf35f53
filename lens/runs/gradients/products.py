"""Inner products of rollouts' gradients, three ways that agree: a loop, torch.func.vmap, and products of layers' inputs
with what comes back through them (Rochette et al. 2019; Li et al. 2022), which stores no rollout's gradient.

A rollout's loss term is -weight x sum of log p over its response: the gradient of its policy loss at ratio 1, A := 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import torch

if TYPE_CHECKING:
    from collections.abc import Iterator

Way = Literal["loop", "vmap", "ghost"]
STORED = 2**28  # numbers of stored gradients, all rollouts together, from where on none are stored


@dataclass(frozen=True)
class Batch:
    """Sequences padded on the right: `ids` [n, T], `asked` [n, T - 1], true where the next token is of the response."""

    ids: torch.Tensor
    asked: torch.Tensor

    @classmethod
    def of(cls, prompts: Sequence[Sequence[int]], responses: Sequence[Sequence[int]], device: Any = "cpu") -> Batch:
        longest = max(len(one) + len(two) for one, two in zip(prompts, responses, strict=True))
        ids = torch.zeros((len(prompts), longest), dtype=torch.long)
        asked = torch.zeros((len(prompts), longest - 1), dtype=torch.bool)
        for at, (prompt, response) in enumerate(zip(prompts, responses, strict=True)):
            end = len(prompt) + len(response)
            ids[at, :end] = torch.tensor([*prompt, *response])
            asked[at, len(prompt) - 1 : end - 1] = True
        return cls(ids.to(device), asked.to(device))

    @property
    def lengths(self) -> list[int]:
        return [int(one) for one in self.asked.sum(dim=1)]


class Kl(NamedTuple):
    """The KL term of the loss: `reference` [n, T - 1] are the reference's log-probabilities; `corrected`, its tokens
    are weighed with the importance ratio, as TRL's `use_bias_correction_kl` does."""

    beta: float
    reference: torch.Tensor
    corrected: bool


class Products(NamedTuple):
    """`gram` [n, n] of the rollouts' gradients; `term` [n + 1] of the KL term with each and with itself, or empty."""

    gram: np.ndarray
    term: np.ndarray
    way: Way


def token_logps(model: Any, ids: torch.Tensor, temperature: float) -> torch.Tensor:
    """log p of ids[:, 1:] given what stands before, [n, T - 1]."""
    places = torch.arange(ids.shape[1], device=ids.device).expand(len(ids), -1)
    logits = model(input_ids=ids, position_ids=places, use_cache=False).logits[:, :-1].float() / temperature
    return torch.log_softmax(logits, dim=-1).gather(2, ids[:, 1:, None]).squeeze(2)


def policy_term(logps: torch.Tensor, asked: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    return -(weights[:, None] * torch.where(asked, logps, 0.0)).sum()


def kl_term(logps: torch.Tensor, asked: torch.Tensor, weights: torch.Tensor, kl: Kl) -> torch.Tensor:
    """beta x k3 of every token, weighed as the policy's tokens are."""
    less = kl.reference - logps
    each = torch.exp(less) - less - 1
    if kl.corrected:
        each = each * torch.exp(logps - logps.detach())
    return kl.beta * (weights[:, None] * torch.where(asked, each, 0.0)).sum()


def products(
    model: Any, batch: Batch, weights: Sequence[float], *, temperature: float = 1.0, kl: Kl | None = None,
    way: Way | None = None,
) -> Products:  # fmt: skip
    """Inner products of the rollouts' gradients over all parameters, in `way`; without one, gradients are stored where
    all of them together are small, and otherwise none is. A layer that ghost products don't know falls back to a loop.
    """
    from lens.runs.gradients.ghost import Unknown, ghost

    scale = torch.tensor(weights, device=batch.ids.device)
    if way is None:
        way = "vmap" if len(batch.ids) * sum(one.numel() for one in model.parameters()) <= STORED else "ghost"
    if way == "ghost":
        try:
            return Products(*ghost(model, batch, scale, temperature, kl), "ghost")
        except Unknown:
            way = "loop"
    if way == "vmap":
        try:
            return Products(*_of_stored(_by_vmap(model, batch, scale, temperature, kl)), "vmap")
        except (RuntimeError, NotImplementedError):  # an operation that can't be batched
            way = "loop"
    return Products(*_of_stored(_by_loop(model, batch, scale, temperature, kl)), "loop")


Stored = tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]  # by parameter: [n, ...] of the rollouts, [1, ...]


def _of_stored(stored: Stored) -> tuple[np.ndarray, np.ndarray]:
    each, term = stored
    count = len(next(iter(each.values())))
    gram, cross, square = np.zeros((count, count)), np.zeros(count), 0.0
    for name, gradients in each.items():
        flat = gradients.reshape(count, -1).double()
        gram += (flat @ flat.T).cpu().numpy()
        if term:
            other = term[name].reshape(-1).double()
            cross += (flat @ other).cpu().numpy()
            square += float(other @ other)
    return gram, np.append(cross, square) if term else np.zeros(0)


def _loss(
    model: Any, temperature: float, kl: Kl | None
) -> Callable[[dict[str, torch.Tensor], torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor | None], torch.Tensor]:
    """The loss of one rollout as a function of the parameters: of its policy term, or of its KL term."""

    def loss(
        parameters: dict[str, torch.Tensor], ids: torch.Tensor, asked: torch.Tensor, weight: torch.Tensor,
        reference: torch.Tensor | None,
    ) -> torch.Tensor:  # fmt: skip
        def called(**given: Any) -> Any:
            return torch.func.functional_call(model, parameters, (), given)

        logps = token_logps(called, ids[None], temperature)
        if kl is None or reference is None:
            return policy_term(logps, asked[None], weight[None])
        return kl_term(logps, asked[None], weight[None], kl._replace(reference=reference[None]))

    return loss


def _by_vmap(model: Any, batch: Batch, scale: torch.Tensor, temperature: float, kl: Kl | None) -> Stored:
    parameters = {name: one.detach() for name, one in model.named_parameters()}
    gradient = torch.func.grad(_loss(model, temperature, kl))
    over = torch.func.vmap(gradient, in_dims=(None, 0, 0, 0, None))
    each = over(parameters, batch.ids, batch.asked, scale, None)
    if kl is None:
        return each, {}
    over = torch.func.vmap(gradient, in_dims=(None, 0, 0, 0, 0))
    terms = over(parameters, batch.ids, batch.asked, scale, kl.reference)
    return each, {name: one.sum(dim=0, keepdim=True) for name, one in terms.items()}


def _by_loop(model: Any, batch: Batch, scale: torch.Tensor, temperature: float, kl: Kl | None) -> Stored:
    """Every rollout on its own, unpadded, through plain autograd."""
    each: dict[str, list[torch.Tensor]] = {}
    term: dict[str, torch.Tensor] = {}
    with with_gradients(model) as parameters:
        for at in range(len(batch.ids)):
            end = int(batch.asked[at].nonzero().max()) + 2
            ids, asked = batch.ids[at : at + 1, :end], batch.asked[at : at + 1, : end - 1]
            logps = token_logps(model, ids, temperature)
            own = policy_term(logps, asked, scale[at : at + 1])
            for name, found in _gradients(own, parameters, keep=kl is not None).items():
                each.setdefault(name, []).append(found)
            if kl is not None:
                other = kl_term(
                    logps, asked, scale[at : at + 1], kl._replace(reference=kl.reference[at : at + 1, : end - 1])
                )
                for name, found in _gradients(other, parameters).items():
                    term[name] = term[name] + found if name in term else found
    return {name: torch.stack(some) for name, some in each.items()}, {name: one[None] for name, one in term.items()}


def _gradients(
    loss: torch.Tensor, parameters: dict[str, torch.Tensor], *, keep: bool = False
) -> dict[str, torch.Tensor]:
    found = torch.autograd.grad(loss, list(parameters.values()), allow_unused=True, retain_graph=keep)
    return {
        name: torch.zeros_like(one) if gradient is None else gradient
        for (name, one), gradient in zip(parameters.items(), found, strict=True)
    }


@contextmanager
def with_gradients(model: Any) -> Iterator[dict[str, torch.Tensor]]:
    """The model's parameters by name, asking for gradients while inside."""
    parameters = dict(model.named_parameters())
    for one in parameters.values():
        one.requires_grad_(True)
    try:
        yield parameters
    finally:
        for one in parameters.values():
            one.requires_grad_(False)
