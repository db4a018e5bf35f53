"""What sciences of named runs ask of a record: its columns, its first and last steps, and features of its replies."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lens.errors import UsageError

if TYPE_CHECKING:
    import numpy as np

    from lens.runs.record import Record

STEPS, EDGE = 20, 0.05  # of a run, and the share of them at either end
LEAST, PROMPTS = 40, 8  # replies, and prompts with two replies or more, that are read at once
FEATURES = {
    "list": r"(?m)^\s*(?:[-*•]|\d+[.)])\s",
    "heading": r"(?m)^#",
    "bold": r"\*\*",
    "code": r"`",
    "formula": r"\$|\\[a-z(\[]",
    "paragraphs": r"\n\s*\n",
    "digits": r"\d",
    "question": r"\?",
    "exclamation": r"!",
    "bracket": r"\(",
    "quotation": r"[\"“]",
    "link": r"https?://",
    "apology": r"(?i)\b(?:sorry|apolog\w+)",
    "certainty": r"(?i)\b(?:certainly|definitely|absolutely|clearly)\b",
    "hedge": r"(?i)\b(?:perhaps|maybe|might|possibly)\b",
    "repeats": r"(?i)\b(\w+)\W+\1\b",
}
"""Whether a reply has one: a pattern that is found in it."""


def opened(spec: str) -> Record:
    """The run that a person named: a place, with `--map FILE` or `--config FILE` after it where it needs them."""
    from lens.runs.opening import open_run, parted, place

    words = [spec] if place(parted(spec)[0]).exists() else shlex.split(spec)
    options = dict(zip(words[1::2], words[2::2], strict=False))
    return open_run(words[0], config=options.get("--config", ""), map=options.get("--map", ""))


def fingerprint(spec: str) -> str:
    """Of the run, before anything of it is read."""
    from lens.runs.opening import fingerprint_here

    return fingerprint_here(spec)


def wanting(spec: str, why: str, remedy: str) -> UsageError:
    return UsageError(f"{spec}: {why}", remedy=remedy)


def need(record: Record, spec: str, *columns: str, text: bool = True, means: str = "") -> None:
    """Raises UsageError naming the column that the record lacks, and how a map or the tap gives it."""
    said = [name for name, *_ in record.sql("DESCRIBE SELECT * FROM texts")] if record.has("texts") else []
    lacking = [one for one in columns if one not in record.columns or record.header.absent.get(one)]
    if text and "completion" not in said:
        lacking.append("completion_text")
    if lacking:
        name = lacking[0]
        raise wanting(
            spec,
            f"it has no {name}",
            f'name the run with a map behind it, \'RUN --map FILE\', whose [columns] say "{name}" = "COLUMN"; or '
            f"record the next one with the tap, which takes {name} at each step{means}",
        )


def ends(record: Record, spec: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """The first and the last steps, each a twentieth of them."""
    steps = [step for (step,) in record.sql("SELECT DISTINCT step FROM rollouts ORDER BY step")]
    if len(steps) < STEPS:
        raise wanting(spec, f"it has {len(steps)} steps", f"a run of {STEPS} steps or more")
    edge = max(1, round(EDGE * len(steps)))
    return (steps[0], steps[edge - 1]), (steps[-edge], steps[-1])


def replies(record: Record, first: int, last: int, *scores: str) -> list[tuple[Any, ...]]:
    """Group, text and scores of every reply of these steps that has them all."""
    wanted = "".join(f" AND isfinite({one})" for one in scores)
    return record.sql(
        f'SELECT rollouts."group", completion{"".join(f", {one}" for one in scores)} FROM rollouts JOIN texts '
        f"USING (row) WHERE step BETWEEN ? AND ? AND completion IS NOT NULL{wanted} ORDER BY row",
        [first, last],
    )


def asked(some: Sequence[tuple[Any, ...]], spec: str) -> tuple[np.ndarray, np.ndarray]:
    """Features [prompts, replies, features] and scores [prompts, replies, scores] of replies by their group, which
    comes first: as many to a prompt as half of the prompts have. Raises UsageError where they are too few."""
    import numpy as np

    groups: dict[int, list[tuple[Any, ...]]] = {}
    for one in some:
        groups.setdefault(one[0], []).append(one[1:])
    sizes = sorted(map(len, groups.values()))
    size = sizes[(len(sizes) - 1) // 2] if sizes else 0
    kept = [one for group in groups.values() if len(group) >= size for one in group[:size]]
    if size < 2 or len(kept) < max(LEAST, size * PROMPTS):
        raise wanting(
            spec,
            f"its first steps hold {len(groups)} prompts and {len(kept)} replies that can be read",
            f"{PROMPTS} prompts or more of two replies or more, {LEAST} replies in all, with text and scores",
        )
    scores = np.array([one[1:] for one in kept], float)
    return features([one[0] for one in kept]).reshape(-1, size, len(FEATURES)), scores.reshape(
        -1, size, scores.shape[1]
    )


def features(texts: Sequence[str]) -> np.ndarray:
    """[texts, features], 0 or 1."""
    import numpy as np

    patterns = [re.compile(one) for one in FEATURES.values()]
    return np.array([[float(bool(one.search(text))) for one in patterns] for text in texts]).reshape(-1, len(FEATURES))
