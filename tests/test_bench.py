"""A benchmark's table as evidence: ranges of runs become intervals, and the ratio's is the widest they allow."""

from __future__ import annotations

import pytest

from bench.__main__ import columns, evidence
from lens.reading import Interval, Measured, Quantity

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


def test_ranges_become_intervals() -> None:
    reading = evidence("site", [RANGED]).reading
    assert isinstance(reading, Measured)
    found = {name: field.interval for name, field in reading.fields.items() if isinstance(field, Quantity)}
    assert found["site-built.ours"] == Interval(0.8, 1.25, "min-max", 1.0)
    assert found["site-built.ratio"] == Interval(2.0, 5.0, "min-max", 1.0)


@pytest.mark.parametrize(("row", "kind"), [(RANGED, "duration"), (COUNTED, "size")])
def test_seconds_are_durations_and_nothing_else_is(row: dict[str, object], kind: str) -> None:
    reading = evidence("site", [row]).reading
    assert isinstance(reading, Measured)
    field = reading.fields[f"{row['name']}.ours"]
    assert isinstance(field, Quantity)
    assert field.kind == kind


def test_the_table_keeps_the_ends_of_the_ranges() -> None:
    table = columns([RANGED, COUNTED])
    assert table["name"] == ["site-built", "caught"]
    assert (table["ours_low"], table["peer_high"]) == ([0.8, None], [4.0, None])
