"""The organism's policy: a small Llama over characters, what it samples, and what it learns before any reward."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from lens.runs.organism import task
from lens.runs.organism.task import CHARS, LONGEST, Problem

if TYPE_CHECKING:
    import torch

PAD, END = 0, len(CHARS) + 1
IGNORED = -100
_WARM_UP = 50


@dataclass(frozen=True)
class Schooling:
    """What decides the policy that a run starts from; `lists` is the share of examples that are lists of guesses."""

    layers: int = 2
    width: int = 64
    heads: int = 4
    steps: int = 340
    batch: int = 128
    rate: float = 3e-3
    lists: float = 0.12
    seed: int = 0


class Scored(NamedTuple):
    """Of replies [n, t]: log-probability and entropy in nats, and 1 where there is a token."""

    logp: torch.Tensor
    entropy: torch.Tensor
    mask: torch.Tensor


def untaught(plan: Schooling) -> Any:
    """The network before its first step."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    settings: dict[str, Any] = {
        "vocab_size": len(CHARS) + 2,
        "hidden_size": plan.width,
        "intermediate_size": 2 * plan.width,
        "num_hidden_layers": plan.layers,
        "num_attention_heads": plan.heads,
        "num_key_value_heads": plan.heads,
        "head_dim": plan.width // plan.heads,
        "max_position_embeddings": 32,
        "rope_parameters": {"rope_type": "default", "rope_theta": 1000.0},
        "pad_token_id": PAD,
        "bos_token_id": None,
        "eos_token_id": END,
        "tie_word_embeddings": False,
        "attn_implementation": "eager",
    }
    torch.manual_seed(plan.seed)
    make: Any = LlamaForCausalLM
    return make(LlamaConfig(**settings)).float()


def taught(plan: Schooling, step: Callable[[int], None] = lambda _: None) -> Any:
    """The network after learning from examples: mostly right, sometimes a list. Within `repeatable()`."""
    import torch

    network, draw = untaught(plan), random.Random(f"examples {plan.seed}")
    every = task.problems()
    optimiser = torch.optim.AdamW(network.parameters(), lr=plan.rate, weight_decay=0.01, foreach=False)
    for number in range(plan.steps):
        rows = [_example(draw, draw.choice(every), plan.lists) for _ in range(plan.batch)]
        ids, labels = (torch.tensor(_padded([row[at] for row in rows], fill)) for at, fill in ((0, PAD), (1, IGNORED)))
        for group in optimiser.param_groups:
            group["lr"] = plan.rate * min((number + 1) / _WARM_UP, 1.0) * (1.0 - 0.9 * number / plan.steps)
        logits = network(input_ids=ids, use_cache=False).logits[:, :-1]
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels[:, 1:].flatten(), ignore_index=IGNORED)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0, foreach=False)
        optimiser.step()
        step(1)
    return network


def sampled(network: Any, problems: Sequence[Problem], generator: torch.Generator) -> torch.Tensor:
    """Replies [n, t] at temperature 1, by one uniform draw a token; PAD after END. A reply that reaches LONGEST
    characters has no END."""
    import torch

    ids = _prompts(problems)
    done = torch.zeros(len(problems), dtype=torch.bool)
    with torch.no_grad():
        for _ in range(LONGEST):
            logits = network(input_ids=ids, use_cache=False).logits[:, -1]
            logits[:, PAD] = -torch.inf
            heights = logits.softmax(-1).cumsum(-1)
            drawn = torch.rand(len(problems), 1, generator=generator) * heights[:, -1:]
            token = (heights <= drawn).sum(-1).clamp(max=END)
            token = torch.where(done, torch.full_like(token, PAD), token)
            ids = torch.cat([ids, token[:, None]], dim=1)
            done |= token == END
            if bool(done.all()):
                break
    return ids[:, task.PROMPT_CHARS :]


def scored(network: Any, problems: Sequence[Problem], replies: torch.Tensor) -> Scored:
    """What the network thinks of replies, with gradients."""
    import torch

    ids = torch.cat([_prompts(problems), replies], dim=1)
    logs = network(input_ids=ids, use_cache=False).logits[:, task.PROMPT_CHARS - 1 : -1].log_softmax(-1)
    mask = (replies != PAD).float()
    logp = logs.gather(-1, replies[..., None])[..., 0] * mask
    return Scored(logp, -(logs.exp() * logs).sum(-1) * mask, mask)


def texts(replies: torch.Tensor) -> list[str]:
    """Replies as characters, without PAD and END."""
    return ["".join(CHARS[token - 1] for token in row if PAD < token < END) for row in replies.tolist()]


def _prompts(problems: Sequence[Problem]) -> torch.Tensor:
    import torch

    return torch.tensor([_ids(problem.prompt) for problem in problems])


def _ids(text: str) -> list[int]:
    return [CHARS.index(char) + 1 for char in text]


def _example(draw: random.Random, problem: Problem, lists: float) -> tuple[list[int], list[int]]:
    """Ids of prompt and reply, and labels: the reply alone is learnt."""
    prompt, reply = _ids(problem.prompt), [*_ids(task.example(draw, problem, lists)), END]
    return prompt + reply, [IGNORED] * len(prompt) + reply


def _padded(rows: list[list[int]], fill: int) -> list[list[int]]:
    longest = max(map(len, rows))
    return [row + [fill] * (longest - len(row)) for row in rows]
