"""From a trainer's files to the flat record, in bounded memory: whoever reads a format writes through here.

writer.rollouts(path, {"step": 3, "group": uids, "score.acc": accs, "completion_text": texts})
writer.series(3, {"grad_norm": 0.41})
writer.lacks("advantage", "the classic dumper writes none", "set trainer.v1=true")
writer.found("torn-line", "the last line was cut", path, 812)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lens.errors import UsageError
from lens.runs.columns import ALWAYS, LEAF, type_of
from lens.runs.header import Finding, Gap
from lens.runs.keys import key
from lens.runs.settings import Settings

if TYPE_CHECKING:
    import pyarrow as pa

PART_ROWS = 131_072  # rollouts kept in memory before a part is written
PART_TEXT = 32 << 20  # characters, likewise
TEXTS = ("prompt_text", "completion_text")


class Writer:
    """Collects one record in `folder`, which exists and is empty. `name(path)` is how files are called in findings."""

    def __init__(self, folder: Path, base: Path) -> None:
        self.folder, self.base = folder, base
        self.settings = Settings()
        self.config: dict[str, Any] = {}
        self.trainer = ""
        self.trained: int | None = None
        self.findings: list[Finding] = []
        self.gaps: dict[str, Gap] = {}
        self.files: dict[Path, int] = {}  # and the number that stands for each
        self.rows = 0
        self._rows_of: dict[str, int] = {}  # rows that had the column
        self._spelled: dict[str, str] = {}  # by the name without case, which is all that SQL sees
        self._parts = {"rollouts": 0, "texts": 0, "series": 0, "grams": 0}
        self._held: dict[str, list[pa.Table]] = {"rollouts": [], "texts": [], "series": [], "grams": []}
        self._waiting = 0
        self._text = 0
        self._series: list[tuple[int, str, float]] = []

    def rollouts(
        self,
        path: Path,
        columns: Mapping[str, Any],
        *,
        lines: Sequence[int] | None = None,
        absent: Mapping[str, int] | None = None,
    ) -> None:
        """Rollouts of one file, in its order. A value that isn't a sequence holds for all of them.

        `step` and `group` are needed; a group's name need only be unique in its step. `prompt_text` and
        `completion_text` give `prompt`, `content` and `chars`. `lines` are their lines in the file, from 1.
        `absent` counts, by column, nulls that stand for rows without the column: those are no abstentions.

        Raises UsageError, naming the file, for columns of unequal length, a column without a place in the record,
        two whose names differ in case alone, and values that aren't of its type.
        """
        import pyarrow as pa

        size = self._size(path, columns)
        if not size:
            return
        given = {_column(name): _spread(value, size) for name, value in columns.items()}
        for name in ("step", "group"):
            if name not in given:
                raise UsageError(f"{path}: nothing says which {name} a rollout belongs to", remedy="name it with --map")
        made: dict[str, Any] = self._keys(given)
        made |= {name: value for name, value in given.items() if name not in (*TEXTS, "group")}
        made["group"] = [key(step, group) for step, group in zip(given["step"], given["group"], strict=True)]
        made["row"] = list(range(self.rows, self.rows + size))
        made["file"] = [self._index(path)] * size
        made["line"] = list(lines) if lines is not None else list(range(1, size + 1))
        try:
            arrays = {name: pa.array(value, _arrow(type_of(name))) for name, value in made.items()}
        except KeyError as error:
            raise UsageError(f"{path}: a rollout has no place for {error}") from None
        except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
            raise UsageError(f"{path}: {error}", remedy="name the columns with --map, numbers as numbers") from None
        for name in made:
            self._rows_of[name] = self._rows_of.get(name, 0) + size - (absent or {}).get(name, 0)
            if (other := self._spelled.setdefault(name.casefold(), name)) != name:
                raise UsageError(f"{path}: {name} and {other} differ in case alone", remedy="rename one with --map")
        self._hold("rollouts", pa.table(arrays))
        if texts := [name for name in TEXTS if name in given]:
            named = {name.removesuffix("_text"): pa.array(map(_unicode, given[name]), pa.string()) for name in texts}
            self._hold("texts", pa.table({"row": arrays["row"], **named}))
            self._text += sum(len(text or "") for name in texts for text in given[name])
        self.rows += size
        self._waiting += size
        if self._waiting >= PART_ROWS or self._text >= PART_TEXT:
            self._flush()

    def series(self, step: int, values: Mapping[str, float | None]) -> None:
        """Numbers the trainer logged at a step; None (never logged) leaves a gap.

        Raises UsageError for a step that is no whole number of 64 bits.
        """
        if not isinstance(step, int) or not -(2**63) <= step < 2**63:
            raise UsageError(f"{self.base}: a number is logged at step {str(step)[:40]!r}, which is no step")
        self._series += [
            (int(step), _column(name), float(value)) for name, value in values.items() if value is not None
        ]
        if len(self._series) >= PART_ROWS:
            self._flush_series()

    def gram(self, table: Mapping[str, Sequence[Any]]) -> None:
        """Steps of `lens.runs.gradients.grams`: its columns, one entry a step."""
        import pyarrow as pa

        from lens.runs.gradients.grams import SCHEMA

        self._hold("grams", pa.table({name: pa.array(table[name], SCHEMA[name]) for name in SCHEMA}))

    def lacks(self, name: str, detail: str, remedy: str) -> None:
        """A column (or `series`, `grams`) that the files don't carry, and the trainer's option that would write it."""
        self.gaps.setdefault(name, Gap(detail, remedy))

    def found(self, code: str, detail: str, path: Path | None = None, line: int = 0, rows: int = 0) -> None:
        """A finding for the record check; see `lens.runs.header.Finding`."""
        self.findings.append(Finding(code, detail, self.name(path) if path else "", line, rows))

    def torn(self, path: Path, line: int) -> None:
        """A last line that was cut, as `files.json_lines` tells it."""
        self.found("torn-line", "the last line was cut off: the file ends before it here", path, line)

    def name(self, path: Path) -> str:
        """A file's name relative to the run."""
        base = self.base if self.base.is_dir() else self.base.parent
        return path.relative_to(base).as_posix() if path.is_relative_to(base) else path.name

    def has(self, column: str) -> bool:
        """Whether any rollout so far had the column, null or not."""
        return column in self._rows_of

    def leaves(self) -> tuple[str, ...]:
        return tuple(name.removeprefix(LEAF) for name in self._rows_of if name.startswith(LEAF))

    def absent(self) -> dict[str, int]:
        """Rows without a column that other rows have."""
        return {name: self.rows - rows for name, rows in self._rows_of.items() if rows < self.rows}

    def go_on(self, rows: Mapping[str, int], parts: Mapping[str, int]) -> None:
        """Write behind what lies in the folder: rows that have each column (`row` all of them), and parts by kind."""
        self.rows = rows.get("row", 0)
        self._rows_of = dict(rows)
        self._spelled = {name.casefold(): name for name in rows}
        self._parts |= parts

    def flush(self) -> None:
        """Write what is held; a part appears under its name once it is whole."""
        self._flush()
        self._flush_series()
        for kind in ("series", "grams"):
            self._write(kind)

    def finish(self) -> None:
        """Write what is held and put rollouts in step order."""
        self.flush()
        if self._parts["rollouts"]:
            _order(self.folder / "rollouts")

    def _size(self, path: Path, columns: Mapping[str, Any]) -> int:
        sizes = {name: len(value) for name, value in columns.items() if _is_many(value)}
        if len(set(sizes.values())) > 1:
            told = ", ".join(f"{name} {size}" for name, size in sizes.items())
            raise UsageError(
                f"{path}: columns of unequal length ({told}): which rollout a value belongs to can't be known",
                remedy="write every column for every rollout, null where there is none",
            )
        return next(iter(sizes.values()), 1)

    def _keys(self, given: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        if "prompt_text" in given:
            made["prompt"] = [key(text) for text in given["prompt_text"]]
        if "completion_text" in given:
            prompts = given.get("prompt_text", [""] * len(given["completion_text"]))
            made["content"] = [key(*both) for both in zip(prompts, given["completion_text"], strict=True)]
            made["chars"] = [None if text is None else len(text) for text in given["completion_text"]]
        return made

    def _index(self, path: Path) -> int:
        return self.files.setdefault(path, len(self.files))

    def _hold(self, kind: str, table: pa.Table) -> None:
        self._held[kind].append(table)

    def _flush(self) -> None:
        for kind in ("rollouts", "texts"):
            self._write(kind)
        self._waiting = self._text = 0

    def _flush_series(self) -> None:
        import pyarrow as pa

        if self._series:
            steps, names, values = zip(*self._series, strict=True)
            self._hold("series", pa.table({"step": pa.array(steps, pa.int64()), "name": names, "value": values}))
            self._series.clear()
            self._write("series")

    def _write(self, kind: str) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        if not self._held[kind]:
            return
        whole = pa.concat_tables(self._held[kind], promote_options="default")
        place = self.folder / kind
        place.mkdir(exist_ok=True)
        part = place / f"part-{self._parts[kind]:06d}.parquet"
        pq.write_table(whole, unfinished := part.with_suffix(".parquet.new"), compression="zstd")
        unfinished.rename(part)
        self._parts[kind] += 1
        self._held[kind].clear()


def _is_many(value: Any) -> bool:
    return hasattr(value, "__len__") and not isinstance(value, (str, bytes, Mapping))


def _spread(value: Any, size: int) -> Sequence[Any]:
    return value if _is_many(value) else [value] * size


def _column(name: str) -> str:
    """A name as a column may have it: no quotes, nothing that UTF-8 can't write."""
    return name if name.isascii() and '"' not in name else name.replace('"', "'").encode("utf-8", "replace").decode()


def _unicode(text: str | None) -> str | None:
    """Text as Parquet can hold it: broken UTF-8, kept as surrogates till here, shows as the replacement character."""
    return None if text is None else text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def _arrow(name: str) -> pa.DataType:
    import pyarrow as pa

    return {"int64": pa.int64(), "double": pa.float64(), "bool": pa.bool_(), "string": pa.string()}[name]


def _order(folder: Path) -> None:
    """Put the parts in order of step and row, where they aren't, within the memory a reading may take."""
    from lens.runs.database import connect

    parts = sorted(folder.glob("*.parquet"))
    with connect() as database:
        source = f"read_parquet('{folder}/*.parquet', union_by_name=true)"
        late = "SELECT count(*) FROM (SELECT step < lag(step) OVER (ORDER BY row) AS late FROM {}) WHERE late"
        (out_of_order,) = database.execute(late.format(source)).fetchone() or (0,)
        columns = {name for name, *_ in database.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()}
        alike = all(columns == _columns_of(part) for part in parts)
        if not out_of_order and alike:
            return
        ordered = folder / "ordered.parquet.new"
        names = ", ".join(f'"{name}"' for name in [*ALWAYS, *sorted(columns - set(ALWAYS))])
        database.execute(
            f"COPY (SELECT {names} FROM {source} ORDER BY step, row) TO '{ordered}' (FORMAT parquet, COMPRESSION zstd)"
        )
    for part in parts:
        part.unlink()
    ordered.rename(folder / "part-000000.parquet")


def _columns_of(part: Path) -> set[str]:
    import pyarrow.parquet as pq

    return set(pq.read_schema(part).names)
