"""TRL's configuration in the words of `Settings`: several formats hold one (its own files, loggers, records)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lens.errors import UsageError
from lens.runs.adapter import Source
from lens.runs.formats.logged import Logged
from lens.runs.settings import Settings
from lens.runs.writer import Writer

_SAVED = ("grpo_config.json", "rloo_config.json", "training_args.json", "trl_config.json", "config.json")
_SCALES = {"group": "group", "batch": "batch", "none": "none", "true": "group", "false": "none"}


def settings(config: Mapping[str, Any], leaves: tuple[str, ...] = ()) -> Settings:
    """From `GRPOConfig.to_dict()`; `leaves` name the reward functions in their order, for `reward_weights`.

    TRL divides by the standard deviation with Bessel's correction plus 1e-4 (GRPOTrainer of 0.16 and later).
    """
    scale = _SCALES.get(str(config.get("scale_rewards", "")).lower())
    generation = config.get("generation_batch_size")
    return Settings(
        algorithm="grpo" if scale != "none" else "dr_grpo",
        scale=scale,  # type: ignore[arg-type]
        ddof=1,
        epsilon=1e-4,
        aggregation=config.get("multi_objective_aggregation", "sum_then_normalize"),
        weights=_weights(config, leaves),
        group_size=config.get("num_generations"),
        batch_size=generation,
        generations=_generations(config),
        iterations=config.get("num_iterations"),
        beta=config.get("beta"),
        entropy=config.get("entropy_coef"),
        clip_low=config.get("epsilon"),
        clip_high=config.get("epsilon_high") or config.get("epsilon"),
        max_grad_norm=config.get("max_grad_norm"),
        learning_rate=config.get("learning_rate"),
        loss=config.get("loss_type"),
        logging_steps=_whole(config.get("logging_steps")),
        steps=_whole(config.get("max_steps")),
        precision=_precision(config),
    )


def _weights(config: Mapping[str, Any], leaves: tuple[str, ...]) -> dict[str, float] | None:
    """Of the leaves, in their order: TRL's are 1 where it was told none."""
    weights = config.get("reward_weights")
    if weights is None and "scale_rewards" in config:
        weights = [1.0] * len(leaves)
    if not leaves or not isinstance(weights, list) or not all(isinstance(one, (int, float)) for one in weights):
        return None
    return dict(zip(leaves, map(float, weights), strict=False)) or None


def _generations(config: Mapping[str, Any]) -> int | None:
    """TRL's `steps_per_generation` counts batches, of which an optimizer step takes `gradient_accumulation_steps`."""
    batches, accumulated = _whole(config.get("steps_per_generation")), _whole(config.get("gradient_accumulation_steps"))
    return None if batches is None else max(1, batches // (accumulated or 1))


def _whole(value: Any) -> int | None:
    return int(value) if isinstance(value, (int, float)) and 1 <= value < 2**63 else None


def _precision(config: Mapping[str, Any]) -> str | None:
    if config.get("dtype"):
        return str(config["dtype"]).removeprefix("torch.")
    return "bfloat16" if config.get("bf16") else "float16" if config.get("fp16") else None


def series_only(log: Logged, writer: Writer) -> None:
    """Settings of a log without rollouts, from the writer's configuration where that is TRL's.

    A log's components come in no order: their weights are known only where they are all alike.
    """
    from lens.runs.formats import trl_log

    leaves = tuple(sorted(log.leaves))
    if "num_generations" in writer.config:
        alike = len(set(writer.config.get("reward_weights") or [1.0])) == 1
        writer.settings = settings(writer.config, leaves if alike else ())
        trl_log.check(log.rewards(), leaves, writer)
    lacks(writer)


def lacks(writer: Writer) -> None:
    """Tell what a trainer with these settings never computed."""
    if writer.settings.beta == 0:
        writer.lacks(
            "kl",
            "beta is 0: no reference model was loaded, so KL was never computed",
            "score saved checkpoints against the initial policy on a fixed prompt set",
        )


def given(path: Path | None, leaves: tuple[str, ...] = ()) -> tuple[dict[str, Any], Settings]:
    """A configuration that a person gave in a file, and what it says where it is TRL's; nothing without a file.

    Raises UsageError naming the file where it is no JSON object.
    """
    if path is None:
        return {}, Settings()
    from lens.runs.formats.files import json_file

    config = json_file(path)
    if not isinstance(config, dict):
        raise UsageError(f"{path}: a configuration is a JSON object, as `GRPOConfig.to_dict()` gives it")
    return config, settings(config, leaves) if "num_generations" in config else Settings()


def find(source: Source) -> Path | None:
    """The configuration of a run: the file that was given, else one saved in its folder that is TRL's."""
    if source.config is not None:
        return source.config
    base = source.path if source.path.is_dir() else source.path.parent
    return next(
        (one for name in _SAVED if (one := base / name).is_file() and b'"num_generations"' in one.read_bytes()), None
    )


def config(source: Source) -> dict[str, Any]:
    """What `find` found, {} where that is nothing. Raises UsageError where it is no JSON object."""
    return given(find(source))[0]
