"""The whole store at a glance: every subject by every instrument, its state and how far it is trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from site_builder import naming, wording
from site_builder.views.line import Line, line

if TYPE_CHECKING:
    from site_builder.lookup import Lookup

KINDS = ("graders", "models", "runs")


class Place(msgspec.Struct, frozen=True):
    """One subject; `lines` by instrument, those made with nothing varied."""

    kind: str
    slug: str
    name: str
    fingerprint: str
    lines: dict[str, Line]


def atlas(lookup: Lookup, kind: str = "") -> list[Place]:
    """Subjects in order of kind and name; figures that others reported alone make no place."""
    found: dict[str, dict[str, Line]] = {}
    for id_ in lookup.store.ids():
        of, slug, instrument = id_.split("/")
        if of in KINDS and "~" not in instrument and kind in ("", of):
            found.setdefault(f"{of}/{slug}", {})[instrument] = line(lookup, id_)
    places = []
    for path, lines in found.items():
        subject = lookup.record(f"{path}/{next(iter(lines))}").evidence.subject
        ordered = dict(sorted(lines.items(), key=lambda one: (wording.of(one[0]).order, one[0])))
        places.append(Place(subject.kind, subject.slug, naming.of(subject), subject.fingerprint, ordered))
    return sorted(places, key=lambda one: (KINDS.index(one.kind), one.name.lower()))
