"""Run every benchmark and print its ratios; `--write` keeps the table as evidence.

A row is `name, ours, peer, peer_version, ratio, unit, note`: medians of several alternating runs in one
process or one script, CPU seconds unless `unit` says otherwise, `ratio` = peer ÷ ours (above 1: we are faster).
`ours_range` and `peer_range`, where a row has them, are the least and the most of the runs.
Peers install in environments of their own under `.cache/bench/`.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import bench
from lens.reading import Declined, Evidence, Interval, Kind, Label, Measured, Quantity, Subject

COLUMNS = ("name", "ours", "peer", "peer_version", "ratio", "unit", "note")


def modules(only: list[str]) -> list[str]:
    names = sorted(info.name for info in pkgutil.iter_modules(bench.__path__) if not info.name.startswith("_"))
    unknown = set(only) - set(names)
    if unknown:
        raise SystemExit(f"no benchmark named {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    return [name for name in names if not only or name in only]


Rows = list[dict[str, Any]]


def evidence(name: str, rows: Rows | Declined, machine: Mapping[str, str]) -> Evidence:
    """The table of one benchmark as a record, or why it could not be run here.

    `machine` is where it ran, as `measure.machine` describes it: seconds mean nothing without its size.
    """
    return Evidence(
        instrument="bench",
        version=1,
        variant=name,
        varied={"benchmark": name},
        subject=Subject("project", "evidence-lens", "evidence-lens", "bench"),
        reading=rows if isinstance(rows, Declined) else measured(rows, machine),
        repeatable=False,
    )


def measured(rows: Rows, machine: Mapping[str, str]) -> Measured:
    """Up to four fields a row, with the range of the runs where it was kept."""
    fields: dict[str, Quantity | Label] = {}
    for row in rows:
        for side in ("ours", "peer"):
            if row[side] is not None:
                fields[f"{row['name']}.{side}"] = Quantity(
                    row[side],
                    unit=row["unit"],
                    kind=_kind(row),
                    of=row.get("of"),
                    interval=_range(row.get(f"{side}_range")),
                    note=row["note"],
                )
        if row["ratio"] is not None:
            interval = _range(_ratio_range(row))
            fields[f"{row['name']}.ratio"] = Quantity(
                row["ratio"], unit="times", kind="ratio", interval=interval, note=row["note"]
            )
        fields[f"{row['name']}.peer-version"] = Label(row["peer_version"])
    fields["machine"] = Label("{cores} cores, {memory}, {processor}, {system}, Python {python}".format_map(machine))
    return Measured(
        fields,
        headline=next(iter(fields)),
        scope="Medians of several runs on one machine, beside the peer; other machines give other seconds.",
    )


def columns(rows: Rows) -> dict[str, list[Any]]:
    """The table as it was printed, and the ends of the ranges."""
    table = {key: [row[key] for row in rows] for key in COLUMNS}
    for side in ("ours", "peer"):
        for at, end in enumerate(("low", "high")):
            table[f"{side}_{end}"] = [row[f"{side}_range"][at] if f"{side}_range" in row else None for row in rows]
    return table


def _kind(row: dict[str, Any]) -> Kind:
    if "of" in row:
        return "count"
    return "duration" if row["unit"].split()[-1] == "s" else "size"


def _range(ends: list[float] | None) -> Interval | None:
    return Interval(ends[0], ends[1], "min-max", 1.0) if ends else None


def _ratio_range(row: dict[str, Any]) -> list[float] | None:
    """The least and the most the ratio can be, from the slowest and fastest run of either side."""
    ours, peer = row.get("ours_range"), row.get("peer_range")
    return [peer[0] / ours[1], peer[1] / ours[0]] if ours and peer else None


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("names", nargs="*", help="benchmarks to run; all by default")
    parser.add_argument("--write", action="store_true", help="keep the tables as evidence under data/")
    options = parser.parse_args()
    tables: dict[str, tuple[Rows | Declined, float]] = {}
    for name in modules(options.names):
        start = time.perf_counter()
        rows = importlib.import_module(f"bench.{name}").run()
        tables[name] = (rows, time.perf_counter() - start)
        show(name, rows)
    if options.write:
        write(tables)


def show(name: str, rows: Rows | Declined) -> None:
    if isinstance(rows, Declined):
        print(f"{name}: {rows.reason}, {rows.detail}; {rows.remedy}")
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(title=name, title_justify="left")
    for column in ("what", "ours", "peer", "peer ÷ ours", "unit", "note"):
        table.add_column(column)
    for row in rows:
        cells = (f"{row[key]:.4g}" if row[key] is not None else "" for key in ("ours", "peer", "ratio"))
        ours, peer, ratio = cells
        table.add_row(row["name"], ours, f"{peer} ({row['peer_version']})", ratio, row["unit"], row["note"])
    Console(width=160).print(table)


def write(tables: dict[str, tuple[Rows | Declined, float]]) -> None:
    from measure.machine import machine
    from measure.store import Made, Store

    store = Store.open(Path("data"))
    now = datetime.now(UTC).isoformat(timespec="seconds")
    batch = [
        (
            evidence(name, rows, machine()),
            {} if isinstance(rows, Declined) else {"rows": columns(rows)},
            Made(
                time=now,
                seconds=seconds,
                cpu_seconds=seconds,
                calls=0,
                command="make bench",
                machine=machine(),
                revision="",
            ),
        )
        for name, (rows, seconds) in tables.items()
    ]
    print("kept:", ", ".join(store.write(batch)) or "nothing new")


if __name__ == "__main__":
    main()
