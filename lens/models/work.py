"""A piece of work in whatever process it lands: the model is opened there once and kept."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from lens.errors import UsageError
from lens.models.inspection import Task
from lens.models.model import Prompt, RewardModel
from lens.models.pairs import Pair

_open: dict[tuple[str, str, str], RewardModel] = {}


def hold(model: RewardModel) -> None:
    """Let tasks of this process use a model that is already open."""
    _open[_key(model)] = model


def release(model: RewardModel) -> None:
    """Let go of a model that is held, and of what was kept beside it."""
    _open.pop(_key(model), None)


def one_thread() -> None:
    """One thread a process: two don't add alike twice. Pairs are what runs side by side.

    Linear algebra outside of torch obeys where it isn't loaded yet. Raises UsageError where torch is not installed.
    """
    from lens.models.subject import need_torch

    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    need_torch()
    import torch

    torch.set_num_threads(1)


def run(task: Task) -> Any:
    """The task's job on its pair. Raises UsageError where the model found here is not the one that was asked about."""
    key = task.fingerprint, task.device, task.dtype
    if key not in _open:
        from lens.models.subject import open_model

        one_thread()
        model = open_model(task.spec, device=task.device, dtype=task.dtype, trust_remote_code=task.trust)
        if model.fingerprint != task.fingerprint:
            raise UsageError(
                f"{task.spec} on this worker is another model: {model.fingerprint[:12]}, not {task.fingerprint[:12]}",
                remedy="put the same folder on every worker",
            )
        hold(model)
    given: tuple[Any, ...] = ()
    if task.pair:
        number, prompt, *rest = task.pair
        given = (Pair(number, _prompt(prompt), *rest),)
    return _job(task.job)(_open[key], *given, **task.options)


def score(model: RewardModel, *, texts: Sequence[tuple[Prompt, str]]) -> list[float]:
    """The job of one batch: the reward of each (prompt, reply), ru."""
    return model.rewards([model.encode(_prompt(prompt), reply) for prompt, reply in texts])


def _prompt(prompt: Any) -> Prompt:
    """A prompt as the model takes it, whatever became of tuples on the way here."""
    return prompt if isinstance(prompt, str) else tuple(prompt)


def _key(model: RewardModel) -> tuple[str, str, str]:
    return model.fingerprint, model.device, model.dtype


@lru_cache
def _job(name: str) -> Any:
    module, _, function = name.partition(":")
    return getattr(importlib.import_module(module), function)
