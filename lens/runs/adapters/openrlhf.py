"""OpenRLHF: it logs to W&B or TensorBoard alone; its table of samples is one a step, `{columns: [global_step, text,
reward], data}`."""

from __future__ import annotations

from pathlib import Path

from lens.errors import UsageError
from lens.runs import files as reading
from lens.runs.adapter import Adapter, Source
from lens.runs.gather import whole
from lens.runs.settings import Settings
from lens.runs.writer import Writer

COLUMNS = ["global_step", "text", "reward"]


def recognise(source: Source) -> str:
    found = _tables(source)
    return f"{found[0].name}: columns {', '.join(COLUMNS)}" if found else ""


def files(source: Source) -> list[Path]:
    return _tables(source)


def read(source: Source, writer: Writer) -> None:
    """The samples' rewards as a series: one sample a step is no group."""
    writer.trainer = "OpenRLHF"
    writer.settings = Settings(ddof=1, epsilon=1e-9)
    for path in _tables(source):
        for at, row in enumerate(reading.json_file(path)["data"], 1):
            if not isinstance(row, list) or len(row) != len(COLUMNS):
                raise UsageError(f"{path}: row {at} has other cells than {', '.join(COLUMNS)}")
            step = whole(row[0], path, at, "global_step")
            writer.series(step, {"sample/reward": reading.number(row[2], path, at, "reward")})
    writer.lacks(
        "rollouts",
        "OpenRLHF keeps one sample a step, without its group",
        "return extra_logs from the agent or remote reward model, or record the next run with lens.runs.tap",
    )


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
    tested="documentation",
    version=1,
    recognise=recognise,
    files=files,
    read=read,
    order=63,
)
