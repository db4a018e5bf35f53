"""Flat records for tests of what reads series: logged numbers, or rollouts, made up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gram_records import opened

from lens.reading import Declined, Field, Quantity, Result
from lens.runs.record import Record
from lens.runs.settings import Settings
from lens.runs.writer import Writer


def logged(folder: Path, series: Mapping[str, Sequence[float | None]], first: int = 1) -> Record:
    """A record of nothing but series, one number a step from `first` on; None is a gap."""
    writer = _writer(folder)
    for name, values in series.items():
        for at, value in enumerate(values):
            writer.series(first + at, {name: value})
    return opened(writer)


def rolled(
    folder: Path,
    rewards: Sequence[Sequence[Sequence[float | None]]],
    settings: Settings | None = None,
    **columns: Sequence[Any],
) -> Record:
    """A record of rollouts: `rewards[step][group][sample]`, steps from 0; `columns` in the same order, flat.

    Every group of a step has a prompt of its own, the same in every step.
    """
    writer = _writer(folder)
    flat = [
        (step, group, reward)
        for step, groups in enumerate(rewards)
        for group, samples in enumerate(groups)
        for reward in samples
    ]
    made: dict[str, Any] = {
        "step": [step for step, _, _ in flat],
        "group": [group for _, group, _ in flat],
        "prompt_text": [f"question {group}" for _, group, _ in flat],
        "completion_text": [f"answer {at}" for at in range(len(flat))],
        "reward": [reward for *_, reward in flat],
    }
    writer.rollouts(folder / "run", made | columns)
    writer.settings = settings or Settings()
    return opened(writer)


def fields(result: Result) -> dict[str, Field]:
    """The fields of a reading that was made."""
    assert not isinstance(result.reading, Declined), result.reading
    return dict(result.reading.fields)  # type: ignore[union-attr]


def number(field: Field) -> float:
    assert isinstance(field, Quantity), field
    return field.value


def _writer(folder: Path) -> Writer:
    folder.mkdir(parents=True, exist_ok=True)
    return Writer(folder, folder)
