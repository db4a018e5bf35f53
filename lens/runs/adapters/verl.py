"""verl's rollout dumps: `trainer.rollout_data_dir/{global_step}.jsonl`, classic and v1, which adds `uid`.

The classic dumper writes neither a group nor an advantage, in the order left by balance_batch. A column of
reward_extra_info whose length isn't that of the batch is left out of that step's file without a word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lens.errors import UsageError
from lens.runs import files as reading
from lens.runs import verl
from lens.runs.adapter import Adapter, Source
from lens.runs.gather import Gather, whole
from lens.runs.writer import Writer

_OWN = ("input", "output", "gts", "score", "step", "uid", "request_id")
_TEXT_NUMBERS = ("score", "acc", "reward", "format", "format_reward", "accuracy")
"""Numbers that the dumper may have written as text: NumPy scalars go through str(). Other text stays text, since an
answer of "42" looks the same."""


def recognise(source: Source) -> str:
    found = _steps(source)
    if not found:
        return ""
    first = _first(found[0])
    known = {"input", "output", "score"} <= set(first)
    return f"{found[0].name}: rows with input, output, score" + (" and uid" if "uid" in first else "") if known else ""


def files(source: Source) -> list[Path]:
    return [*_steps(source), *([source.config] if source.config else [])]


def read(source: Source, writer: Writer) -> None:
    """Scores as totals, numbers of reward_extra_info as leaves; groups by uid, else by prompts of n rollouts each."""
    writer.config = verl.config(source.config)
    writer.settings = verl.settings(writer.config)
    writer.trainer = "verl"
    gather = Gather(writer)
    left: Counter[str] = Counter()
    as_text: Counter[str] = Counter()
    loose: list[str] = []
    for path in _steps(source):
        rows = [(line.number, line.value) for line in reading.json_lines(path, writer.torn)]
        grouped = _grouped(rows, writer.settings.group_size)
        if grouped is None:
            loose.append(path.name)
        gather.rows(path, _rollouts(path, rows, grouped, left, as_text))
    if loose:
        writer.lacks(
            "rollouts",
            f"no uid, and prompts don't come equally often in {loose[0]}"
            f"{f' and {len(loose) - 1} more' if len(loose) > 1 else ''}: which rollouts share a group can't be known",
            "train with the v1 trainer, or have the reward function put uid into reward_extra_info",
        )
    for name, rows_ in as_text.items():
        writer.found(
            "numbers-as-text", f"{name} was written as text, as NumPy's numbers are by this dumper", rows=rows_
        )
    for name, rows_ in left.items():
        writer.found("column-left-out", f"{name} is no number", rows=rows_)
    writer.found("order", "rows stand in the order that balance_batch left, not in training order", rows=writer.rows)
    _lacks(writer)


def _lacks(writer: Writer) -> None:
    tap = "record the next run with lens.runs.tap"
    writer.lacks("advantage", "verl's dumps hold no advantages", tap)
    writer.lacks("logp_old", "verl's dumps hold no log-probabilities", tap)
    writer.lacks("tokens", "verl's dumps hold no token counts", tap)
    writer.lacks(
        "series",
        "metrics are not among the dumps",
        "trainer.logger=[file] and VERL_FILE_LOGGER_ROOT; then lens measure run its JSONL",
    )
    writer.lacks("grams", "verl writes no gradient of a single rollout", "lens measure run SUBJECT --model FOLDER")


def _steps(source: Source) -> list[Path]:
    """Files named by a step, in the folder or one below it; those of validation are not rollouts trained on."""
    if source.path.is_file():
        return [source.path] if source.path.suffix == ".jsonl" and source.path.stem.isdigit() else []
    for pattern in ("*.jsonl", "*/*.jsonl"):
        found = [one for one in source.files(pattern) if one.stem.isdigit() and "val" not in one.parent.name.lower()]
        if found:
            return found
    return []


def _first(path: Path) -> dict[str, Any]:
    try:
        found = next(reading.json_lines(path, lambda *_: None), None)
    except (UsageError, OSError):
        return {}
    return found.value if found else {}


def _grouped(rows: list[tuple[int, dict[str, Any]]], size: int | None) -> list[str] | None:
    """A group for each row: the uid before its last two parts, else the prompt where every prompt comes equally often
    (`size` times, where that is known). None where that can't tell."""
    if rows and all("uid" in row for _, row in rows):
        return [str(row["uid"]).rsplit("_", 2)[0] for _, row in rows]
    prompts = [str(row.get("input")) for _, row in rows]
    often = set(Counter(prompts).values())
    if often == {size} or (size is None and len(often) == 1 and often != {1}):
        return prompts
    return None


def _rollouts(
    path: Path,
    rows: list[tuple[int, dict[str, Any]]],
    grouped: list[str] | None,
    left: Counter[str],
    as_text: Counter[str],
) -> Iterator[tuple[int, dict[str, Any]]]:
    for at, (line, row) in enumerate(rows):
        made: dict[str, Any] = {
            "step": whole(row.get("step", int(path.stem)), path, line, "step"),
            "group": grouped[at] if grouped else f"row {at}",
            "prompt_text": row.get("input"),
            "completion_text": row.get("output"),
        }
        for name, value in row.items():
            if name in _OWN and name != "score":
                continue
            place = "reward" if name == "score" else f"score.{name}"
            number = _number(name, value)
            if isinstance(value, str) and number is not None:
                as_text[name] += 1
            if number is None and value is not None:
                left[name] += 1
            else:
                made[place] = number
        yield line, made


def _number(name: str, value: Any) -> float | None:
    if isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, str) and name in _TEXT_NUMBERS:
        try:
            return {"True": 1.0, "False": 0.0}[value] if value in ("True", "False") else float(value)
        except ValueError:
            return None
    return None


ADAPTER = Adapter(
    name="verl",
    title="verl",
    layout="rollout_data_dir/{step}.jsonl",
    versions="verl 0.9, classic and v1 trainer",
    tested="writer code",
    version=1,
    recognise=recognise,
    files=files,
    read=read,
    order=30,
)
