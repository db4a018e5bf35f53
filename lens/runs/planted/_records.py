"""Flat records of made-up numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from lens.runs.header import Header
from lens.runs.record import Record, open_folder
from lens.runs.settings import Settings
from lens.runs.writer import Writer


def logged(folder: Path, series: Mapping[str, Sequence[float]]) -> Record:
    """A record of nothing but logged series, one number a step from 0 on."""
    writer = Writer(folder, folder)
    for name, values in series.items():
        for step, value in enumerate(values):
            writer.series(step, {name: float(value)})
    return _opened(writer, Settings())


def rolled(
    folder: Path, shape: tuple[int, int, int], columns: Mapping[str, Sequence[Any]], settings: Settings | None = None
) -> Record:
    """A record of rollouts, `shape` = (steps, groups of each, rollouts of each); every column in that order, flat."""
    steps, groups, size = shape
    writer = Writer(folder, folder)
    made: dict[str, Any] = {
        "step": [step for step in range(steps) for _ in range(groups * size)],
        "group": [group for _ in range(steps) for group in range(groups) for _ in range(size)],
    }
    writer.rollouts(folder / "planted", made | dict(columns))
    return _opened(writer, settings or Settings())


def _opened(writer: Writer, settings: Settings) -> Record:
    writer.finish()
    header = Header(
        adapter="flat", adapter_version=1, known_by="", trainer="planted", tested="", fingerprint="0" * 64,
        settings=settings, leaves=writer.leaves(), absent=writer.absent(),
    )  # fmt: skip
    (writer.folder / "record.json").write_bytes(msgspec.json.encode(header))
    return open_folder(writer.folder, "planted", "planted")
