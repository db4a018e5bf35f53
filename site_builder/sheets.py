"""The sheet a number opens, and the one a decline opens: what it is, from what, who could see it, how sure.

A sheet is the same on every page but for its id, the way back to the root and what it calls that page, so it is made
once a build with two marks in their place; what it says of its record is shared by all fields of that record. There
are thousands in a site, so they are put together here and not in a template.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from lens.reading import Declined, Interval, Quantity, Quote
from site_builder import links, naming, wording
from site_builder.env import codeish
from site_builder.lookup import Cited

if TYPE_CHECKING:
    from measure.store import Record
    from site_builder.context import Site

_ROOT, _ID = "\x00root\x00", "\x00id\x00"
SHOWN = 3  # pages named in a sheet; the record's page has all
_WIDTH = 240  # px of the little range in a sheet, as in the stylesheet


class Sheets:
    """Makes sheets for a whole build, each once."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.lookup = site.lookup
        self._made: dict[str, str] = {}
        self._records: dict[str, str] = {}

    def of(self, path: str, shown: dict[str, str]) -> Markup:
        """Every sheet of the page at `path`, in the order its numbers first stand there."""
        root = links.root(path)
        here = re.compile(f'<a href="{re.escape(_ROOT + links.to_page(path))}">[^<]*</a>')
        parts = []
        for index, (key, ref) in enumerate(shown.items(), start=1):
            if key not in self._made:
                self._made[key] = self._make(key, ref)
            made = here.sub("this page", self._made[key])
            parts.append(made.replace(_ROOT, root).replace(_ID, f"n{index}"))
        return Markup("".join(parts))

    def _make(self, key: str, ref: str) -> str:
        if not ref:
            return self._declined(key)
        cited = self.lookup.cite(ref)
        return self._derived(cited) if cited.derived else self._number(key, cited)

    def _number(self, key: str, cited: Cited) -> str:
        record, field = cited.record, cited.field
        evidence = record.evidence
        value = self._stamp(key)
        said = wording.phrase(
            evidence.instrument, cited.field_name, naming.of(evidence.subject), getattr(field, "unit", "")
        )
        if isinstance(field, Quote):
            value, drawn = f"“{value}”", ""
            rows = _row("published by", f"{self._said(record, 'citation')}, {self._said(record, 'locator')}")
        else:
            drawn = self._range(key, field) if isinstance(field, Quantity) else ""
            rows = (self._spread(key, field) if isinstance(field, Quantity) else "") + self._of_record(record)
        rows += self._pages(key) + _row("id", f"<code>{escape(key)}</code>")
        return _sheet(value, str(codeish(said)), drawn, rows, _go(cited.id, cited.field_name))

    def _derived(self, cited: Cited) -> str:
        rows = "".join(
            _row(
                "and" if at else "from",
                f'{self._stamp(one.ref)} <a href="{_record(one.id, one.field_name)}">'
                f"<code>{escape(one.id)}#{escape(one.field_name)}</code></a>",
            )
            for at, one in enumerate(cited.parents)
        )
        rows += self._pages(cited.ref) + _row("as", f"<code>{escape(cited.ref)}</code>")
        return _sheet(self._stamp(cited.ref), "Worked out from the numbers below.", "", rows, "")

    def _declined(self, key: str) -> str:
        id_, _, name = key.partition("#")
        record, declined = self.lookup.record(id_), self.lookup.field(id_, name)
        assert isinstance(declined, Declined)
        rows = _row("reason", wording.plain(declined.reason.replace("_", " ")))
        for what in ("needs", "has", "bound"):
            if text := self.lookup.said(f"{key}@{what}"):
                rows += _row(what, _said(f"{key}@{what}", text))
        rows += _row("id", f"<code>{escape(key)}</code>")
        head = f"Declined: {escape(wording.title(record.evidence.instrument, name))}"
        remedy = f'<p class="cmd">{_said(f"{key}@remedy", declined.remedy, "code")}</p>\n'
        what = _said(f"{key}@detail", declined.detail)
        return _sheet(head, what, "", rows, remedy + _go(id_, name), small=True)

    def _range(self, key: str, field: Quantity) -> str:
        """The share as a dot on a line from none to all, its interval as a thicker stretch; nothing for other kinds.

        The line is the same for all, so the stylesheet draws it.
        """
        at = range_of(field)
        if at is None:
            return ""
        stretch = f'<path class="in" d="M{at[0]} 8H{at[2]}"/>' if at[0] < at[2] else ""
        return (
            f'<svg class="range" viewBox="0 0 {_WIDTH} 16" aria-hidden="true">'
            f'{stretch}<circle cx="{at[1]}" cy="8" r="4"/></svg>\n'
            f'<p class="ends"><span>none</span>{self._stamp(f"{key}|pct")}<span>all</span></p>\n'
        )

    def _spread(self, key: str, field: Quantity) -> str:
        parts = []
        interval = field.interval
        if interval is not None and interval.low == interval.high:
            parts.append("none, nothing was sampled")
        elif interval is not None:
            level = _said(f"{key}@level", self.lookup.said(f"{key}@level"))
            fmt = "pctinterval" if field.of or field.kind == "proportion" else "interval"
            parts.append(f"{escape(interval.method)} {level}: {self._stamp(f'{key}|{fmt}')}")
        if field.n is not None and (field.n != field.of or field.n_eff is not None):
            unique = "" if field.n_eff is None else f", {self._stamp(f'{key}|neff')} of them unique"
            parts.append(f"n {self._stamp(f'{key}|n')}{unique}")
        control = _row("control", f"<code>{escape(field.control)}</code>") if field.control else ""
        return (_row("interval, n", "; ".join(parts)) if parts else "") + control

    def _of_record(self, record: Record) -> str:
        if record.id not in self._records:
            evidence = record.evidence
            names = [self._name(record, at) for at in range(len(evidence.inputs))]
            made_from = f"; {', '.join(names)}" if names else ""
            subject = f"{codeish(naming.of(evidence.subject))} <code>{escape(evidence.subject.fingerprint[:12])}</code>"
            self._records[record.id] = (
                _row("from", subject + made_from)
                + _row("access", wording.access(evidence.access))
                + _row("trust", self._said(record, "trust"))
            )
        return self._records[record.id]

    def _name(self, record: Record, at: int) -> str:
        """An input's name; one with a digit in it is looked up like any other number."""
        name = record.evidence.inputs[at].name
        return self._said(record, f"input.{at}.name") if any(map(str.isdigit, name)) else str(escape(name))

    def _pages(self, key: str) -> str:
        pages = self.site.quoted_on.get(key, [])
        if not pages:
            return ""
        named = ", ".join(
            f'<a href="{_ROOT}{links.to_page(path)}">{escape(title)}</a>' for path, title in pages[:SHOWN]
        )
        return _row("quoted on", named + (" and others" if len(pages) > SHOWN else ""))

    def _stamp(self, ref: str) -> str:
        return self.site.stamp(self.lookup.cite(ref))

    def _said(self, record: Record, name: str) -> str:
        ref = f"{record.id}@{name}"
        return _said(ref, self.lookup.said(ref))


def range_of(field: Quantity) -> tuple[float, float, float] | None:
    """Where low, value and high stand in px; None where the quantity is no share of anything."""
    if field.kind == "proportion":
        share = float(field.value)
    elif field.of:
        share = field.value / field.of
    else:
        return None
    interval = field.interval or Interval(share, share, "")
    low, value, high = (
        round(5 + max(0.0, min(1.0, at)) * (_WIDTH - 10), 1) for at in (interval.low, share, interval.high)
    )
    return low, value, high


def _sheet(value: str, what: str, drawn: str, rows: str, after: str, *, small: bool = False) -> str:
    return (
        f'<div class="sheet" popover id="{_ID}" role="dialog" aria-labelledby="{_ID}v">\n'
        f'<p class="v{" small" if small else ""}" id="{_ID}v">{value}</p>\n<p class="what">{what}</p>\n'
        f"{drawn}<dl>\n{rows}</dl>\n{after}</div>\n"
    )


def _row(term: str, text: str) -> str:
    return f"<div><dt>{term}</dt><dd>{text}</dd></div>\n"


def _said(ref: str, text: str, tag: str = "span") -> str:
    return f'<{tag} data-said="{escape(ref)}">{escape(text)}</{tag}>'


def _record(id_: str, name: str) -> str:
    return _ROOT + links.to_page(links.evidence(id_), links.anchor(name))


def _go(id_: str, name: str) -> str:
    full = _ROOT + links.to_page(links.evidence(id_), links.anchor(name))
    return (
        f'<p class="go"><a href="{full}">The full record</a> <a href="{_ROOT}{links.record_json(id_)}">JSON</a></p>\n'
    )
