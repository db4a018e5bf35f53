"""The log of Hugging Face's trainer, as TRL fills it: `trainer_state.json` of the last checkpoint, or a saved one."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

from lens.errors import UsageError
from lens.runs.adapter import Source
from lens.runs.files import json_file
from lens.runs.writer import Writer

_LEAF = re.compile(r"rewards/(.+)/mean")
_LEAF_MEAN = 1e-6


def find(source: Source) -> Path | None:
    """The log of the run: that of the last checkpoint, else one in the folder itself."""
    base = source.path if source.path.is_dir() else source.path.parent
    states = Source(base).files("checkpoint-*/trainer_state.json")
    plain = [base / name for name in ("trainer_state.json", "log_history.json")]
    return next((one for one in [*states[::-1], *plain] if one.is_file()), None)


def rows(path: Path | None) -> list[dict[str, Any]]:
    """`log_history`, in order. Raises UsageError naming a file that holds none."""
    if path is None:
        return []
    held = json_file(path)
    found = held.get("log_history") if isinstance(held, dict) else held
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        raise UsageError(f"{path} holds no log_history", remedy="give the trainer_state.json of a checkpoint")
    return found


def leaves(log: list[dict[str, Any]]) -> frozenset[str]:
    """Reward functions by name, in no order."""
    return frozenset(match[1] for row in log for name in row if (match := _LEAF.fullmatch(name)))


def series(log: list[dict[str, Any]], writer: Writer) -> None:
    """Every logged number by its step; the summary of the whole run, which has no loss, is left out.

    What a step didn't log stays a gap: rewards are logged only at steps that generated.
    """
    for row in log:
        if "step" in row and "train_runtime" not in row:
            writer.series(int(row["step"]), {name: value for name, value in row.items() if _is_number(name, value)})


def _is_number(name: str, value: Any) -> bool:
    return name != "step" and isinstance(value, (int, float)) and not isinstance(value, bool)


def check(log: list[dict[str, Any]], names: tuple[str, ...], writer: Writer) -> None:
    """A logged reward that is the plain sum of its components' means where the weights say otherwise: TRL 0.29 logged
    it so (huggingface/trl#5352)."""
    weights = writer.settings.weights
    if not weights or set(weights) != set(names):
        return
    wrong = [int(row["step"]) for row in log if _unweighted(row, weights)]
    if wrong:
        detail = f"the logged reward of {len(wrong)} steps is the sum of its components without their weights"
        writer.found("logged-reward", f"{detail}; components are used instead")


def _unweighted(row: dict[str, Any], weights: dict[str, float]) -> bool:
    means = {name: row.get(f"rewards/{name}/mean") for name in weights}
    reward = row.get("reward")
    if reward is None or any(mean is None or math.isnan(mean) for mean in means.values()):
        return False
    plain = math.fsum(mean for mean in means.values() if mean is not None)
    weighted = math.fsum(weight * (means[name] or 0.0) for name, weight in weights.items())
    return bool(abs(reward - plain) < _LEAF_MEAN < 100 * _LEAF_MEAN < abs(reward - weighted))
