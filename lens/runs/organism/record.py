"""A trained organism as files: the policy it starts from, and its run as a flat record."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from lens.models.organisms.training import repeatable
from lens.runs.header import Header
from lens.runs.organism.policy import Schooling, taught, untaught
from lens.runs.organism.training import DDOF, EPSILON, Recipe, trained
from lens.runs.settings import Settings
from lens.runs.writer import Writer

TRAINER = "the GRPO organism"
_WEIGHTS = "policy.safetensors"


def write_policy(folder: Path, plan: Schooling, tick: Callable[[int], None]) -> None:
    """Teach the policy and keep its weights."""
    from safetensors.torch import save_file

    with repeatable():
        network = taught(plan, tick)
    save_file({name: weight.contiguous() for name, weight in network.state_dict().items()}, folder / _WEIGHTS)


def read_policy(folder: Path, plan: Schooling) -> Any:
    """The policy that `write_policy` kept."""
    from safetensors.torch import load_file

    network = untaught(plan)
    network.load_state_dict(load_file(folder / _WEIGHTS))
    return network


def write(folder: Path, recipe: Recipe, seed: int, policy: Path, tick: Callable[[int], None]) -> None:
    """Train the run and fill `folder`. The record's fingerprint is a digest of all that was recorded."""
    writer, seen = Writer(folder, folder), hashlib.sha256()
    with repeatable():
        reference = read_policy(policy, recipe.schooling)
        for step in trained(recipe, reference, seed):
            writer.rollouts(folder / "run", {"step": step.number, **step.rollouts})
            writer.series(step.number, step.logged)
            if step.gram is not None:
                writer.gram(step.gram)
            seen.update(msgspec.json.encode([step.number, step.rollouts, step.logged, step.gram]))
            tick(1)
    writer.settings = settings(recipe)
    writer.trainer = TRAINER
    writer.trained = recipe.steps * recipe.prompts * recipe.samples
    writer.config = {"grader": recipe.grader, "seed": seed, **msgspec.to_builtins(recipe.schooling)}
    writer.finish()
    header = Header(
        adapter="flat",
        adapter_version=1,
        known_by="trained here",
        trainer=TRAINER,
        tested="real run",
        fingerprint=seen.hexdigest(),
        settings=writer.settings,
        config=writer.config,
        sources=tuple(writer.name(path) for path in writer.files),
        leaves=writer.leaves(),
        absent=writer.absent(),
        trained=writer.trained,
        gaps=writer.gaps,
    )
    (folder / "record.json").write_bytes(msgspec.json.encode(header))


def settings(recipe: Recipe) -> Settings:
    """What the trainer was told, in the record's vocabulary."""
    batch = recipe.prompts * recipe.samples
    return Settings(
        algorithm="grpo",
        scale="group",
        ddof=DDOF,
        epsilon=EPSILON,
        aggregation="sum_then_normalize",
        group_size=recipe.samples,
        batch_size=batch,
        generations=1,
        iterations=1,
        beta=recipe.beta,
        max_grad_norm=recipe.max_norm,
        learning_rate=recipe.rate,
        loss="grpo",
        logging_steps=1,
        steps=recipe.steps,
        precision="float32",
    )
