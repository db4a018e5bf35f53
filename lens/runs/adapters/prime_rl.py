"""prime-rl: `rollouts/step_N/train/{all,effective}/traces.jsonl`, episodes of verifiers, and token exports beside them.

`all/step_N` holds every episode that arrived while step N's batch was being filled, before credit was assigned;
`effective/step_M` holds again those that were shipped to train step M, with their advantages. Layout and token exports
are from prime-rl's source of August 2026, episodes as verifiers writes them.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from lens.errors import UsageError
from lens.runs.adapter import Adapter, Source
from lens.runs.formats import files as reading
from lens.runs.formats import token_export
from lens.runs.formats.episodes import ROUNDED, TOLD, Episode, Leaves, Trace, episodes, rollout, tokens_key
from lens.runs.gather import Gather, whole
from lens.runs.keys import key
from lens.runs.settings import Settings
from lens.runs.writer import Writer

ALL, EFFECTIVE = "train/all/traces.jsonl", "train/effective/traces.jsonl"


def recognise(source: Source) -> str:
    home = _home(source)
    if home is None:
        return ""
    found = [*_paths(home, ALL), *_paths(home, EFFECTIVE)]
    return f"rollouts/{found[0].relative_to(home / 'rollouts').as_posix()}"


def files(source: Source) -> list[Path]:
    home = _home(source)
    if home is None:
        return []
    metrics = home / "metrics.jsonl"
    exports = token_export.folder(home)
    return [
        *_paths(home, ALL),
        *_paths(home, EFFECTIVE),
        *([metrics] if metrics.is_file() else []),
        *(Source(exports).files(token_export.NAMES) if exports else []),
    ]


def read(source: Source, writer: Writer) -> None:
    """One rollout a trace; its total is what the weights make of its rewards; the rest of `all` wasn't trained on."""
    home = _home(source)
    assert home is not None
    writer.trainer = "prime-rl"
    every, shipped = _paths(home, ALL), _paths(home, EFFECTIVE)
    reader = _Reader(writer, token_export.folder(home), known=bool(shipped))
    for path in [*shipped, *every]:
        reader.survey(path, shipped=path in shipped)
    gather = Gather(writer)
    for path in shipped:
        gather.rows(path, reader.shipped(path))
    for path in every:
        gather.rows(path, reader.others(path))
    reader.end()
    writer.config = _config(source.config)
    writer.settings = Settings(weights=reader.leaves.known, rounded=ROUNDED)
    _metrics(home / "metrics.jsonl", writer)
    _lacks(writer, bool(shipped))
    if shipped:
        writer.trained = len(reader.ids)
    if not every:
        writer.found("effective-alone", "episodes that weren't trained on are not here: train/all holds them")


class _Reader:
    """Rows in the record's names; `ids` are of the traces that were shipped, `at` the step that trained a group."""

    def __init__(self, writer: Writer, exports: Path | None, *, known: bool) -> None:
        self.writer, self.exports, self.known = writer, exports, known
        self.leaves = Leaves()
        self.ids: set[int] = set()
        self.at: dict[int, int] = {}
        self.told: Counter[str] = Counter()
        self.unmatched = 0

    def survey(self, path: Path, *, shipped: bool) -> None:
        for _, episode in episodes(path, lambda *_: None):
            self.leaves.add(episode)
            if shipped:
                self.ids.update(key(trace.id) for trace in episode.traces)
                self.at.setdefault(key(_group(episode)), _step(path))

    def shipped(self, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
        step = _step(path)
        ranks = sorted((self.exports / f"step_{step}").glob("rank_*.jsonl")) if self.exports else []
        exported = token_export.exported(ranks, self.writer.torn)
        for line, episode in episodes(path, self.writer.torn):
            for trace in episode.traces:
                made = self._made(episode, trace) | {"step": step, "trained": True}
                if exported:
                    numbers = exported.get(tokens_key(trace.tokens)) if trace.chain else None
                    self.unmatched += numbers is None
                    made |= numbers or {}
                yield line, made

    def others(self, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
        """Those never shipped. They keep the step of their group, where the rest of it trained one."""
        for line, episode in episodes(path, self.writer.torn):
            for trace in episode.traces:
                if key(trace.id) in self.ids:
                    continue
                made = self._made(episode, trace)
                made["step"] = self.at.get(key(_group(episode)), _step(path))
                if self.known:
                    made |= {"trained": False, "advantage": made.get("advantage")}
                yield line, made

    def end(self) -> None:
        for code, rows in self.told.items():
            self.writer.found(code, TOLD[code], rows=rows)
        if self.leaves.changing:
            told = f"rewards whose weight changes during the run: {', '.join(self.leaves.changing)}"
            self.writer.found("weights-change", told)
        if len(self.leaves.names) > 1:
            told = "a reward that an environment doesn't have is null in its rollouts, as one that abstained is: "
            self.writer.found("several-environments", told + ", ".join(sorted(self.leaves.names)))
        if self.unmatched:
            told = "rollouts trained on whose tokens no export of that step holds, or that branch"
            self.writer.found("token-export-unmatched", told, rows=self.unmatched)

    def _made(self, episode: Episode, trace: Trace) -> dict[str, Any]:
        made, codes = rollout(trace, self.leaves)
        self.told.update(codes)
        made["group"] = _group(episode)
        if episode.run.work.policy:
            made["sampled_at"] = episode.run.work.policy.start
        return made


def _group(episode: Episode) -> str:
    return episode.group.id if episode.group and episode.group.id else episode.task.name


def _lacks(writer: Writer, shipped: bool) -> None:
    if not shipped:
        told = "episodes are written as they arrive, before credit is assigned; train/effective holds it"
        writer.lacks("advantage", told, "give the folder with train/effective beside train/all")
    if not writer.has("logp"):
        writer.lacks("logp", "no log-probabilities of the trainer's beside the rollouts", "enable_token_export = true")
    writer.lacks("grams", "prime-rl writes no gradient of a rollout", "lens measure run SUBJECT --model FOLDER")


def _home(source: Source) -> Path | None:
    """The folder that holds `rollouts`: the one given, or one below it (`run_default`)."""
    if not source.path.is_dir():
        return None
    below = sorted(one for one in source.path.glob("*") if one.is_dir())
    found = [source.path, *([source.path.parent] if source.path.name == "rollouts" else below)]
    return next((one for one in found if _paths(one, ALL) or _paths(one, EFFECTIVE)), None)


def _paths(home: Path, name: str) -> list[Path]:
    found = Source(home).files(f"rollouts/step_*/{name}")
    return [one for one in found if one.parents[2].name.removeprefix("step_").isdigit()]


def _step(path: Path) -> int:
    return int(path.parents[2].name.removeprefix("step_"))


def _config(path: Path | None) -> dict[str, Any]:
    """A configuration in TOML, as prime-rl takes it, or JSON. Raises UsageError naming the file."""
    if path is None:
        return {}
    try:
        held = tomllib.loads(path.read_text("utf-8")) if path.suffix == ".toml" else reading.json_file(path)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: not TOML: {error}") from None
    if not isinstance(held, dict):
        raise UsageError(f"{path}: a configuration is an object, this is {type(held).__name__}")
    return msgspec.to_builtins(held)  # type: ignore[no-any-return]


def _metrics(path: Path, writer: Writer) -> None:
    """Numbers by step; rows by the clock alone have none. A number that wasn't finite was left out: a gap."""
    if not path.is_file():
        writer.lacks("series", "no metrics.jsonl beside the rollouts", "the [file_monitor] of prime-rl's configuration")
        return
    for line, row in reading.json_lines(path, writer.torn):
        if row.get("step") is not None:
            step = whole(row["step"], path, line, "step")
            logged = {name: value for name, value in row.items() if name not in ("step", "time")}
            writer.series(
                step,
                {
                    name: reading.number(value, path, line, name)
                    for name, value in logged.items()
                    if isinstance(value, (int, float))
                },
            )


ADAPTER = Adapter(
    name="prime-rl",
    title="prime-rl",
    layout="rollouts/step_N/train/{all,effective}/traces.jsonl, metrics.jsonl",
    versions="prime-rl of August 2026, verifiers 0.4",
    tested="writer code",
    version=2,
    recognise=recognise,
    files=files,
    read=read,
    order=30,
    named=True,
)
