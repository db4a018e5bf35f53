"""One cell of a record's table as a field: `id#components/12/effect` is row 12, counted from 0, of column `effect`.

What a figure draws from a table is then looked up like any other number. A column's interval stands beside it, in
`effect-low` and `effect-high`, or in `low` and `high` right after it.
"""

from __future__ import annotations

import math
from typing import Any

from lens.reading import Columns, Interval, Label, Quantity
from site_builder.derive import LookupFailure

METHOD = "as tabled"


class UnknownCell(LookupFailure):
    """The table has no such row or column, or nothing stands there."""


def is_cell(field: str) -> bool:
    """Whether a field's name is that of a table's cell: fields of a reading hold no slash."""
    return "/" in field


def parts(field: str) -> tuple[str, int, str]:
    """Table, row and column. Raises UnknownCell where the name is not table/row/column."""
    table, _, rest = field.partition("/")
    row, _, column = rest.partition("/")
    if not (table and row.isdigit() and column):
        raise UnknownCell(f"{field!r} is not table/row/column", remedy="for example components/0/effect")
    return table, int(row), column


def cell(columns: Columns, row: int, column: str) -> Quantity | Label:
    """The value of a cell, with its interval where the table has one. Raises UnknownCell.

    >>> cell({"site": ["mlp.0"], "part": [1.5], "low": [1.0], "high": [2.0]}, 0, "part").interval.high
    2.0
    """
    if column not in columns:
        raise UnknownCell(f"no column {column!r}", remedy=f"columns: {', '.join(columns)}")
    values = columns[column]
    value = values[row] if row < len(values) else None
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        raise UnknownCell(f"nothing stands in row {row} of {column!r}")
    if isinstance(value, bool):
        return Label("yes" if value else "no")
    if isinstance(value, str):
        return Label(value)
    low, high = ends(columns, row, column)
    interval = None if low is None or high is None else Interval(low, high, METHOD)
    return Quantity(value, "", "size" if isinstance(value, int) else "score", interval=interval)


def ends(columns: Columns, row: int, column: str) -> tuple[float | None, float | None]:
    """Where the interval of a cell lies; (None, None) where the table has none."""
    for names in ((f"{column}-low", f"{column}-high"), ("low", "high")):
        if names[0] in columns and (names[0] != "low" or _before(columns, "low") == column):
            return _finite(columns[names[0]][row]), _finite(columns[names[1]][row])
    return None, None


def _before(columns: Columns, name: str) -> str:
    names = list(columns)
    at = names.index(name)
    return names[at - 1] if at else ""


def _finite(value: Any) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)
