"""A log of numbers by step: CSV with a row a step. No rollouts, so only series."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lens.errors import UsageError
from lens.runs.adapter import Adapter, Source
from lens.runs.formats import files as reading
from lens.runs.formats.rows import kind_of, rows
from lens.runs.gather import whole
from lens.runs.writer import Writer

STEPS = ("step", "steps", "_step", "global_step", "train/global_step", "iteration", "Step")
KNOWN_AS = {
    "reward_avg": "reward",
    "entropy_avg": "entropy",
    "avg_response_len": "completions/mean_length",
}
"""Names of one thing, in the words that TRL logs it with and that readings look for."""
WANTED = ("reward", "entropy", "kl", "grad_norm", "completions/mean_length")
Log = dict[str, dict[int, tuple[float, int]]]  # by name and step: the value, and its line


def recognise(source: Source) -> str:
    found = _paths(source)
    return f"{found[0].name}: numbers by {_step_name(found[0])}, and no rollouts" if found else ""


def files(source: Source) -> list[Path]:
    """The log. Raises UsageError for a folder of several."""
    found = _paths(source)
    if len(found) > 1:
        raise UsageError(
            f"{source.path} holds {len(found)} logs: {', '.join(path.name for path in found[:4])}",
            remedy=f"name one of them: lens measure run {found[0]}",
        )
    return found


def read(source: Source, writer: Writer) -> None:
    """Every number with a value; of a step written twice the last counts, and a finding tells where that began."""
    (path,) = files(source)
    log: Log = {}
    repeated: dict[int, list[int]] = {}
    before: dict[int, int] = {}
    for line, step, values in _rows(path, writer):
        if step in before and before[step] != line:
            repeated.setdefault(step, [before[step]]).append(line)
        before[step] = line
        for name, value in values.items():
            if value is not None:
                log.setdefault(name, {})[step] = (value, line)
    names = _names(path, log, writer)
    for name, steps in log.items():
        for step, (value, _) in steps.items():
            writer.series(step, {names[name]: value})
    if repeated:
        _tell(path, repeated, writer)
    _gaps(writer, log, names, before)


def _rows(path: Path, writer: Writer) -> Iterator[tuple[int, int, dict[str, float | None]]]:
    at = _step_name(path)
    for line, row in rows(path, "csv", writer.torn):
        step = whole(_value(row[at], path, line, at), path, line, at)
        yield line, step, {name: _value(cell, path, line, name) for name, cell in row.items() if name != at}


def _value(cell: str | None, path: Path, line: int, name: str) -> float | None:
    try:
        return None if cell is None else float(cell)
    except ValueError:
        return reading.number(cell, path, line, name)


def _names(path: Path, log: Log, writer: Writer) -> dict[str, str]:
    """What each series is called in the record; a known name that is taken stays free of a second one."""
    names = {name: KNOWN_AS.get(name, name) for name in log}
    for name, known in list(names.items()):
        if known != name and known in log:
            names[name] = name
    if renamed := [f"{name} as {known}" for name, known in names.items() if known != name]:
        writer.found("renamed-series", f"read under the name that readings look for: {', '.join(renamed)}", path)
    return names


def _tell(path: Path, repeated: dict[int, list[int]], writer: Writer) -> None:
    first = min(repeated, key=lambda step: repeated[step][1])
    lines = repeated[first]
    told = f"{len(repeated)} steps are written again, step {first} on line {lines[0]} and {lines[1]} first: a run begun"
    writer.found("repeated-step", f"{told} again or resumed; the last counts", path, lines[1])


def _gaps(writer: Writer, log: Log, names: dict[str, str], steps: dict[int, int]) -> None:
    for kind in ("rollouts", "advantage", "grams"):
        writer.lacks(kind, "a step log holds numbers a step, no rollouts", "record the next run with lens.runs.tap")
    held = {names[name] for name in log}
    for name in WANTED:
        if name not in held:
            writer.lacks(name, f"the log has no column for {name}", f"log {name} at every step")
    for name, values in log.items():
        if len(values) < len(steps):
            told = f"{name} has no value at {len(steps) - len(values)} of {len(steps)} steps"
            writer.found("series-gap", told)


def _paths(source: Source) -> list[Path]:
    named = [source.path] if source.path.is_file() else source.files("*")
    return [path for path in named if kind_of(path) == "csv" and _step_name(path)]


def _step_name(path: Path) -> str:
    """The column that says the step; empty where the file is no log of this kind."""
    try:
        first = next(iter(rows(path, "csv", lambda *_: None)), None)
    except (UsageError, OSError):
        return ""
    if first is None or len(first.value) < 2:
        return ""
    return next((name for name in STEPS if name in first.value), "")


ADAPTER = Adapter(
    name="step_log",
    title="Numbers by step",
    layout="*.csv with a column step",
    versions="of any trainer",
    tested="real run",
    version=1,
    recognise=recognise,
    files=files,
    read=read,
    order=85,
)
