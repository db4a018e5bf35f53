"""`data/published.jsonl`: what each published build held, one line a publication, appended by the publishing workflow.

A line is `{"time": ..., "records": {id: content digest}, "allowed": {class: digits}}`. The build writes the line for
`published.json`, so that publishing is `cat _site/published.json >> data/published.jsonl`.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from lens.errors import StoreError
from site_builder.context import Site


class Publication(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One published state. `time` is that of the newest evidence in it."""

    time: str
    records: dict[str, str]
    allowed: dict[str, int] = {}  # digits that stood without evidence, by token class


class Change(msgspec.Struct, frozen=True):
    """What one publication did to the one before. `live` is False for ids that no longer have a page."""

    time: str
    added: list[str]
    changed: list[str]
    withdrawn: list[str]

    @property
    def any(self) -> bool:
        return bool(self.added or self.changed or self.withdrawn)


def current(site: Site, allowed: dict[str, int]) -> Publication:
    return Publication(site.clock, {line.id: line.digest for line in site.store.manifest()}, allowed)


def read(data: Path) -> list[Publication]:
    """Every publication, oldest first. Raises StoreError naming the file where a line can't be read."""
    path = data / "published.jsonl"
    if not path.is_file():
        return []
    try:
        return msgspec.json.Decoder(Publication).decode_lines(path.read_bytes())
    except (msgspec.DecodeError, ValueError) as error:
        raise StoreError(f"{path}: {error}", remedy=f"git checkout -- {path}") from error


def changes(publications: list[Publication]) -> list[Change]:
    """What each publication changed, newest first; the first one added everything in it."""
    made = []
    before: dict[str, str] = {}
    for one in publications:
        made.append(
            Change(
                one.time,
                sorted(one.records.keys() - before.keys()),
                sorted(id_ for id_ in one.records.keys() & before.keys() if one.records[id_] != before[id_]),
                sorted(before.keys() - one.records.keys()),
            )
        )
        before = one.records
    return made[::-1]
