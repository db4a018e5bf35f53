"""TRL's GRPO and RLOO trainers: `log_completions` tables, the trainer's log, its configuration where somebody saved it.

The tables have one row a completion in generation order, which is not the order they were trained in (the trainer
shuffles each generation). A generation that feeds several optimizer steps is written again at each of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lens.runs import files as reading
from lens.runs import trl, trl_grams, trl_log, trl_tables
from lens.runs.adapter import Adapter, Source
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
    log = trl_log.rows(trl_log.find(source))
    writer.config = trl.config(source)
    writer.trainer = "TRL"
    tables = _tables(source)
    leaves = _leaves(tables[0], trl_log.leaves(log), writer)
    writer.settings = trl.settings(writer.config, leaves) if writer.config else _unsaid(writer)
    if writer.config and len(leaves) < len(writer.config.get("reward_weights") or ()):
        writer.found("overwritten-column", "there are more weights than reward columns: two functions share a name")
    grams = trl_grams.find(source)
    placed = trl_tables.write(map(_read, tables), leaves, writer, keep=grams is not None)
    trl_log.series(log, writer)
    trl_log.check(log, leaves, writer)
    trl_grams.read(grams, placed, writer)
    trl_tables.coverage(log, writer)
    if grams is None:
        writer.lacks("grams", "TRL writes no gradient of a single rollout", "lens measure run SUBJECT --model FOLDER")
    _lacks(writer)


def _tables(source: Source) -> list[Path]:
    return next((found for pattern in TABLES if (found := source.files(pattern))), [])


def _leaves(path: Path, logged: frozenset[str], writer: Writer) -> tuple[str, ...]:
    """Reward columns in the order of the table, which is that of their weights: a saved log is sorted by name.

    Where no log names them, the columns of fractions, which `log_extra` may have added to.
    """
    import pyarrow as pa

    first = next(reading.parquet(path), None)
    schema = [] if first is None else [one for one in first.schema if one.name not in trl_tables.OWN]
    if logged:
        return tuple(one.name for one in schema if one.name in logged)
    leaves = tuple(one.name for one in schema if pa.types.is_floating(one.type))
    told = f"no log names the reward functions; taken for them: {', '.join(leaves) or 'none'}"
    writer.found("leaves-guessed", told, path)
    return leaves


def _unsaid(writer: Writer) -> Any:
    from lens.runs.settings import Settings

    writer.lacks(
        "settings",
        "the run's folder holds no configuration: TRL writes none",
        "save json.dumps(config.to_dict()) of the GRPOConfig and give it with --config",
    )
    return Settings()


def _read(path: Path) -> tuple[Path, str, Any]:
    import pyarrow as pa

    batches = list(reading.parquet(path))
    return path, path.name, pa.Table.from_batches(batches) if batches else pa.table({})


def _lacks(writer: Writer) -> None:
    writer.lacks("logp", "TRL's tables hold no log-probabilities", "attach lens.runs.tap to the next run")
    writer.lacks("tokens", "TRL's tables hold no token counts", "attach lens.runs.tap to the next run")
    if writer.settings.beta == 0:
        writer.lacks(
            "kl",
            "beta is 0: no reference model was loaded, so KL was never computed",
            "score saved checkpoints against the initial policy on a fixed prompt set",
        )


ADAPTER = Adapter(
    name="trl",
    title="TRL",
    layout="completions/completions_*.parquet, checkpoint-*/trainer_state.json",
    versions="TRL 0.16 to 1.16",
    tested="real run",
    version=1,
    recognise=recognise,
    files=files,
    read=read,
    order=20,
)
