"""A benchmark's table as evidence: ranges of runs become intervals, and the ratio's is the widest they allow."""

from __future__ import annotations

import os
import platform

import pytest

from bench.__main__ import columns, evidence
from lens.reading import Interval, Label, Measured, Quantity
from measure.machine import machine

RANGED = {
    "name": "site-built",
    "ours": 1.0,
    "peer": 3.0,
    "peer_version": "peer 1.0",
    "ratio": 3.0,
    "unit": "CPU s",
    "note": "a note",
    "ours_range": [0.8, 1.25],
    "peer_range": [2.5, 4.0],
}
COUNTED = {**{key: RANGED[key] for key in ("peer_version", "note")}, "name": "caught", "ours": 61, "peer": 4}
COUNTED |= {"ratio": None, "unit": "of 61 texts"}


MACHINE = {"processor": "A CPU", "cores": "2", "memory": "24 GiB", "system": "Linux 6.1", "python": "3.11.7"}


def test_the_machine_and_its_size_are_said() -> None:
    reading = evidence("site", [RANGED], {**MACHINE, "lens": "0.1.0"}).reading
    assert isinstance(reading, Measured)
    assert reading.fields["machine"] == Label("2 cores, 24 GiB, A CPU, Linux 6.1, Python 3.11.7")
    assert reading.headline == "site-built.ours"


def test_this_machine_can_be_said() -> None:
    reading = evidence("site", [RANGED], machine()).reading
    assert isinstance(reading, Measured)
    said = reading.fields["machine"]
    assert isinstance(said, Label)
    assert said.value.startswith(f"{os.cpu_count()} cores, ")
    assert said.value.endswith(f"Python {platform.python_version()}")


def test_ranges_become_intervals() -> None:
    reading = evidence("site", [RANGED], MACHINE).reading
    assert isinstance(reading, Measured)
    found = {name: field.interval for name, field in reading.fields.items() if isinstance(field, Quantity)}
    assert found["site-built.ours"] == Interval(0.8, 1.25, "min-max", 1.0)
    assert found["site-built.ratio"] == Interval(2.0, 5.0, "min-max", 1.0)


@pytest.mark.parametrize(("row", "kind"), [(RANGED, "duration"), (COUNTED, "size")])
def test_seconds_are_durations_and_nothing_else_is(row: dict[str, object], kind: str) -> None:
    reading = evidence("site", [row], MACHINE).reading
    assert isinstance(reading, Measured)
    field = reading.fields[f"{row['name']}.ours"]
    assert isinstance(field, Quantity)
    assert field.kind == kind


def test_the_table_keeps_the_ends_of_the_ranges() -> None:
    table = columns([RANGED, COUNTED])
    assert table["name"] == ["site-built", "caught"]
    assert (table["ours_low"], table["peer_high"]) == ([0.8, None], [4.0, None])
