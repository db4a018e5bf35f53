"""Ways in which a run's files are found broken, each drawn by Hypothesis and applied to one file of a copy."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

WRONG: list[Any] = [
    None, math.nan, math.inf, -math.inf, "0.5", "", "<script>alert(1)</script><b>", "\udcff\ud800", 'a"b', [], {},
    [1, [2, None]], {"a": {"b": None}}, True, 2**70, -1, 1e308, 0.1, "x" * 300, [{"role": 1}],
]  # fmt: skip
DELETE, RENAME = object(), object()


def damage(draw: Callable[[Any], Any], path: Path) -> str:
    """Damage one file in place; what was done, for the report."""
    ways: dict[str, Callable[[Callable[[Any], Any], Path], str]] = {
        "bytes": _bytes, "bytes again": _bytes, "gone": _gone, "empty": _empty,
    }  # fmt: skip
    kind = "".join(path.suffixes[-2:]) if path.suffix == ".gz" else path.suffix
    structured = {
        ".jsonl": _lines, ".jsonl.gz": _lines, ".json": _whole, ".csv": _cells, ".parquet": _columns, ".eval": _members,
    }  # fmt: skip
    if kind in structured:
        ways |= {f"values {at}": structured[kind] for at in range(4)}
    how = draw(st.sampled_from(sorted(ways)))
    return f"{path.name}: {how}: {ways[how](draw, path)}"


def _gone(_draw: Callable[[Any], Any], path: Path) -> str:
    path.unlink()
    return "removed"


def _empty(_draw: Callable[[Any], Any], path: Path) -> str:
    path.write_bytes(b"")
    return "emptied"


def _bytes(draw: Callable[[Any], Any], path: Path) -> str:
    data = bytearray(path.read_bytes())
    if not data:
        return "was empty"
    at = draw(st.integers(0, len(data) - 1))
    how = draw(st.sampled_from(["cut", "flip", "drop", "repeat", "insert"]))
    if how == "cut":
        data = data[:at]
    elif how == "flip":
        data[at] ^= 1 << draw(st.integers(0, 7))
    elif how == "drop":
        del data[at : at + draw(st.integers(1, 64))]
    elif how == "repeat":
        data[at:at] = data[at : at + draw(st.integers(1, 64))]
    else:
        data[at:at] = draw(st.binary(min_size=1, max_size=8)) + b"\xff\xfe"
    path.write_bytes(bytes(data))
    return f"{how} at {at}"


def _lines(draw: Callable[[Any], Any], path: Path) -> str:
    """One value of one row, in one shard: what others of the run have stays."""
    zipped = path.suffix == ".gz"
    data = gzip.decompress(path.read_bytes()) if zipped else path.read_bytes()
    lines = data.decode("utf-8", "surrogateescape").splitlines(keepends=True)
    if not lines:
        return "was empty"
    at = draw(st.integers(0, len(lines) - 1))
    try:
        row = json.loads(lines[at])
    except ValueError:
        return "was no JSON"
    row, told = _changed(draw, row)
    lines[at] = json.dumps(row) + "\n"
    made = "".join(lines).encode("utf-8", "surrogateescape")
    path.write_bytes(gzip.compress(made, mtime=0) if zipped else made)
    return f"line {at + 1} {told}"


def _whole(draw: Callable[[Any], Any], path: Path) -> str:
    try:
        value = json.loads(path.read_bytes())
    except ValueError:
        return "was no JSON"
    value, told = _changed(draw, value)
    path.write_text(json.dumps(value))
    return told


def _members(draw: Callable[[Any], Any], path: Path) -> str:
    """One value in one JSON member of a ZIP file, whose other members stay."""
    from lens.runs.formats.zipped import Zipped

    with Zipped(path) as held:
        members = {name: held.read(name) for name in held.names}
    name = draw(st.sampled_from(sorted(members)))
    value, told = _changed(draw, json.loads(members[name]))
    members[name] = json.dumps(value).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for one, data in members.items():
            made.writestr(one, data)
    return f"{name} {told}"


def _changed(draw: Callable[[Any], Any], value: Any) -> tuple[Any, str]:
    """A JSON value with one place in it wrong, missing or under another name."""
    if not isinstance(value, (dict, list)) or not value:
        return draw(st.sampled_from(WRONG)), "replaced"
    here = draw(st.sampled_from(sorted(value) if isinstance(value, dict) else range(len(value))))
    inner = value[here]
    if isinstance(inner, (dict, list)) and inner and draw(st.booleans()):
        value[here], told = _changed(draw, inner)
        return value, f"{here}.{told}"
    what = draw(st.sampled_from([*range(len(WRONG)), "delete", "rename"]))
    if what == "delete":
        del value[here]
    elif what == "rename" and isinstance(value, dict):
        value[f"{here}2"] = value.pop(here)
    else:
        value[here] = WRONG[what] if isinstance(what, int) else None
    return value, f"{here} {what}"


def _cells(draw: Callable[[Any], Any], path: Path) -> str:
    rows = list(csv.reader(io.StringIO(path.read_text())))
    at = draw(st.integers(0, len(rows) - 1))
    cell = draw(st.integers(0, len(rows[at]) - 1))
    rows[at][cell] = draw(st.sampled_from(["", "nan", "inf", "high", "1_0", "<b>", "1e400", " 1", '"', "é"]))
    if draw(st.booleans()):
        rows[at] = rows[at][:-1]
    made = io.StringIO()
    csv.writer(made).writerows(rows)
    path.write_text(made.getvalue())
    return f"row {at} cell {cell} {rows[at]}"


def _columns(draw: Callable[[Any], Any], path: Path) -> str:
    """A column that is another type, gone, empty, under another name, or a table without rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    name = draw(st.sampled_from(table.column_names))
    at, size = table.column_names.index(name), table.num_rows
    how = draw(st.sampled_from(["text", "null", "gone", "name", "rows", "lists", "nan", "whole", "twice"]))
    values: dict[str, Any] = {
        "text": pa.array(["<b>0.5"] * size),
        "null": pa.nulls(size),
        "lists": pa.array([[1.0, None]] * size),
        "nan": pa.array([math.nan] * size),
        "whole": pa.array([2**62] * size, pa.int64()),
    }
    if how == "gone":
        table = table.drop_columns([name])
    elif how == "name":
        table = table.rename_columns([f"{one}2" if one == name else one for one in table.column_names])
    elif how == "rows":
        table = table.slice(0, 0)
    elif how == "twice":
        table = pa.concat_tables([table, table])
    else:
        table = table.set_column(at, name, values[how])
    pq.write_table(table, path)
    return f"{name} {how}"
