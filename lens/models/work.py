"""One pair's work in whatever process it lands: the model is opened there once and kept."""

from __future__ import annotations

import importlib
from functools import lru_cache
from typing import Any

from lens.errors import UsageError
from lens.models.inspection import Task
from lens.models.model import RewardModel
from lens.models.pairs import Pair

_open: dict[tuple[str, str, str], RewardModel] = {}


def hold(model: RewardModel) -> None:
    """Let tasks of this process use a model that is already open."""
    _open[model.fingerprint, model.device, model.dtype] = model


def run(task: Task) -> Any:
    """The task's job on its pair. Raises UsageError where the model found here is not the one that was asked about."""
    key = task.fingerprint, task.device, task.dtype
    if key not in _open:
        from lens.models.subject import open_model

        model = open_model(task.spec, device=task.device, dtype=task.dtype, trust_remote_code=task.trust)
        if model.fingerprint != task.fingerprint:
            raise UsageError(
                f"{task.spec} on this worker is another model: {model.fingerprint[:12]}, not {task.fingerprint[:12]}",
                remedy="put the same folder on every worker",
            )
        hold(model)
    number, prompt, *rest = task.pair
    prompt = prompt if isinstance(prompt, str) else tuple(prompt)
    return _job(task.job)(_open[key], Pair(number, prompt, *rest), **task.options)


@lru_cache
def _job(name: str) -> Any:
    module, _, function = name.partition(":")
    return getattr(importlib.import_module(module), function)
