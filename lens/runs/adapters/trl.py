"""TRL's GRPO and RLOO trainers: `log_completions` tables, the trainer's log, its configuration where somebody saved it.

The tables have one row a completion in generation order, which is not the order they were trained in (the trainer
shuffles each generation). A generation that feeds several optimizer steps is written again at each of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from lens.runs import files as reading
from lens.runs import trl, trl_grams, trl_log
from lens.runs.adapter import Adapter, Source
from lens.runs.keys import key
from lens.runs.writer import Writer

if TYPE_CHECKING:
    import pyarrow as pa

TABLES = ("completions/completions_*.parquet", "completions_*.parquet")
_OWN = ("step", "prompt", "completion", "advantage")


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
    placed = _rollouts(tables, leaves, writer, keep=grams is not None)
    trl_log.series(log, writer)
    trl_log.check(log, leaves, writer)
    trl_grams.read(grams, placed, writer)
    _coverage(log, writer)
    _lacks(writer)


def _tables(source: Source) -> list[Path]:
    return next((found for pattern in TABLES if (found := source.files(pattern))), [])


def _leaves(path: Path, logged: frozenset[str], writer: Writer) -> tuple[str, ...]:
    """Reward columns in the order of the table, which is that of their weights: a saved log is sorted by name.

    Where no log names them, the columns of fractions, which `log_extra` may have added to.
    """
    import pyarrow as pa

    first = next(reading.parquet(path), None)
    schema = [] if first is None else [one for one in first.schema if one.name not in _OWN]
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


def _rollouts(tables: list[Path], leaves: tuple[str, ...], writer: Writer, *, keep: bool) -> list[trl_grams.Placed]:
    """Writes every generation once; with `keep`, returns where each completion went."""
    import pyarrow as pa

    placed: list[trl_grams.Placed] = []
    seen: dict[int, str] = {}
    dead, moved = 0, 0.0
    for path in tables:
        batches = list(reading.parquet(path))
        if not batches or not sum(batch.num_rows for batch in batches):
            writer.found("empty-file", "a table without a row", path)
            continue
        table = pa.Table.from_batches(batches)
        content = key(
            *(repr(table[name].to_pylist()) for name in ("completion", "advantage") if name in table.column_names)
        )
        if content in seen:
            detail = f"repeats {seen[content]}: one generation trained on at several steps"
            writer.found("reused-rows", detail, path, rows=table.num_rows)
            continue
        seen[content] = path.name
        columns = _columns(table, path, leaves, writer)
        if keep:
            texts = enumerate(columns["completion_text"], writer.rows)
            placed += [trl_grams.Placed(columns["step"][0], key(text), row) for row, text in texts]
        writer.rollouts(path, columns)
        dead += _constant(columns)
        moved = max(moved, _largest(columns.get("advantage")))
    if leaves and dead == writer.rows and moved > 1e-3:
        detail = f"every group has one reward alone, and advantages reach {moved:.4g}: two functions shared a name"
        writer.found("overwritten-column", detail, rows=dead)
        for name in leaves:
            writer.lacks(f"score.{name}", "its column was overwritten", "give every reward function its own __name__")
    return placed


def _columns(table: pa.Table, path: Path, leaves: tuple[str, ...], writer: Writer) -> dict[str, Any]:
    prompts = [_text(one) for one in table["prompt"].to_pylist()]
    steps = table["step"].to_pylist()
    columns: dict[str, Any] = {
        "step": steps,
        "group": _groups(prompts, path, writer),
        "prompt_text": prompts,
        "completion_text": [_text(one) for one in table["completion"].to_pylist()],
    }
    if "advantage" in table.column_names:
        columns["advantage"] = _numbers(table, "advantage", path)
    for name in table.column_names:
        if name in leaves:
            scores = _numbers(table, name, path)
            columns[f"score.{name}"] = [None if one is None or math.isnan(one) else one for one in scores]
        elif name not in _OWN and _is_number(table.schema.field(name).type):
            columns[f"extra.{name}"] = _numbers(table, name, path)
    weights = writer.settings.weights
    if weights and all(f"score.{name}" in columns for name in weights):
        columns["reward"] = list(_totals(columns, weights))
    return columns


def _totals(columns: dict[str, Any], weights: dict[str, float]) -> Iterator[float | None]:
    """TRL's weighted nansum; none where every function abstained."""
    for row in zip(*(columns[f"score.{name}"] for name in weights), strict=True):
        given = [weight * one for weight, one in zip(weights.values(), row, strict=True) if one is not None]
        yield math.fsum(given) if given else None


def _groups(prompts: list[str], path: Path, writer: Writer) -> list[str]:
    """A group is `num_generations` consecutive rows of one prompt; without that number, a run of one prompt.

    A group is named by its place, so that one prompt drawn twice in a generation makes two.
    """
    size = writer.settings.group_size
    if (
        size
        and len(prompts) % size == 0
        and all(len(set(prompts[at : at + size])) == 1 for at in range(0, len(prompts), size))
    ):
        return [str(at // size) for at in range(len(prompts))]
    if size:
        detail = f"rows do not come in {size}s of one prompt: grouped by runs of one prompt instead"
        writer.found("groups-unclear", detail, path, rows=len(prompts))
    groups, place = [], 0
    for at, prompt in enumerate(prompts):
        place += at > 0 and prompt != prompts[at - 1]
        groups.append(str(place))
    return groups


def _text(value: Any) -> str:
    """A prompt or completion as text; a conversation as the JSON of its messages."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _is_number(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_boolean(kind))


def _numbers(table: pa.Table, name: str, path: Path) -> list[float | None]:
    return [reading.number(one, path, at, name) for at, one in enumerate(table[name].to_pylist(), 1)]


def _constant(columns: dict[str, Any]) -> int:
    """Rows of groups whose leaves have one value each."""
    rewards: dict[str, set[Any]] = {}
    rows: dict[str, int] = {}
    leaves = [name for name in columns if name.startswith("score.")]
    for at, group in enumerate(columns["group"]):
        rewards.setdefault(group, set()).add(tuple(columns[name][at] for name in leaves))
        rows[group] = rows.get(group, 0) + 1
    return sum(rows[group] for group, values in rewards.items() if len(values) == 1)


def _largest(advantages: list[float | None] | None) -> float:
    return max((abs(one) for one in advantages or () if one is not None and math.isfinite(one)), default=0.0)


def _coverage(log: list[dict[str, Any]], writer: Writer) -> None:
    """How many rollouts the run trained on: steps taken, over the steps a generation feeds, times its size."""
    said = writer.settings
    last = max((int(row["step"]) for row in log if "step" in row), default=said.steps or 0)
    if not (last and said.batch_size):
        return
    feeds = (said.generations or 1) * (said.iterations or 1)
    writer.trained = max(writer.rows, math.ceil(last / feeds) * said.batch_size)
    if missing := writer.trained - writer.rows:
        every = said.logging_steps or 1
        why = (
            f"with logging_steps={every} a table holds the last generation alone" if every > 1 else "tables are missing"
        )
        writer.found("dropped-rows", f"{why}; logged means cover all of them", rows=missing)
    if writer.rows:
        writer.found("order", "rows are in generation order; the trainer shuffles a generation before it trains on it")


def _lacks(writer: Writer) -> None:
    writer.lacks("logp", "TRL's tables hold no log-probabilities", "attach lens.runs.tap to the next run")
    writer.lacks("tokens", "TRL's tables hold no token counts", "attach lens.runs.tap to the next run")
    writer.lacks("grams", "TRL writes no gradient of a single rollout", "lens measure run SUBJECT --model FOLDER")
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
