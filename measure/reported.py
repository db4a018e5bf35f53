"""Figures published by others, tabled in `data/reported/`, written as Reported evidence.

One CSV a topic (subject, name, field, printed, unit, kind, value, of, source, note) and `sources.csv`
(citation, locator, SHA-256 of the source text quoted). A figure is kept as its source printed it. Where sources print
different values for one quantity, `differs.csv` (subject, source, differs) says so; without a note that is a conflict.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from lens.errors import UsageError
from lens.reading import Evidence, Quote, Reported, Subject

SOURCES, DIFFERS = "sources.csv", "differs.csv"


def reported(folder: Path) -> Iterator[Evidence]:
    """Every published figure under `folder`, one record for each subject and source.

    A topic file is named after the kind of its subjects (`graders.csv`). Raises UsageError naming file
    and line where a row names an unknown source or can't be read.
    """
    sources = {row["source"]: row for row in _rows(folder / SOURCES)}
    notes = {(row["subject"], row["source"]): row["differs"] for row in _rows(folder / DIFFERS)}
    for path in sorted(folder.glob("*.csv")):
        if path.name in (SOURCES, DIFFERS):
            continue
        groups: dict[tuple[str, str], dict[str, Quote]] = defaultdict(dict)
        names: dict[str, str] = {}
        for number, row in enumerate(_rows(path), start=2):
            if row["source"] not in sources:
                raise UsageError(
                    f"{path}:{number}: no source {row['source']!r}", remedy=f"add it to {folder / SOURCES}"
                )
            groups[row["subject"], row["source"]][row["field"]] = _quote(row, f"{path}:{number}")
            names[row["subject"]] = row["name"]
        for (slug, source), fields in groups.items():
            cited = sources[source]
            yield Evidence(
                instrument="reported",
                version=1,
                variant=source,
                varied={"source": source},
                subject=Subject(path.stem, slug, names[slug], f"as published by {source}"),  # type: ignore[arg-type]
                reading=Reported(
                    fields,
                    headline=next(iter(fields)),
                    citation=cited["citation"],
                    locator=cited["locator"],
                    source_digest=cited["digest"],
                    scope="Figures of others, printed as their source printed them; none was measured here.",
                ),
                differs=notes.get((slug, source), ""),
            )


def _rows(path: Path) -> list[dict[str, str]]:
    if path.name == DIFFERS and not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def _quote(row: dict[str, str], where: str) -> Quote:
    """Converted, not constructed: a word that equals a default is then that default, and its digest that of the record
    when it is read again."""
    given: dict[str, Any] = {name: row[name] for name in ("printed", "unit", "kind", "note")}
    given |= {name: number(row[name]) for name, number in _NUMBERS.items() if row[name]}
    try:
        return msgspec.convert(given, Quote)
    except (ValueError, msgspec.ValidationError) as error:
        raise UsageError(f"{where}: {error}", remedy="value and of are plain numbers, or empty") from error


_NUMBERS: dict[str, Callable[[str], float]] = {"value": float, "of": int}
