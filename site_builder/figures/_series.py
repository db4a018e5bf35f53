"""Small panels of a run's series by step, each on its own scale: their units differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lens.reading import Columns
from site_builder.figures import _steps
from site_builder.figures._readings import Reader
from site_builder.figures._sheet import SMALL, TEXT, Line, Panel, Sheet, axis, measure
from site_builder.svg import Run
from site_builder.svg.scales import nice

POINTS = 67  # of a series in a small panel; longer ones are drawn at a uniform stride, their ends among the points
LEFT = 48.0
HEAD = 24.0
_WORDS = {"kl": "KL", "ess": "effective sample size", "within-group-variance": "variance inside groups"}


class Track(NamedTuple):
    """One series: its rows in the table, in step order."""

    name: str
    rows: list[int]


def tracks(table: Columns) -> list[Track]:
    rows: dict[str, list[int]] = {}
    for at, name in enumerate(table.get("series", [])):
        rows.setdefault(name, []).append(at)
    return [Track(name, some) for name, some in rows.items()]


def words(name: str) -> str:
    """A series as it is written in text."""
    return _WORDS.get(name, name.replace("-", " "))


def thinned(rows: Sequence[int], most: int = POINTS) -> list[int]:
    """At most `most` rows at a uniform stride, the ends among them."""
    return [rows[at] for at in _steps.shown(len(rows), most)]


def unit(reader: Reader, name: str) -> str:
    """What a series is counted in, as the series' own record says; "" where there is none."""
    own = reader if reader.id.endswith("/series") else reader.neighbour("series")
    for part in ("first", "last", "change"):
        field = own.quantity(f"{name}.{part}") if own else None
        if field is not None:
            return field.unit
    return ""


def panel(
    sheet: Sheet,
    steps: Sequence[int],
    reach: Sequence[float],
    place: tuple[float, float, float, float],
    head: tuple[Line, Line],
) -> tuple[Panel, list[float]]:
    """A panel at `place` (left, top, width, height) under its head; its y ticks."""
    left, top, width, height = place
    name, said = head
    sheet.text(left, top + 8, name, size=TEXT)
    if said:
        sheet.text(left + width, top + 8, said, anchor="right", size=SMALL, tone="ink2")
    low, high = min(reach), max(reach)
    ticks = nice(low, high, 3) if low < high else nice(min(low, 0.0), max(high, 0.0) or 1.0, 2)
    made = sheet.panel(
        left + LEFT, top + HEAD, width - LEFT - 14, height, _steps.steps_axis(steps, count=4 if width < 420 else 6),
        axis(ticks[0], ticks[-1], ticks=ticks, grid=True),
    )  # fmt: skip
    return made, ticks


def heading(name: str, unit: str, room: float) -> list[Run]:
    """A panel's name, with its unit where there is room."""
    found = [Run(words(name), bold=True)]
    longer = [*found, Run(f", {unit}", tone="ink3")]
    return longer if unit and measure(longer) <= room else found
