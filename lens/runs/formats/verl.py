"""verl's configuration in the words of `Settings`, from its Hydra file or the same as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lens.errors import UsageError
from lens.runs.settings import Settings

_ESTIMATORS: dict[str, tuple[str, str | None]] = {  # adv_estimator -> algorithm, scale
    "grpo": ("grpo", "group"),
    "grpo_vectorized": ("grpo", "group"),
    "gdpo": ("grpo", "group"),
    "rloo": ("rloo", "none"),
    "rloo_vectorized": ("rloo", "none"),
    "reinforce_plus_plus": ("reinforce++", "batch"),
    "gae": ("gae", None),
}
_ACTOR = "actor_rollout_ref.actor"


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
        from lens.runs.formats.files import json_file

        held = json_file(path)
    if not isinstance(held, dict):
        raise UsageError(f"{path}: a configuration is a mapping, this is {type(held).__name__}")
    return held


def estimator(held: Mapping[str, Any]) -> str | None:
    name = _at(held, "algorithm.adv_estimator")
    return None if name is None else str(name)


def penalises(held: Mapping[str, Any]) -> bool:
    """Whether the reward manager adds an overlong penalty to the reward function's score."""
    return _at(held, "reward.reward_kwargs.overlong_buffer_cfg.enable") is True


def penalises_kl(held: Mapping[str, Any]) -> bool:
    """Whether a KL penalty is taken off token rewards after the scores that are dumped."""
    return _at(held, "algorithm.use_kl_in_reward") is True


def settings(held: Mapping[str, Any]) -> Settings:
    """verl divides by the standard deviation with Bessel's correction plus 1e-6 (core_algos, 0.9)."""
    if not held:
        return Settings(ddof=1, epsilon=1e-6)
    name = estimator(held) or ""
    algorithm, scale = _ESTIMATORS.get(name, (None, None))
    if algorithm == "grpo" and _at(held, "algorithm.norm_adv_by_std_in_grpo") is False:
        algorithm, scale = "dr_grpo", "none"
    clip = _number(held, f"{_ACTOR}.clip_ratio")
    return Settings(
        algorithm=algorithm,  # type: ignore[arg-type]
        scale=scale,  # type: ignore[arg-type]
        ddof=1,
        epsilon=1e-6,
        aggregation="normalize_then_sum" if name == "gdpo" else None,
        weights=_weights(held) if name == "gdpo" else None,
        group_size=_at(held, "actor_rollout_ref.rollout.n"),
        iterations=_at(held, f"{_ACTOR}.ppo_epochs"),
        beta=_beta(held),
        entropy=_number(held, f"{_ACTOR}.entropy_coeff"),
        clip_low=_number(held, f"{_ACTOR}.clip_ratio_low") or clip,
        clip_high=_number(held, f"{_ACTOR}.clip_ratio_high") or clip,
        max_grad_norm=_number(held, f"{_ACTOR}.grad_clip"),
        learning_rate=_number(held, f"{_ACTOR}.optim.lr"),
        loss=_at(held, f"{_ACTOR}.loss_agg_mode"),
        steps=_at(held, "trainer.total_training_steps"),
    )


def _beta(held: Mapping[str, Any]) -> float | None:
    in_loss = _at(held, f"{_ACTOR}.use_kl_loss")
    return _number(held, f"{_ACTOR}.kl_loss_coef") if in_loss else 0.0 if in_loss is False else None


def _weights(held: Mapping[str, Any]) -> dict[str, float] | None:
    """Of GDPO's leaves; 1 each where none are given."""
    keys, weights = _at(held, "algorithm.gdpo_reward_keys"), _at(held, "algorithm.gdpo_reward_weights")
    if not isinstance(keys, list):
        return None
    weights = weights if isinstance(weights, list) else [1.0] * len(keys)
    return {str(name): float(weight) for name, weight in zip(keys, weights, strict=True)}


def _number(held: Mapping[str, Any], path: str) -> Any:
    """A number, also where YAML 1.1 takes `1e-6` for text."""
    value = _at(held, path)
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return value
    return value


def _at(held: Mapping[str, Any], path: str) -> Any:
    found: Any = held
    for name in path.split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    return found
