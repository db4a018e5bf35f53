"""The same responses scored before and after an update, and what the update's own first and second derivative foretell.

Along theta + s x (theta' - theta) a response's log-probability l(s) goes from l(0) to l(1): measured is l(1) - l(0), to
first order l'(0), and the second order 2 (l(1) - 2 l(1/2) + l(0)). What is left is of third order and above.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from lens.reading import Declined
from lens.runs.gradients import policy as policies
from lens.runs.gradients.products import Batch, token_logps, with_gradients
from lens.runs.gradients.steps import PARITY, Recipe, kl_of, parity
from lens.runs.gradients.whole import norm, whole_gradient

if TYPE_CHECKING:
    from lens.runs.gradients.policy import Policy, Rollout
    from lens.runs.record import Record
    from lens.runs.review import Review

Weights = dict[str, torch.Tensor]


@dataclass(frozen=True)
class Response:
    """One step's responses, [n] each and by token where said, under the policy before and the one after.

    `first` is l'(0) along the whole change of parameters; `plain` that of a gradient step of the learning rate,
    `clipped` of one after clipping, `term` of the KL term's part of it; None where they can't be had.
    """

    step: int
    updates: int  # between the two policies
    rows: list[int]
    prompt: list[str]
    advantage: np.ndarray
    lengths: np.ndarray
    before: list[list[float]]  # by token
    after: list[list[float]]
    middle: np.ndarray
    first: np.ndarray
    plain: np.ndarray | None
    clipped: np.ndarray | None
    term: np.ndarray | None
    rescored: float  # the largest change of a response's sum when the same policy scores it padded otherwise
    parity: float | None

    @property
    def moved(self) -> np.ndarray:
        return np.array([sum(two) - sum(one) for one, two in zip(self.before, self.after, strict=True)])

    @property
    def curved(self) -> np.ndarray:
        ends = np.array([sum(one) + sum(two) for one, two in zip(self.before, self.after, strict=True)])
        curved: np.ndarray = 2 * (ends - 2 * self.middle)
        return curved


def responses(review: Review, how: Recipe | None) -> list[Response] | Declined:
    """Of every two policies in the folder that follow one another, on the rollouts that the first one sampled."""
    record = review.record()
    chain = policies.chain(review.model, record)
    if len(chain) < 2:
        return Declined(
            "record_incomplete",
            "one policy is at hand, and how it moved needs the one after the update too",
            "name a folder with two checkpoint-N folders or more; save_steps=1 saves one an update",
            needs="policies before and after an update",
        )
    found = []
    for (step, path), (later, after) in pairwise(chain.items()):
        some = [one for one in policies.rollouts(record, step) if one.advantage is not None]
        if some:
            made = _response(review, record, step, later - step, some, (path, after), how)
            if isinstance(made, Declined):
                return made
            found.append(made)
            review.advance(len(some))
    return found or Declined(
        "record_incomplete",
        "no policy in the folder sampled a step that the record holds",
        "checkpoint-N sampled the rollouts of the step after N updates: name the folder they lie in",
        has=f"steps {record.counts.get('first')} to {record.counts.get('last')}",
    )


def _response(
    review: Review,
    record: Record,
    step: int,
    updates: int,
    some: list[Rollout],
    folders: tuple[Path, Path],
    how: Recipe | None,
) -> Response | Declined:
    before, after = (policies.open_policy(one) for one in folders)
    review.used |= {
        f"policy.{at}": one.as_input(f"policy at step {at}") for at, one in ((step, before), (step + updates, after))
    }
    tokens = policies.tokenised(before, some)
    if isinstance(tokens, str):
        return Declined("record_incomplete", tokens, "record with the tap, which keeps token counts", needs="tokens")
    batch = Batch.of(tokens.prompts, tokens.responses, before.device)
    heat = how.temperature if how else float(record.header.config.get("temperature") or 1.0)
    away = parity(before, batch, some, heat)
    if away is not None and away > PARITY:
        return Declined(
            "assumption_violated",
            f"the model gives step {step}'s rollouts log-probabilities {away:.3g} nats a token from those recorded",
            "name the checkpoints of this run; checkpoint-N sampled the rollouts of the step after N updates",
        )
    weights, change = dict(before.network.named_parameters()), _change(before, after)
    gradients = _gradients(review, before, batch, some, how, record, step) if updates == 1 else {}
    along = {name: directional(before.network, batch, heat, one) for name, one in gradients.items()}
    with torch.no_grad():
        return Response(
            step, updates, [one.row for one in some], [str(one.prompt) for one in some],
            np.array([one.advantage for one in some], float), np.array(batch.lengths),
            _by_token(before.network, weights, batch, heat),
            _by_token(after.network, dict(after.network.named_parameters()), batch, heat),
            _sums(before.network, {name: one + change[name] / 2 for name, one in weights.items()}, batch, heat),
            directional(before.network, batch, heat, change),
            along.get("plain"), along.get("clipped"), along.get("term"),
            _rescored(before, weights, batch, heat), away,
        )  # fmt: skip


def _change(before: Policy, after: Policy) -> Weights:
    """theta' - theta. Raises ValueError where the two aren't one architecture."""
    from lens.errors import UsageError

    one, two = dict(before.network.named_parameters()), dict(after.network.named_parameters())
    if {name: value.shape for name, value in one.items()} != {name: value.shape for name, value in two.items()}:
        raise UsageError(
            f"{before.folder.name} and {after.folder.name} have parameters of different names or shapes",
            remedy="name checkpoints of one run",
        )
    return {name: (two[name] - value).detach() for name, value in one.items()}


def _gradients(
    review: Review, policy: Policy, batch: Batch, some: Sequence[Rollout], how: Recipe | None, record: Record, step: int
) -> dict[str, Weights]:
    """Changes of parameters that a plain gradient step would make; {} where its loss or rate isn't known."""
    settings = record.header.settings
    rate = record.series("learning_rate").get(step, {}).get("learning_rate", settings.learning_rate)
    if how is None or rate is None:
        return {}
    advantages = [float(one.advantage or 0) for one in some]

    def of(advantages: Sequence[float], *, with_kl: bool) -> Weights:
        kl = kl_of(review, batch, how) if with_kl and how.beta else None
        return whole_gradient(
            policy.network, batch, advantages, kind=how.kind, longest=how.longest, temperature=how.temperature,
            clip=how.clip, kl=kl,
        )  # fmt: skip

    whole = of(advantages, with_kl=True)
    size, threshold = norm(whole), settings.max_grad_norm
    factor = min(1.0, threshold / size) if threshold and size > 0 else 1.0
    found = {"plain": {name: -rate * one for name, one in of(advantages, with_kl=False).items()}}
    if threshold is not None:
        found["clipped"] = {name: -rate * factor * one for name, one in whole.items()}
    if how.beta:
        found["term"] = {name: -rate * one for name, one in of([0.0] * len(some), with_kl=True).items()}
    return found


def directional(model: Any, batch: Batch, temperature: float, change: Weights) -> np.ndarray:
    """d/ds of each response's log-probability along a change of parameters, at s = 0: [n]."""
    scale = torch.ones(len(batch.ids), device=batch.ids.device)
    with with_gradients(model) as parameters, torch.enable_grad():
        sums = torch.where(batch.asked, token_logps(model, batch.ids, temperature), 0.0).sum(dim=1)
        weight = scale.requires_grad_(True)
        found = torch.autograd.grad(
            (weight * sums).sum(), list(parameters.values()), create_graph=True, materialize_grads=True
        )
        total = torch.stack([(one * change[name]).sum() for name, one in zip(parameters, found, strict=True)]).sum()
        (each,) = torch.autograd.grad(total, weight)
    moved: np.ndarray = each.double().cpu().numpy()
    return moved


def _logps(model: Any, weights: Weights, batch: Batch, temperature: float) -> torch.Tensor:
    def called(**given: Any) -> Any:
        return torch.func.functional_call(model, weights, (), given)

    return token_logps(called, batch.ids, temperature).double()


def _by_token(model: Any, weights: Weights, batch: Batch, temperature: float) -> list[list[float]]:
    logps = _logps(model, weights, batch, temperature).cpu()
    return [some[asked].tolist() for some, asked in zip(logps, batch.asked.cpu(), strict=True)]


def _sums(model: Any, weights: Weights, batch: Batch, temperature: float) -> np.ndarray:
    return np.array([sum(one) for one in _by_token(model, weights, batch, temperature)])


def _rescored(policy: Policy, weights: Weights, batch: Batch, temperature: float) -> float:
    wide = Batch(torch.nn.functional.pad(batch.ids, (0, 3)), torch.nn.functional.pad(batch.asked, (0, 3)))
    one, two = (_sums(policy.network, weights, some, temperature) for some in (batch, wide))
    return float(np.abs(one - two).max())
