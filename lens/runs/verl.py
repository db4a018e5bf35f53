"""verl's configuration in the words of `Settings`, from its Hydra file or the same as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lens.errors import UsageError
from lens.runs.settings import Settings

_ESTIMATORS: dict[str, tuple[str, str | None]] = {  # adv_estimator -> algorithm, scale
    "grpo": ("grpo", "group"),
    "rloo": ("rloo", "none"),
    "reinforce_plus_plus": ("reinforce++", "batch"),
    "gae": ("gae", None),
}


def config(path: Path | None) -> dict[str, Any]:
    """The nested configuration of a JSON or YAML file; {} without one. Raises UsageError naming the file."""
    if path is None:
        return {}
    if path.suffix in (".yaml", ".yml"):
        try:
            import yaml  # type: ignore[import-untyped]
        except ImportError:
            raise UsageError(f"{path} is YAML, which is read with PyYAML", remedy="pip install pyyaml") from None
        try:
            held = yaml.safe_load(path.read_text("utf-8"))
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            raise UsageError(f"{path}: not YAML: {str(error).splitlines()[0]}") from None
    else:
        from lens.runs.files import json_file

        held = json_file(path)
    if not isinstance(held, dict):
        raise UsageError(f"{path}: a configuration is a mapping, this is {type(held).__name__}")
    return held


def settings(held: Mapping[str, Any]) -> Settings:
    """verl divides by the standard deviation with Bessel's correction plus 1e-6 (core_algos, 0.9)."""
    if not held:
        return Settings(ddof=1, epsilon=1e-6)
    name = _at(held, "algorithm.adv_estimator")
    algorithm, scale = _ESTIMATORS.get(str(name), (None, None))
    if name == "grpo" and _at(held, "algorithm.norm_adv_by_std_in_grpo") is False:
        algorithm, scale = "dr_grpo", "none"
    loss_kl = _at(held, "actor_rollout_ref.actor.use_kl_loss")
    return Settings(
        algorithm=algorithm,  # type: ignore[arg-type]
        scale=scale,  # type: ignore[arg-type]
        ddof=1,
        epsilon=1e-6,
        group_size=_at(held, "actor_rollout_ref.rollout.n"),
        iterations=_at(held, "actor_rollout_ref.actor.ppo_epochs"),
        beta=_at(held, "actor_rollout_ref.actor.kl_loss_coef") if loss_kl else 0.0 if loss_kl is False else None,
        entropy=_at(held, "actor_rollout_ref.actor.entropy_coeff"),
        clip_low=_at(held, "actor_rollout_ref.actor.clip_ratio_low") or _at(held, "actor_rollout_ref.actor.clip_ratio"),
        clip_high=_at(held, "actor_rollout_ref.actor.clip_ratio_high")
        or _at(held, "actor_rollout_ref.actor.clip_ratio"),
        max_grad_norm=_at(held, "actor_rollout_ref.actor.grad_clip"),
        learning_rate=_at(held, "actor_rollout_ref.actor.optim.lr"),
        loss=_at(held, "actor_rollout_ref.actor.loss_agg_mode"),
        steps=_at(held, "trainer.total_training_steps"),
    )


def _at(held: Mapping[str, Any], path: str) -> Any:
    found: Any = held
    for name in path.split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    return found
