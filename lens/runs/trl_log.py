"""The log of Hugging Face's trainer, as TRL fills it: `trainer_state.json` of the last checkpoint, or a saved one."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from lens.errors import UsageError
from lens.runs.adapter import Source
from lens.runs.files import json_file
from lens.runs.logged import Logged, numbers
from lens.runs.writer import Writer

EXACT = 1e-5  # of a logged reward, which was averaged in fp32
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


def logged(log: list[dict[str, Any]]) -> Logged:
    """Every number by its step; what a step didn't log stays a gap: rewards are logged only where one generated.

    The row that sums up the whole run stands at the last step and is left out.
    """
    held = Logged()
    for row in log:
        if "step" in row and "train_runtime" not in row:
            for name, value in numbers(row):
                if name != "step":
                    held.add(int(row["step"]), name, value)
    return held


def check(log: list[dict[str, float]], names: tuple[str, ...], writer: Writer) -> None:
    """A logged reward that is the plain sum of its components' means where the weights say otherwise: TRL 0.29 logged
    it so (huggingface/trl#5352). `log` as `Logged.rewards` gives it."""
    weights = writer.settings.weights
    if not weights or set(weights) != set(names):
        return
    wrong = [int(row["step"]) for row in log if _unweighted(row, weights)]
    if wrong:
        detail = f"the logged reward of {len(wrong)} steps is the sum of its components without their weights"
        writer.found("logged-reward", f"{detail}; components are used instead")


def _unweighted(row: dict[str, float], weights: dict[str, float]) -> bool:
    means = {name: row.get(f"rewards/{name}/mean") for name in weights}
    reward = row.get("reward")
    if reward is None or any(mean is None or math.isnan(mean) for mean in means.values()):
        return False
    plain = math.fsum(mean for mean in means.values() if mean is not None)
    weighted = math.fsum(weight * (means[name] or 0.0) for name, weight in weights.items())
    return bool(abs(reward - plain) < _LEAF_MEAN < 100 * _LEAF_MEAN < abs(reward - weighted))


def solved(log: list[dict[str, float]], names: tuple[str, ...], writer: Writer) -> dict[str, float] | None:
    """Weights under which the logged reward is the weighted sum of its components' means at every step, where the log
    leaves no other; None where it doesn't tell. A finding says that they were found so.

    Components that abstain make the two differ, so that nothing is found.
    """
    import numpy as np

    wanted = [*(f"rewards/{name}/mean" for name in names), "reward"]
    rows = [
        [row[name] for name in wanted] for row in log if all(math.isfinite(row.get(one, math.nan)) for one in wanted)
    ]
    if not names or len(rows) <= len(names):
        return None
    table = np.array(rows)
    found, _, rank, _ = np.linalg.lstsq(table[:, :-1], table[:, -1], rcond=1e-4)
    weights = [float(f"{one:.6g}") for one in found]
    if rank < len(names) or np.abs(table[:, :-1] @ weights - table[:, -1]).max() > EXACT:
        return None
    told = ", ".join(f"{name} {weight:g}" for name, weight in zip(names, weights, strict=True))
    plain = "; TRL 0.29 logged a plain sum whatever they were" if set(weights) == {1.0} else ""
    writer.found("weights-from-log", f"no configuration: {len(rows)} logged rewards are exact under {told}{plain}")
    return dict(zip(names, weights, strict=True))
