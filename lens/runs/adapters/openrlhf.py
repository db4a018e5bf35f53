"""OpenRLHF: it logs to W&B or TensorBoard alone; its W&B table holds one sample a step, `{columns: [global_step, text,
reward], data}`, and is logged again, a row longer, at every step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lens.errors import UsageError
from lens.runs.adapter import Adapter, Source
from lens.runs.formats import files as reading
from lens.runs.gather import whole
from lens.runs.settings import Settings
from lens.runs.writer import Writer

COLUMNS = ["global_step", "text", "reward"]
SAMPLE = "sample/reward"


def recognise(source: Source) -> str:
    found = _tables(source)
    return f"{found[0].name}: columns {', '.join(COLUMNS)}" if found else ""


def files(source: Source) -> list[Path]:
    return _tables(source)


def read(source: Source, writer: Writer) -> None:
    """The samples' rewards as a series: one sample a step is no group. `group_norm` divides by the standard deviation
    with Bessel's correction plus 1e-9."""
    writer.trainer = "OpenRLHF"
    writer.settings = Settings(ddof=1, epsilon=1e-9)
    known: dict[int, tuple[Any, ...]] = {}
    for path in _tables(source):
        for at, row in enumerate(reading.json_file(path)["data"], 1):
            if not isinstance(row, list) or len(row) != len(COLUMNS):
                raise UsageError(f"{path}: row {at} has other cells than {', '.join(COLUMNS)}")
            step = whole(row[0], path, at, "global_step")
            if known.get(step) == (told := (row[1], row[2])):
                continue
            if step in known:
                writer.found("repeated-step", f"step {step} has another sample than before; the last counts", path, at)
            known[step] = told
            writer.series(step, {SAMPLE: reading.number(row[2], path, at, "reward")})
    writer.lacks(
        "rollouts",
        "OpenRLHF keeps one sample a step, without its group",
        "write every call of the agent or remote reward model, or record the next run with lens.runs.tap",
    )
    writer.lacks("grams", "OpenRLHF writes no gradient of a rollout", "record the next run with lens.runs.tap")


def _tables(source: Source) -> list[Path]:
    paths = (
        [source.path] if source.path.is_file() else source.files("*.table.json") + source.files("media/table/**/*.json")
    )
    return [path for path in paths if path.suffix == ".json" and _is_table(path)]


def _is_table(path: Path) -> bool:
    try:
        held = reading.json_file(path)
    except UsageError:
        return False
    return isinstance(held, dict) and held.get("columns") == COLUMNS and isinstance(held.get("data"), list)


ADAPTER = Adapter(
    name="openrlhf",
    title="OpenRLHF",
    layout="media/table/**/*.table.json with global_step, text, reward",
    versions="OpenRLHF 0.11",
    tested="writer code",
    version=2,
    recognise=recognise,
    files=files,
    read=read,
    order=63,
)
