"""verl's file logger: `$VERL_FILE_LOGGER_ROOT/<project>/<experiment>.jsonl`, a line a step with `step` and `data`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from lens.errors import UsageError
from lens.runs.adapter import Adapter, Source
from lens.runs.formats import files as reading
from lens.runs.formats import verl
from lens.runs.formats.rows import first_row
from lens.runs.gather import whole
from lens.runs.writer import Writer


def recognise(source: Source) -> str:
    found = _logs(source)
    return f"{found[0].name}: lines of step and data" if len(found) == 1 else ""


def files(source: Source) -> list[Path]:
    return [*_logs(source), *([source.config] if source.config else [])]


def read(source: Source, writer: Writer) -> None:
    """Numbers by step as verl names them (`critic/score/mean`, `actor/grad_norm`); a repeated step keeps its last."""
    (path,) = _logs(source)
    writer.trainer = "verl"
    writer.config = verl.config(source.config)
    writer.settings = verl.settings(writer.config)
    seen: set[int] = set()
    again: list[int] = []
    lost: Counter[str] = Counter()
    for line, row in reading.json_lines(path, writer.torn):
        step, data = whole(row.get("step"), path, line, "step"), row.get("data")
        if not isinstance(data, dict):
            raise UsageError(f"{path}:{line}: data is {type(data).__name__}, not an object of numbers")
        lost.update(name for name, value in data.items() if value is None)
        numbers = {name: value for name, value in data.items() if not isinstance(value, (str, list, dict))}
        writer.series(step, {name: reading.number(value, path, line, name) for name, value in numbers.items()})
        again += [step] if step in seen else []
        seen.add(step)
    if again:
        writer.found(
            "duplicate-step", f"steps logged twice, as by a resumed run: {', '.join(map(str, again[:5]))}", path
        )
    for name, times in lost.items():
        told = f"{name} is null at {times} steps: the logger writes NaN and infinities so, and they are gaps here"
        writer.found("not-finite", told, path)
    writer.lacks(
        "rollouts",
        "the file logger holds means by step",
        "trainer.rollout_data_dir=DIR dumps the rollouts of the next run",
    )


def _logs(source: Source) -> list[Path]:
    paths = [source.path] if source.path.is_file() else source.files("*.jsonl") or source.files("*/*.jsonl")
    return [one for one in paths if one.suffix == ".jsonl" and _is_log(one)]


def _is_log(path: Path) -> bool:
    return set(first_row(path)) == {"step", "data"}


ADAPTER = Adapter(
    name="verl-log",
    title="verl, file logger",
    layout="<project>/<experiment>.jsonl with step and data",
    versions="verl 0.9",
    tested="writer code",
    version=2,
    recognise=recognise,
    files=files,
    read=read,
    order=35,
)
