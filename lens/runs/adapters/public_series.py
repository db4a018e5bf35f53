"""A published run of which only series were published: one JSON object with a list a series, and where each is from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lens.errors import UsageError
from lens.runs.adapter import Adapter, Source
from lens.runs.formats import files as reading
from lens.runs.writer import Writer

NAMES = {
    "grad_norm_clipped": "grad_norm",
    "mean_reward": "reward",
    "completions_clipped_ratio": "completions/clipped_ratio",
    "completions_max_length": "completions/max_length",
    "completions_mean_length": "completions/mean_length",
}
"""To the names the trainer (TRL) gave these numbers."""


def recognise(source: Source) -> str:
    path = _file(source)
    return f"{path.name}: source, steps and a list of numbers a series" if path else ""


def files(source: Source) -> list[Path]:
    path = _file(source)
    return [path] if path else []


def read(source: Source, writer: Writer) -> None:
    """Every list as long as `steps` is a series; null in one is a gap.

    Raises UsageError, naming the file, for steps that are no whole numbers or repeat, and for a list of another length.
    """
    path = _file(source)
    assert path is not None
    document = reading.json_file(path)
    steps = _steps(document["steps"], path)
    columns = {name: value for name, value in document.items() if name != "steps" and isinstance(value, list)}
    for name, values in columns.items():
        if len(values) != len(steps):
            raise UsageError(
                f"{path}: {name} has {len(values)} numbers for {len(steps)} steps: which is of which can't be known",
                remedy="write a number for every step, null where there is none",
            )
    for at, step in enumerate(steps):
        writer.series(
            step,
            {NAMES.get(name, name): reading.number(values[at], path, 1, name) for name, values in columns.items()},
        )
    writer.config = dict(document["source"])
    writer.trainer = "TRL, as published"
    if "grad_norm_clipped" in columns:
        writer.found(
            "mislabelled-series",
            "grad_norm_clipped holds Hugging Face's grad_norm, which is taken before clipping",
            path,
        )
    where = document["source"].get("rollouts")
    writer.lacks(
        "rollouts",
        "only series by step were published here, not the rollouts",
        f"lens measure run on the rollouts that {where} holds" if where else "ask its publisher for the rollouts",
    )
    writer.lacks("grams", "the record holds no gradients", "record the next run with the tap, gradients on")


def _steps(values: Any, path: Path) -> list[int]:
    if not all(isinstance(one, int) and not isinstance(one, bool) for one in values):
        raise UsageError(f"{path}: a step is a whole number")
    if len(set(values)) != len(values):
        raise UsageError(f"{path}: a step comes twice", remedy="keep the one that the run went on from")
    return list(values)


def _file(source: Source) -> Path | None:
    for path in source.files("*.json"):
        try:
            document = reading.json_file(path)
        except UsageError:
            continue
        if (
            isinstance(document, dict)
            and isinstance(document.get("source"), dict)
            and isinstance(document.get("steps"), list)
        ):
            return path
    return None


ADAPTER = Adapter(
    name="public-series",
    title="Published series",
    layout="*.json with source, steps and a list a series",
    versions="as published in 2026",
    tested="real run",
    version=1,
    recognise=recognise,
    files=files,
    read=read,
    order=70,
)
