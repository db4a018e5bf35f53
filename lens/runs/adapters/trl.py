"""TRL's GRPO and RLOO trainers: `log_completions` tables, the trainer's log, its configuration where somebody saved it.

The tables have one row a completion in generation order, which is not the order they were trained in (the trainer
shuffles each generation). A generation that feeds several optimizer steps is written again at each of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lens.runs.adapter import Adapter, Source
from lens.runs.formats import files as reading
from lens.runs.formats import trl, trl_grams, trl_log, trl_tables
from lens.runs.formats.logged import Logged
from lens.runs.settings import Settings
from lens.runs.writer import Writer

TABLES = ("completions/completions_*.parquet", "completions_*.parquet")


def recognise(source: Source) -> str:
    found = _tables(source)
    return f"{found[0].name} and {len(found) - 1} more like it" if found else ""


def files(source: Source) -> list[Path]:
    extra = [trl_log.find(source), trl.find(source), trl_grams.find(source)]
    return [*_tables(source), *(one for one in extra if one is not None)]


def read(source: Source, writer: Writer) -> None:
    """Rollouts once each, the log's series, settings from the configuration; see the module for what repeats."""
    log = trl_log.logged(trl_log.rows(trl_log.find(source)))
    writer.config = trl.config(source)
    writer.trainer = "TRL"
    tables = _tables(source)
    path, _, first = _read(tables[0])
    leaves = trl_tables.leaves(first, log.leaves, path, writer)
    writer.settings = trl.settings(writer.config, leaves) if writer.config else _unsaid(log, leaves, writer)
    if writer.config and len(leaves) < len(writer.config.get("reward_weights") or ()):
        writer.found("overwritten-column", "there are more weights than reward columns: two functions share a name")
    grams = trl_grams.find(source)
    placed = trl_tables.write(map(_read, tables), leaves, writer, keep=grams is not None)
    log.write(writer)
    trl_log.check(log.rewards(), leaves, writer)
    trl_grams.read(grams, placed, writer)
    trl_tables.coverage(log.last, writer)
    if grams is None:
        writer.lacks("grams", "TRL writes no gradient of a single rollout", "lens measure run SUBJECT --model FOLDER")
    writer.lacks("logp", "TRL's tables hold no log-probabilities", "attach lens.runs.tap to the next run")
    writer.lacks("tokens", "TRL's tables hold no token counts", "attach lens.runs.tap to the next run")
    trl.lacks(writer)


def _tables(source: Source) -> list[Path]:
    return next((found for pattern in TABLES if (found := source.files(pattern))), [])


def _unsaid(log: Logged, leaves: tuple[str, ...], writer: Writer) -> Settings:
    writer.lacks(
        "settings",
        "the run's folder holds no configuration: TRL writes none",
        "save json.dumps(config.to_dict()) of the GRPOConfig and give it with --config",
    )
    return Settings(weights=trl_log.solved(log.rewards(), leaves, writer))


def _read(path: Path) -> tuple[Path, str, Any]:
    import pyarrow as pa

    batches = list(reading.parquet(path))
    return path, path.name, pa.Table.from_batches(batches) if batches else pa.table({})


ADAPTER = Adapter(
    name="trl",
    title="TRL",
    layout="completions/completions_*.parquet, checkpoint-*/trainer_state.json",
    versions="TRL 0.16 to 1.16",
    tested="real run",
    version=3,
    recognise=recognise,
    files=files,
    read=read,
    order=20,
)
