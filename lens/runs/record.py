"""An opened run: its header, and its rows through DuckDB, whole or by ranges of steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from lens.errors import UsageError
from lens.reading import Input
from lens.runs.header import FORMAT, Header

if TYPE_CHECKING:
    import duckdb

RANGE_ROWS = 500_000  # rollouts of a range of steps, unless one step has more
KINDS = ("rollouts", "texts", "series", "grams")


class Range(NamedTuple):
    """Steps `first` to `last`, both in it."""

    first: int
    last: int
    rows: int


@dataclass(frozen=True)
class Record:
    """`folder` holds the flat record; `name` is what a person calls the run, `spec` what they typed."""

    folder: Path
    header: Header
    name: str
    spec: str

    @contextmanager
    def database(self, span: Range | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection with the views `rollouts`, `series`, `texts`, `grams` that the record has; of a range of steps,
        where given."""
        from lens.runs.database import connect

        with connect() as database:
            where = f"WHERE step BETWEEN {span.first} AND {span.last}" if span else ""
            for kind in KINDS:
                if self.has(kind):
                    source = f"read_parquet('{_quoted(self.folder / kind)}/*.parquet', union_by_name=true)"
                    limits = "" if kind == "texts" else where
                    database.execute(f"CREATE VIEW {kind} AS SELECT * FROM {source} {limits}")
            yield database

    def sql(self, statement: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The rows of one statement over the whole record."""
        with self.database() as database:
            return database.execute(statement, parameters).fetchall()

    @property
    def kept(self) -> str:
        """SQL of whether a rollout was trained on, as far as the record says."""
        return "coalesce(trained, true)" if "trained" in self.columns else "true"

    def has(self, kind: str) -> bool:
        """Whether there are `rollouts`, `series`, `texts` or `grams`."""
        return any((self.folder / kind).glob("*.parquet"))

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Of rollouts; empty where the record has none."""
        if not self.has("rollouts"):
            return ()
        return tuple(name for name, *_ in self.sql("DESCRIBE SELECT * FROM rollouts"))

    @property
    def rows(self) -> int:
        """Rollouts, without counting anything else."""
        return sum(span.rows for span in self.ranges)

    @cached_property
    def counts(self) -> dict[str, int]:
        """`rows`, `steps`, `groups` of the rollouts; `first` and `last` step where there is any."""
        if not self.has("rollouts"):
            return {"rows": 0, "steps": 0, "groups": 0}
        found = self.sql(
            'SELECT count(*), count(DISTINCT step), approx_count_distinct("group"), min(step), max(step) FROM rollouts'
        )[0]
        if found[0] <= 2_000_000:  # exact where that is cheap; beyond, groups are counted range by range
            groups = self.sql('SELECT count(DISTINCT "group") FROM rollouts')[0][0]
        else:
            groups = sum(self._groups_in(span) for span in self.ranges)
        return {"rows": found[0], "steps": found[1], "groups": groups, "first": found[3], "last": found[4]}

    def _groups_in(self, span: Range) -> int:
        with self.database(span) as database:
            (count,) = database.execute('SELECT count(DISTINCT "group") FROM rollouts').fetchone() or (0,)
        return int(count)

    @cached_property
    def ranges(self) -> tuple[Range, ...]:
        """The steps in ranges of about half a million rollouts: fixed by the record, not by who reads it."""
        if not self.has("rollouts"):
            return ()
        found: list[Range] = []
        for step, rows in self.sql("SELECT step, count(*) FROM rollouts GROUP BY step ORDER BY step"):
            if found and found[-1].rows + rows <= RANGE_ROWS:
                found[-1] = Range(found[-1].first, step, found[-1].rows + rows)
            else:
                found.append(Range(step, step, rows))
        return tuple(found)

    def series(self, *names: str) -> dict[int, dict[str, float]]:
        """The trainer's logged numbers by step; the last one logged, where a step has several. All, without names."""
        if not self.has("series"):
            return {}
        found: dict[int, dict[str, float]] = {}
        for step, name, value in self.sql("SELECT step, name, value FROM series ORDER BY step"):
            if not names or name in names:
                found.setdefault(step, {})[name] = value
        return found

    def as_input(self) -> Input:
        """It is looked for again as a run: its digest is the fingerprint, of the files that its format reads."""
        return Input("record", self.name, self.header.fingerprint, f"run:{self.spec}", self.rows or None)


def open_folder(folder: Path, name: str, spec: str) -> Record:
    """The flat record in a folder. Raises UsageError where its header can't be read or is another version's."""
    path = folder / "record.json"
    try:
        header = msgspec.json.decode(path.read_bytes(), type=Header)
    except (OSError, msgspec.DecodeError, msgspec.ValidationError) as error:
        raise UsageError(f"{path}: {error}", remedy="is it a flat record that this version wrote?") from None
    if header.format != FORMAT:
        raise UsageError(f"{path} says {header.format!r}; this version reads {FORMAT!r}")
    return Record(folder, header, name, spec)


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")
