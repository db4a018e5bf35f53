"""What a figure reads: fields, row-level tables, and printed numbers with their references."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lens.reading import Columns, Declined, Field, Quantity, Quote
from site_builder.lookup import Lookup
from site_builder.svg import Run
from site_builder.svg.markup import source
from site_builder.svg.palette import Tone

REASONS = {
    "not_applicable": "not applicable",
    "access_insufficient": "needs more access",
    "record_incomplete": "never recorded",
    "not_run": "not run",
    "assumption_violated": "assumption broken",
    "corpus_inadequate": "rate declined",
    "no_control": "no control",
    "below_detection": "below detection",
    "budget_exceeded": "over budget",
    "void": "void",
}


class Reader:
    """One record, and its neighbours of the same subject, through a lookup."""

    def __init__(self, lookup: Lookup, id_: str) -> None:
        self.lookup = lookup
        self.id = id_
        self.record = lookup.record(id_)
        self._tables: dict[str, Columns] = {}

    @property
    def fields(self) -> dict[str, Field]:
        return self.lookup.fields(self.id)

    @property
    def subject(self) -> str:
        """The name of what was measured."""
        return self.record.evidence.subject.name

    def neighbour(self, instrument: str) -> Reader | None:
        """Another instrument's reading of the same subject, where there is one."""
        id_ = f"{self.id.rpartition('/')[0]}/{instrument}"
        return Reader(self.lookup, id_) if self.lookup.store.has(id_) else None

    def get(self, name: str) -> Field | None:
        return self.fields.get(name)

    def quantity(self, name: str) -> Quantity | None:
        """A field that was measured; None where it is absent or declined."""
        field = self.fields.get(name)
        return field if isinstance(field, Quantity) else None

    def ending(self, tail: str) -> Iterator[tuple[str, Field]]:
        """(what stands before `.tail`, field) of every field so named, in the record's order."""
        for name, field in self.fields.items():
            head, dot, last = name.rpartition(".")
            if dot and last == tail:
                yield head, field

    def starting(self, head: str) -> Iterator[tuple[str, Field]]:
        """(what stands after `head.`, field) of every field so named, in the record's order."""
        for name, field in self.fields.items():
            if name.startswith(f"{head}."):
                yield name.removeprefix(f"{head}."), field

    def table(self, name: str) -> Columns | None:
        """Row-level data beside the record; None where it has no such table."""
        if name not in self.record.evidence.tables:
            return None
        if name not in self._tables:
            self._tables[name] = self.lookup.table(self.id, name)
        return self._tables[name]

    def ref(self, name: str, fmt: str = "") -> str:
        return f"{self.id}#{name}" + (f"|{fmt}" if fmt else "")

    def number(self, name: str, fmt: str = "", *, bold: bool = False, tone: Tone | None = None) -> Run:
        """A field's print with its reference."""
        cited = self.lookup.cite(self.ref(name, fmt))
        return Run(cited.text, cited.ref, bold=bold, tone=tone)

    def count(self, name: str, *, tone: Tone | None = "ink3") -> list[Run]:
        """ "k of n" with k in ink and the rest quieter; a zero is bold throughout."""
        field = self.quantity(name)
        if field is not None and field.value == 0:
            return [self.number(name, "count", bold=True)]
        return [self.number(name, "k"), Run(" of ", tone=tone), self.number(name, "of", tone=tone)]

    def rows(self, corpus: str) -> Run | None:
        """How many rows of a corpus went in, where a field or the record's inputs say so."""
        if self.quantity(f"{corpus}.rows"):
            return self.number(f"{corpus}.rows", "k")
        for index, entry in enumerate(self.record.evidence.inputs):
            if corpus in (entry.name, entry.role) and entry.rows is not None:
                ref = f"{self.id}@input.{index}.rows"
                return Run(self.lookup.said(ref), ref)
        return None

    def scope(self) -> dict[str, Any]:
        """The source line of a figure: what the reading covers, in the record's own words."""
        said = self.said("scope")
        return sentence(said, *([] if said.text.endswith(".") else ["."])) if said else sentence()

    def said(self, name: str) -> Run | None:
        """Words of the record, quoted whole; None where it left them open."""
        ref = f"{self.id}{name}" if name[0] in "@#" else f"{self.id}@{name}"
        text = self.lookup.said(ref)
        return Run(text, ref) if text else None


def share(field: Quantity | Quote) -> float:
    """A field on a percent axis. A "k of n" is its share, a proportion itself."""
    value = 0.0 if field.value is None else field.value
    return 100 * value / field.of if field.of else 100 * value


def ends(field: Quantity) -> tuple[float | None, float | None]:
    """The interval on a percent axis; (None, None) for a census, which has none."""
    interval = field.interval
    if interval is None or interval.low == interval.high:
        return None, None
    return 100 * interval.low, 100 * interval.high


def why(field: Declined) -> str:
    """A decline in a word or two."""
    return REASONS[field.reason]


def cell(line: list[Run] | Run | str) -> list[list[str]]:
    """A table cell: pieces of text, each with what stands behind it."""
    if isinstance(line, str):
        return [[line, ""]]
    return [[run.text, run.ref] for run in ([line] if isinstance(line, Run) else line)]


def declined(field: Declined) -> dict[str, Any]:
    """A table cell that was declined: its reason in words."""
    return {"declined": why(field)}


def sentence(*pieces: str | Run) -> dict[str, Any]:
    """Prose with cited numbers, for captions: `text` in plotly's markup and its `cites`."""
    text, cites = source([Run(piece) if isinstance(piece, str) else piece for piece in pieces])
    return {"text": text, "cites": cites}
