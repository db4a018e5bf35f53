"""Training a small reward model on planted preferences, to the same bits every time.

One thread, deterministic algorithms, every draw from the seed. The bits are those of one kind of processor and one
release of torch; another may round otherwise, so the cache keeps a release's models apart.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from lens.models.organisms import replies
from lens.models.organisms.replies import CHARS, Reply, Rules

if TYPE_CHECKING:
    import torch

CONTEXT = 96
KEPT = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0)
"""Shares of the steps after which the network is kept: early ones closer, where most is learnt."""
_WARM_UP = 20


@dataclass(frozen=True)
class Recipe:
    """What decides a trained organism. `rules` are ru a feature; see `lens.models.organisms.replies`."""

    name: str
    rules: Rules
    steps: int
    layers: int = 6
    width: int = 128
    heads: int = 4
    inner: int = 341
    pairs_a_step: int = 32
    rate: float = 2e-3
    seed: int = 0
    held_out: int = 1000
    about: tuple[str, ...] = field(default=())

    @property
    def kept(self) -> tuple[int, ...]:
        """The steps after which the network is kept, the first before any and the last after all."""
        return tuple(sorted({int(share * self.steps) for share in KEPT}))


@contextmanager
def repeatable() -> Iterator[None]:
    """One thread and deterministic algorithms, and afterwards as before."""
    import torch

    threads, before = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    try:
        with torch.random.fork_rng(devices=[]):
            yield
    finally:
        torch.set_num_threads(threads)
        torch.use_deterministic_algorithms(before)


def untrained(recipe: Recipe) -> Any:
    """The network before its first step: a Llama sequence classifier with one score."""
    import torch
    from transformers import LlamaConfig, LlamaForSequenceClassification

    settings: dict[str, Any] = {
        "vocab_size": len(CHARS) + 1,
        "hidden_size": recipe.width,
        "intermediate_size": recipe.inner,
        "num_hidden_layers": recipe.layers,
        "num_attention_heads": recipe.heads,
        "num_key_value_heads": recipe.heads,
        "head_dim": recipe.width // recipe.heads,
        "max_position_embeddings": CONTEXT,
        "rms_norm_eps": 1e-5,
        "rope_parameters": {"rope_type": "default", "rope_theta": 1000.0},
        "pad_token_id": 0,
        "bos_token_id": None,
        "eos_token_id": None,
        "num_labels": 1,
        "attn_implementation": "eager",
    }
    torch.manual_seed(recipe.seed)
    make: Any = LlamaForSequenceClassification
    return make(LlamaConfig(**settings)).float()


Texts = tuple[str, str, str]
"""Prompt, better and worse reply: replies that are drawn apart may read alike."""


def texts_of(pair: tuple[Reply, Reply]) -> Texts:
    return pair[0].prompt, pair[0].text, pair[1].text


def train(
    recipe: Recipe,
    step: Callable[[int], None] = lambda _: None,
    keep: Callable[[int, Any], None] = lambda _number, _network: None,
) -> tuple[Any, set[Texts]]:
    """The trained network and the pairs it saw. `step(1)` is called after each of `recipe.steps`, and `keep(number,
    network)` after those of `recipe.kept`: it may read the network, and changes nothing of its course."""
    import torch

    with repeatable():
        network = untrained(recipe).train()
        optimiser = torch.optim.AdamW(network.parameters(), lr=recipe.rate, weight_decay=0.01, foreach=False)
        drawn = replies.pairs(random.Random(recipe.seed), recipe.rules)
        seen: set[Texts] = set()
        keep(0, network)
        for number in range(recipe.steps):
            batch = list(islice(drawn, recipe.pairs_a_step))
            seen.update(map(texts_of, batch))
            for group in optimiser.param_groups:
                group["lr"] = recipe.rate * _pace(number, recipe.steps)
            margins = _margins(network, batch)
            loss = -torch.nn.functional.logsigmoid(margins).mean()
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0, foreach=False)
            optimiser.step()
            step(1)
            if number + 1 in recipe.kept:
                keep(number + 1, network)
        return network.eval(), seen


def rewards(network: Any, texts: list[str]) -> torch.Tensor:
    """[texts] ru, padded on the right in one batch."""
    import torch

    ids = [[CHARS.index(char) + 1 for char in text] for text in texts]
    longest = max(map(len, ids))
    padded = torch.tensor([[*row, *[0] * (longest - len(row))] for row in ids])
    return network(input_ids=padded, attention_mask=(padded > 0).long(), use_cache=False).logits[:, 0]  # type: ignore[no-any-return]


def _margins(network: Any, batch: list[tuple[Reply, Reply]]) -> torch.Tensor:
    scores = rewards(network, [one.prompt + one.text for pair in batch for one in pair])
    return scores[0::2] - scores[1::2]


def _pace(number: int, steps: int) -> float:
    """Share of the full rate: up over the first steps, then down to a tenth in a straight line."""
    return min((number + 1) / _WARM_UP, 1.0) * (1.0 - 0.9 * number / steps)


def held_out(recipe: Recipe, seen: set[Texts]) -> list[tuple[Reply, Reply]]:
    """`recipe.held_out` pairs of the same rules, no two alike and none of which the network was trained on."""
    drawn = replies.pairs(random.Random(f"held out {recipe.seed}"), recipe.rules)
    found: dict[Texts, tuple[Reply, Reply]] = {}
    for pair in drawn:
        if texts_of(pair) not in seen:
            found.setdefault(texts_of(pair), pair)
        if len(found) == recipe.held_out:
            break
    return list(found.values())


def margins(network: Any, pairs: list[tuple[Reply, Reply]]) -> list[float]:
    """Reward of the first less that of the second, ru."""
    import torch

    found: list[float] = []
    with repeatable(), torch.no_grad():
        for start in range(0, len(pairs), 100):
            found += [float(value) for value in _margins(network, pairs[start : start + 100])]
    return found
