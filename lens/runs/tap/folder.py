"""The folder of a record that is still written: taken up again after a stop, and put together at the end."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from lens.errors import UsageError
from lens.runs.record import KINDS

if TYPE_CHECKING:
    import pyarrow as pa

TOGETHER = 64  # parts of a kind above which they are put together when the run ends


def parts(folder: Path, kind: str) -> list[Path]:
    return sorted((folder / kind).glob("part-*.parquet"))


def counted(folder: Path) -> tuple[dict[str, int], dict[str, int]]:
    """Rows that have each column, from the parts of rollouts, and the number of the next part by kind."""
    import pyarrow.parquet as pq

    rows: dict[str, int] = {}
    for part in parts(folder, "rollouts"):
        about = pq.read_metadata(part)
        for name in about.schema.to_arrow_schema().names:
            rows[name] = rows.get(name, 0) + about.num_rows
    last = {kind: listed[-1] for kind in KINDS if (listed := parts(folder, kind))}
    return rows, {kind: int(part.stem.removeprefix("part-")) + 1 for kind, part in last.items()}


def set_aside(folder: Path, step: int) -> int:
    """Move what lies behind a step to `abandoned/N/`: a run that goes on from a checkpoint makes those steps again.

    Returns how many rollouts that were. What a stop left half-written is removed.
    """
    for half in folder.glob("*/*.new"):
        half.unlink()
    away = folder / "abandoned" / str(len(list((folder / "abandoned").glob("*"))) + 1)
    first = _first_row_after(folder, step)
    if first is not None:
        _split(folder, "texts", "row", first - 1, away)
    _split(folder, "series", "step", step, away)
    return _split(folder, "rollouts", "step", step, away)


def _first_row_after(folder: Path, step: int) -> int | None:
    """The first row of a later step. Raises UsageError where rows of earlier steps come behind it."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    first: int | None = None
    for part in parts(folder, "rollouts"):
        table = pq.read_table(part, columns=["row", "step"])
        late = pc.greater(table["step"], step)
        if first is not None and not pc.all(late).as_py():
            raise UsageError(
                f"{part}: steps are not in order, so a run can't go on in {folder}", remedy="another folder"
            )
        if first is None and pc.any(late).as_py():
            first = pc.min(table.filter(late)["row"]).as_py()
    return first


def _split(folder: Path, kind: str, column: str, last: int, away: Path) -> int:
    """Keep rows whose column is at most `last`; how many went away."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    moved = 0
    for part in parts(folder, kind):
        table = pq.read_table(part)
        late = pc.greater(table[column], last)
        gone = table.filter(late)
        if not gone.num_rows:
            continue
        moved += gone.num_rows
        (away / kind).mkdir(parents=True, exist_ok=True)
        pq.write_table(gone, away / kind / part.name, compression="zstd")
        if gone.num_rows == table.num_rows:
            part.unlink()
        else:
            _whole(part, [table.filter(pc.invert(late))])
    return moved


def put_together(folder: Path) -> bool:
    """Make one part of neighbours that have the same columns, a row group each, where there are many; whether any."""
    import pyarrow.parquet as pq

    changed = False
    for kind in KINDS:
        listed = parts(folder, kind)
        if len(listed) <= TOGETHER:
            continue
        new, old = folder / f".{kind}.new", folder / f".{kind}.old"
        for one in (new, old):
            shutil.rmtree(one, ignore_errors=True)
        new.mkdir()
        for at, (_, alike) in enumerate(groupby(listed, key=lambda part: pq.read_schema(part))):
            _whole(new / f"part-{at:06d}.parquet", (pq.read_table(part) for part in alike))
        (folder / kind).rename(old)
        new.rename(folder / kind)
        shutil.rmtree(old)
        changed = True
    return changed


def mend(folder: Path) -> None:
    """Finish what `put_together` was stopped in: parts lie whole on one side or the other."""
    for kind in KINDS:
        new, old, place = folder / f".{kind}.new", folder / f".{kind}.old", folder / kind
        if old.is_dir() and not place.exists():
            old.rename(place)
        for one in (new, old):
            shutil.rmtree(one, ignore_errors=True)


def _whole(part: Path, tables: list[pa.Table] | Iterator[pa.Table]) -> None:
    import pyarrow.parquet as pq

    unfinished = part.with_suffix(".parquet.new")
    writer = None
    for table in tables:
        writer = writer or pq.ParquetWriter(unfinished, table.schema, compression="zstd")
        writer.write_table(table)
    if writer:
        writer.close()
        unfinished.rename(part)
