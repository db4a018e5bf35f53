"""The tap for TRL: `record(trainer, folder)` before `trainer.train()`, for GRPOTrainer and RLOOTrainer.

Scores are taken from the reward functions as they return, advantages and log-probabilities from the trainer as it makes
them, series from its log. Only the main process writes; scores of the others reach it as the trainer gathers them.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from transformers import TrainerCallback

from lens.errors import UsageError
from lens.runs.formats import trl
from lens.runs.settings import Settings
from lens.runs.tap.recorder import Tap
from lens.runs.tap.rewards import heard

GENERATE = "_generate_and_score_completions"
SUMMARY = ("train_", "total_flos", "epoch")  # of the whole run, logged at its end, and the step in other words
ONCE = "TRL computes log-probabilities of a generation only where it trains on it more than once"


def record(trainer: Any, folder: str | Path) -> Recorder:
    """Record what `trainer` trains on, from its next step on; where the folder holds the run already, behind it.

    An error in recording never stops the training: it warns, and the record says where it ends.
    Raises UsageError for a trainer that isn't one of TRL's that score completions.
    """
    missing = [name for name in (GENERATE, "reward_funcs", "reward_func_names", "_logs") if not hasattr(trainer, name)]
    if missing:
        raise UsageError(
            f"{type(trainer).__name__} has no {missing[0]}: the tap knows GRPOTrainer and RLOOTrainer of TRL 1.16",
            remedy="record any other trainer with lens.runs.tap.Tap",
        )
    recorder = Recorder(trainer, Path(folder))
    trainer.add_callback(recorder)
    return recorder


class Recorder(TrainerCallback):
    """Between one trainer and one tap; `tap` is there while the run goes on and where nothing failed."""

    def __init__(self, trainer: Any, folder: Path) -> None:
        self.trainer, self.folder = trainer, folder
        self.tap: Tap | None = None
        self.generations = 0
        self.names = _unique(trainer.reward_func_names)
        self._scores: dict[str, list[float | None]] = {name: [] for name in self.names}
        for at, name in enumerate(self.names):
            if not hasattr(trainer.reward_funcs[at], "parameters"):  # a model's logits are in the trainer's own log
                trainer.reward_funcs[at] = heard(trainer.reward_funcs[at], self._scores[name].extend)
        setattr(trainer, GENERATE, self._around(getattr(trainer, GENERATE)))

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002
        if not self.trainer.accelerator.is_main_process:
            return
        config = _plain(args.to_dict())
        again = state.global_step if (self.folder / "record.json").exists() and state.global_step else None
        version = f"TRL {_version()} {type(self.trainer).__name__}"
        self.tap = Tap(self.folder, settings=self._settings(config), config=config, trainer=version, resume_at=again)

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:  # noqa: ARG002
        logged = {name: value for name, value in (logs or {}).items() if not name.startswith(SUMMARY)}
        self._safely(lambda tap: tap.log(state.global_step, logged))

    def on_train_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002
        self._safely(lambda tap: tap.close())

    def _around(self, generate: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def recorded(inputs: Any) -> Any:
            for scores in self._scores.values():
                scores.clear()
            output = generate(inputs)
            if self.trainer.model.training:
                self._safely(lambda tap: self._generation(tap, len(inputs), output))
            return output

        return recorded

    def _generation(self, tap: Tap, local: int, output: Mapping[str, Any]) -> None:
        """Rollouts of one generation, in the trainer's own order before it shuffles them."""
        trainer, step = self.trainer, self.trainer.state.global_step
        alone = trainer.accelerator.num_processes == 1
        size = local * trainer.accelerator.num_processes
        logs = trainer._logs
        logged = {
            name: list(logs["rewards"][own])[-size:]
            for name, own in zip(self.names, trainer.reward_func_names, strict=True)
        }
        said = {name: scores for name, scores in self._scores.items() if alone and len(scores) == size}
        tap.step(
            step + 1,
            group=[f"{self.generations} {at // trainer.num_generations}" for at in range(size)],
            prompt_text=list(logs["prompt"])[-size:],
            completion_text=list(logs["completion"])[-size:],
            advantage=list(logs["advantages"])[-size:],
            reward=self._totals({**logged, **said}, size),
            scores={name: list(said.get(name) or map(_said, logged[name])) for name in self.names},
            sampled_at=[step] * size,
            **(_tokens(output, trainer) if alone else {}),
        )
        self.generations += 1

    def _totals(self, scores: Mapping[str, list[float | None]], size: int) -> list[float | None]:
        """Weighted sums over the functions that scored; None where none did."""
        weights = self.trainer.reward_weights.tolist()
        totals: list[float | None] = []
        for at in range(size):
            each = [(weight, scores[name][at]) for weight, name in zip(weights, self.names, strict=True)]
            there = [weight * score for weight, score in each if score is not None and not math.isnan(score)]
            totals.append(math.fsum(there) if there else None)
        return totals

    def _settings(self, config: dict[str, Any]) -> Settings:
        found = trl.settings(config, self.names)
        weights = dict(zip(self.names, self.trainer.reward_weights.tolist(), strict=True))
        if type(self.trainer).__name__.startswith("RLOO"):
            scale = "batch" if config.get("normalize_advantages") else "none"
            return msgspec.structs.replace(found, algorithm="rloo", scale=scale, weights=weights)
        return msgspec.structs.replace(found, weights=weights)

    def _safely(self, what: Callable[[Tap], None]) -> None:
        if self.tap is None:
            return
        try:
            what(self.tap)
        except Exception as error:
            tap, self.tap = self.tap, None
            step = self.trainer.state.global_step
            told = f"recording stopped after step {step}: {error}"
            warnings.warn(f"{told} (training goes on)", RuntimeWarning, stacklevel=2)
            tap.found("recording-stopped", told)
            tap.flush()


def _tokens(output: Mapping[str, Any], trainer: Any) -> dict[str, list[Any]]:
    """Lengths, whether they were cut or left out of the loss, and sums of log-probabilities where there are any."""
    mask, ids = output["completion_mask"], output["completion_ids"]
    sizes = mask.sum(dim=1).tolist()
    end = trainer.processing_class
    ends = {getattr(end, "eos_token_id", None), getattr(end, "pad_token_id", None)}
    last = [row[size - 1] if size else None for row, size in zip(ids.tolist(), sizes, strict=True)]
    found: dict[str, list[Any]] = {
        "tokens": [size or None for size in sizes],
        "truncated": [one not in ends for one in last],
        "trained": [bool(size) for size in sizes],
    }
    for name, column in (("old_per_token_logps", "logp_old"), ("ref_per_token_logps", "logp_ref")):
        if output.get(name) is not None:
            found[column] = (output[name] * mask).sum(dim=1).tolist()
    return found


def _said(score: float) -> float | None:
    """A score as the trainer logs it: NaN for a function that returned None."""
    return None if math.isnan(score) else score


def _unique(names: list[str]) -> tuple[str, ...]:
    """Names as they are, and a number behind those that were there before.

    >>> _unique(["acc", "acc", "short"])
    ('acc', 'acc-2', 'short')
    """
    counted = [names[: at + 1].count(name) for at, name in enumerate(names)]
    return tuple(f"{name}-{times}" if times > 1 else name for name, times in zip(names, counted, strict=True))


def _plain(config: Mapping[str, Any]) -> dict[str, Any]:
    """What of a configuration JSON can hold."""
    kept: dict[str, Any] = {}
    for name, value in config.items():
        try:
            kept[name] = msgspec.json.decode(msgspec.json.encode(value))
        except (TypeError, ValueError):
            kept[name] = str(value)
    return kept


def _version() -> str:
    from importlib.metadata import version

    return version("trl")
