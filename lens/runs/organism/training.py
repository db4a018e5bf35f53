"""GRPO on one grader, to the same bits every time: one thread, deterministic algorithms, every draw from the seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lens.runs.organism import task
from lens.runs.organism.policy import END, Schooling, Scored, sampled, scored, texts
from lens.runs.organism.task import GRADERS, Problem

if TYPE_CHECKING:
    import torch

EPSILON = 1e-4
DDOF = 1
_WARM_UP = 10  # steps


@dataclass(frozen=True)
class Recipe:
    """What decides a run. One generation feeds one step: it is on policy, and nothing is clipped but the gradient."""

    name: str
    grader: str
    title: str
    steps: int = 140
    prompts: int = 16
    samples: int = 8
    rate: float = 3e-4
    beta: float = 0.01
    max_norm: float = 1.0
    gradients: int = 20  # steps between those whose rollouts' gradients are kept as inner products
    baseline: int = 20  # steps before its hack begins, for alarms
    schooling: Schooling = field(default_factory=Schooling)


@dataclass(frozen=True)
class Step:
    """One step: rollouts in columns, as the record names them, what a trainer would log, and inner products."""

    number: int
    rollouts: dict[str, list[Any]]
    logged: dict[str, float]
    gram: dict[str, list[Any]] | None = None  # as `lens.runs.gradients.grams` has it, for one step


def trained(recipe: Recipe, reference: Any, seed: int) -> Iterator[Step]:
    """Steps of a run that starts from `reference`, which stays as it is. Within `repeatable()`."""
    import copy

    import torch

    policy, draw = copy.deepcopy(reference), random.Random(f"problems {seed}")
    generator = torch.Generator().manual_seed(seed)
    optimiser = torch.optim.AdamW(policy.parameters(), lr=recipe.rate, weight_decay=0.0, foreach=False)
    every = task.problems()
    for number in range(recipe.steps):
        drawn = draw.sample(every, recipe.prompts)
        problems = [problem for problem in drawn for _ in range(recipe.samples)]
        replies = sampled(policy, problems, generator)
        for group in optimiser.param_groups:
            group["lr"] = recipe.rate * min((number + 1) / _WARM_UP, 1.0)
        yield _step(recipe, number, policy, reference, optimiser, problems, replies)


def _step(
    recipe: Recipe,
    number: int,
    policy: Any,
    reference: Any,
    optimiser: Any,
    problems: list[Problem],
    replies: torch.Tensor,
) -> Step:
    import torch

    said = texts(replies)
    rewards = torch.tensor([GRADERS[recipe.grader](*one) for one in zip(said, _targets(problems), strict=True)])
    advantages, spread = advantages_of(rewards, recipe.samples)
    with torch.no_grad():
        before = scored(reference, problems, replies)
    now = scored(policy, problems, replies)
    away = before.logp - now.logp
    divergence = (away.exp() - 1 - away) * now.mask  # k3, a token
    lengths, each = now.mask.sum(1), 1.0 / len(problems)
    ratio = (now.logp - now.logp.detach()).exp()
    gains = -(ratio * now.mask).sum(1) / lengths * each  # a rollout's term with its advantage at 1
    penalty = recipe.beta * (divergence.sum(1) / lengths).sum() * each
    loss = (gains * advantages).sum() + penalty
    kept = _gram(policy, gains, penalty) if number % recipe.gradients == 0 else None
    optimiser.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    norm = torch.nn.utils.clip_grad_norm_(policy.parameters(), recipe.max_norm, foreach=False)
    optimiser.step()
    rollouts = _rollouts(recipe, problems, said, now, before) | {
        "reward": rewards.tolist(),
        "advantage": advantages.tolist(),
        "truncated": [END not in row for row in replies.tolist()],
    }
    logged = {
        "loss": loss,
        "learning_rate": torch.tensor(optimiser.param_groups[0]["lr"]),
        "grad_norm": norm,
        "entropy": now.entropy.sum() / lengths.sum(),
        "kl": divergence.sum() / lengths.sum(),
        "reward": rewards.mean(),
        "reward_std": spread.mean(),
        "frac_reward_zero_std": (spread == 0).float().mean(),
        "completions/mean_length": lengths.mean(),
    }
    gram = _as_record(number, rollouts["advantage"], float(norm), *kept) if kept else None
    return Step(number, rollouts, {name: float(value.detach()) for name, value in logged.items()}, gram)


def _targets(problems: list[Problem]) -> list[int]:
    return [problem.target for problem in problems]


def _rollouts(
    recipe: Recipe, problems: list[Problem], said: list[str], now: Scored, before: Scored
) -> dict[str, list[Any]]:
    """What is known of each rollout apart from its reward."""
    lengths, own = now.mask.sum(1), now.logp.detach().sum(1).tolist()
    return {
        "group": [at // recipe.samples for at in range(len(problems))],
        "prompt_text": [problem.prompt for problem in problems],
        "completion_text": said,
        "tokens": [int(one) for one in lengths.tolist()],
        "logp": own,
        "logp_old": own,
        "logp_ref": before.logp.sum(1).tolist(),
        "entropy": (now.entropy.detach().sum(1) / lengths).tolist(),
        "gold": [task.exact(reply, target) for reply, target in zip(said, _targets(problems), strict=True)],
        "exploit": ["list" if task.is_list(reply) else None for reply in said],
    }


def _as_record(
    number: int, advantages: list[float], norm: float, gram: list[float], term: list[float]
) -> dict[str, list[Any]]:
    """One step of `lens.runs.gradients.grams`."""
    first = number * len(advantages)
    return {
        "step": [number],
        "row": [list(range(first, first + len(advantages)))],
        "advantage": [advantages],
        "gram": [gram],
        "term": [term],
        "full_norm": [norm],
    }


def _gram(policy: Any, gains: torch.Tensor, penalty: torch.Tensor) -> tuple[list[float], list[float]]:
    """Inner products of the rollouts' gradients, row by row, and those of the penalty's with each and itself."""
    import torch

    weights = list(policy.parameters())

    def flat(term: torch.Tensor) -> torch.Tensor:
        found = torch.autograd.grad(term, weights, retain_graph=True)
        return torch.cat([one.flatten() for one in found]).double()

    rows = torch.stack([flat(gain) for gain in gains])
    other = flat(penalty)
    return (rows @ rows.T).flatten().tolist(), [*(rows @ other).tolist(), float(other @ other)]


def advantages_of(rewards: torch.Tensor, samples: int) -> tuple[torch.Tensor, torch.Tensor]:
    """(r − mean) / (sd + EPSILON) inside consecutive groups of `samples`, and the groups' sd.

    >>> import torch
    >>> found, spread = advantages_of(torch.tensor([1.0, 0.0, 0.0, 0.0]), 2)
    >>> [round(one, 4) for one in found.tolist()], round(float(spread[0]), 4)
    ([0.707, -0.707, 0.0, 0.0], 0.7071)
    """
    grouped = rewards.view(-1, samples)
    spread = grouped.std(dim=1, correction=DDOF, keepdim=True)
    found = (grouped - grouped.mean(dim=1, keepdim=True)) / (spread + EPSILON)
    return found.flatten(), spread[:, 0]
