"""Inspect's evaluation logs, `.eval` or `.json`: one rollout a sample and epoch, one leaf a score.

An evaluation's scores are recounted from its samples: `results` counts after epochs were reduced, and a log that ended
in an error has none.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lens.errors import UsageError
from lens.runs.adapter import Adapter, Source
from lens.runs.formats import files as reading
from lens.runs.formats.zipped import Zipped
from lens.runs.gather import Gather, text
from lens.runs.settings import Settings
from lens.runs.writer import Writer

WORDS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
"""Inspect's own values of its marks (correct, incorrect, partial, no answer) and words."""
CUT = ("max_tokens", "model_length")
FIRST = 65_536  # bytes in which a JSON log names itself


def recognise(source: Source) -> str:
    found = _paths(source)
    return f"{found[0].name}: an evaluation with version, status and eval" if found else ""


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
    """Scores by sample and epoch; `results`, with their reducers, as numbers of step 0."""
    (path,) = files(source)
    header = _header(path)
    evaluation = _map(header, "eval", path)
    packages = evaluation.get("packages")
    version = packages.get("inspect_ai", "") if isinstance(packages, dict) else ""
    writer.trainer = f"Inspect {version}".strip()
    writer.config = {name: evaluation[name] for name in ("task", "model", "config", "scorers") if name in evaluation}
    leaves, counts = _Leaves(evaluation, writer), _Counts()
    gather = Gather(writer)
    gather.rows(path, _rollouts(path, header, leaves, counts))
    config = evaluation.get("config")
    epochs = config.get("epochs") if isinstance(config, dict) else None
    writer.settings = Settings(group_size=epochs if isinstance(epochs, int) else None)
    _results(path, header, counts, writer)
    leaves.tell(path)
    for name in ("reward", "advantage"):
        if not writer.has(name):
            writer.lacks(
                name,
                f"an evaluation has no {name}",
                "lens measure run SUBJECT --map FILE, which names a score the reward",
            )


def _paths(source: Source) -> list[Path]:
    named = [source.path] if source.path.is_file() else source.files("*")
    return [path for path in named if path.suffix == ".eval" or (path.suffix == ".json" and _is_log(path))]


def _is_log(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            start = stream.read(FIRST)
    except OSError:
        return False
    return all(f'"{name}"'.encode() in start for name in ("version", "status", "eval", "task_id"))


def _header(path: Path) -> dict[str, Any]:
    """All of a log but its samples. Of a run that was stopped, what it noted when it began."""
    if path.suffix != ".eval":
        return _object(reading.json_file(path), path)
    with Zipped(path) as log:
        for name in ("header.json", "_journal/start.json"):
            if name in log.names:
                found = _object(reading.json_bytes(log.read(name), f"{path}: {name}"), path)
                return found if name == "header.json" else {**found, "status": "started"}
    raise UsageError(f"{path}: no header in it", remedy="is it Inspect's? it has neither header.json nor _journal")


def _samples(path: Path, header: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if path.suffix != ".eval":
        listed = header.get("samples") or []
        if not isinstance(listed, list):
            raise UsageError(f"{path}: samples is {type(listed).__name__}, not a list")
        yield from (_object(one, path) for one in listed)
        return
    with Zipped(path) as log:
        for name in log.names:
            if name.startswith("samples/"):
                yield _object(reading.json_bytes(log.read(name), f"{path}: {name}"), path)


def _rollouts(
    path: Path, header: dict[str, Any], leaves: _Leaves, counts: _Counts
) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, sample in enumerate(_samples(path, header), 1):
        if not {"id", "epoch"} <= set(sample):
            raise UsageError(f"{path}: sample {line} has no id and epoch")
        output = sample.get("output") if isinstance(sample.get("output"), dict) else {}
        choices = output.get("choices") or [{}]  # type: ignore[union-attr]
        usage = output.get("usage") or {}  # type: ignore[union-attr]
        stop = choices[0].get("stop_reason") if isinstance(choices, list) and isinstance(choices[0], dict) else None
        scores = leaves.of(sample, path, line)
        counts.add(scores)
        row = {
            "step": 0,
            "group": sample["id"],
            "prompt_text": _attached(sample, sample.get("input")),
            "completion_text": _attached(sample, output.get("completion")),  # type: ignore[union-attr]
            "tokens": usage.get("output_tokens") if isinstance(usage, dict) else None,
            "truncated": stop in CUT if stop is not None else None,
            "failed": sample.get("error") is not None,
            "extra.epoch": sample["epoch"],
            **{f"score.{name}": value for name, value in scores.items()},
        }
        if len(leaves.names) == 1:
            row["reward"] = scores[next(iter(leaves.names))]
        yield line, row


class _Leaves:
    """Scores by name; those the log declares are there for every sample, null where a sample has none."""

    def __init__(self, evaluation: dict[str, Any], writer: Writer) -> None:
        self.writer = writer
        self.names: dict[str, None] = {}
        self.left_out: dict[str, int] = {}
        scorers = evaluation.get("scorers")
        for one in scorers if isinstance(scorers, list) else []:
            if isinstance(one, dict) and isinstance(one.get("name"), str):
                parts = one.get("metrics")
                self.names |= dict.fromkeys(
                    [f"{one['name']}.{part}" for part in parts] if isinstance(parts, dict) else [one["name"]]
                )

    def of(self, sample: dict[str, Any], path: Path, line: int) -> dict[str, float | None]:
        found: dict[str, float | None] = dict.fromkeys(self.names)
        for name, score in (_map(sample, "scores", path) if sample.get("scores") else {}).items():
            value = score.get("value") if isinstance(score, dict) else score
            parts = {f"{name}.{part}": one for part, one in value.items()} if isinstance(value, dict) else {name: value}
            for leaf, one in parts.items():
                if isinstance(one, list):
                    self.left_out.setdefault(leaf, line)
                else:
                    found[leaf] = _value(one, path, line, leaf)
                    self.names.setdefault(leaf)
        return found

    def tell(self, path: Path) -> None:
        for name, line in self.left_out.items():
            self.writer.found("score-left-out", f"{name} is a list, and a leaf is one number", path, line)


class _Counts:
    """Samples seen, and by leaf how many of them it scored."""

    def __init__(self) -> None:
        self.rows = 0
        self.scored: dict[str, int] = {}

    def add(self, scores: dict[str, float | None]) -> None:
        self.rows += 1
        for name, value in scores.items():
            scored = value is not None and not math.isnan(value)
            self.scored[name] = self.scored.get(name, 0) + scored


def _results(path: Path, header: dict[str, Any], counts: _Counts, writer: Writer) -> None:
    status = header.get("status")
    results = header.get("results")
    if not isinstance(results, dict):
        detail = f"the log's status is {status}: it has no results"
        writer.found("no-results", f"{detail}; what is here is counted from its samples", path, rows=counts.rows)
        writer.lacks("series", detail, "run the evaluation to its end, or lens measure run on its samples as they are")
        return
    if status != "success":
        writer.found("not-finished", f"the log's status is {status}", path, rows=counts.rows)
    if (said := results.get("completed_samples")) != counts.rows:
        writer.found("samples-missing", f"results say {said} samples, the log holds {counts.rows}", path)
    listed = results.get("scores")
    told: set[str] = set()
    for score in listed if isinstance(listed, list) else []:
        _logged(path, _object(score, path), writer)
        _recounted(path, score, counts, told, writer)


def _logged(path: Path, score: dict[str, Any], writer: Writer) -> None:
    """One result, by its name and its reducer: several reducers of a scorer are results of one name."""
    reducer = score.get("reducer")
    for metric, one in _map(score, "metrics", path).items():
        value = one.get("value") if isinstance(one, dict) else one
        parts = [str(score.get("name")), *([str(reducer)] if reducer else []), metric]
        writer.series(0, {"/".join(parts): reading.number(value, path, 0, metric)})


def _recounted(path: Path, score: dict[str, Any], counts: _Counts, told: set[str], writer: Writer) -> None:
    """Say where samples hold fewer scores than the results were counted from."""
    names = (str(score.get("name")), f"{score.get('scorer')}.{score.get('name')}")
    leaf = next((one for one in counts.scored if one in names), None)
    missing = counts.rows - counts.scored[leaf] if leaf else 0
    if leaf is None or not missing or leaf in told:
        return
    told.add(leaf)
    said = f"{score.get('scored_samples')} scored and {score.get('unscored_samples')} not, after epochs were reduced"
    detail = f"{missing} of {counts.rows} scores of {leaf} are no number; results say {said}"
    writer.found("unscored", detail, path, rows=missing)


def _value(value: Any, path: Path, line: int, name: str) -> float | None:
    if isinstance(value, str) and (value in WORDS or value.lower() in WORDS):
        return WORDS.get(value, WORDS.get(value.lower()))
    return reading.number(value, path, line, name)


def _attached(sample: dict[str, Any], value: Any) -> str | None:
    """Text, also where the log keeps it once, under its digest."""
    if value is None:
        return None
    attachments = sample.get("attachments")
    if isinstance(value, str) and value.startswith("attachment://") and isinstance(attachments, dict):
        return text(attachments.get(value.removeprefix("attachment://"), value))
    return text(value)


def _map(row: dict[str, Any], name: str, path: Path) -> dict[str, Any]:
    value = row.get(name)
    if not isinstance(value, dict):
        raise UsageError(f"{path}: {name} is {type(value).__name__}, not an object", remedy="is it Inspect's log?")
    return value


def _object(value: Any, path: Path) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UsageError(f"{path}: a log's parts are objects, this is {type(value).__name__}")
    return value


ADAPTER = Adapter(
    name="inspect",
    title="Inspect",
    layout="*.eval or *.json of Inspect",
    versions="Inspect 0.3.285",
    tested="real run",
    version=1,
    recognise=recognise,
    files=files,
    read=read,
    order=40,
)
