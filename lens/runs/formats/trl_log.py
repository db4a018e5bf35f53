"""The log of Hugging Face's trainer, as TRL fills it: `trainer_state.json` of the last checkpoint, or a saved one."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from lens.errors import UsageError
from lens.runs.adapter import Source
from lens.runs.formats.files import json_file
from lens.runs.formats.logged import Logged, numbers
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
    """Hold the logged reward against the weighted sum of its components' means; `log` as `Logged.rewards` gives it.

    A plain sum where the weights say otherwise is TRL 0.29's (huggingface/trl#5352). One that counts a component
    several times tells of functions that share its name, of which the tables keep the last alone.
    """
    weights = writer.settings.weights
    if not weights or set(weights) != set(names):
        return
    wrong = [int(row["step"]) for row in log if _unweighted(row, weights)]
    if wrong:
        detail = f"the logged reward of {len(wrong)} steps is the sum of its components without their weights"
        writer.found("logged-reward", f"{detail}; components are used instead")
    for name in names:
        times = {_times(row, name, weights) for row in log} - {None}
        if len(times) == 1 and (several := times.pop()) and f"score.{name}" not in writer.gaps:
            detail = (
                f"the logged reward counts {name} {several} times: functions share the name, and its column holds the"
            )
            writer.found("overwritten-column", f"{detail} last alone; or the configuration is another run's")


def _times(row: dict[str, float], name: str, weights: dict[str, float]) -> int | None:
    """How often a component would have to count, more than once, for the logged reward to be exact; 0 where no number
    of times makes it so, None where the row doesn't tell."""
    means = {one: row.get(f"rewards/{one}/mean", math.nan) for one in weights}
    own, reward = weights[name] * means[name], row.get("reward", math.nan)
    rest = math.fsum(weight * means[one] for one, weight in weights.items() if one != name)
    if not math.isfinite(own + reward + rest) or own == 0:
        return None
    times = (reward - rest) / own
    return round(times) if times > 1.5 and abs(times - round(times)) * abs(own) < _LEAF_MEAN else 0


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
