"""What the tap adds to a training run: CPU time a rollout, beside the reward function alone.

A batch is 64 rollouts of 400 characters with a prompt of 40, eight to a group; the function counts a word, which is as
cheap as rewards get. `tap-hears` is the wrapped function; `tap-records` that, the step handed over and its parts
written.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lens.runs.tap import Tap

BATCH, GROUP = 64, 8
STEPS = 400
ROUNDS = 7


def run() -> list[dict[str, Any]]:
    """Two rows; medians of alternating runs of 25,600 rollouts each."""
    hears, records, alone = [], [], []
    _recorded()  # the first run imports
    for _ in range(ROUNDS):
        alone.append(_timed(_alone))
        hears.append(_timed(_heard))
        records.append(_timed(_recorded))
    return [
        _row("tap-hears", hears, alone, "a reward function whose scores are kept until the step is handed over"),
        _row("tap-records", records, alone, "the same, recorded: columns, digests of texts, Parquet on disk"),
    ]


def count(completions: list[str]) -> list[float | None]:
    return [one.count("the") / 10 for one in completions]


def _batch(step: int) -> tuple[list[str], list[str]]:
    prompts = [f"prompt {step} {at // GROUP} ".ljust(40, "?") for at in range(BATCH)]
    return prompts, [(f"reply {step} {at} " + "the words " * 40)[:400] for at in range(BATCH)]


BATCHES = [_batch(step) for step in range(STEPS)]


def _alone() -> None:
    for _, completions in BATCHES:
        count(completions)


def _heard() -> None:
    folder = Path(tempfile.mkdtemp(prefix="tap-"))
    wrapped = Tap(folder / "run").reward(count)
    for _, completions in BATCHES:
        wrapped(completions)
    shutil.rmtree(folder)


def _recorded() -> None:
    folder = Path(tempfile.mkdtemp(prefix="tap-"))
    with Tap(folder / "run") as tap:
        wrapped = tap.reward(count)
        for step, (prompts, completions) in enumerate(BATCHES):
            scores = wrapped(completions)
            tap.step(
                step,
                group=prompts,
                reward=scores,
                advantage=scores,
                prompt_text=prompts,
                completion_text=completions,
            )
            tap.log(step, {"grad_norm": 0.5, "loss": 0.0, "entropy": 1.0})
    shutil.rmtree(folder)


def _timed(what: Callable[[], None]) -> float:
    """CPU microseconds a rollout."""
    start = time.process_time()
    what()
    return (time.process_time() - start) / (BATCH * STEPS) * 1e6


def _row(name: str, ours: list[float], alone: list[float], note: str) -> dict[str, Any]:
    return {
        "name": name,
        "ours": statistics.median(ours),
        "ours_range": [min(ours), max(ours)],
        "peer": statistics.median(alone),
        "peer_range": [min(alone), max(alone)],
        "peer_version": "the function alone",
        "ratio": statistics.median(alone) / statistics.median(ours),
        "unit": "CPU µs a rollout",
        "note": note,
    }
