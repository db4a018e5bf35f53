"""Digests a page prints the start of. One start in a few hundred is all digits, or digits around an e."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lens.reading import Reported

if TYPE_CHECKING:
    from measure.store import Store

_START = re.compile(r"[0-9a-f]{12,64}")  # pages print twelve digits or more


def is_digest(text: str, store: Store) -> bool:
    """Whether `text` is the start of a digest the store holds: of a record, a file, a subject, an input or a source."""
    return bool(_START.fullmatch(text)) and any(digest.startswith(text) for digest in _digests(store))


def _digests(store: Store) -> Iterator[str]:
    for id_ in store.ids():
        for line in store.history(id_):
            yield from (
                line.digest,
                line.file,
                line.subject,
                *line.tables.values(),
                *(one.digest for one in line.inputs),
            )
        if store.line(id_).reading == "reported":
            reading = store.record(id_).evidence.reading
            if isinstance(reading, Reported):
                yield reading.source_digest
