"""The sheet a number opens, and the one a decline opens: what it is, from what, who could see it, how sure.

A sheet is the same on every page but for its id and the way back to the root, so it is rendered once a build with
two marks in their place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from lens.reading import Interval, Quantity, Quote
from site_builder import links, wording
from site_builder.lookup import Cited

if TYPE_CHECKING:
    from site_builder.context import Page, Site

_ROOT, _ID = "\x00root\x00", "\x00id\x00"
_SHOWN_PAGES = 3
_WIDTH = 240  # px of the little range in a sheet


class Sheets:
    """Renders sheets for a whole build, each once."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self._number = site.env.get_template("sheet.html")
        self._declined = site.env.get_template("sheet_declined.html")
        self._made: dict[str, str] = {}

    def of(self, page: Page) -> Markup:
        """Every sheet of a page, in the order its numbers first stand there."""
        root = links.root(page.path)
        parts = []
        for index, (key, ref) in enumerate(page.sheets.items(), start=1):
            if key not in self._made:
                self._made[key] = self._sheet(self.site.lookup.cite(ref)) if ref else self._declined_sheet(key)
            parts.append(self._made[key].replace(_ROOT, root).replace(_ID, f"n{index}"))
        return Markup("".join(parts))

    def _sheet(self, cited: Cited) -> str:
        if cited.derived:
            return self._number.render(root=_ROOT, id=_ID, cited=cited, parents=cited.parents, **self._pages(cited.ref))
        record = cited.record
        subject = record.evidence.subject
        unit = getattr(cited.field, "unit", "")
        return self._number.render(
            root=_ROOT,
            id=_ID,
            cited=self.site.lookup.cite(f"{cited.id}#{cited.field_name}"),
            parents=(),
            record=record,
            reported=isinstance(cited.field, Quote),
            sentence=wording.phrase(record.evidence.instrument, cited.field_name, subject.name, unit),
            range=range_of(cited.field) if isinstance(cited.field, Quantity) else None,
            access=wording.access(record.evidence.access),
            links=links,
            **self._pages(f"{cited.id}#{cited.field_name}"),
        )

    def _pages(self, key: str) -> dict[str, Any]:
        pages = self.site.quoted_on.get(key, [])
        return {"pages": pages[:_SHOWN_PAGES], "more": len(pages) > _SHOWN_PAGES, "lookup": self.site.lookup}

    def _declined_sheet(self, key: str) -> str:
        id_, _, name = key.partition("#")
        record, declined = self.site.lookup.record(id_), self.site.lookup.field(id_, name)
        return self._declined.render(
            root=_ROOT, id=_ID, key=key, name=name, record=record, declined=declined, lookup=self.site.lookup,
            title=f"{wording.of(record.evidence.instrument).title}, {wording.plain(name)}", wording=wording, links=links,
        )  # fmt: skip


def range_of(field: Quantity) -> dict[str, float] | None:
    """Where value and interval stand on a line from nothing to all, in px; None where the quantity is no share."""
    if field.kind == "proportion":
        share = float(field.value)
    elif field.of:
        share = field.value / field.of
    else:
        return None
    interval = field.interval or Interval(share, share, "")
    at = {"low": interval.low, "value": share, "high": interval.high}
    return {name: round(5 + max(0.0, min(1.0, place)) * (_WIDTH - 10), 1) for name, place in at.items()}
