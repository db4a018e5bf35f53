"""What a trainer was told that decides how rewards became an update, whatever the trainer calls it."""

from __future__ import annotations

from typing import Literal

import msgspec

Algorithm = Literal["grpo", "dr_grpo", "rloo", "reinforce++", "dapo", "gae", "ppo", "gspo"]
Scale = Literal["group", "batch", "none"]
Aggregation = Literal["sum_then_normalize", "normalize_then_sum"]


class Settings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """None where the record doesn't say. `weights` are of the leaves by name; `rounded` is the unit a writer rounds to
    (5e-5 for four decimals), 0 where it writes what it holds."""

    algorithm: Algorithm | None = None
    scale: Scale | None = None
    ddof: int | None = None
    epsilon: float | None = None
    aggregation: Aggregation | None = None
    weights: dict[str, float] | None = None
    group_size: int | None = None
    batch_size: int | None = None  # rollouts of one generation
    generations: int | None = None  # optimizer steps that one generation feeds
    iterations: int | None = None  # times each rollout is trained on
    beta: float | None = None
    entropy: float | None = None  # coefficient of the entropy bonus
    clip_low: float | None = None
    clip_high: float | None = None
    max_grad_norm: float | None = None
    learning_rate: float | None = None
    loss: str | None = None
    logging_steps: int | None = None
    steps: int | None = None  # optimizer steps the run was to take
    precision: str | None = None  # "float32", "bfloat16"
    rounded: float = 0.0
