"""Write a flat record of a made-up run: `runs_record.py FOLDER ROLLOUTS`, in groups of 8, 125 groups a step.

Two leaves, `correct` (0 or 1) and `style` at half its weight; one rollout in a hundred has no score at all. Advantages
are TRL's, in single precision. Columns that no reading of it needs are there too, as in a real record. What the
record check would find of the spread of advantages, by step, lies in `spreads.json`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from lens.runs.header import Header
from lens.runs.settings import Settings

GROUP, GROUPS = 8, 125
PART = GROUP * GROUPS * 500  # rollouts of one file


def part(first: int, rows: int, random: np.random.Generator) -> pa.Table:
    """Rollouts `first` to `first + rows` of the record; both whole steps."""
    ability = random.beta(1.2, 1.2, rows // GROUP)[:, None]
    correct = (random.random((rows // GROUP, GROUP)) < ability).astype(np.float32)
    style = random.random((rows // GROUP, GROUP), dtype=np.float32)
    none = random.random((rows // GROUP, GROUP)) < 0.01
    reward = np.where(none, np.nan, correct + np.float32(0.5) * style).astype(np.float32)
    mean, spread = np.nanmean(reward, axis=1)[:, None], np.nanstd(reward, axis=1, ddof=1)[:, None]
    advantage = np.where(none, 0, (reward - mean) / (spread + np.float32(1e-4)))
    row = np.arange(first, first + rows)
    empty = none.ravel()

    def score(values: np.ndarray) -> pa.Array:
        return pa.array(values.ravel().astype(np.float64), mask=empty)

    return pa.table(
        {
            "step": row // (GROUP * GROUPS),
            "group": row // GROUP,
            "row": row,
            "file": np.zeros(rows, dtype=np.int64),
            "line": row + 1,
            "prompt": random.integers(0, 2**63, rows // GROUP).repeat(GROUP),
            "content": random.integers(0, 2**63, rows),
            "tokens": random.integers(20, 2000, rows),
            "score.correct": score(correct),
            "score.style": score(style),
            "reward": score(reward),
            "advantage": advantage.ravel().astype(np.float64),
        }
    )


def main() -> None:
    folder, rollouts = Path(sys.argv[1]), int(sys.argv[2])
    random, spreads = np.random.default_rng(0), []
    (folder / "rollouts").mkdir(parents=True)
    for number, first in enumerate(range(0, rollouts, PART)):
        table = part(first, min(PART, rollouts - first), random)
        spreads += table["advantage"].to_numpy().reshape(-1, GROUP * GROUPS).std(axis=1).tolist()
        pq.write_table(table, folder / "rollouts" / f"part-{number:06d}.parquet", compression="zstd")
    header = Header(
        adapter="flat",
        adapter_version=1,
        known_by="",
        trainer="",
        tested="",
        fingerprint=f"{rollouts:064d}",
        settings=Settings(
            algorithm="grpo", scale="group", ddof=1, epsilon=1e-4, weights={"correct": 1.0, "style": 0.5}, group_size=8
        ),
        leaves=("correct", "style"),
    )
    (folder / "spreads.json").write_bytes(msgspec.json.encode(spreads))
    (folder / "record.json").write_bytes(msgspec.json.encode(header))


if __name__ == "__main__":
    main()
