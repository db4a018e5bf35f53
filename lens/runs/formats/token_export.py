"""prime-rl's token exports (`trainer.enable_token_export`): `token_exports/step_N/rank_R.jsonl`, a line a sequence.

Lists run parallel to `token_ids`, null where a number wasn't finite; what was trained on is where `loss_mask` is true.
A sequence names no trace: it is found again by its step and its tokens.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from lens.errors import UsageError
from lens.runs.formats import files as reading
from lens.runs.formats.episodes import Numbers, tokens_key

NAMES = "step_*/rank_*.jsonl"
MEANS = ("mismatch_kl", "importance_ratio", "is_masked_low", "is_masked_high")


class Sequence(msgspec.Struct):
    token_ids: list[int]
    loss_mask: list[bool]
    trainer_logprobs: Numbers | None = None
    entropy: Numbers | None = None
    mismatch_kl: Numbers | None = None
    importance_ratio: Numbers | None = None
    is_masked_low: list[bool | None] | None = None
    is_masked_high: list[bool | None] | None = None


def folder(home: Path) -> Path | None:
    """Where the exports lie: in the run's folder, or in the one that holds it."""
    return next((one for base in (home, home.parent) if (one := base / "token_exports").is_dir()), None)


def exported(paths: list[Path], torn: Callable[[Path, int], None]) -> dict[int, dict[str, float]]:
    """Numbers by the key of a sequence's tokens, of one step: `logp` summed and `entropy`, `mismatch_kl` and the
    importance ratio meaned over the tokens trained on; masked tokens as shares.

    Raises UsageError naming file and line for lists of unequal length.
    """
    found: dict[int, dict[str, float]] = {}
    for path in paths:
        for line, row in reading.json_lines(path, torn):
            one = reading.shaped(row, Sequence, path, line, "token export")
            found[tokens_key(one.token_ids)] = _numbers(one, path, line)
    return found


def _numbers(one: Sequence, path: Path, line: int) -> dict[str, float]:
    made: dict[str, float] = {}
    kept = [at for at, counts in enumerate(one.loss_mask) if counts]
    for name in ("trainer_logprobs", "entropy", *MEANS):
        values: list[Any] | None = getattr(one, name)
        if values is None:
            continue
        if len(values) != len(one.token_ids) or len(one.loss_mask) != len(one.token_ids):
            raise UsageError(f"{path}:{line}: {name} has {len(values)} numbers for {len(one.token_ids)} tokens")
        told = [values[at] for at in kept if values[at] is not None]
        if not told or len(told) < len(kept):
            continue  # a number that wasn't finite: no sum or mean is the sequence's
        mean = math.fsum(told) / len(told)
        if name == "trainer_logprobs":
            made["logp"] = math.fsum(told)
        else:
            made["entropy" if name == "entropy" else f"extra.{name}"] = mean
    return made
