"""What figures of a run's series share: names and units of series, and a series' rows of a long table."""

from __future__ import annotations

from typing import Any

from lens.errors import UsageError
from lens.reading import Columns
from site_builder.wording import plain

UNITS = {
    "within-group-variance": "reward²",
    "dead-groups": "share of groups",
    "reward": "reward",
    "length": "tokens or characters",
    "reward-length": "correlation",
    "entropy": "nats",
    "kl": "nats a response",
    "kl-per-token": "nats a token",
    "ess": "share of rollouts",
    "gradient-norm": "norm",
    "exploits": "share of rollouts",
    "gold": "gold score",
}
_SERIES = {
    "within-group-variance": "variance inside a group",
    "dead-groups": "groups with equal rewards",
    "reward-length": "reward against length",
    "kl": "KL, a response",
    "kl-per-token": "KL, a token",
    "ess": "effective sample",
    "exploits": "exploits",
    "gold": "trusted grader",
}


def series_name(name: str) -> str:
    return _SERIES.get(name, plain(name))


def places(table: Columns, **wanted: Any) -> list[int]:
    """The rows of a table where every named column has this value."""
    names = list(wanted)
    size = len(table[names[0]]) if names else 0
    return [at for at in range(size) if all(table[name][at] == wanted[name] for name in names)]


def first_of(table: Columns, asked: str) -> str:
    """The series asked for, else the first the table has. Raises UsageError for one it lacks, or where it has none."""
    there = list(dict.fromkeys(table.get("series", [])))
    if not there or (asked and asked not in there):
        what = f"no series {asked!r}" if asked else "no series at all"
        raise UsageError(f"the record holds {what}", remedy=f"one of {', '.join(there)}" if there else "another record")
    return asked or there[0]
