"""TRL's tables of completions as rollouts, whoever kept them: Parquet files, or a logger's own tables.

A generation that feeds several optimizer steps is written again at each of them, and loggers write the last one twice.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from lens.errors import UsageError
from lens.runs.formats import files as reading
from lens.runs.formats.logged import NOT_FINITE
from lens.runs.formats.trl_grams import Placed
from lens.runs.keys import key
from lens.runs.writer import Writer

if TYPE_CHECKING:
    import pyarrow as pa

OWN = ("step", "prompt", "completion", "advantage")


def leaves(table: pa.Table, logged: frozenset[str], path: Path, writer: Writer) -> tuple[str, ...]:
    """Reward columns in the order of the first table, which is that of their weights: a saved log is sorted by name.

    Where no log names them, the columns of fractions, which `log_extra` may have added to.
    """
    import pyarrow as pa

    schema = [one for one in table.schema if one.name not in OWN]
    if logged:
        return tuple(one.name for one in schema if one.name in logged)
    found = tuple(one.name for one in schema if pa.types.is_floating(one.type))
    told = f"no log names the reward functions; taken for them: {', '.join(found) or 'none'}"
    writer.found("leaves-guessed", told, path)
    return found


def table(columns: Mapping[str, Sequence[Any]], path: Path) -> pa.Table:
    """A logger's table of cells; numbers that JSON can't hold came as text, older steps too.

    Raises UsageError, naming the file, for a column of several types.
    """
    import pyarrow as pa

    try:
        return pa.table({name: [_cell(name, one) for one in cells] for name, cells in columns.items()})
    except (pa.ArrowException, TypeError, OverflowError) as error:
        raise UsageError(f"{path}: {error}", remedy="a column holds numbers or text, not both") from None


def _cell(name: str, value: Any) -> Any:
    if name == "step" and isinstance(value, str) and value.isdecimal():
        return int(value)
    return NOT_FINITE.get(value, value) if isinstance(value, str) and name not in ("prompt", "completion") else value


def write(
    tables: Iterable[tuple[Path, str, pa.Table]], leaves: tuple[str, ...], writer: Writer, *, keep: bool = False
) -> list[Placed]:
    """Writes every generation of (file, what the table is called, table) once; with `keep`, returns where each
    completion went."""
    placed: list[Placed] = []
    seen: dict[int, str] = {}
    dead, moved = 0, 0.0
    for path, name, table in tables:
        if not table.num_rows:
            writer.found("empty-file", f"{name} has no row", path)
            continue
        for column in ("step", "prompt", "completion"):
            if column not in table.column_names:
                raise UsageError(f"{path}: no column {column}", remedy="is it TRL's? name its columns with --map")
        content = key(
            *(repr(table[own].to_pylist()) for own in ("completion", "advantage") if own in table.column_names)
        )
        if content in seen:
            detail = f"repeats {seen[content]}: one generation trained on at several steps"
            writer.found("reused-rows", detail, path, rows=table.num_rows)
            continue
        seen[content] = name
        columns = _columns(table, path, leaves, writer)
        if keep:
            texts = enumerate(columns["completion_text"], writer.rows)
            placed += [Placed(columns["step"][0], key(text), row) for row, text in texts]
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
        elif name not in OWN and _is_number(table.schema.field(name).type):
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


def coverage(last: int, writer: Writer) -> None:
    """How many rollouts the run trained on: steps taken (the last one logged, or 0), over the steps a generation feeds,
    times its size."""
    said = writer.settings
    last = last or said.steps or 0
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
