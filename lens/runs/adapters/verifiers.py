"""verifiers: the `traces.jsonl` of an evaluation, and the `results.jsonl` of a validation, which holds no rollouts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lens.runs.adapter import Adapter, Source
from lens.runs.formats import files as reading
from lens.runs.formats.episodes import ROUNDED, TOLD, Leaves, episodes, first, rollout
from lens.runs.formats.rows import first_row
from lens.runs.gather import Gather
from lens.runs.settings import Settings
from lens.runs.writer import Writer

TRACES, RESULTS = "traces.jsonl", "results.jsonl"
VALIDATED = {"index", "mode", "valid", "reason"}


def recognise(source: Source) -> str:
    if found := _traces(source):
        return f"{found[0].name}: episodes of traces"
    return f"{RESULTS}: rows of verifiers validate" if _results(source) else ""


def files(source: Source) -> list[Path]:
    return _traces(source) or _results(source)


def read(source: Source, writer: Writer) -> None:
    """A rollout a trace, of step 0; a group is a task's rollouts. Tasks that were validated are counted alone."""
    writer.trainer = "verifiers"
    leaves, told = Leaves(), Counter[str]()
    for path in _traces(source):
        for _, episode in episodes(path, lambda *_: None):
            leaves.add(episode)
    gather = Gather(writer)
    for path in _traces(source):
        gather.rows(path, _rollouts(path, leaves, told, writer))
    for code, rows in told.items():
        writer.found(code, TOLD[code], rows=rows)
    if leaves.changing:
        writer.found("weights-change", f"rewards of more than one weight: {', '.join(leaves.changing)}")
    writer.settings = Settings(weights=leaves.known, rounded=ROUNDED)
    if writer.rows:
        writer.lacks("advantage", "an evaluation trains on nothing", "give the output folder of a prime-rl run")
    else:
        _validated(source, writer)
    writer.lacks("series", "an evaluation has no steps", "give the output folder of a prime-rl run")
    writer.lacks("grams", "an evaluation has no gradients", "give a run that was trained")


def _rollouts(path: Path, leaves: Leaves, told: Counter[str], writer: Writer) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, episode in episodes(path, writer.torn):
        for trace in episode.traces:
            made, codes = rollout(trace, leaves)
            told.update(codes)
            yield line, made | {"step": 0, "group": f"{episode.env.id} {episode.task.name}"}


def _validated(source: Source, writer: Writer) -> None:
    reasons: Counter[str] = Counter()
    for path in _results(source):
        reasons.update(str(row.get("reason")) for _, row in reading.json_lines(path, writer.torn))
    told = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items())) or "none"
    writer.lacks("rollouts", f"verifiers validate tries tasks without a policy: {told}", "verifiers eval writes traces")


def _traces(source: Source) -> list[Path]:
    """Where the first line is an episode of no training."""
    found = _named(source, TRACES)
    one = first(found[0]) if found else None
    return found if one is not None and one.run.type == "eval" else []


def _results(source: Source) -> list[Path]:
    found = _named(source, RESULTS)
    return found if found and set(first_row(found[0])) >= VALIDATED else []


def _named(source: Source, name: str) -> list[Path]:
    if source.path.is_file():
        return [source.path] if source.path.name == name else []
    return source.files(name) or source.files(f"*/{name}")


ADAPTER = Adapter(
    name="verifiers",
    title="verifiers",
    layout="traces.jsonl of an evaluation",
    versions="verifiers 0.4",
    tested="writer code",
    version=1,
    recognise=recognise,
    files=files,
    read=read,
    order=31,
)
