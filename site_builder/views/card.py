"""Everything the store holds of one subject, a line an instrument, in card order."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

import msgspec

from lens.errors import UsageError
from site_builder import wording
from site_builder.views.line import Line, line

if TYPE_CHECKING:
    from site_builder.lookup import Lookup


class Card(msgspec.Struct, frozen=True):
    """`read` of `asked` lines are measured; what doesn't apply is not among those asked."""

    subject: str
    name: str
    fingerprint: str
    read: int
    asked: int
    lines: list[Line]


def card(lookup: Lookup, asked: str) -> Card:
    """`asked` is `kind/slug` or a slug alone. Raises UsageError naming the nearest where the store has none."""
    there = {"/".join(id_.split("/")[:2]) for id_ in lookup.store.ids()}
    found = sorted(one for one in there if asked.strip("/") in (one, one.partition("/")[2]))
    if len(found) != 1:
        slugs = [one.partition("/")[2] for one in there]
        near = found or difflib.get_close_matches(asked.rpartition("/")[2], slugs, n=3, cutoff=0.4)
        what = "several subjects are" if found else "no evidence of a subject"
        remedy = f"one of {', '.join(near)}" if near else "lens evidence ls prints every id"
        raise UsageError(f"{what} called {asked!r}", remedy=remedy)
    ids = [id_ for id_ in lookup.store.ids() if id_.startswith(f"{found[0]}/")]
    ordered = sorted(ids, key=lambda id_: _place(lookup, id_))
    lines = [line(lookup, id_) for id_ in ordered]
    counted = [one for one in lines if one.state in ("measured", "declined")]
    of = lookup.record(ordered[0]).evidence.subject
    return Card(found[0], of.name, of.fingerprint, sum(one.state == "measured" for one in counted), len(counted), lines)


def _place(lookup: Lookup, id_: str) -> tuple[int, str]:
    evidence = lookup.record(id_).evidence
    return wording.of(evidence.instrument).order, id_
