"""Flat records with Gram matrices: made up, or of the published micro-runs, for tests of what reads them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow.parquet as pq

from lens.runs.formats.trl import settings
from lens.runs.header import Header
from lens.runs.record import Record, open_folder
from lens.runs.settings import Settings
from lens.runs.writer import Writer

ON_POLICY = Settings(iterations=1, generations=1, beta=0.0, ddof=1, epsilon=1e-4, scale="group", group_size=4)


def opened(writer: Writer, name: str = "made", config: dict[str, Any] | None = None) -> Record:
    """The record that a writer holds, finished and opened."""
    writer.finish()
    header = Header(
        adapter="flat", adapter_version=1, known_by="", trainer="made", tested="", fingerprint="0" * 64,
        settings=writer.settings, config=config or {}, leaves=writer.leaves(), absent=writer.absent(),
    )  # fmt: skip
    (writer.folder / "record.json").write_bytes(msgspec.json.encode(header))
    return open_folder(writer.folder, name, name)


def gram(
    writer: Writer, step: int, rows: Sequence[int], advantage: Any, products: Any, *, term: Any = (), norm: Any = None
) -> None:
    writer.gram(
        {
            "step": [step],
            "row": [list(rows)],
            "advantage": [np.asarray(advantage, float).tolist()],
            "gram": [np.asarray(products, float).ravel().tolist()],
            "term": [list(term)],
            "full_norm": [float("nan") if norm is None else norm],
        }
    )


def micro(run: Path, folder: Path, **changed: Any) -> Record:
    """One of the published micro-runs with a partition: rollouts matched to gradients by their completion."""
    config = json.loads((run / "grpo_config.json").read_text())
    folder.mkdir(parents=True, exist_ok=True)
    writer = Writer(folder, run)
    lines = [json.loads(line) for line in (run / "update_partition.jsonl").read_text().splitlines()]
    for line in lines:
        path = run / f"completions/completions_{line['step']:05d}.parquet"
        table = pq.read_table(path).to_pydict()
        first = writer.rows
        writer.rollouts(
            path,
            {
                "step": line["step"],
                "group": [at // 4 for at in range(len(table["prompt"]))],
                "advantage": table["advantage"],
                "score.letter_frac": table["letter_frac"],
                "score.digit_gate": table["digit_gate"],
                "prompt_text": table["prompt"],
                "completion_text": table["completion"],
            },
        )
        free = list(range(len(table["completion"])))
        rows = []
        for text in line["completion"]:
            at = next(one for one in free if table["completion"][one] == text)
            free.remove(at)
            rows.append(first + at)
        gram(writer, line["step"], rows, line["advantages"], line["score_gram"], norm=line["full_norm"])
    writer.settings = msgspec.structs.replace(settings(config, ("letter_frac", "digit_gate")), **changed)
    for line in json.loads((run / "log_history.json").read_text()):
        writer.series(line["step"], {name: value for name, value in line.items() if isinstance(value, float)})
    return opened(writer, run.name, config)
