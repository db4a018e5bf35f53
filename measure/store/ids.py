"""Ids: `<kind>/<subject>/<instrument>[~<variant>]`, which is the record's path and its place on the site."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from lens.errors import UsageError
from lens.reading import Evidence, fields_of

_WORD = r"[a-z0-9]+(?:[._-][a-z0-9]+)*"
_KEBAB = r"[a-z0-9]+(?:-[a-z0-9]+)*"
_ID = re.compile(rf"({_KEBAB})/({_WORD})/({_KEBAB})(?:~({_WORD}))?")
_TABLE = re.compile(_KEBAB)
_FIELD = re.compile(rf"{_KEBAB}(?:\.{_KEBAB})*")


class UnknownIdError(UsageError):
    """No live record has this id; the message names the nearest ones."""


class Parts(NamedTuple):
    """An id taken apart; `variant` is empty for the reading that pages quote by default."""

    kind: str
    slug: str
    instrument: str
    variant: str

    @property
    def subject(self) -> str:
        return f"{self.kind}/{self.slug}"


def parts(id: str) -> Parts:
    """Take an id apart. Raises UsageError where it doesn't have the shape of one."""
    match = _ID.fullmatch(id)
    if match is None:
        raise UsageError(
            f"{id!r} is not an evidence id",
            remedy="<kind>/<subject>/<instrument>[~<variant>], lower case, as `lens evidence ls` prints them",
        )
    return Parts(*(group or "" for group in match.groups()))


def check_names(evidence: Evidence, tables: Iterable[str]) -> str:
    """The evidence's id, once it, its field names and its table names are fit for paths and references."""
    id = evidence.id
    parts(id)
    for name in fields_of(evidence.reading):
        if not _FIELD.fullmatch(name):
            raise UsageError(f"{id}: field {name!r} is not lower-case kebab words joined by dots")
    for name in tables:
        if not _TABLE.fullmatch(name):
            raise UsageError(f"{id}: table {name!r} is not a lower-case kebab word")
    return id


def record_path(id: str) -> str:
    """Where a live record lies, relative to the store's root."""
    return f"evidence/{id}.json"


def table_path(id: str, table: str) -> str:
    """Where a live record's table lies, relative to the store's root."""
    return f"evidence/{id}.{table}.parquet"


def retired_path(digest: str, table: str = "") -> str:
    """Where a superseded record, or one of its tables, lies, relative to the store's root."""
    return f"superseded/{digest}.{table}.parquet" if table else f"superseded/{digest}.json"


def nearest(id: str, known: Iterable[str], limit: int = 3) -> list[str]:
    """The known ids most like `id`, best first: shared parts weigh more than shared letters."""
    from difflib import SequenceMatcher

    wanted = _words(id)
    matcher = SequenceMatcher(b=id, autojunk=False)
    scored: list[tuple[float, str]] = []
    for candidate in known:
        shared = len(wanted & _words(candidate))
        matcher.set_seq1(candidate)
        if shared > 1 or matcher.quick_ratio() >= 0.7:
            scored.append((-shared - matcher.ratio(), candidate))
    return [candidate for _, candidate in sorted(scored)[:limit]]


def _words(id: str) -> set[str]:
    return set(re.split(r"[/~]", id))
